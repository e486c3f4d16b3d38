package unroll

import (
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// What a rolled loop computes is computed by all warps that execute it, whether
// they use it or not: behind a loop the compiler knows of all of them together that one does
// (nvcc 11.8 sinks straight code into the branch that uses it, loads included, and unrolled
// loops with it, but no rolled loop). A warp that does not take that branch,
// as those do that lie outside the result or leave it to the first work item, has no use
// of its own to show for it.

// handOn keeps what a loop, whose rolled part ends, hands on to code behind it.
func (r *resolver) handOn(a *activeLoop) {
	if !r.opt.Optimises() || r.silent > 0 || r.stopped() {
		return
	}
	keep := func(v *value) {
		if v != nil && !v.konst && !v.lazy && v.typ != lower.Ptr {
			r.trace.Keep(v.deps)
		}
	}
	for _, reg := range r.st.Outliving(a.l) {
		keep(r.regs[reg-1])
	}
	loop := r.st.Block(a.l, structure.Head)
	for _, c := range r.memory.writes[min(a.writesMark, len(r.memory.writes)):] {
		if !r.st.Encloses(loop, r.st.ScopeOfObject(c.object)) {
			keep(r.memory.cells[c])
		}
	}
}
