package unroll

import (
	"math/bits"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/trace"
)

// GPUs have no instruction that divides integers. Where the compiler knows the divisor, PTX
// has a few others in its place already; else PTX has one instruction, and the stage behind
// it a routine of about twenty, which is what is recorded for machine code.
//
// Instructions are recorded once for the same operands, as compilers do: what depends on the
// divisor alone serves all divisions by it in an iteration of a loop, and a remainder is
// computed from its quotient. So x / n and x % n are little more than one of them.

// divideIntegers records an integer division or remainder. It returns the result, nil where
// it is one instruction.
func (r *resolver) divideIntegers(in *lower.Instr, x, y *value) *value {
	switch {
	case r.opt.Level == O0:
		return nil
	case y.konst && in.Op == lower.Rem:
		return r.remainderOfConstant(in, x, y)
	case y.konst:
		return r.divideByConstant(in, x, y)
	case r.opt.SASS() && in.Type.Size() <= 4 && !r.opt.Measures(opName(in)):
		return r.divideByRoutine(in, x, y)
	}
	return nil
}

// divideByConstant records the usual sequences: shifts for powers of two, otherwise the high
// half of a product with a magic number, shifted, plus the sign's correction.
func (r *resolver) divideByConstant(in *lower.Instr, x, y *value) *value {
	t := "." + in.Type.String()
	step := func(verb string, c trace.Contraction, args ...*value) *value {
		return r.part(verb+t, c, in.Pos, in.Type, args...)
	}
	power := arithmetic.IsPowerOfTwo(y.typ, y.u)
	switch {
	case power && !in.Type.IsSigned():
		return step("shr", trace.IsShift, x, y)
	case power:
		return step("shr", trace.NotContractible, r.towardsZero(in, x, y), y)
	case !in.Type.IsSigned() && longMagic(in.Type, y.u):
		q := step("mulhi", trace.NotContractible, x, y)
		half := step("shr", trace.IsShift, step("sub", trace.IsAddSub, x, q))
		return step("shr", trace.IsShift, step("add", trace.IsAddSub, half, q), y)
	case !in.Type.IsSigned():
		return step("shr", trace.IsShift, step("mulhi", trace.NotContractible, x, y), y)
	}
	q := step("mulhi", trace.NotContractible, x, y)
	return step("add", trace.IsAddSub, step("shr", trace.NotContractible, q, y), step("shr", trace.IsShift, q))
}

// longMagic reports whether the magic number of an unsigned division has a bit more than the
// dividend: if neither a number of as many bits is precise enough nor the divisor even, so
// that the dividend can be shifted first (Warren, Hacker's Delight, 10-8).
func longMagic(t lower.Type, by uint64) bool {
	if t.Size() > 4 || by%2 == 0 {
		return false
	}
	n := uint(8 * t.Size())
	for p := range uint(bits.Len64(by)) {
		power := uint64(1) << (n + p) // at most 2^63
		magic := (power + by - 1) / by
		if magic < 1<<n && magic*by-power <= 1<<p {
			return false
		}
	}
	return true
}

// towardsZero adds to a signed dividend what makes a shift round towards zero: the bits of
// its sign that the shift drops. Quotient and remainder have a sum each; compilers share it,
// but then the graphs of tiled kernels lack more than they do (TestMachineCode), until it is
// known how much of the loops between is unrolled.
func (r *resolver) towardsZero(in *lower.Instr, x, y *value) *value {
	t := in.Type.String()
	step := func(verb string, c trace.Contraction, args ...*value) *value {
		return r.part(verb+"."+t, c, in.Pos, in.Type,
			append(args, r.konst(lower.Pred, arithmetic.FromBool(in.Op == lower.Rem)))...)
	}
	return step("add", trace.IsAddSub, x, step("shr", trace.IsShift, step("shr", trace.NotContractible, x), y))
}

// remainderOfConstant masks for powers of two; else it multiplies the quotient back and
// subtracts.
func (r *resolver) remainderOfConstant(in *lower.Instr, x, y *value) *value {
	t := "." + in.Type.String()
	switch power := arithmetic.IsPowerOfTwo(y.typ, y.u); {
	case power && !in.Type.IsSigned():
		return r.part("and"+t, trace.NotContractible, in.Pos, in.Type, x, y)
	case power:
		multiple := r.part("and"+t, trace.NotContractible, in.Pos, in.Type, r.towardsZero(in, x, y), y)
		return r.part("sub"+t, trace.IsAddSub, in.Pos, in.Type, x, multiple)
	}
	q := r.compute(&lower.Instr{Op: lower.Div, Type: in.Type, Pos: in.Pos}, []*value{x, y})
	return r.part("mad"+t, trace.NotContractible, in.Pos, in.Type, q, y, x)
}

// divideByRoutine records what ptxas 11.8 writes for divisions of up to 32 bits, the same for
// sm_70 to sm_90 (TestMachineCode of internal/evidence/fidelity): an estimate of the reciprocal in
// single precision, one correction of it, the quotient by the high half of a product, and two
// corrections of that. Signed numbers are divided without sign. A division by zero gives all
// ones, which takes a comparison and a selection.
func (r *resolver) divideByRoutine(in *lower.Instr, x, y *value) *value {
	// The additions have predicates or operands of which trace/combine.go knows nothing.
	step := func(op string, args ...*value) *value { return r.part(op, trace.IsStep, in.Pos, in.Type, args...) }
	if q, ok := r.numbering.find(r.operationKey(&lower.Instr{Op: lower.Div, Type: in.Type}, []*value{x, y})); ok &&
		in.Op == lower.Rem {
		return step("mad.s32", step("neg.s32", q.v), y, x)
	}
	signed := in.Type.IsSigned()
	ux, uy := x, y
	if signed {
		ux, uy = step("abs.s32", x), step("abs.s32", y)
	}
	estimate := step("cvt.u32.f32", step("add.s32", step("native_recip.f32", step("cvt.f32.u32", uy))))
	low := step("mov.u32", uy) // 0, of the pair of registers that the product is added to
	reciprocal := step("mulhi.u32", estimate, step("mul.u32", step("neg.s32", estimate), uy), low)
	defined := step("setp.s32", y)
	q := step("mulhi.u32", reciprocal, ux)
	rest := step("mad.u32", step("neg.s32", q), uy, ux)
	first := step("setp.u32", rest, uy)
	rest = step("sub.u32", rest, uy, first)
	second := step("setp.u32", rest, uy)
	result, sign := rest, x
	if in.Op == lower.Rem {
		result = step("sub.u32", rest, uy, second)
	} else {
		result = step("add.u32", step("add.u32", q, first), second)
		if signed {
			sign = step("xor.s32", x, y)
		}
	}
	if signed {
		result = step("neg.s32", result, step("setp.s32", sign))
	}
	return step("select.s32", result, defined)
}
