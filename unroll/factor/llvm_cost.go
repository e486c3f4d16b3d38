package factor

import (
	"math/bits"
	"slices"

	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// costsLLVM are sizes of instructions for LLVM's unroller, where they are not 1: what the targets' getUserCost
// gives for code size in LLVM 14 (opt -passes='print<cost-model>' -cost-kind=code-size).
type costsLLVM struct {
	backEdge int64 // size of what a loop that is unrolled has once: BEInsns
	branch   int64 // conditional
	widened  int64 // an unsigned or positive index extended to 64 bits
	product  int64 // of integers of 32 bits
	product8 int64 // of 8 bytes
	double   int64 // an operation on doubles
	quotient int64 // of floats
	extreme  int64 // the smaller or larger of two floats
	near     bool  // addresses of local and private memory have 32 bits
	fuses    bool  // a product that only feeds a sum is free
	quarter  int64 // how much more an operation at a quarter of the rate is with -cost-kind=size-latency
}

var (
	costsPTX = costsLLVM{backEdge: 2, branch: 1, widened: 1, product: 1, product8: 2, double: 1, quotient: 4,
		extreme: 1}
	costsAMD = costsLLVM{backEdge: 5, branch: 5, widened: 0, product: 2, product8: 12, double: 2, quotient: 12,
		extreme: 2, near: true, fuses: true, quarter: 2}
)

const integerQuotient = 4 // TCC_Expensive

// of is the size of an operation, all but accesses and addresses.
func (c *costsLLVM) of(in *lower.Instr) int64 {
	power := func(o lower.Operand) bool { return o.Kind == lower.OperandConst && bits.OnesCount64(o.Bits) == 1 }
	wide := in.Type.IsInteger() && in.Type.Size() == 8
	switch in.Op {
	case lower.Mul:
		switch {
		case in.Type.IsFloat() && in.Type.Size() == 8:
			return c.double
		case in.Type.IsFloat() || slices.ContainsFunc(in.Args, power):
			return 1
		case wide:
			return c.product8
		}
		return c.product
	case lower.Min, lower.Max:
		if in.Type.IsFloat() {
			return c.extreme
		}
	case lower.Div, lower.Rem:
		switch {
		case in.Type.IsFloat():
			return c.quotient
		case !in.Type.IsSigned() && power(in.Args[1]):
			return 1
		}
		return integerQuotient
	case lower.Add, lower.Sub, lower.And, lower.Or, lower.Xor:
		switch {
		case wide:
			return 2
		case in.Type.IsFloat() && in.Type.Size() == 8:
			return c.double
		}
	default:
		if structure.Free(in) {
			return 0
		}
	}
	return 1
}

// slower is how much more an operation's size with its latency is.
func (c *costsLLVM) slower(in *lower.Instr) int64 {
	wide := in.Type.Size() == 8
	switch size := c.of(in); {
	case in.Op == lower.Mul && in.Type.IsInteger() && wide && size > 1:
		return 4 * c.quarter // its products of 32 bits
	case in.Op == lower.Mul && in.Type.IsInteger() && size > 1, in.Op == lower.Div && in.Type.IsFloat():
		return c.quarter
	}
	return 0
}

// numbered is a computation, to find those that are there twice (EarlyCSE and GVN): equal ones give the same.
type numbered struct {
	op         lower.Op
	typ, from  lower.Type
	fn         string
	scale, at  int64 // at: what has been stored to an address space before a load
	a, b, c, d int
}
