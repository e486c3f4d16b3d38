package unroll

import (
	"strings"

	"gpupipe/idg"
)

// passes finish a recorded trace, in this order.
var passes = []struct {
	name  string // for tests and messages
	why   string
	level Level // the lowest level at which it runs
	run   func(*trace, []bool)
}{
	{"sweep", "instructions whose result nobody uses are not in optimised code", O2, sweep},
	{"contract", "a multiplication used by one addition becomes a multiply-add (P19 counts fmadd at -O0 too)", O0, contract},
	{"narrow", "64-bit arithmetic of which only the low 32 bits are used is done in 32 bits", O2, narrow},
	{"widen", "machine code has adjacent loads of local memory as one (only where asked for)", O2, widen},
}

// finish runs the passes and returns which nodes stay.
func (t *trace) finish(level Level) []bool {
	live := make([]bool, t.length)
	for i := range live {
		live[i] = true
	}
	for _, p := range passes {
		if level >= p.level {
			p.run(t, live)
		}
	}
	return live
}

// sweep keeps roots and what they depend on.
func sweep(t *trace, live []bool) {
	clear(live)
	for i := t.length - 1; i >= 0; i-- {
		n := t.at(i)
		if n.flags&flagRoot != 0 {
			live[i] = true
		}
		if live[i] {
			for _, d := range t.deps(n) {
				live[d-1] = true
			}
		}
	}
}

// contract turns an addition or subtraction with a product that nobody else
// uses into one multiply-add.
func contract(t *trace, live []bool) {
	uses := make([]uint32, t.length)
	for i := range t.length {
		if live[i] {
			for _, d := range t.deps(t.at(i)) {
				uses[d-1]++
			}
		}
	}
	var rest []nodeID
	for i := range t.length {
		n := t.at(i)
		if !live[i] || n.x|n.y == 0 || t.kinds.of(n.kind).contraction != isAddSub {
			continue
		}
		for _, m := range [2]nodeID{n.x, n.y} {
			if m == 0 || uses[m-1] != 1 || !live[m-1] {
				continue
			}
			mul := t.node(m)
			sum, product := t.kinds.of(n.kind), t.kinds.of(mul.kind)
			if product.contraction != isMul || product.suffix != sum.suffix {
				continue
			}
			rest = rest[:0]
			for _, d := range t.deps(n) {
				if d != m {
					rest = append(rest, d)
				}
			}
			for _, d := range t.deps(mul) {
				uses[d-1]-- // the product's use becomes the multiply-add's
			}
			merged := union(rest, t.deps(mul))
			for _, d := range merged {
				uses[d-1]++
			}
			for _, d := range rest {
				uses[d-1]--
			}
			n.depOff, n.depLen = t.put(merged)
			fused := sum.kind
			fused.op, fused.contraction = multiplyAdd(sum.suffix), notContractible
			n.kind = t.kinds.intern(fused)
			live[m-1] = false
			mul.flags |= flagDead
			break
		}
	}
}

func multiplyAdd(typ string) string {
	if strings.HasPrefix(typ, "f") {
		return "fma." + typ
	}
	return "mad." + typ
}

// narrow turns 64-bit integer operations into 32-bit ones where every user takes
// the low half only (OpenCL's work-item functions are 64 bits wide, but most
// kernels assign them to an int).
func narrow(t *trace, live []bool) {
	wide := make([]bool, t.length) // somebody needs all 64 bits
	for i := t.length - 1; i >= 0; i-- {
		n := t.at(i)
		if !live[i] {
			continue
		}
		k := t.kinds.of(n.kind)
		if n.flags&flagRoot != 0 {
			wide[i] = true // the increment of a 64-bit address, used or not
		}
		if !wide[i] && k.narrow != 0 {
			n.kind = k.narrow
			k = t.kinds.of(n.kind)
		}
		if k.needsWide {
			for _, d := range t.deps(n) {
				wide[d-1] = true
			}
		}
	}
}

// emit writes the nodes that stay as the program of a warp. It adds the control
// dependences on gates and what barriers wait for.
func (t *trace) emit(b *idg.Builder, live []bool, warp uint32, wait BarrierWait) {
	const none = ^idg.Executed(0)
	b.Begin(warp)
	ids := make([]idg.Executed, t.length) // live nodes' ids
	gate := none
	var sinks sinkSet
	var edges []idg.Edge
	marks := t.marks
	for i := range t.length {
		marks = announce(b, marks, i)
		if !live[i] {
			continue
		}
		n := t.at(i)
		edges = edges[:0]
		gated := gate == none
		for _, d := range t.deps(n) {
			edges = append(edges, idg.Edge{From: ids[d-1], Kind: idg.Data})
			gated = gated || ids[d-1] >= gate
		}
		for _, d := range t.order(n) {
			if live[d-1] {
				edges = append(edges, idg.Edge{From: ids[d-1], Kind: idg.Order})
				gated = gated || ids[d-1] > gate
			}
		}
		if !gated {
			edges = append(edges, idg.Edge{From: gate, Kind: idg.Control})
		}
		if n.flags&flagBarrier != 0 {
			edges = sinks.appendEdges(edges, wait)
		}
		v := b.Add(t.class(b, n), edges...)
		ids[i] = v
		sinks.add(v, edges, n.flags&flagStore != 0, wait)
		if n.flags&flagGate != 0 {
			gate = v
		}
		if n.flags&flagBarrier != 0 {
			sinks.reset(v)
		}
	}
	announce(b, marks, t.length)
}

// class returns the instruction class of a node.
func (t *trace) class(b *idg.Builder, n *recorded) idg.InstrID {
	k := t.kinds.of(n.kind)
	if k.class == 0 || k.access != n.access || k.lanes != n.lanes {
		k.access, k.lanes = n.access, n.lanes
		k.class = b.Instr(idg.Instr{Op: k.op, Type: k.typ, Access: n.access, Lanes: n.lanes, Pos: k.pos})
	}
	return k.class
}

// sinkSet holds the instructions since the last barrier that no later one is
// known to wait for: the ones that a barrier must wait for itself.
type sinkSet struct {
	base    idg.Executed // first instruction since the barrier
	covered []bool       // by id - base: a later instruction waits for it
	store   []bool
}

func (s *sinkSet) reset(barrier idg.Executed) {
	s.base = barrier + 1
	s.covered, s.store = s.covered[:0], s.store[:0]
}

func (s *sinkSet) add(v idg.Executed, preds []idg.Edge, store bool, wait BarrierWait) {
	for _, e := range preds {
		if e.From >= s.base && e.From < v && int(e.From-s.base) < len(s.covered) && (wait == WaitIssue || e.Kind != idg.Order) {
			s.covered[e.From-s.base] = true
		}
	}
	if v >= s.base {
		s.covered = append(s.covered, false)
		s.store = append(s.store, store)
	}
}

func (s *sinkSet) appendEdges(edges []idg.Edge, wait BarrierWait) []idg.Edge {
	for i, c := range s.covered {
		if c {
			continue
		}
		kind := idg.Order
		if wait == WaitComplete && !s.store[i] {
			kind = idg.Control
		}
		edges = append(edges, idg.Edge{From: s.base + idg.Executed(i), Kind: kind})
	}
	return edges
}
