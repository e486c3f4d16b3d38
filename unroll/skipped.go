package unroll

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/unroll/structure"
	"gpupipe/unroll/trace"
)

// A compiler keeps a loaded value only where it is right on all paths, those included that this
// launch does not take. So what a path that is not taken would have done to memory counts where it
// meets the one that is executed, unless the condition is a constant of the compiler. As LLVM does
// (GVN's elimination of partial redundancy, PerformLoadPRE; TestPathsNotTaken):
//
//   - Where one path alone would have changed the memory, the load moves to its end, and the
//     executed path loads nothing.
//   - Where two would have, or the load is not executed on all paths from there, it stays.
//   - It does not move around the back edge of a loop: what some path of an iteration changes is
//     loaded in each. An unrolled loop is one iteration for nvcc, which unrolls
//     first. clang at -O2 unrolls behind this pass.

// gap is what an alias class knows of the paths that are not taken. Places are sequence numbers.
type gap struct {
	floor   int     // what was known before has to be loaded again
	at      int     // behind it; what was known before has to be loaded on one other path
	stretch stretch // where this is so
	round   int     // of passOver, which counts a class once
}

// stretch is code of which all is executed if some of it is.
type stretch uint32

// open adds another path.
func (c *aliasClass) open(at stretch) {
	c.next++
	c.gap.floor, c.gap.at, c.gap.stretch = max(c.gap.floor, c.gap.at), c.sequence(), at
}

// outdate makes what is known of the contents invalid, while stores keep their order.
func (c *aliasClass) outdate() {
	c.open(0)
	c.gap.floor = c.gap.at
}

// passOver takes notice of a path that is not taken, where it meets the one that is.
func (r *resolver) passOver(e *structure.Effects) {
	if !r.opt.Optimises() || e.None() {
		return
	}
	m := &r.memory
	m.rounds++
	open := func(class int) {
		if c := &m.classes[class]; c.gap.round != m.rounds {
			c.gap.round, c.written = m.rounds, true
			c.open(r.stretch)
		}
	}
	for _, o := range e.Written {
		open(m.index(o))
	}
	if e.Shared {
		r.sharedClasses(open)
	}
}

// closeGaps ends what could be loaded on other paths: at the ends of a loop's iterations.
func (r *resolver) closeGaps() {
	for i := range r.memory.classes {
		g := &r.memory.classes[i].gap
		g.floor = max(g.floor, g.at)
	}
}

// stillKnown reports whether what was loaded or stored, under a key of the tables, is there in all lanes that
// ask: no store on the executed path has changed it, and on the others it is right or loaded. Then it
// is known from here on.
func (r *resolver) stillKnown(class *aliasClass, rec *accessRecord, key []byte, e *entry, level int32) bool {
	if r.mask&^e.mask != 0 || !class.unchanged(e.seq, rec) {
		return false
	}
	if e.seq >= class.gap.at {
		return true
	}
	if class.gap.stretch != r.stretch {
		return false
	}
	e.seq = class.sequence()
	r.numbering.put(key, *e, level, r.level, false)
	return true
}

// newStretch begins code that is not executed whenever what stands before it is.
func (r *resolver) newStretch() {
	r.stretches++
	r.stretch = r.stretches
}

// straight names the code without branches that is executed: of a stretch what lies between the sides in it. 0 is none.
func (r *resolver) straight() uint64 { return uint64(r.stretch)<<32 | uint64(r.stretches) + 1 }

// openSide begins a side of a branch.
func (r *resolver) openSide() {
	r.numbering.open()
	r.newStretch()
}

// closeSide ends a side of a branch that began in the stretch outer. Paths that meet at its end meet
// the other side there, too.
func (r *resolver) closeSide(b lower.Block, outer stretch) {
	r.numbering.close()
	inner := r.stretch
	if r.stretch = outer; len(b) == 0 {
		return
	}
	if _, plain := b[len(b)-1].(*lower.Instr); plain {
		return
	}
	for i := range r.memory.classes {
		if g := &r.memory.classes[i].gap; g.stretch == inner {
			g.stretch = outer
		}
	}
}

// usedElsewhere takes notice of statements that are not executed, on a path that this launch does not take. A compiler
// moves code to the branch that alone uses it, loads included (see outlive.go), but no load past a barrier or a store
// that may change what it loads. So those loads stay.
func (r *resolver) usedElsewhere(b lower.Block) {
	if !r.opt.Optimises() || r.silent > 0 || len(r.overtaken) == 0 {
		return
	}
	for _, reg := range r.st.Uses(b) {
		v := r.regs[reg-1]
		if v == nil || v.konst || v.lazy || len(v.deps) == 0 {
			continue
		}
		r.waited = r.trace.Ancestors(r.waited[:0], v.deps, usedDepth, 1)
		r.trace.Keep(slices.DeleteFunc(r.waited, func(id trace.NodeID) bool { return !r.overtaken.has(id) }))
	}
}

// overtake takes notice that what a load has loaded may change.
func (r *resolver) overtake(l *accessRecord) {
	if l.node != 0 {
		r.overtaken.add(l.node)
	}
}

// usedDepth is how long a chain of operations is followed back to the loads that it began with.
const usedDepth = 8

// nodeSet is a set of nodes: a bit for each.
type nodeSet []uint64

func (s *nodeSet) add(id trace.NodeID) {
	for int(id/64) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[id/64] |= 1 << (id % 64)
}

func (s nodeSet) has(id trace.NodeID) bool { return int(id/64) < len(s) && s[id/64]>>(id%64)&1 != 0 }
