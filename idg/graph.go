package idg

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// EdgeKind says when a dependence is satisfied.
type EdgeKind uint8

// The kinds of dependence. The zero value is invalid.
const (
	// Data is satisfied when the producer completes (issue + Λ).
	Data EdgeKind = iota + 1
	// Control runs from a loop or branch instruction, or a barrier, to what it
	// gates; it is satisfied when the producer completes. From what is no gate (isa.Op.Gate) it
	// runs to an instruction that reads a register of which lanes were written at different times: the last writer
	// is the operand (Data), the earlier ones are waited for as well.
	Control
	// Order is satisfied once the predecessor has been issued and its λ has
	// passed.
	Order
)

var edgeKindNames = [...]string{Data: "data", Control: "control", Order: "order"}

func (k EdgeKind) String() string {
	if k != 0 && int(k) < len(edgeKindNames) {
		return edgeKindNames[k]
	}
	return "invalid edge kind"
}

// Edge is a dependence on an earlier instruction of the same warp.
type Edge struct {
	From Executed
	Kind EdgeKind
}

// Graph is one Instruction Dependence Graph document: what one launch of a
// kernel executes, as one Program for each group of equal warps. It is
// immutable once built.
type Graph struct {
	Header

	accesses []Access // accesses[id-1]
	instrs   []Instr  // instrs[id-1]
	programs []*Program
	kinds    []Kind // other than the programs'
}

// Header is everything of a Graph that is not its programs.
type Header struct {
	Source   Source
	Kernel   string
	Level    string // "O0", "O2" or "O3"
	Compiler string // "nvcc", "clang" or "none"
	// MachineCode says that the instructions are those of machine code, as far as the
	// compiler's last stage is known; else those of PTX, or of the source.
	MachineCode bool
	// GPU is the device that idgen made the graph for (--gpu, or its default): the name of a built-in one or
	// that of a device file; "" = none.
	GPU string
	// Capability is the architecture of this device, as its vendor names it ("8.0", "gfx90a"); "" = not known.
	Capability string
	// Variant says in what a graph differs from the one before it in its file: one of the constants; "" = it is none
	// of those.
	Variant   string
	Variants  []*Graph // which follow the graph in its file
	Launch    Launch
	Resources Resources
	Loops     []Loop
	Branches  []Branch
	Notes     []Note
	// Locality says, by instruction class in ascending order, where the bytes
	// that it touches were touched before; nil = not analysed. Classes whose
	// addresses are not known are not in the list.
	Locality  []Locality
	Footprint *Footprint // nil = not analysed
}

// What a variant of a graph differs in, which only the compiler can tell.
const (
	// TwiceTheTrips has each trip count that is assumed doubled.
	TwiceTheTrips = "twice the assumed trips"
	// BranchesNotTaken has no lane go into what is executed since a condition is not known.
	BranchesNotTaken = "branches not taken"
	// Unbounded is without the bound on resident groups that is met by spilling.
	Unbounded = "without launch bounds"
	// SinglePrecision has literals without a suffix in single precision.
	SinglePrecision = "literals of single precision"
	// FastMath is compiled for the hardware's functions of single precision.
	FastMath = "fast math"
	// SwappedXY and SwappedXZ have the numbers of work items and groups, and the launch, exchanged in two dimensions.
	SwappedXY = "x and y swapped"
	SwappedXZ = "x and z swapped"
	// Combined has a group combine what it adds to one word of global memory.
	Combined = "combined by groups"
	// OwnBins has each group count in bins of its own, and several elements for each work item.
	OwnBins = "bins of the group"
	// Restricted has no other pointer to what a pointer of the kernel's arguments points to.
	Restricted = "restrict pointers"
	// Masks has masks and shifts for integer divisors that are not known.
	Masks = "masks for divisors"
	// Constants has the arguments and the group's sizes known to the compiler.
	Constants = "constant arguments"
	// UnrolledBy16 has the loops of a constant trip count unrolled by 16, or as a whole.
	UnrolledBy16 = "loops unrolled by 16"
)

// Several is the name of a variant that differs in several ways.
func Several(names []string) string { return strings.Join(names, " + ") }

// Of are the ways in which a variant of a name differs, see Several.
func Of(variant string) []string { return strings.Split(variant, " + ") }

// VariantOf is the variant that differs in that, nil if there is none.
func (h *Header) VariantOf(what string) *Graph {
	for _, v := range h.Variants {
		if v.Variant == what {
			return v
		}
	}
	return nil
}

// Source describes the kernel file that the graph was made from.
type Source struct {
	File    string
	Dialect string // "opencl" or "cuda"
	SHA256  string // of Text, hexadecimal
	Defines []string
	Text    string // the file's text, so that reports can quote source lines
}

// Launch is the execution configuration assumed by the graph.
type Launch struct {
	Local    [3]int64 // work items per group and dimension, each ≥ 1
	Groups   [3]int64 // groups per dimension, each ≥ 1
	WarpSize int      // lanes per warp: 32 or 64, 1 to MaxWarpSize
	Args     []Arg    // values given or assumed for scalar arguments
}

// Arg is the value of a scalar kernel argument, printed in C syntax.
type Arg struct {
	Name, Value string
	Assumed     bool
}

// WorkItems is the number of work items of a group.
func (l *Launch) WorkItems() int64 { return l.Local[0] * l.Local[1] * l.Local[2] }

// TotalGroups is the number of work groups of the launch.
func (l *Launch) TotalGroups() int64 { return l.Groups[0] * l.Groups[1] * l.Groups[2] }

// WarpsPerGroup is ceil(work items / warp size).
func (l *Launch) WarpsPerGroup() int64 {
	w := int64(l.WarpSize)
	return (l.WorkItems() + w - 1) / w
}

// Sizes says how many groups of how many work items there are: "128x128 groups of 8x8 work items".
func (l *Launch) Sizes() string {
	of := func(d [3]int64, noun string) string {
		if d == [3]int64{1, 1, 1} {
			return "1 " + noun
		}
		return Extent(d) + " " + noun + "s"
	}
	return of(l.Groups, "group") + " of " + of(l.Local, "work item")
}

// Extent prints the sizes of a launch, trailing dimensions of 1 left out: 128x128.
func Extent(d [3]int64) string {
	n := 3
	for n > 1 && d[n-1] == 1 {
		n--
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(d[:n]), " ", "x"), "[]")
}

// Resources is what one work group and one work item occupy.
type Resources struct {
	LocalBytes         int64 // local memory per group
	Registers          int   // per work item; 0 = not known
	RegistersEstimated bool
	// of private memory per work item, for arrays that are subscripted by what the compiler does not know
	PrivateBytes int64
	// of private memory per work item, for values that registers do not hold; their stores and loads are in the
	// programs
	SpilledBytes int64
	Unbounded    int // registers without the bound on resident groups that is met by spilling; 0 = there is none
}

// Loop is what the resolver decided about one loop of the source.
type Loop struct {
	Pos    Pos
	Kind   string // "for", "while", "do"
	Depth  int    // 1 = outermost
	Pragma string // as written, "" = none
	Trips  int64  // iterations of the first execution; -1 = varies or not reached
	// where the trip count came from: "constant", "arguments", "work-item ids", "launch sizes", "memory", "evaluated",
	// "--trip", "assumed", "varies", "not reached"
	Origin    string
	Executed  int64  // how many times the loop was entered by the warp
	Factor    int64  // copies of the body per loop instruction; Factor ≥ Trips = fully unrolled
	Full      bool   // fully unrolled: no loop instruction left
	Remainder int64  // iterations left over by Factor
	Reason    string // why Factor was chosen, one clause
}

// Branch is what the resolver decided about one branch of the source.
type Branch struct {
	Pos      Pos
	Kind     string // "if", "?:", "&&", "||", "switch"
	Decision string // "taken", "not-taken", "diverged", "both", "select", "folded", "varies"
	Origin   string // why: "constant", "arguments", "work-item ids", "--branch", "unknown"
	Executed int64  // how many times the warp came to it
	// Divergence is how the lanes went, nil for branches of which that is not
	// known or that are not in the compiled code: folded, replaced by selects, or
	// not reached.
	Divergence *Divergence
}

// Note is something assumed or worth knowing; Code is a stable upper-case word.
type Note struct {
	Pos  Pos
	Code string
	Text string
	// Advice says how to replace what is assumed ("give --trip 4=N"), a line each; empty where nothing does.
	Advice string
}

// Accesses returns the interned access patterns; AccessID id is element id-1.
// The slice must not be modified.
func (g *Graph) Accesses() []Access { return g.accesses }

// Access returns the pattern named id, or nil for 0.
func (g *Graph) Access(id AccessID) *Access {
	if id == 0 {
		return nil
	}
	return &g.accesses[id-1]
}

// Instrs returns the interned instruction classes; InstrID id is element id-1.
// The slice must not be modified.
func (g *Graph) Instrs() []Instr { return g.instrs }

// Instr returns the class named id.
func (g *Graph) Instr(id InstrID) *Instr { return &g.instrs[id-1] }

// Programs returns one program for each set of equal warps, ordered by the
// first warp of each set. They list warp 0 and no warp twice, but need not list
// every warp: ProgramOf says what the others execute. The slice must not be
// modified.
func (g *Graph) Programs() []*Program { return g.programs }

// ProgramOf returns the program that a warp of a group (0 to WarpsPerGroup-1)
// executes, nil if the group has no such warp. A warp that no program lists
// executes that of the nearest lower warp that is listed: a graph of the first
// warp alone lists warp 0, which then stands for all.
func (g *Graph) ProgramOf(warp int64) *Program {
	if warp < 0 || warp >= g.Launch.WarpsPerGroup() {
		return nil
	}
	var found *Program
	nearest := int64(-1)
	for _, p := range g.programs {
		// A verified graph's warps fit in uint32.
		i, exact := slices.BinarySearch(p.Warps, uint32(warp))
		if exact {
			return p
		}
		if i > 0 && int64(p.Warps[i-1]) > nearest {
			nearest, found = int64(p.Warps[i-1]), p
		}
	}
	return found
}

// Executions returns, for each element of Programs, how many warps of a group
// execute it, listed or not.
func (g *Graph) Executions() []int64 {
	type listed struct {
		warp    uint32
		program int
	}
	var all []listed
	for i, p := range g.programs {
		for _, w := range p.Warps {
			all = append(all, listed{w, i})
		}
	}
	slices.SortFunc(all, func(a, b listed) int { return cmp.Compare(a.warp, b.warp) })
	n := make([]int64, len(g.programs))
	for i, l := range all {
		end := g.Launch.WarpsPerGroup()
		if i+1 < len(all) {
			end = int64(all[i+1].warp)
		}
		n[l.program] += end - int64(l.warp)
	}
	return n
}

// WithRegisters returns the graph with another number of registers per work
// item. Everything else is shared with g.
func (g *Graph) WithRegisters(n int, estimated bool) *Graph {
	h := *g
	h.Resources.Registers, h.Resources.RegistersEstimated = n, estimated
	return &h
}

// WithOps returns the graph with other ops for its instruction classes: what op gives for a class. Everything else
// is shared with g.
func (g *Graph) WithOps(op func(*Instr) string) *Graph {
	h := *g
	h.instrs = slices.Clone(g.instrs)
	for i := range h.instrs {
		h.instrs[i].Op = op(&g.instrs[i])
	}
	return &h
}
