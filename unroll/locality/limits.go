package locality

// Limits on time and memory. Each is far above what kernels need whose groups work
// on a tile, and small beside what resolving the group has cost.
const (
	// MaxTouches bounds the memory instructions recorded for a group, what repeats not
	// counted: 48 MB.
	MaxTouches = 2 << 20
	// maxSectorTouches bounds the sectors whose reuse distance is counted one by one.
	maxSectorTouches = 4 << 20
	// maxShapes bounds the shapes of accesses that are told apart.
	maxShapes = 1 << 16
	// maxWays bounds the ways in which the accesses of a group may move from
	// group to group; more are no regular pattern.
	maxWays = 64
	// maxCandidates bounds the earlier groups that are compared for a buffer, and
	// maxSpanSteps the byte ranges that are compared in all.
	maxCandidates = 1 << 14
	maxSpanSteps  = 1 << 24
	// maxSpans bounds the byte ranges of a set of addresses, and so the separate pieces of
	// memory that repeats touch.
	maxSpans = 1 << 18
	// maxSpread bounds the groups, spread over the launch, of which a warp each bounds
	// where its accesses lie.
	maxSpread = 16
	// exhaustiveWarps is the size of a launch in warps, and
	// exhaustiveInstructions in warp instructions, up to which every group is
	// resolved.
	exhaustiveWarps        = 16
	exhaustiveInstructions = 1 << 16
	// edgeInstructions bounds the warp instructions of the groups that stand for the parts of a
	// launch, its edges and what lies between: about half a second's work.
	edgeInstructions = 1 << 18
	// maxPrograms bounds the different control flows of a group's warps of
	// which one warp each is followed into other groups: all of the largest groups'.
	// Where rows of work items are not a multiple of a warp, nearly every warp has its own.
	// That costs the group's own warps once for each dimension of the launch, no more than
	// sampling other groups does.
	maxPrograms = 32
)
