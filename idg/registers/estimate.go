package registers

import (
	"gpupipe/idg"
	"gpupipe/internal/target"
)

// stackPointer is how many registers hold no value of the program on NVIDIA's GPUs: R1, the
// stack pointer of the ABI, which the first instruction of every kernel loads.
const stackPointer = 1

// Reserved is how many 32-bit registers of a work item hold no value of the program.
func Reserved(u target.UniformValues) int {
	if u == target.InScalarRegisters {
		return 0
	}
	return stackPointer
}

// Estimate estimates the 32-bit registers that a work item needs, on a device
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
// stretches of code (idg.OrderedTogether), of which those that are connected are not cut.
// LLVM's for AMD is taken to keep the order as resolved, but for what it sinks into
// conditional blocks (sunk).
func Estimate(g *idg.Graph, u target.UniformValues) int {
	c := ClassesOf(g)
	most := int64(0)
	for _, k := range g.GroupKinds() {
		for _, p := range k.Graph.Programs() {
			l := c.whole(p)
			if l == nil {
				return 0
			}
			_, peak := l.Order(u)
			most = max(most, peak)
		}
	}
	return int(most) + Reserved(u)
}

// Order is the order of a program that its registers are estimated from, and the most of
// them that hold values at once in it. From then on Words is 0 of values in scalar registers.
func (l *Live) Order(u target.UniformValues) (order []idg.NodeID, peak int64) {
	if u == target.InScalarRegisters {
		l.scalar = l.scalarValues()
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

// resolved is the order of the program.
func (l *Live) resolved() []idg.NodeID {
	order := make([]idg.NodeID, l.Len())
	for v := range order {
		order[v] = idg.NodeID(v)
	}
	return order
}

// peak is the largest sum of the sizes of values that are live at once when the
// program is executed in an order.
func (l *Live) peak(order []idg.NodeID) int64 {
	users := l.Users() // left
	live, most := int64(0), int64(0)
	for _, v := range order {
		from, kind := l.Preds(v)
		for i, u := range from {
			if kind[i] != idg.Data {
				continue
			}
			if users[u]--; users[u] == 0 {
				live -= l.Words(u)
			}
		}
		n := l.Words(v)
		most = max(most, live+n)
		if users[v] > 0 {
			live += n
		}
	}
	return most
}
