package lower

import "strings"

// Op is an IR operation.
type Op uint8

// The operations. The zero value is invalid. T is Instr.Type; unless said
// otherwise operands and result are of type T.
const (
	Mov Op = iota + 1 // dst = a; an assignment of a variable, no work of its own
	// Arithmetic in T, integers wrapping to T's width; Fn of floats is the mode that the source names: "rte", "rtz",
	// "rtp" or "rtn", "nan" of Min and Max that are NaN where one operand is. Bitwise operations also on
	// Pred. An integer division by zero and the most negative number divided by
	// -1 are undefined in C: the evaluator may choose.
	Add
	Sub
	Mul
	Div // integers: towards zero
	Rem // integers only, the sign of a
	Neg
	And
	Or
	Xor
	Not // bitwise; on Pred: logical
	// Shifts: the second operand has an integer type of its own and counts modulo T's width
	// (OpenCL C 1.2, 6.3 j), or with Fn "clamp" up to T's width, as PTX's shifts do.
	Shl
	Shr // arithmetic for signed T
	Min // floats: the other operand where one is NaN
	Max
	Abs
	MulHi // integers: the upper half of the double-width product
	Fma   // a*b+c written by the source as fma or mad (mad24: integer); contraction is the resolver's
	// Comparisons of operands of type T (not Pred) into a Pred; Ptr compares
	// addresses. With a NaN all but Ne are false.
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	// Select: dst = a (Pred) ? b : c, without control flow in the source (select(),
	// vector ?:, ?: between values at hand, a comparison used as a number).
	Select
	// Convert from From to T, both numbers: floats to integers towards zero,
	// everything to floats to nearest even. Fn holds the modifiers of an OpenCL
	// convert_T, joined by a point: "sat", "rte", "rtz", "rtp", "rtn", "sat.rte".
	// Integers of one size are Bitcast into each other, Pred is never converted.
	Convert
	Bitcast // from From to T of the same size, no work; also Ptr to and from 64-bit integers
	// PtrAdd: dst = a (Ptr) + b * Scale bytes; b is an integer of type From, extended
	// to 64 bits by its signedness. Scale is negative for pointer - integer.
	PtrAdd
	PtrDiff // dst = (a - b) / Scale of two Ptr, T is S64
	Index   // work-item function Fn of dimension Dim
	// Call: math function Fn on Args, which have types of their own (ldexp). T is
	// the type of the first result; sincos, fract, modf, frexp, remquo and lgamma_r
	// have a second one of its own type, what they write through their pointer.
	Call
	Load   // Dsts = *Args[0] : len(Dsts) elements of T next to each other; a Pred is a byte, true if not 0
	Store  // *Args[0] = Args[1:]; a Pred is the byte 0 or 1
	Atomic // Dst = old *Args[0]; Fn of it and Args[1:]
	// ImageLoad: Dsts = the pixel of image Args[0] at the coordinates Args[1:1+Dim],
	// which are S32 or F32, through the sampler Args[1+Dim] (U32) if there is one. With Scale 1 the
	// first one counts bytes (CUDA's surfaces), else pixels.
	ImageLoad
	ImageStore // the pixel of image Args[0] at Args[1:1+Dim] = Args[1+Dim:]
	// SubGroup: Fn among the work items of a warp: "shuffle", "shuffle_xor",
	// "shuffle_up", "shuffle_down" and "broadcast" of value and U32 lane or distance
	// (with "_part" behind it inside parts of the warp, which are not evaluated),
	// "broadcast_first", "reduce_add", "scan_inclusive_add", "scan_exclusive_add"
	// and their like of a value, "all" and "any" of a Pred, "ballot" (U32) of a Pred, "transpose" of
	// a word of a matrix.
	SubGroup
	Barrier
	Fence // memory fence without a barrier
	// Copy: len(Dsts) elements of T at *Args[1] to *Args[0], asynchronously; Space is that of
	// the source. Where a device has no such instruction Dsts hold them on the way.
	Copy
	// CopyGroup: Fn says what becomes of copies: "commit" makes those since the last one a
	// group; "prior" waits for all groups but the Args[0] newest, "consume" for the oldest that
	// no "release" has taken; "bind" makes those since the last group part of the barrier at
	// Args[0], "arrive" arrives there without waiting, "await" waits for all work items to have
	// arrived, if this one has, and for its copies, "meet" does both. A pipeline that all work
	// items share is such a barrier too, where they have released a stage. "expect" announces Args[1] bytes (U64)
	// of blocks at the barrier. "bulk_commit" and "bulk_prior" are groups of stores of blocks, "wgmma_commit" and
	// "wgmma_prior" of products of warp groups; "wgmma_fence" is what their registers wait for.
	CopyGroup
	// BulkCopy: one work item has a block copied, asynchronously. Fn "load": Args[3] bytes (U64), or the box of a
	// tensor that *Args[1] describes, at the coordinates Args[4:] (S32), from *Args[1] to *Args[0], of which an element
	// has Align bytes, for the barrier Args[2]. Fn "store": Args[2] bytes from *Args[1] to *Args[0].
	BulkCopy
	// GroupMatMul: Dsts = what a warp has of the product of a warp group of the shape Fn ("m64n128k16.bf16") in T: the
	// first len(Dsts) operands, if there are so many, are added to the product of the others: a, four words or the
	// U64 that describes a matrix in local memory, and b, such a U64. Dim is the number of columns.
	GroupMatMul
	// MatMul: Dsts = a matrix product by the tensor cores of a warp, of the shape Fn ("884", "1688",
	// "16816", ...) in T: the last len(Dsts) operands are added to the product of the others, words
	// (U32) of halves or bytes, or numbers: of F64, and with "1684" and "1688.tf32" of F32. A sum of F16 may be words
	// of two, too.
	MatMul
	// MatrixRow: the addresses that the lanes give in Args[0] are those of rows of 16 bytes of Dim matrices
	// of 8 rows (1 or 2), lane after lane. Dst = the address of what this lane reads of them: each row is
	// shared by four lanes, or two.
	MatrixRow

	// The control operations of package ir, whose operands and blocks are stated there. The tree of this
	// package has statements in their place.
	OpIf
	OpLoop
	OpSwitch
	OpRegion
	OpYield
	OpLeave
	OpContinue
	// OpOpaque stands for what is not supported: Fn says what. An error only where a lane executes it.
	OpOpaque
)

var opNames = [...]string{Mov: "mov", Add: "add", Sub: "sub", Mul: "mul", Div: "div", Rem: "rem", Neg: "neg",
	And: "and", Or: "or", Xor: "xor", Not: "not", Shl: "shl", Shr: "shr", Min: "min", Max: "max", Abs: "abs",
	MulHi: "mulhi", Fma: "fma", Eq: "eq", Ne: "ne", Lt: "lt", Le: "le", Gt: "gt", Ge: "ge", Select: "select",
	Convert: "convert", Bitcast: "bitcast", PtrAdd: "ptradd", PtrDiff: "ptrdiff", Index: "index", Call: "call",
	Load: "load", Store: "store", Atomic: "atomic", ImageLoad: "imageload", ImageStore: "imagestore",
	SubGroup: "subgroup", Barrier: "barrier", Fence: "fence", Copy: "copy", CopyGroup: "copygroup",
	BulkCopy: "bulkcopy", GroupMatMul: "groupmatmul", MatMul: "matmul", MatrixRow: "matrixrow",
	OpIf: "if", OpLoop: "loop", OpSwitch: "switch", OpRegion: "region", OpYield: "yield", OpLeave: "leave",
	OpContinue: "continue", OpOpaque: "opaque"}

func (o Op) String() string {
	if o != 0 && int(o) < len(opNames) {
		return opNames[o]
	}
	return "invalid"
}

// IsComparison reports whether o is one of Eq, Ne, Lt, Le, Gt and Ge.
func (o Op) IsComparison() bool { return o >= Eq && o <= Ge }

// Mirror is the comparison with its operands exchanged: a o b is b Mirror(o) a.
// Other operations are returned as they are.
func (o Op) Mirror() Op {
	switch o {
	case Lt:
		return Gt
	case Le:
		return Ge
	case Gt:
		return Lt
	case Ge:
		return Le
	}
	return o
}

// Negate is the comparison that holds exactly when o does not, for integers and
// pointers (with a NaN neither may hold). Other operations give zero.
func (o Op) Negate() Op {
	switch o {
	case Eq:
		return Ne
	case Ne:
		return Eq
	case Lt:
		return Ge
	case Le:
		return Gt
	case Gt:
		return Le
	case Ge:
		return Lt
	}
	return 0
}

// Arithmetic reports whether o computes a number from numbers alone, so that it
// can belong to a subscript.
func (o Op) Arithmetic() bool { return o >= Add && o <= PtrDiff }

// Mode cuts the mode of a function of floats off its name: mul_rte, fmax_nan.
func Mode(fn string) (base, mode string) {
	if i := strings.LastIndexByte(fn, '_'); i > 0 {
		switch fn[i+1:] {
		case "rte", "rtz", "rtp", "rtn", "nan":
			return fn[:i], fn[i+1:]
		}
	}
	return fn, ""
}
