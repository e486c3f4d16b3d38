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

// ScalarUnit reports whether AMD's scalar units have an instruction for the op: for integers and
// conditions, and for loads.
func (o Op) ScalarUnit() bool {
	switch o.Verb {
	case Load:
		return o.Space == Constant || o.Space == Global
	case Convert:
		return !o.Type.Float() && !o.From.Float()
	}
	return o.row().traits&scalar != 0 && !o.Type.Float()
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

// Clobbers reports whether AMD's scalar unit may not load from global memory what is executed
// behind the op: its cache does not see what stores and atomics write (LLVM,
// AMDGPUAnnotateUniformValues: amdgpu.noclobber).
func (o Op) Clobbers() bool { return o.Verb == Atomic || o.Verb == Store && o.Space == Global }

// ScalarRegister reports whether the result is the same in all lanes, in a scalar register.
func (o Op) ScalarRegister() bool { return o.Has(Uniform) || o.text == "ld.constant" }

// LowBitsSuffice reports whether the low bits of the result depend on the low bits of
// the operands only.
func (o Op) LowBitsSuffice() bool { return o.row().traits&lowBits != 0 }

// Halves is the op of either half where units of 32 bits take two instructions of an op, and whether the upper one
// waits for the lower one, for a carry; false: it is one.
func (o Op) Halves() (half Op, carries, ok bool) {
	traits := o.row().traits
	if traits&halves == 0 || !o.Simple(o.Type) {
		return Op{}, false, false
	}
	switch o.Type {
	case S64, U64, Ptr:
	case F64:
		if o.Verb != Mov && o.Verb != Select {
			return Op{}, false, false
		}
	default:
		return Op{}, false, false
	}
	return o.Typed(S32), traits&carry != 0, true
}

// Pairs reports whether the op can be one of two of single precision in an instruction word of RDNA 3 (VOPD).
func (o Op) Pairs() bool { return o.row().traits&pairs != 0 && o.Simple(F32) }

// PackedOp is two of the op in one instruction of CDNA 2; false: there is none. Differences are sums with
// a sign of an operand.
func (o Op) PackedOp() (Op, bool) {
	if o.row().packed == 0 || !o.Simple(F32) {
		return Op{}, false
	}
	return Parse(o.row().packed.String() + "." + F32.String()).With(Packed), true
}

// MultiplyAdd is the op of a product and a sum of a type.
func MultiplyAdd(t Type) Op {
	if t.Float() {
		return Of(Fma, t)
	}
	return Of(Mad, t)
}
