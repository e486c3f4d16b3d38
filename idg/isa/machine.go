package isa

// What machine code makes of an op.

// VariableLatency reports whether an instruction has a variable latency in machine code: ptxas 11.8 has the
// instructions behind it wait for a dependence counter, not for a number of cycles (H25 4). It does so with
// memory accesses, shuffles, special functions, conversions to and from floating numbers,
// rounding, counts of bits, matrices and double precision; with the last two before
// compute capability 9.0 only, which H25 does not cover (docs/evidence/fidelity.md, Register reads).
func (o Op) VariableLatency() bool {
	switch o.Class() {
	case Special, FP64:
		return true
	case Conversion:
		return o.Type.Float() || o.From.Float()
	}
	return o.row().traits&variable != 0 || o.Plain(Compare, F64)
}

// InHalves reports whether an instruction passes a multiplier of 32-bit integers twice, once for each half of the
// product (IMAD.WIDE, IMAD.HI on NVIDIA's GPUs), and reads its registers each time: an IMAD.WIDE of two registers takes
// the ports of the register file for two cycles, one that adds to a pair for four (microbenchmark,
// internal/evidence/compiler/testdata/h100/banks_h200.csv).
func (o Op) InHalves() bool {
	return o.Verb == MulHi || o.Has(Wide) && (o.Verb == Mul || o.Verb == Mad)
}

// ScalarInstructions is how many instructions of AMD's scalar unit an op with the mark Uniform
// is (AMD, instruction set architectures of CDNA 2 and RDNA 2: there are shifts, logic and selections
// of 64 bits; sums have a carry; there is no multiply-add); 0: it has no such mark, or is a load.
func (o Op) ScalarInstructions() uint32 {
	wide := o.Type.Wide() && o.Verb != Convert
	switch {
	case !o.Has(Uniform) || o.Verb == Load:
		return 0
	case o.Verb == Mul && wide:
		return 6 // three low products, a high one, two sums
	case o.Verb == Mad && wide:
		return 8
	case o.Verb == Mad, o.Has(Wide):
		return 2
	case wide && o.row().traits&scalarTwice != 0:
		return 2
	}
	return 1
}

// MultiplyAdd is the op of a product and a sum of a type.
func MultiplyAdd(t Type) Op {
	if t.Float() {
		return Of(Fma, t)
	}
	return Of(Mad, t)
}
