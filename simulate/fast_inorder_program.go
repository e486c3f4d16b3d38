package simulate

import (
	"cmp"
	"slices"

	"gpupipe/idg"
)

// pendingTime stands for the completion of a barrier that not all warps have
// reached: later than every time of a run.
const pendingTime = Tick(1) << 62

// orderedProgram is a program for in-order issue. A warp remembers, in
// numbered slots, only those completion times that later instructions still
// need; slots are assigned as a compiler assigns registers.
type orderedProgram struct {
	nodes    []orderedNode      // and one more, which ends the last one's needs
	causes   [][fewNeeds]uint32 // by node: the classes of the instructions needed
	more     []need
	slots    int
	barriers []idg.NodeID
}

// orderedNode is an instruction, in half a cache line.
type orderedNode struct {
	class     uint32
	done      uint32 // slot of the time at which it completes
	passed    uint32 // slot of the time at which its λ has passed
	subsystem uint16
	flags     nodeFlags
	needs     [fewNeeds]uint32 // slots of times that must have come; slotZero where there is none
	first     uint32           // of its further needs, with flagMore: more[first : first of the next]
}

// fewNeeds is how many needs stand in the node: enough for a multiply-add. They
// are all looked at without a branch.
const fewNeeds = 3

// need is a further dependence.
type need struct {
	slot  uint32
	class uint32 // of the instruction that it is on
}

// The first slots.
const (
	slotZero   = iota // always 0
	slotNobody        // times that nobody needs
	firstSlot
)

// nodeFlags says what else follows from an instruction's issue.
type nodeFlags uint16

const (
	// flagBarrier marks a barrier.
	flagBarrier nodeFlags = 1 << iota
	// flagFinal marks an instruction that may be the last of its warp to end:
	// no other one can only issue when it has ended.
	flagFinal
	// flagDone and flagPassed mark, for dataflow, instructions that others wait
	// for by data or control, and by order dependences.
	flagDone
	flagPassed
	// flagMore marks, for in-order issue, more needs than the node holds.
	flagMore
	// flagMany marks, for dataflow, more dependences than its counter holds.
	flagMany
)

// flags returns the flags of a node.
func (w *workload) flags(p *program, v idg.NodeID) nodeFlags {
	c := &w.classes[p.class[v]]
	f := nodeFlags(0)
	done, passed := len(p.done.of(v)) > 0, len(p.passed.of(v)) > 0
	if done {
		f |= flagDone
	}
	if passed {
		f |= flagPassed
	}
	if c.barrier {
		f |= flagBarrier
	}
	outlived := done
	if c.store {
		outlived = passed || done && c.latency >= c.hold
	}
	if !outlived {
		f |= flagFinal
	}
	return f
}

// ordered translates a program, once. Of needs that end at the same time the
// last in the order of eventRanks counts, so needs stand in that order.
func (w *workload) ordered(p *program) *orderedProgram {
	if p.ordered == nil {
		p.ordered = w.newOrderedProgram(p, w.eventRanks())
	}
	return p.ordered
}

func (w *workload) newOrderedProgram(p *program, order []eventRank) *orderedProgram {
	n := p.len()
	o := &orderedProgram{nodes: make([]orderedNode, n+1), causes: make([][fewNeeds]uint32, n), barriers: p.barriers, slots: firstSlot}
	lastDone, lastPassed := make([]idg.NodeID, n), make([]idg.NodeID, n) // who needs it last
	for v := range idg.NodeID(n) {
		from, kind := p.source.Preds(v)
		for i, u := range from {
			if kind[i] == idg.Order {
				lastPassed[u] = v
			} else {
				lastDone[u] = v
			}
		}
	}
	var free []uint32
	take := func(wanted bool) uint32 {
		if !wanted {
			return slotNobody
		}
		if k := len(free); k > 0 {
			s := free[k-1]
			free = free[:k-1]
			return s
		}
		o.slots++
		return uint32(o.slots - 1)
	}
	type ranked struct {
		need
		rank uint32
	}
	var needs []ranked
	for v := range idg.NodeID(n) {
		needs = needs[:0]
		from, kind := p.source.Preds(v)
		for i, u := range from {
			un := &o.nodes[u]
			slot, rank, last := un.done, order[un.class].done, lastDone[u]
			if kind[i] == idg.Order {
				slot, rank, last = un.passed, order[un.class].passed, lastPassed[u]
			}
			needs = append(needs, ranked{need{slot, un.class}, rank})
			if last == v {
				free = append(free, slot)
			}
		}
		byRank := func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) }
		if !slices.IsSortedFunc(needs, byRank) {
			slices.SortStableFunc(needs, byRank)
		}
		class := p.class[v]
		node := orderedNode{
			class: uint32(class), first: uint32(len(o.more)), done: take(lastDone[v] > 0), passed: take(lastPassed[v] > 0),
			subsystem: uint16(w.classes[class].subsystem), flags: w.flags(p, v),
		}
		for i, d := range needs {
			if i < fewNeeds {
				node.needs[i], o.causes[v][i] = d.slot, d.class
			} else {
				node.flags |= flagMore
				o.more = append(o.more, d.need)
			}
		}
		o.nodes[v] = node
	}
	o.nodes[n].first = uint32(len(o.more))
	return o
}
