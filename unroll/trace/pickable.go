package trace

import (
	"cmp"
	"slices"

	"gpupipe/idg/isa"
	"gpupipe/lower"
)

// A private array that is subscripted by what the compiler does not know is memory in PTX, and
// ptxas may still keep it in registers: it compares the subscript with each place that it can
// mean, and moves with a predicate for each of them. That takes two instructions for each access
// and place, the moves of an access's further words aside. As nvcc 11.8 compiles loops for sm_75 and sm_80
// (TestPicked), an array is memory where these are more than maxPicked times the instructions of the
// loop's body, and where it has more than 128 words.
//
// Comparisons with the same place are made once, so an access of a place that was read is
// moves alone. Which of the moves are multiply-adds is left to balance, as with others.
const (
	maxPicked      = 2.4
	maxPickedBytes = 4 * 128
)

// PrivateAccess is a recorded access of an array in private memory.
type PrivateAccess struct {
	Node  NodeID
	Root  lower.ObjectID
	Store bool
	Where string // the variable part of its address: equal where that is
	At    int64  // the constant part of its address
	Size  int64  // bytes of a lane
	Align int64  // that the variable part of the address is certain to have
}

// AddPrivate makes an access part of what decides about its array. They come in program order.
func (t *Trace) AddPrivate(a PrivateAccess) { t.privates = append(t.privates, a) }

// Pickable returns the bytes between the places of a private array of so many bytes that moves
// pick from registers, 0 if it is memory.
func (t *Trace) Pickable(root lower.ObjectID, size int64, live []bool) int64 {
	if size > maxPickedBytes {
		return 0
	}
	var own []PrivateAccess
	for _, a := range t.privates {
		if a.Root == root && live[a.Node-1] {
			own = append(own, a)
		}
	}
	if len(own) == 0 {
		return 0
	}
	type stretch struct{ accesses, body int } // of straight code
	var code []stretch
	stride := int64(MaxWide)
	bounds := t.rolledBounds()
	for i := 1; i < len(bounds); i++ {
		from, to := firstFrom(own, bounds[i-1]), firstFrom(own, bounds[i])
		if from == to {
			continue
		}
		n, width := merged(own[from:to])
		code = append(code, stretch{n, t.machineLength(bounds[i-1], bounds[i], live) - (to - from - n)})
		stride = min(stride, width)
	}
	places := size / stride
	if slices.ContainsFunc(code, func(s stretch) bool {
		return float64(2*int64(s.accesses)*places) > maxPicked*float64(s.body)
	}) {
		return 0
	}
	return stride
}

// firstFrom is the index of the first access that is not before a node.
func firstFrom(list []PrivateAccess, n NodeID) int {
	i, _ := slices.BinarySearchFunc(list, n, func(a PrivateAccess, n NodeID) int { return cmp.Compare(a.Node, n) })
	return i
}

// merged counts accesses of straight code of which neighbours are one, of up to maxWide bytes,
// and returns the bytes of the narrowest.
func merged(list []PrivateAccess) (n int, width int64) {
	type together struct { // accesses that differ in the constant part of their address only
		first *PrivateAccess
		at    []int64
	}
	var groups []together
	type group struct {
		where string
		store bool
		size  int64
	}
	known := map[group]int{}
	for i := range list {
		a := &list[i]
		key := group{a.Where, a.Store, a.Size}
		g, ok := known[key]
		if !ok {
			g = len(groups)
			known[key] = g
			groups = append(groups, together{first: a})
		}
		groups[g].at = append(groups[g].at, a.At)
	}
	width = MaxWide
	for _, g := range groups {
		a := g.first
		slices.Sort(g.at)
		at := slices.Compact(g.at)
		wide := a.Size
		for wide*2 <= min(a.Align, MaxWide) && int64(len(at))*a.Size >= wide*2 &&
			at[len(at)-1]-at[0] == int64(len(at)-1)*a.Size {
			wide *= 2
		}
		n += (len(at)*int(a.Size) + int(wide) - 1) / int(wide)
		width = min(width, wide)
	}
	return n, width
}

// rolledBounds are the nodes at which the trace begins and ends, and loops that stay rolled begin
// an iteration or end.
func (t *Trace) rolledBounds() []NodeID {
	bounds := []NodeID{1}
	var open [][]NodeID // of the loops that have not ended
	for _, m := range t.marks {
		here := NodeID(m.at) + 1
		if m.what == LoopBegins {
			open = append(open, nil)
		}
		last := len(open) - 1
		open[last] = append(open[last], here)
		if m.what != LoopEnds {
			continue
		}
		if own := open[last]; slices.ContainsFunc(own, t.behindBranch) {
			bounds = append(bounds, own...)
		}
		open = open[:last]
	}
	bounds = append(bounds, NodeID(t.length)+1)
	slices.Sort(bounds)
	return slices.Compact(bounds)
}

// behindBranch reports whether a node comes right behind what ends an iteration.
func (t *Trace) behindBranch(id NodeID) bool {
	if id < 2 {
		return false
	}
	verb := t.kinds.of(t.node(id - 1).kind).is.Verb
	return verb == isa.Loop || verb == isa.Branch
}

// machineLength counts the instructions of a stretch of the trace as machine code has them.
func (t *Trace) machineLength(from, to NodeID, live []bool) (n int) {
	for id := from; id < to; id++ {
		if !live[id-1] {
			continue
		}
		n++
		switch t.kinds.of(t.node(id).kind).is {
		case scalarLoop:
			n += 2 // increment, compare and branch
		case longSum:
			n++ // two halves
		}
	}
	return n
}
