package unroll

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/unroll/trace"
)

// Half precision is computed in pairs: an instruction adds, multiplies or both two numbers of
// 16 bits in a register of 32 (HADD2, HMUL2 and HFMA2 of NVIDIA's GPUs, v_pk_add_f16 and its
// like of AMD's), or one of them alone. Compilers use them so for operations on vectors; two
// scalars that would fit are left alone. A pair is recorded as one instruction with the
// operands of both components.

// half is the first component of a pair, recorded last.
type half struct {
	node trace.NodeID
	op   lower.Op
	pos  lower.Pos
}

// packed records a component of an operation on a vector of half precision, the second of two
// in the instruction of the first. It returns nil for any other operation.
func (r *resolver) packed(in *lower.Instr, args []*value) []trace.NodeID {
	if in.Type != lower.F16 || in.Component == 0 || !r.opt.Merges() {
		return nil
	}
	switch in.Op {
	case lower.Add, lower.Sub, lower.Mul, lower.Fma, lower.Min, lower.Max, lower.Neg, lower.Abs:
	default:
		return nil
	}
	deps := r.depsOfAll(args)
	first := r.half
	r.half = half{}
	if in.Component%2 == 0 && first.node == trace.NodeID(r.trace.Nodes()) && first.op == in.Op && first.pos == in.Pos &&
		!slices.Contains(deps, first.node) {
		r.trace.JoinLast(deps)
		return r.single(first.node)
	}
	d := r.produce(r.describe(in, args), deps, nil)
	if in.Component%2 == 1 {
		r.half = half{d[0], in.Op, in.Pos}
	}
	return d
}
