package trace

import (
	"strings"

	"gpupipe/idg"
)

// AMD's compute units have a scalar unit beside the vector units, with registers and a cache of
// its own, and LLVM gives it what its analysis of divergence finds to be the same in all
// lanes of a wavefront: integers, addresses, conditions and loads (idg.ScalarOp). As
// clang 14 compiles kernels for gfx90a and gfx1030 (TestAMDMix of internal/fidelity):
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
	if !t.Scalar {
		return
	}
	clobbered, addresses := t.clobbered(live), t.localAddresses(live)
	uniform := make([]bool, t.length)
	for i := range t.length {
		if !live[i] {
			continue
		}
		n := t.at(i)
		op := t.kinds.of(n.kind).op
		uniform[i] = idg.ScalarOp(op) && n.flags&Waits == 0 && !clobbered[n.kind] && !addresses[i]
		for _, d := range t.deps(n) {
			uniform[i] = uniform[i] && uniform[d-1]
		}
		if marked := scalarName(op, uniform[i]); marked != op {
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
		switch class := idg.ClassOf(t.kinds.of(n.kind).op); {
		case class.Clobbers():
			written = true
		case class == "ld.global" && written:
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
		if op := t.kinds.of(n.kind).op; op != loadLocal {
			continue
		}
		for _, d := range t.deps(n) {
			out[d-1] = t.kinds.of(t.node(d).kind).op != LoopOp
		}
	}
	return out
}

// scalarName is the name of an op where its operands are the same in all lanes, or not.
func scalarName(op string, uniform bool) string {
	verb, _, _ := strings.Cut(op, ".")
	switch {
	case verb == LoopOp && !uniform:
		return vectorLoop
	case !uniform || verb == LoopOp || op == loadConstant:
		return op
	case verb == "ld":
		return op + uniformMark
	}
	i := strings.LastIndexByte(op, '.')
	return op[:i] + uniformMark + op[i:]
}

// contracts reports whether a product and a sum of a type become one instruction: of integers
// LLVM makes none for AMD's GPUs, where one of two products and sums is often scalar.
func (t *Trace) contracts(typ string) bool {
	return !t.Scalar || strings.HasPrefix(typ, "f")
}
