package unroll

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/target"
	"gpupipe/lower"
)

// Target is what the code is compiled for.
type (
	Target      = target.Target
	Level       = target.Level
	Compiler    = target.Compiler
	BarrierWait = target.BarrierWait
)

// The levels, the compilers and what a barrier waits for.
const (
	O0           = target.O0
	O2           = target.O2
	O3           = target.O3
	NVCC         = target.NVCC
	Clang        = target.Clang
	NoCompiler   = target.NoCompiler
	WaitIssue    = target.WaitIssue
	WaitComplete = target.WaitComplete
)

// Location selects loops or branches of the source by line, optionally with
// file and column: "31", "31:5", "k.cl:31", "k.cl:31:5".
type Location struct {
	File   string
	Line   int
	Column int
}

// ParseLocation reads a Location.
func ParseLocation(s string) (Location, error) {
	var loc Location
	parts := strings.Split(s, ":")
	if len(parts) > 0 {
		if _, err := strconv.Atoi(parts[0]); err != nil {
			loc.File, parts = parts[0], parts[1:]
		}
	}
	nums := make([]int, 0, 2)
	for _, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 1 {
			return loc, fmt.Errorf("location %q: want LINE, LINE:COLUMN or FILE:LINE", s)
		}
		nums = append(nums, n)
	}
	if len(nums) == 0 || len(nums) > 2 {
		return loc, fmt.Errorf("location %q: want LINE, LINE:COLUMN or FILE:LINE", s)
	}
	loc.Line = nums[0]
	if len(nums) == 2 {
		loc.Column = nums[1]
	}
	return loc, nil
}

func (l Location) String() string {
	s := strconv.Itoa(l.Line)
	if l.File != "" {
		s = l.File + ":" + s
	}
	if l.Column > 0 {
		s += ":" + strconv.Itoa(l.Column)
	}
	return s
}

// Matches reports whether a location is that of a position.
func (l Location) Matches(p lower.Pos) bool {
	if l.Line != p.Line || l.Column != 0 && l.Column != p.Column {
		return false
	}
	return l.File == "" || l.File == p.File || strings.HasSuffix(p.File, "/"+l.File)
}

// BranchSide is what --branch chooses.
type BranchSide uint8

// The choices. The zero value is invalid.
const (
	TakeBranch BranchSide = iota + 1
	SkipBranch
	BothSides
)

// ParseBranchSide reads "taken", "not-taken" or "both".
func ParseBranchSide(s string) (BranchSide, error) {
	i := slices.Index([]string{"taken", "not-taken", "both"}, s)
	if i < 0 {
		return 0, fmt.Errorf("unknown branch choice %q: one of taken, not-taken, both", s)
	}
	return BranchSide(i + 1), nil
}

// TripChoice gives the trip count of the loops at a location, UnrollChoice
// their unroll factor (1 = keep rolled), BranchChoice the side of a branch.
type (
	TripChoice struct {
		At    Location
		Trips int64
	}
	UnrollChoice struct {
		At     Location
		Factor int64
	}
	BranchChoice struct {
		At   Location
		Side BranchSide
	}
)

// ArgValue is the value of a scalar argument: an integer or a floating number.
type ArgValue struct {
	Int     int64
	Float   float64
	IsFloat bool
}

// KindChoice says of which groups of the launch programs are made.
type KindChoice uint8

// The choices. Options takes the zero value as MiddleGroup.
const (
	MiddleGroup   KindChoice = iota + 1 // the group in the middle stands for all
	EdgeGroups                          // the first and the last group of each dimension apart from those between
	SampledGroups                       // groups spread over the launch, each for those around it
	// SampledGroups where some of them execute more or less than the one in the middle, else those of EdgeGroups that
	// change what the launch executes by a percent
	SampledIfUneven
)

// WarpChoice says which warps of the group are executed.
type WarpChoice uint8

// The choices. Options takes the zero value as EveryWarp.
const (
	EveryWarp   WarpChoice = iota + 1 // each warp; equal ones are stored once
	FirstWarp                         // warp 0 stands for all
	ListedWarps                       // Options.WarpList
)

// LocalityChoice says how far the reuse of memory is analysed.
type LocalityChoice uint8

// The choices. Options takes the zero value as WithoutLocality.
const (
	WithoutLocality LocalityChoice = iota + 1
	GroupLocality                  // within the group
	LaunchLocality                 // between groups too: some warps of others are resolved
)

func (l LocalityChoice) String() string {
	switch l {
	case WithoutLocality:
		return "none"
	case GroupLocality:
		return "group"
	case LaunchLocality:
		return "launch"
	}
	return fmt.Sprintf("LocalityChoice(%d)", uint8(l))
}

// ParseLocality reads "none", "group" or "launch".
func ParseLocality(s string) (LocalityChoice, error) {
	for _, l := range []LocalityChoice{WithoutLocality, GroupLocality, LaunchLocality} {
		if s == l.String() {
			return l, nil
		}
	}
	return 0, fmt.Errorf("unknown locality %q: one of none, group, launch", s)
}

// Defaults and limits.
const (
	// DefaultAssumedTrips is the trip count of a loop about which nothing is
	// known.
	DefaultAssumedTrips = 16
	// DefaultMaxInstructions bounds the instructions of one warp, and of those of a group together: what is
	// executed, or refused, in less than five seconds and 500 MB.
	DefaultMaxInstructions = 3_000_000
	maxLanes               = 64 // of a warp
)

// Options says for which launch a kernel's code is executed, and what is taken of what is not known. Zero values take
// the documented defaults.
type Options struct {
	Source idg.Source // copied into the graph
	Notes  diag.List  // what the caller assumed about the launch; they precede the others in the graph
	Target

	Local        [3]int64 // work items per group; each 0 = 1
	Groups       [3]int64 // groups; each 0 = 1
	Inferred     bool     // Local is what the extents of arrays suggest
	DynamicLocal int64    // bytes of dynamic local memory

	Args        map[string]ArgValue // scalar arguments by name ("n", "v.x")
	AssumedArgs map[string]bool     // those of Args that the user did not give
	// Contents are the bytes of buffers by argument name, for subscripts that are
	// loaded from them. They are known to us, not to the compiler; those of a buffer
	// that the kernel may write to, until it writes to one that may overlap.
	Contents map[string][]byte

	Trips       []TripChoice
	AssumeTrips int64 // DefaultAssumedTrips
	Unrolls     []UnrollChoice
	Branches    []BranchChoice
	Warps       WarpChoice
	WarpList    []uint32

	Strict          bool       // unknown trip counts are errors
	MaxInstructions int        // DefaultMaxInstructions
	Kinds           KindChoice // MiddleGroup
	// Locality says whether the graph tells where bytes were touched before;
	// WithoutLocality.
	Locality LocalityChoice
	// Ended is asked from time to time whether to go on; its error ends the work. nil = go on.
	Ended func() error
	// Before is asked whether to go on with the graph as it is without what Locality finds; its error ends the work.
	Before func(*idg.Graph) error
	// Steps is told how many instructions were executed one by one. nil = nobody asks.
	Steps *int64
}

// Check refuses values that are contradictory or name what the kernel does not have.
func (o Options) Check(k *lower.Kernel) error {
	if err := o.checkChoices(); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(o.Args)) {
		if !slices.ContainsFunc(k.Params, func(p lower.Param) bool { return p.Name == name && p.Type != lower.Ptr }) {
			return unknownArg(k, name)
		}
	}
	return nil
}

// checkChoices checks what is one of a few alternatives or a count.
func (o Options) checkChoices() error {
	switch {
	case o.Level > O3:
		return optionError("unknown level %v", o.Level)
	case o.Compiler > NoCompiler:
		return optionError("unknown compiler %v", o.Compiler)
	case o.Barrier > WaitComplete:
		return optionError("unknown barrier wait %v", o.Barrier)
	case o.Kinds > SampledIfUneven:
		return optionError("unknown choice of groups %d", o.Kinds)
	case o.Locality > LaunchLocality:
		return optionError("unknown choice of locality %d", o.Locality)
	case o.Warps > ListedWarps:
		return optionError("unknown choice of warps %d", o.Warps)
	case o.AssumeTrips < 0:
		return optionError("the assumed trip count %d is negative", o.AssumeTrips)
	case o.DynamicLocal < 0:
		return optionError("%d bytes of dynamic local memory", o.DynamicLocal)
	}
	for _, t := range o.Trips {
		if t.Trips < 0 {
			return optionError("the trip count %d at %v is negative", t.Trips, t.At)
		}
	}
	for _, u := range o.Unrolls {
		if u.Factor < 1 {
			return optionError("the unroll factor %d at %v is less than 1", u.Factor, u.At)
		}
	}
	for _, b := range o.Branches {
		if b.Side < TakeBranch || b.Side > BothSides {
			return optionError("unknown choice %d for the branch at %v", b.Side, b.At)
		}
	}
	return nil
}

// WithDefaults fills in the defaults and checks sizes.
func (o Options) WithDefaults() (Options, error) {
	o.Level, o.Compiler, o.WarpSize = cmp.Or(o.Level, O2), cmp.Or(o.Compiler, NVCC), cmp.Or(o.WarpSize, 32)
	if o.WarpSize < 1 || o.WarpSize > maxLanes {
		return o, optionError("warp size %d is outside 1 to %d", o.WarpSize, maxLanes)
	}
	for d := range 3 {
		o.Local[d], o.Groups[d] = cmp.Or(o.Local[d], 1), cmp.Or(o.Groups[d], 1)
		if o.Local[d] < 0 || o.Groups[d] < 0 || o.Local[d] > 1<<20 || o.Groups[d] > 1<<40 {
			return o, optionError("launch sizes out of range: local %v, groups %v", o.Local, o.Groups)
		}
	}
	if n := o.Local[0] * o.Local[1]; n > 1<<20 || n*o.Local[2] > 1<<20 {
		return o, optionError("a group of %d x %d x %d work items is larger than any device allows", o.Local[0],
			o.Local[1], o.Local[2])
	}
	items := o.Local[0] * o.Local[1] * o.Local[2]
	for _, n := range o.Groups {
		if n > idg.MaxTotalItems/items {
			return o, optionError("a launch of %d x %d x %d groups of %d work items is more than 2^53 work items",
				o.Groups[0], o.Groups[1], o.Groups[2], o.Local[0]*o.Local[1]*o.Local[2])
		}
		items *= n
	}
	o.AssumeTrips = cmp.Or(o.AssumeTrips, DefaultAssumedTrips)
	if o.Barrier == 0 {
		o.Barrier = WaitIssue
		if o.Level == O0 {
			o.Barrier = WaitComplete
		}
	}
	o.Warps, o.Kinds = cmp.Or(o.Warps, EveryWarp), cmp.Or(o.Kinds, MiddleGroup)
	o.Locality = cmp.Or(o.Locality, WithoutLocality)
	if o.MaxInstructions <= 0 {
		o.MaxInstructions = DefaultMaxInstructions
	}
	return o, nil
}

func optionError(format string, args ...any) error {
	return diag.Errorf(diag.Pos{}, "LAUNCH", format, args...)
}

func unknownArg(k *lower.Kernel, name string) error {
	e := diag.Errorf(k.Pos, "ARG", "kernel %s has no scalar argument %q", k.Name, name)
	var names []string
	for _, p := range k.Params {
		if p.Type != lower.Ptr {
			names = append(names, p.Name)
		}
	}
	if len(names) > 0 {
		return e.WithNote("its scalar arguments are %v", names)
	}
	return e.WithNote("it has no scalar arguments")
}

// ArgList is the values of scalar arguments.
func ArgList(k *lower.Kernel, opt Options) []idg.Arg {
	var out []idg.Arg
	for _, p := range k.Params {
		if v, ok := opt.Args[p.Name]; ok && p.Type != lower.Ptr {
			text := fmt.Sprint(v.Int)
			if v.IsFloat {
				text = fmt.Sprint(v.Float)
			}
			out = append(out, idg.Arg{Name: p.Name, Value: text, Assumed: opt.AssumedArgs[p.Name]})
		}
	}
	return out
}
