package isa

// Verb is an operation. The zero value is none, or one that the table does not know.
type Verb uint8

// The verbs that code asks for by name. The other math functions are in the table only.
const (
	Add Verb = iota + 1
	Sub
	Mul
	Mad
	Fma
	Div
	Rem
	Neg
	Abs
	Min
	Max
	And
	Or
	Xor
	Not
	Shl
	Shr
	MulHi
	Compare
	Select
	Mov
	Load
	Store
	Atomic
	Barrier
	Fence
	Loop
	Branch
	Converge
	Shuffle
	Vote
	Index
	Convert
	AsyncGroup
	HMMA
	IMMA
	DMMA
	WGMMA
	TMA
	Off
	ScalarAny
	Rotate
)

// kind is what the words behind a verb are, and whether it is an op.
type kind uint8

const (
	arithmetic kind = iota + 1 // marks and a type
	plain                      // what the operation asks for
	function                   // a math function, in versions of several accuracies
)

// trait is a set of what passes ask of an operation.
type trait uint16

const (
	gate        trait = 1 << iota // later instructions wait for it
	endsBlock                     // ends its basic block
	issueOnly                     // an issue slot and nothing else
	variable                      // its latency is variable in machine code
	scalarTwice                   // of 64 bits two of these
)

// row is an operation.
type row struct {
	name   string
	kind   kind
	class  Class // "": that of its type
	result words
	traits trait

	// What stands for it where a device has no entry (fallback.go).
	fall map[Type][]Alternative // an arithmetic operation, by type
	rule rule                   // what is not by type

	// native is the composition of the hardware's approximate version of a function, in single
	// precision; nil when there is none.
	native []Part
	// accurate is the composition of the version that the language's accuracy asks for, in single precision.
	accurate []Part
	// exact says that the compositions are what the function means, not an
	// estimate of a library routine's length.
	exact  bool
	double []Alternative // in double precision; nil: a software routine
}

const (
	sameUnits = "executed by the same units"
	compared  = "compare, min and max have one rate"
)

// rows is the table of instructions, by Verb.
var rows = [...]row{
	Add: {name: "add", kind: arithmetic, traits: scalarTwice,
		fall: map[Type][]Alternative{
			F32: {as("mul.f32", sameUnits), as("fma.f32", sameUnits)},
			F64: {as("mul.f64", sameUnits), as("fma.f64", sameUnits)},
			S32: {as("add.f32", "integer and single precision operations share their units"),
				as("mul.s32", sameUnits)}}},
	Sub: {name: "sub", kind: arithmetic, traits: scalarTwice,
		fall: likeAdd()},
	Mul: {name: "mul", kind: arithmetic, fall: map[Type][]Alternative{
		F16: halfRate("mul"), F32: {as("fma.f32", sameUnits), as("add.f32", sameUnits)},
		F64: {as("fma.f64", sameUnits), as("add.f64", sameUnits)},
		S32: {parts("estimate: composed from narrow multiplications", Part{4, "add.s32"})},
		S64: {parts("four 32-bit products", Part{4, "mul.s32"})}}},
	Mad: {name: "mad", kind: arithmetic, fall: map[Type][]Alternative{
		F16: halfRate("mad"), F32: {as("fma.f32", "one multiply-add")}, F64: {as("fma.f64", "one multiply-add")},
		S32: {as("mul.s32", "one multiply-add")}, S64: wideProduct}},
	Fma: {name: "fma", kind: arithmetic, fall: map[Type][]Alternative{
		F16: halfRate("fma"), F32: {as("mul.f32", sameUnits), as("add.f32", sameUnits)},
		F64: {as("mul.f64", sameUnits), as("add.f64", sameUnits)},
		S32: {as("mul.s32", "one multiply-add")}, S64: wideProduct}},
	Div: {name: "div", kind: arithmetic, class: Special, fall: map[Type][]Alternative{
		F32: {parts("multiplied by the reciprocal", Part{1, "native_recip.f32"}, Part{1, "mul.f32"})},
		F64: {parts("estimate: a reciprocal seed, two Newton steps, the quotient and its correction",
			Part{1, "native_recip.f32"}, Part{8, "fma.f64"})},
		S32: {parts("estimate: a reciprocal in single precision and two corrections", Part{3, "cvt.f32.s32"},
			Part{1, "native_recip.f32"}, Part{2, "mul.s32"}, Part{4, "add.s32"})},
		S64: wideQuotient}},
	Rem: {name: "rem", kind: arithmetic, class: Special, fall: map[Type][]Alternative{
		F32: {as("fmod.f32", "the remainder of a division")},
		F64: {parts("the remainder of a division", Part{1, "div.f64"}, Part{2, "fma.f64"})},
		S32: {as("div.s32", "the remainder of a division")}, S64: wideQuotient}},
	Neg: {name: "neg", kind: arithmetic, traits: scalarTwice, fall: signBit("neg")},
	Abs: {name: "abs", kind: arithmetic, fall: signBit("abs")},
	Min: {name: "min", kind: arithmetic, traits: scalarTwice, fall: likeCompare()},
	Max: {name: "max", kind: arithmetic, traits: scalarTwice, fall: likeCompare()},
	And: {name: "and", kind: arithmetic},
	Or: {name: "or", kind: arithmetic,
		fall: map[Type][]Alternative{S32: {as("and.s32", sameUnits)}}},
	Xor: {name: "xor", kind: arithmetic,
		fall: map[Type][]Alternative{S32: {as("and.s32", sameUnits)}}},
	Not: {name: "not", kind: arithmetic,
		fall: map[Type][]Alternative{S32: {as("and.s32", sameUnits)}}},
	Shl: {name: "shl", kind: arithmetic},
	Shr: {name: "shr", kind: arithmetic,
		fall: map[Type][]Alternative{S32: {as("shl.s32", sameUnits)}}},
	MulHi: {name: "mulhi", kind: arithmetic,
		fall: map[Type][]Alternative{S32: {as("mul.s32", sameUnits)}, S64: wideProduct}},
	Compare: {name: "setp", kind: arithmetic, class: Comparison, result: noWords,
		fall: map[Type][]Alternative{F64: {as("add.f64", sameUnits)}}},
	Select: {name: "select", kind: arithmetic, class: Comparison,
		fall: map[Type][]Alternative{F64: twoHalves("select")}},
	Mov: {name: "mov", kind: arithmetic, fall: map[Type][]Alternative{F64: twoHalves("mov")}},

	Load:   {name: "ld", kind: plain, result: accessed, traits: variable, rule: ofMemory},
	Store:  {name: "st", kind: plain, result: noWords, traits: variable, rule: ofMemory},
	Atomic: {name: "atomic", kind: plain, result: accessed, traits: variable, rule: ofMemory},
	Barrier: {name: "barrier", kind: plain, class: BarrierClass, result: noWords, traits: gate | endsBlock,
		fall: always(as("add.s32", "the cost of a barrier is not known: an issue slot"))},
	Fence: {name: "fence", kind: plain, class: FenceClass, result: noWords, traits: gate,
		fall: always(as("add.s32", "a fence takes an issue slot; it orders memory accesses, which the graph's "+
			"edges do"))},
	Loop: {name: "loop", kind: plain, class: LoopClass, result: oneWord, traits: gate | endsBlock,
		fall: always(parts("increment, compare and branch", Part{1, "add.s32"}, Part{1, "setp.s32"},
			Part{1, "branch"}))},
	Branch: {name: "branch", kind: plain, class: BranchClass, result: noWords, traits: gate | endsBlock,
		fall: always(as("add.s32", "an issue slot and the latency of a simple operation"))},
	Converge: {name: "converge", kind: plain, class: ConvergeClass, traits: issueOnly},
	Shuffle: {name: "shuffle", kind: plain, class: ShuffleClass, result: oneWord, traits: variable,
		fall: always(as("ld.local", "exchanged through local memory"))},
	Vote: {name: "vote", kind: plain, class: VoteClass, result: oneWord,
		fall: always(as("setp.s32", "a predicate operation"))},
	Index: {name: "index", kind: plain, class: IndexClass, result: oneWord,
		fall: always(as("mov.s32", "a move from a special register"))},
	Convert: {name: "cvt", kind: plain, class: Conversion, rule: ofConversion},
	AsyncGroup: {name: "async", kind: plain, class: AsyncClass, result: noWords, traits: variable,
		fall: always(as("add.s32", "an issue slot; how long it waits for asynchronous copies is in the "+
			"graph's edges"))},
	HMMA:  {name: "hmma", kind: plain, class: Tensor, result: fragment, traits: variable},
	IMMA:  {name: "imma", kind: plain, class: Tensor, result: fragment, traits: variable},
	DMMA:  {name: "dmma", kind: plain, class: Tensor, result: fragment, traits: variable},
	WGMMA: {name: "wgmma", kind: plain, class: Tensor, result: columns, traits: variable, rule: ofColumns},
	TMA: {name: "tma", kind: plain, class: TMAClass, result: noWords,
		fall: always(as("add.s32", "an issue slot; the bytes are moved by nodes of their own"))},
	Off: {name: "off", kind: plain, class: OffClass, traits: issueOnly},
	// The entry for any instruction of a scalar unit. No graph has such an op.
	ScalarAny: {name: "uniform", kind: plain},

	// Math functions.
	//
	// Hardware special function units offer sin, cos, exp2, log2, rsqrt and the
	// reciprocal (CUDA C++ Programming Guide 5.4.1, and the throughput row "rcp, rsqrt, lg2,
	// ex2, sin, cos"); native functions need one or two of them and a multiplication.
	// A funnel shift, of which a rotation is one, is a shift from compute capability 3.2 on (SHF) and
	// on AMD's GPUs (v_alignbit_b32).
	// A bit field of PTX is, from compute capability 7.0 on, a mask (BMSK), a shift and a logical operation
	// (libcu++, bitfield_extract and bitfield_insert).
	// The accurate versions are software. Their compositions are estimates of the usual
	// algorithm's length: a range reduction, a polynomial of the degree that single
	// precision needs, and a reconstruction. No source prints their cost; a device entry or --set
	// replaces them. Graphs of machine code have the instructions themselves of those that are known
	// (package unroll/routine).
	Rotate: {name: "rotate", kind: function, accurate: only("shl.s32"), exact: true},
	{name: "abs_diff", kind: function, accurate: []Part{{1, "sub.s32"}, {1, "abs.s32"}}, exact: true},
	{name: "acos", kind: function, class: Special, accurate: []Part{fmas(10), selects(2), {1, "sqrt.f32"}}},
	{name: "acosh", kind: function, class: Special, accurate: []Part{fmas(4), {1, "sqrt.f32"}, {1, "log.f32"}}},
	{name: "acospi", kind: function, class: Special, accurate: []Part{muls(1), {1, "acos.f32"}}},
	{name: "add_carry", kind: function, accurate: only("add.s32"), exact: true}, // PTX's addc: with a carry added
	{name: "add_sat", kind: function, accurate: []Part{{1, "add.s32"}, {2, "min.s32"}}, exact: true},
	{name: "asin", kind: function, class: Special, accurate: []Part{fmas(10), selects(2), {1, "sqrt.f32"}}},
	{name: "asinh", kind: function, class: Special, accurate: []Part{fmas(4), {1, "sqrt.f32"}, {1, "log.f32"}}},
	{name: "asinpi", kind: function, class: Special, accurate: []Part{muls(1), {1, "asin.f32"}}},
	{name: "atan", kind: function, class: Special, accurate: []Part{{1, "native_recip.f32"}, fmas(9), selects(3)}},
	{name: "atan2", kind: function, class: Special, accurate: []Part{{1, "div.f32"}, fmas(9), selects(5)}},
	{name: "atan2pi", kind: function, class: Special, accurate: []Part{muls(1), {1, "atan2.f32"}}},
	{name: "atanh", kind: function, class: Special, accurate: []Part{adds(2), {1, "div.f32"}, {1, "log.f32"}}},
	{name: "atanpi", kind: function, class: Special, accurate: []Part{muls(1), {1, "atan.f32"}}},
	{name: "bfe", kind: function, accurate: []Part{{2, "shl.s32"}, {1, "and.s32"}}, exact: true},
	{name: "bfi", kind: function, accurate: []Part{{2, "shl.s32"}, {1, "and.s32"}}, exact: true},
	{name: "bit_reverse", kind: function, traits: variable, accurate: only("popcount.s32"), exact: true},
	{name: "bitselect", kind: function, accurate: []Part{{3, "and.s32"}}, exact: true},
	{name: "byte_perm", kind: function, accurate: only("shl.s32"), exact: true},
	{name: "cbrt", kind: function, class: Special, accurate: []Part{sfu, sfu, fmas(6)}},
	{name: "ceil", kind: function, traits: variable, accurate: []Part{conversion}, exact: true, double: doubleSimple},
	{name: "clamp", kind: function, accurate: []Part{{2, "min.f32"}}, exact: true, double: doubleSimple},
	{name: "clz", kind: function, traits: variable, accurate: only("popcount.s32"), exact: true},
	{name: "copysign", kind: function, accurate: []Part{{2, "and.s32"}}, exact: true, double: signChange},
	{name: "cos", kind: function, class: Special, native: []Part{sfu}, accurate: []Part{muls(3), {2, "cvt.f32.s32"},
		fmas(8), selects(3)}},
	{name: "cosh", kind: function, class: Special, accurate: []Part{{1, "exp.f32"}, {1, "native_recip.f32"}, fmas(2)}},
	{name: "cospi", kind: function, class: Special, accurate: []Part{muls(2), {2, "cvt.f32.s32"}, fmas(6), selects(3)}},
	{name: "ctz", kind: function, traits: variable, accurate: only("popcount.s32"), exact: true},
	{name: "cvt_e4m3x2_f16x2", kind: function, accurate: only("cvt.f16.f32"), exact: true},
	{name: "cvt_e4m3x2_f32", kind: function, accurate: only("cvt.f16.f32"), exact: true},
	{name: "cvt_e5m2x2_f16x2", kind: function, accurate: only("cvt.f16.f32"), exact: true},
	{name: "cvt_e5m2x2_f32", kind: function, accurate: only("cvt.f16.f32"), exact: true},
	{name: "cvt_f16x2_e4m3x2", kind: function, accurate: only("cvt.f16.f32"), exact: true},
	{name: "cvt_f16x2_e5m2x2", kind: function, accurate: only("cvt.f16.f32"), exact: true},
	{name: "degrees", kind: function, accurate: []Part{muls(1)}, exact: true},
	{name: "divide", kind: function, class: Special, native: []Part{sfu, muls(1)}, accurate: only("div.f32"),
		exact: true, double: doubleQuotient},
	{name: "dp4a", kind: function, accurate: []Part{{4, "mad.s32"}}, exact: true},
	{name: "erf", kind: function, class: Special, accurate: []Part{fmas(14), selects(2), {1, "native_exp.f32"}}},
	{name: "erfc", kind: function, class: Special, accurate: []Part{fmas(18), selects(2), {1, "native_exp.f32"}}},
	{name: "exp", kind: function, class: Special, native: []Part{muls(1), sfu},
		accurate: []Part{fmas(4), muls(1), sfu}},
	{name: "exp10", kind: function, class: Special, native: []Part{muls(1), sfu},
		accurate: []Part{fmas(4), muls(1), sfu}},
	{name: "exp2", kind: function, class: Special, native: []Part{sfu}, accurate: []Part{muls(2), sfu}},
	{name: "expm1", kind: function, class: Special, accurate: []Part{fmas(10), muls(1), sfu}},
	{name: "fabs", kind: function, accurate: only("abs.f32"), exact: true, double: signChange},
	{name: "fdim", kind: function, accurate: []Part{adds(1), {1, "max.f32"}}, exact: true, double: doubleSimple},
	{name: "ffs", kind: function, traits: variable, accurate: only("popcount.s32"), exact: true},
	{name: "floor", kind: function, traits: variable, accurate: []Part{conversion}, exact: true, double: doubleSimple},
	{name: "fmax", kind: function, accurate: only("max.f32"), exact: true, double: doubleSimple},
	{name: "fmin", kind: function, accurate: only("min.f32"), exact: true, double: doubleSimple},
	{name: "fmod", kind: function, class: Special, accurate: []Part{{1, "div.f32"}, conversion, fmas(2)}},
	{name: "fract", kind: function, accurate: []Part{conversion, adds(1)}, exact: true},
	{name: "frexp", kind: function, accurate: []Part{{3, "and.s32"}, muls(1), selects(1)}},
	{name: "funnelshift_l", kind: function, accurate: only("shl.s32"), exact: true},
	{name: "funnelshift_r", kind: function, accurate: only("shl.s32"), exact: true},
	{name: "hadd", kind: function, accurate: []Part{{3, "add.s32"}}, exact: true},
	{name: "hypot", kind: function, class: Special, accurate: []Part{muls(1), fmas(1), {1, "sqrt.f32"}, selects(2)}},
	{name: "ilogb", kind: function, accurate: []Part{{1, "shr.s32"}, {1, "add.s32"}, selects(1)}},
	{name: "isequal", kind: function, accurate: []Part{compares(1)}, exact: true},
	{name: "isfinite", kind: function, accurate: []Part{compares(1)}, exact: true, double: doubleSimple},
	{name: "isgreater", kind: function, accurate: []Part{compares(1)}, exact: true},
	{name: "isgreaterequal", kind: function, accurate: []Part{compares(1)}, exact: true},
	{name: "isinf", kind: function, accurate: []Part{compares(1)}, exact: true, double: doubleSimple},
	{name: "isless", kind: function, accurate: []Part{compares(1)}, exact: true},
	{name: "islessequal", kind: function, accurate: []Part{compares(1)}, exact: true},
	{name: "islessgreater", kind: function, accurate: []Part{compares(1)}, exact: true},
	{name: "isnan", kind: function, accurate: []Part{compares(1)}, exact: true, double: doubleSimple},
	{name: "isnormal", kind: function, accurate: []Part{compares(2)}, exact: true},
	{name: "isnotequal", kind: function, accurate: []Part{compares(1)}, exact: true},
	{name: "isordered", kind: function, accurate: []Part{compares(1)}, exact: true},
	{name: "isunordered", kind: function, accurate: []Part{compares(1)}, exact: true},
	{name: "ldexp", kind: function, accurate: []Part{{2, "shl.s32"}, muls(2)}},
	{name: "lgamma", kind: function, class: Special, accurate: []Part{fmas(20), selects(4), {1, "log.f32"}}},
	{name: "lgamma_r", kind: function, class: Special, accurate: only("lgamma.f32"), exact: true},
	{name: "log", kind: function, class: Special, native: []Part{sfu, muls(1)},
		accurate: []Part{{2, "add.s32"}, conversion, fmas(11), selects(2)}},
	{name: "log10", kind: function, class: Special, native: []Part{sfu, muls(1)},
		accurate: []Part{{2, "add.s32"}, conversion, fmas(12), selects(2)}},
	{name: "log1p", kind: function, class: Special, accurate: []Part{{2, "add.s32"}, conversion, fmas(12), selects(2)}},
	{name: "log2", kind: function, class: Special, native: []Part{sfu},
		accurate: []Part{{2, "add.s32"}, conversion, fmas(11), selects(2)}},
	{name: "logb", kind: function, accurate: []Part{{1, "shr.s32"}, conversion, selects(1)}},
	{name: "lop3", kind: function, accurate: only("and.s32"), exact: true},
	// the product of two halves of words and a sum, as multiplications are composed of on Maxwell and Pascal (XMAD)
	{name: "mad16", kind: function, accurate: only("add.s32"), exact: true},
	{name: "mad24", kind: function, accurate: only("mad.s32"), exact: true},
	{name: "mad_hi", kind: function, accurate: []Part{{1, "mulhi.s32"}, {1, "add.s32"}}, exact: true, rule: ofProducts},
	{name: "mad_sat", kind: function, accurate: []Part{{1, "mad.s32"}, {2, "min.s32"}}, exact: true},
	{name: "maxmag", kind: function, accurate: []Part{compares(1), selects(1), {1, "max.f32"}}, exact: true},
	{name: "minmag", kind: function, accurate: []Part{compares(1), selects(1), {1, "min.f32"}}, exact: true},
	{name: "mix", kind: function, accurate: []Part{adds(1), fmas(1)}, exact: true},
	{name: "modf", kind: function, accurate: []Part{conversion, adds(1)}, exact: true},
	{name: "mul24", kind: function, accurate: only("mul.s32"), exact: true},
	{name: "mul_hi", kind: function, accurate: only("mulhi.s32"), exact: true, rule: ofProducts},
	{name: "nan", kind: function, accurate: only("mov.s32"), exact: true},
	{name: "nextafter", kind: function, accurate: []Part{compares(2), selects(2), {1, "add.s32"}}},
	{name: "normcdf", kind: function, accurate: []Part{muls(1), {1, "erfc.f32"}}},
	{name: "popcount", kind: function, traits: variable, accurate: []Part{conversion}, exact: true},
	{name: "pow", kind: function, class: Special, native: []Part{sfu, muls(1), sfu},
		accurate: []Part{fmas(28), {2, "add.s32"}, conversion, selects(4), sfu}},
	{name: "pown", kind: function, class: Special, native: []Part{sfu, muls(1), sfu},
		accurate: []Part{fmas(28), {2, "add.s32"}, conversion, selects(5), sfu}},
	{name: "powr", kind: function, class: Special, native: []Part{sfu, muls(1), sfu},
		accurate: []Part{fmas(28), {2, "add.s32"}, conversion, selects(2), sfu}},
	{name: "radians", kind: function, accurate: []Part{muls(1)}, exact: true},
	{name: "recip", kind: function, class: Special, native: []Part{sfu}, accurate: only("div.f32"), exact: true,
		double: doubleQuotient},
	{name: "remainder", kind: function, class: Special, accurate: []Part{{1, "div.f32"}, conversion, fmas(2)}},
	{name: "remquo", kind: function, class: Special, accurate: []Part{{1, "div.f32"}, {2, "cvt.f32.s32"}, fmas(2)}},
	{name: "rhadd", kind: function, accurate: []Part{{3, "add.s32"}}, exact: true},
	{name: "rint", kind: function, traits: variable, accurate: []Part{conversion}, exact: true, double: doubleSimple},
	{name: "rootn", kind: function, class: Special, accurate: []Part{{1, "div.f32"}, {1, "pow.f32"}}},
	{name: "round", kind: function, traits: variable, accurate: []Part{adds(1), conversion}, exact: true,
		double: doubleSimple},
	{name: "rsqrt", kind: function, class: Special, native: []Part{sfu}, accurate: []Part{muls(2), sfu},
		double: doubleRoot},
	{name: "sad", kind: function, accurate: []Part{{1, "sub.s32"}, {1, "abs.s32"}, {1, "add.s32"}}, exact: true},
	{name: "saturate", kind: function, accurate: []Part{{2, "min.f32"}}, exact: true},
	{name: "sign", kind: function, accurate: []Part{compares(2), selects(2)}, exact: true},
	{name: "signbit", kind: function, accurate: only("shr.s32"), exact: true},
	{name: "sin", kind: function, class: Special, native: []Part{sfu}, accurate: []Part{muls(3), {2, "cvt.f32.s32"},
		fmas(8), selects(3)}},
	{name: "sincos", kind: function, class: Special, native: []Part{sfu, sfu},
		accurate: []Part{muls(3), {2, "cvt.f32.s32"}, fmas(12), selects(4)}},
	{name: "sinh", kind: function, class: Special, accurate: []Part{{1, "exp.f32"}, {1, "native_recip.f32"}, fmas(8),
		selects(1)}},
	{name: "sinpi", kind: function, class: Special, accurate: []Part{muls(2), {2, "cvt.f32.s32"}, fmas(6), selects(3)}},
	{name: "smoothstep", kind: function, accurate: []Part{adds(2), {1, "div.f32"}, {2, "min.f32"}, fmas(1), muls(2)},
		exact: true},
	{name: "sqrt", kind: function, class: Special, native: []Part{sfu, muls(1)},
		accurate: []Part{sfu, muls(2), fmas(3)}, double: doubleRoot},
	{name: "step", kind: function, accurate: []Part{compares(1), selects(1)}, exact: true},
	{name: "sub_borrow", kind: function, accurate: only("sub.s32"), exact: true},
	{name: "sub_sat", kind: function, accurate: []Part{{1, "sub.s32"}, {2, "min.s32"}}, exact: true},
	{name: "tan", kind: function, class: Special, native: []Part{sfu, sfu, sfu, muls(1)},
		accurate: []Part{muls(3), {2, "cvt.f32.s32"}, fmas(10), selects(3), {1, "native_recip.f32"}}},
	{name: "tanh", kind: function, class: Special, native: []Part{sfu},
		accurate: []Part{fmas(4), selects(2), {1, "native_exp.f32"}, {1, "native_recip.f32"}}},
	{name: "tanpi", kind: function, class: Special, accurate: []Part{muls(2), {2, "cvt.f32.s32"}, fmas(8), selects(3),
		{1, "native_recip.f32"}}},
	{name: "tgamma", kind: function, class: Special, accurate: []Part{fmas(24), selects(4), {1, "exp.f32"}}},
	{name: "trunc", kind: function, traits: variable, accurate: []Part{conversion}, exact: true, double: doubleSimple},
	{name: "upsample", kind: function, accurate: []Part{{1, "shl.s32"}, {1, "or.s32"}}, exact: true},
}

var verbs = func() map[string]Verb {
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = rows[i].name
	}
	return indexOf[Verb](names)
}()

// String is the verb as ops begin with.
func (v Verb) String() string { return rows[v].name }

// Of is the op of a verb and types: Of(Convert, S64, S32) is cvt.s64.s32.
func Of(v Verb, types ...Type) Op {
	text := v.String()
	for _, t := range types {
		text += "." + t.String()
	}
	return Parse(text)
}

// In is an access of an address space: In(Load, Local) is ld.local.
func In(v Verb, s Space) Op { return Parse(v.String() + "." + s.String()) }
