package trace

import "gpupipe/idg/isa"

// AMD's compute units have a scalar unit beside the vector units, with registers and a cache of
// its own, and LLVM gives it what its analysis of divergence finds to be the same in all
// lanes of a wavefront: integers, addresses, conditions and loads (isa.Op.ScalarUnit). As
// clang 14 compiles kernels for gfx90a and gfx1030 (TestAMDMix of internal/evidence/fidelity):
//
//   - What depends on group ids, sizes, arguments and loop counters alone is scalar, what
//     depends on a work item's id is not, nor what is loaded for it.
//   - A load of device memory is scalar where its address is, unless something has been
//     written before (AMDGPUAnnotateUniformValues).
//   - A loop of which the lanes have different counters increments and compares in vector
//     registers.
//   - Products and sums of integers stay two instructions (see contracts).

// scalarUnit marks the instructions of the scalar unit.
func scalarUnit(t *Trace, live []bool) {
	if !t.ScalarUnit() {
		return
	}
	clobbered, addresses := t.clobbered(live), t.localAddresses(live)
	uniform := make([]bool, t.length)
	for i := range t.length {
		if !live[i] {
			continue
		}
		n := t.at(i)
		op := t.kinds.of(n.kind).is
		uniform[i] = op.ScalarUnit() && n.flags&Waits == 0 && !clobbered[n.kind] && !addresses[i]
		for _, d := range t.deps(n) {
			uniform[i] = uniform[i] && uniform[d-1]
		}
		if marked := onUnit(op, uniform[i]); marked != op {
			renamed := t.kinds.renamed(n.kind, marked)
			t.change(n, func(c *content) { c.kind = renamed })
		}
	}
}

// clobbered are the kinds of loads of device memory that are executed when something has been
// written, which the scalar unit's cache would not see.
func (t *Trace) clobbered(live []bool) map[kindID]bool {
	out, written := map[kindID]bool{}, false
	for i := range t.length {
		if !live[i] {
			continue
		}
		n := t.at(i)
		switch op := t.kinds.of(n.kind).is; {
		case op.Clobbers():
			written = true
		case op.Verb == isa.Load && op.Space == isa.Global && written:
			out[n.kind] = true
		}
	}
	return out
}

// localAddresses are the nodes of which the result is an address of local memory, by index: it
// has to be in a vector register, so that the vector units move it there or compute it.
func (t *Trace) localAddresses(live []bool) []bool {
	out := make([]bool, t.length)
	for i := range t.length {
		if !live[i] {
			continue
		}
		n := t.at(i)
		if op := t.kinds.of(n.kind).is; op != loadLocal {
			continue
		}
		for _, d := range t.deps(n) {
			out[d-1] = t.kinds.of(t.node(d).kind).is.Verb != isa.Loop
		}
	}
	return out
}

// onUnit is an op where its operands are the same in all lanes, or not.
func onUnit(op isa.Op, uniform bool) isa.Op {
	switch {
	case op.Verb == isa.Loop && !uniform:
		return vectorLoop
	case !uniform || op.Verb == isa.Loop || op == loadConstant:
		return op
	}
	return op.With(isa.Uniform)
}

// contracts reports whether a product and a sum of a type become one instruction: of integers
// LLVM makes none for AMD's GPUs, where one of two products and sums is often scalar.
func (t *Trace) contracts(typ isa.Type) bool { return !t.ScalarUnit() || typ.Float() }
