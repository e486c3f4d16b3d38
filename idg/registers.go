package idg

import (
	"fmt"
	"strings"
)

// RegisterCap is the number of 32-bit registers that a work item can have on NVIDIA's
// devices from compute capability 3.5 on (CUDA C++ Programming Guide,
// Technical Specifications); what needs more is spilled to private memory.
const RegisterCap = 255

// baseRegisters are those that hold no value of the program on NVIDIA's GPUs: R1, the stack
// pointer of the ABI, which the first instruction of every kernel loads.
const baseRegisters = 1

// noValue is how many registers hold no value of the program.
func noValue(u UniformValues) int {
	if u == InScalarRegisters {
		return 0
	}
	return baseRegisters
}

// Live values are counted in a whole program of up to wholeLiveness instructions, with
// its repetitions; in one of up to maxLiveness, if of long loops only some
// iterations are executed.
const (
	wholeLiveness = 1 << 18
	maxLiveness   = 1 << 20
)

// EstimateRegisters estimates the 32-bit registers that a work item needs, on a device
// that has uniform values in the given registers: the most that hold live values at once,
// in the program of any kind of group that needs most, and those that hold no value of
// the program. 0 means not known: a program has more than maxLiveness instructions, with
// some iterations of each long loop.
//
// A value lives from its instruction to its last data user; it takes as many
// registers as its type has words: two for 64-bit numbers, among them the addresses
// of global memory, one for what is smaller, none for predicates (setp), which
// have a register file of their own. A load takes what it loads. The result may
// take the place of an operand that dies. Arguments and constants take none:
// NVIDIA's instructions read them from constant memory. At -O0 addresses belong
// to the accesses and are not counted. Values in scalar registers (scalarValues) take
// none of a work item's.
//
// How many values live at once depends on the order. NVIDIA's compiler puts occupancy
// first: the estimate is the smaller of two, the order as resolved, and one that saves
// registers. In that, nothing crosses a barrier, loop or branch, nor the cuts of long
// stretches of code (orderedTogether), of which those that are connected are not cut.
// LLVM's for AMD is taken to keep the order as resolved, but for what it sinks into
// conditional blocks (sunk).
func (g *Graph) EstimateRegisters(u UniformValues) int {
	size := g.ResultWords()
	most, base := int64(0), noValue(u)
	for _, k := range g.GroupKinds() {
		for _, p := range k.Graph.programs {
			l := newLiveness(g, p, size)
			if l == nil {
				return 0
			}
			_, peak := l.ordered(g, u)
			most = max(most, peak)
		}
	}
	return int(most) + base
}

// ordered is the order of a program that its registers are estimated from, and the most of
// them that hold values at once in it.
func (l *liveness) ordered(g *Graph, u UniformValues) (order []NodeID, peak int64) {
	if u == InScalarRegisters {
		l.scalar = l.scalarValues(g.instrs)
		order = l.sunk()
		return order, l.peak(order)
	}
	resolved, saving := l.resolved(), l.saving()
	if a, b := l.peak(resolved), l.peak(saving); a > b {
		return saving, b
	} else {
		return resolved, a
	}
}

// liveness is what the number of live values depends on.
type liveness struct {
	f    *Flat
	size []int64 // registers of the result, by InstrID - 1
	gate []bool  // nothing crosses the instruction, by InstrID - 1

	load, store []bool // by InstrID - 1
	pred        []bool // the result is a predicate, by InstrID - 1
	choice      []bool // selects by a predicate, by InstrID - 1

	scalar []bool // the result is in scalar registers, by node; nil: there are none
}

// words is how many registers of a work item the result of a node takes.
func (l *liveness) words(v NodeID) int64 {
	if l.scalar != nil && l.scalar[v] {
		return 0
	}
	return l.size[l.f.Instr(v)-1]
}

// newLiveness prepares a program of a graph; nil: it is too long.
func newLiveness(g *Graph, p *Program, size []int64) *liveness {
	l, loop := classify(g, size)
	if f, err := p.Expanded(wholeLiveness); err == nil {
		l.f = f
	} else if l.f = p.condensed(maxLiveness, loop); l.f == nil {
		return nil
	}
	l.f = g.merged(l.f)
	return l
}

// classify prepares what does not depend on the program, and tells loop instructions, by
// InstrID - 1.
func classify(g *Graph, size []int64) (l *liveness, loop []bool) {
	of := func() []bool { return make([]bool, len(size)) }
	l, loop = &liveness{size: size, gate: of(), load: of(), store: of(), pred: of(), choice: of()}, of()
	for i := range g.instrs {
		loop[i] = g.instrs[i].IsRolledLoop()
		switch op, _, _ := strings.Cut(g.instrs[i].Op, "."); op {
		case "barrier", "branch", "fence", "loop":
			l.gate[i] = true
		case "ld":
			l.load[i] = true
		case "st":
			l.store[i] = true
		default:
			l.pred[i], l.choice[i] = size[i] == 0, op == "select"
		}
	}
	return l, loop
}

// gated reports whether nothing crosses a node.
func (l *liveness) gated(v NodeID) bool { return l.gate[l.f.Instr(v)-1] }

// resolved is the order of the program.
func (l *liveness) resolved() []NodeID {
	order := make([]NodeID, l.f.Len())
	for v := range order {
		order[v] = NodeID(v)
	}
	return order
}

// dataUsers are those of every node.
func (l *liveness) dataUsers() []pending {
	users := make([]pending, l.f.Len())
	for v := range NodeID(l.f.Len()) {
		from, kind := l.f.Preds(v)
		for i, u := range from {
			if kind[i] == Data {
				users[u].add(v)
			}
		}
	}
	return users
}

// lastUsers are the last data users of every node in the program; 0: it has none.
func (l *liveness) lastUsers() []NodeID {
	last := make([]NodeID, l.f.Len())
	for v := range NodeID(l.f.Len()) {
		from, kind := l.f.Preds(v)
		for i, u := range from {
			if kind[i] == Data {
				last[u] = v
			}
		}
	}
	return last
}

// pending is a set of nodes of which the size is known, and the node when it is
// the only one.
type pending struct {
	n   uint32
	xor NodeID // of all nodes
}

func (p *pending) add(v NodeID)    { p.n, p.xor = p.n+1, p.xor^v }
func (p *pending) remove(v NodeID) { p.n, p.xor = p.n-1, p.xor^v }

// peak is the largest sum of the sizes of values that are live at once when the
// program is executed in an order.
func (l *liveness) peak(order []NodeID) int64 {
	users := l.dataUsers() // left
	live, most := int64(0), int64(0)
	for _, v := range order {
		from, kind := l.f.Preds(v)
		for i, u := range from {
			if kind[i] != Data {
				continue
			}
			if users[u].remove(v); users[u].n == 0 {
				live -= l.words(u)
			}
		}
		n := l.words(v)
		most = max(most, live+n)
		if users[v].n > 0 {
			live += n
		}
	}
	return most
}

// ResultWords is how many 32-bit registers the result of each instruction class
// takes, by InstrID - 1.
func (g *Graph) ResultWords() []int64 {
	size := make([]int64, len(g.instrs))
	for i := range g.instrs {
		size[i] = resultWords(&g.instrs[i], g.Access(g.instrs[i].Access))
	}
	return size
}

// resultWords is how many 32-bit registers the result of an instruction takes.
func resultWords(in *Instr, a *Access) int64 {
	op, rest, _ := strings.Cut(in.Op, ".")
	if in.IsAsync() {
		return 0
	}
	switch op {
	case "st", "barrier", "fence", "branch", "setp", "async", "tma":
		return 0
	case "wgmma":
		return groupWords(rest)
	case "ld", "atomic":
		if a != nil {
			return max(1, (int64(a.Width)+3)/4)
		}
		return registerWords(in.Type)
	case "loop", "index", "shuffle", "vote":
		return 1
	case "hmma", "imma", "dmma":
		return matrixWords(rest)
	case "cvt":
		to, _, _ := strings.Cut(rest, ".")
		return registerWords(to)
	}
	if strings.HasPrefix(rest, "wide.") || strings.HasPrefix(rest, "packed.") {
		return 2
	}
	return registerWords(rest[strings.LastIndexByte(rest, '.')+1:])
}

// matrixWords is how many registers of a work item the result of a matrix instruction takes: its
// part of 16x8 numbers of 32 bits, or of 8x8 of 64; half of that of 16 bits, of 8x8 of 32, and of
// what a step of HMMA.884 computes.
func matrixWords(shape string) int64 {
	switch shape {
	case "1688.f32", "16816.f32", "1684.f32", "16816.s32", "884.f64":
		return 4
	}
	return 2
}

// groupWords is how many registers of a work item the result of a matrix instruction of a warp group takes, its
// part of 64xN numbers: "m64n128k16.bf16.f32".
func groupWords(shape string) int64 {
	var rows, columns, depth int64
	if n, _ := fmt.Sscanf(shape, "m%dn%dk%d", &rows, &columns, &depth); n != 3 {
		return 1
	}
	words := rows * columns / (4 * 32)
	if strings.HasSuffix(shape, ".f16") {
		words /= 2
	}
	return max(1, words)
}

// registerWords is the number of registers of a scalar type.
func registerWords(typ string) int64 {
	switch typ {
	case "f64", "s64", "u64", "b64", "ptr":
		return 2
	case "pred", "bool":
		return 0
	}
	return 1
}

// WithEstimate returns the graph with its estimated registers (EstimateRegisters), but at
// most limit of them, and the estimate: what is beyond limit a compiler spills, to private
// memory (spilled). Where it is not known what, or the graph would be too long, it has no such
// accesses. An estimate of 0 is not known; the graph is the same then.
func (g *Graph) WithEstimate(u UniformValues, limit int) (h *Graph, needed int) {
	if needed = g.EstimateRegisters(u); needed == 0 {
		return g, 0
	}
	if h = g; needed > limit {
		if s := g.spilled(u, limit); s != nil {
			h = s
		}
	}
	return h.WithRegisters(min(needed, limit), true), needed
}

// WithRegisters returns the graph with another number of registers per work
// item. Everything else is shared with g.
func (g *Graph) WithRegisters(n int, estimated bool) *Graph {
	h := *g
	h.Resources.Registers, h.Resources.RegistersEstimated = n, estimated
	return &h
}
