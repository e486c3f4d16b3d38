package unroll

import (
	"math/bits"

	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

// isShift reports whether an operation shifts.
func isShift(in *lower.Instr) bool { return in.Op == lower.Shl || in.Op == lower.Shr }

// inWidth returns the operands of a shift with a constant count below the width, as all that
// follows takes it, or the result where nothing of the first operand is left.
func (r *resolver) inWidth(in *lower.Instr, args []*value) (_ []*value, rest *value) {
	if !args[1].konst {
		return args, nil
	}
	constant := func(t lower.Type, u uint64) *value {
		if r.opt.Level == O0 {
			return r.newConst(t, u)
		}
		return r.konst(t, u)
	}
	n := arithmetic.ShiftCount(in.Type, args[1].u, in.Clamps())
	if width := uint64(8 * in.Type.Size()); n == width {
		if in.Op == lower.Shl || !in.Type.IsSigned() {
			return nil, constant(in.Type, 0)
		}
		n = width - 1 // copies of the sign
	}
	if n == args[1].u {
		return args, nil
	}
	return []*value{args[0], constant(args[1].typ, n)}, nil
}

// checkShift warns about a count that is not below the width: one that the compiler knows, and
// in CUDA, which leaves the result open, one that we know of a lane.
func (r *resolver) checkShift(in *lower.Instr, count *value) {
	width := uint64(8 * in.Type.Size())
	beyond := func(n uint64) bool {
		if n < width {
			return false
		}
		said := diag.Warningf(in.Pos, "SHIFT",
			"shift of %d bits by %d: OpenCL takes the count modulo %d (OpenCL C 1.2, 6.3 j)", width, int64(n), width)
		if in.Clamps() {
			said = diag.Warningf(in.Pos, "SHIFT", "shift of %d bits by %d: CUDA leaves the result open; every bit is "+
				"shifted out, as PTX's shl and shr do", width, int64(n))
		}
		r.decisions.assumed(said)
		return true
	}
	switch {
	case count.konst || in.Clamps() && count.lanes == nil && count.isKnown(r.mask):
		beyond(count.u)
	case in.Clamps():
		for m := r.mask & count.known; m != 0; m &= m - 1 {
			if beyond(count.at(bits.TrailingZeros64(uint64(m)))) {
				return
			}
		}
	}
}
