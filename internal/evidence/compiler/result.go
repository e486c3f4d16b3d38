package main

// Target is what a kernel is compiled for: an architecture, and whose habits are followed.
type Target struct {
	Arch    string // "sm_90"
	Profile string // of the compiler: "nvcc-13"
}

// Result is what a compiler says of a kernel. -1 stands for what it does not know.
type Result struct {
	Registers   int64
	Scalars     int64 // AMD: SGPRs
	SpillStores int64 // bytes, static
	SpillLoads  int64
	SpillBytes  int64 // of private memory
	Shared      int64 // bytes of a group, static
	Static      *Counts
	Executed    *Counts // warp instructions of the launch, nil: not known
	Loops       []LoopDecision
}

// LoopDecision is how a loop of the source was unrolled.
type LoopDecision struct {
	Line   int
	Copies int64 // of the body in an iteration of the code; 0: no loop is left
	Why    string
	Lines  map[int]bool // of what is in it
}

// Residency is what limits the groups of a multiprocessor (CUDA C++ Programming Guide, Technical
// Specifications per Compute Capability).
type Residency struct{ warps, groups, shared int64 }

var residencies = map[string]Residency{
	"sm_70": {64, 32, 96 << 10},
	"sm_80": {64, 32, 164 << 10},
	"sm_90": {64, 32, 228 << 10},
}

// The file of a multiprocessor's partition, the registers that a warp gets at once, and the shared memory that the
// system has of each group from compute capability 8.0 on (CUDA Occupancy Calculator).
const (
	partitions     = 4
	partitionFile  = 16384
	registerUnit   = 256
	reservedShared = 1 << 10
	sharedUnit     = 128
)

// Resident is how many warps of groups of so many work items a multiprocessor holds, 0 for an architecture without
// figures.
func Resident(arch string, registers, shared, items int64) int64 {
	r, ok := residencies[arch]
	if !ok || registers < 0 || items <= 0 {
		return 0
	}
	up := func(n, unit int64) int64 { return (n + unit - 1) / unit * unit }
	warps := (items + 31) / 32
	groups := min(r.groups, r.warps/warps)
	if registers > 0 {
		groups = min(groups, partitions*(partitionFile/up(32*registers, registerUnit))/warps)
	}
	groups = min(groups, r.shared/up(max(0, shared)+reservedShared, sharedUnit))
	return groups * warps
}
