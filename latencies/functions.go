package latencies

import "slices"

// function says what a math function costs where a device has no entry for it.
type function struct {
	name string
	// native is the composition of the hardware's approximate version, in
	// single precision; nil when there is none.
	native []part
	// accurate is the composition of the version that the language's accuracy
	// asks for, in single precision.
	accurate []part
	// exact says that the compositions are what the function means, not an
	// estimate of a library routine's length.
	exact bool
}

// Pieces of the compositions below.
var (
	sfu        = part{1, "cos.approx.f32"} // one operation of the special function unit
	conversion = part{1, "cvt.f32.s32"}
)

func fmas(n uint32) part     { return part{n, "fma.f32"} }
func muls(n uint32) part     { return part{n, "mul.f32"} }
func adds(n uint32) part     { return part{n, "add.f32"} }
func compares(n uint32) part { return part{n, "setp.f32"} }
func selects(n uint32) part  { return part{n, "select.f32"} }
func only(op string) []part {
	return []part{{1, op}}
}

// functions lists the math functions in alphabetical order.
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
var functions = [...]function{
	{name: "abs_diff", accurate: []part{{1, "sub.s32"}, {1, "abs.s32"}}, exact: true},
	{name: "acos", accurate: []part{fmas(10), selects(2), {1, "sqrt.f32"}}},
	{name: "acosh", accurate: []part{fmas(4), {1, "sqrt.f32"}, {1, "log.f32"}}},
	{name: "acospi", accurate: []part{muls(1), {1, "acos.f32"}}},
	{name: "add_sat", accurate: []part{{1, "add.s32"}, {2, "min.s32"}}, exact: true},
	{name: "asin", accurate: []part{fmas(10), selects(2), {1, "sqrt.f32"}}},
	{name: "asinh", accurate: []part{fmas(4), {1, "sqrt.f32"}, {1, "log.f32"}}},
	{name: "asinpi", accurate: []part{muls(1), {1, "asin.f32"}}},
	{name: "atan", accurate: []part{{1, "native_recip.f32"}, fmas(9), selects(3)}},
	{name: "atan2", accurate: []part{{1, "div.f32"}, fmas(9), selects(5)}},
	{name: "atan2pi", accurate: []part{muls(1), {1, "atan2.f32"}}},
	{name: "atanh", accurate: []part{adds(2), {1, "div.f32"}, {1, "log.f32"}}},
	{name: "atanpi", accurate: []part{muls(1), {1, "atan.f32"}}},
	{name: "bfe", accurate: []part{{2, "shl.s32"}, {1, "and.s32"}}, exact: true},
	{name: "bfi", accurate: []part{{2, "shl.s32"}, {1, "and.s32"}}, exact: true},
	{name: "bit_reverse", accurate: only("popcount.s32"), exact: true},
	{name: "bitselect", accurate: []part{{3, "and.s32"}}, exact: true},
	{name: "byte_perm", accurate: only("shl.s32"), exact: true},
	{name: "cbrt", accurate: []part{sfu, sfu, fmas(6)}},
	{name: "ceil", accurate: []part{conversion}, exact: true},
	{name: "clamp", accurate: []part{{2, "min.f32"}}, exact: true},
	{name: "clz", accurate: only("popcount.s32"), exact: true},
	{name: "copysign", accurate: []part{{2, "and.s32"}}, exact: true},
	{name: "cos", native: []part{sfu}, accurate: []part{muls(3), {2, "cvt.f32.s32"}, fmas(8), selects(3)}},
	{name: "cosh", accurate: []part{{1, "exp.f32"}, {1, "native_recip.f32"}, fmas(2)}},
	{name: "cospi", accurate: []part{muls(2), {2, "cvt.f32.s32"}, fmas(6), selects(3)}},
	{name: "ctz", accurate: only("popcount.s32"), exact: true},
	{name: "degrees", accurate: []part{muls(1)}, exact: true},
	{name: "divide", native: []part{sfu, muls(1)}, accurate: only("div.f32"), exact: true},
	{name: "dp4a", accurate: []part{{4, "mad.s32"}}, exact: true},
	{name: "erf", accurate: []part{fmas(14), selects(2), {1, "native_exp.f32"}}},
	{name: "erfc", accurate: []part{fmas(18), selects(2), {1, "native_exp.f32"}}},
	{name: "exp", native: []part{muls(1), sfu}, accurate: []part{fmas(4), muls(1), sfu}},
	{name: "exp10", native: []part{muls(1), sfu}, accurate: []part{fmas(4), muls(1), sfu}},
	{name: "exp2", native: []part{sfu}, accurate: []part{muls(2), sfu}},
	{name: "expm1", accurate: []part{fmas(10), muls(1), sfu}},
	{name: "fabs", accurate: only("abs.f32"), exact: true},
	{name: "fdim", accurate: []part{adds(1), {1, "max.f32"}}, exact: true},
	{name: "ffs", accurate: only("popcount.s32"), exact: true},
	{name: "floor", accurate: []part{conversion}, exact: true},
	{name: "fmax", accurate: only("max.f32"), exact: true},
	{name: "fmin", accurate: only("min.f32"), exact: true},
	{name: "fmod", accurate: []part{{1, "div.f32"}, conversion, fmas(2)}},
	{name: "fract", accurate: []part{conversion, adds(1)}, exact: true},
	{name: "frexp", accurate: []part{{3, "and.s32"}, muls(1), selects(1)}},
	{name: "funnelshift_l", accurate: only("shl.s32"), exact: true},
	{name: "funnelshift_r", accurate: only("shl.s32"), exact: true},
	{name: "hadd", accurate: []part{{3, "add.s32"}}, exact: true},
	{name: "hypot", accurate: []part{muls(1), fmas(1), {1, "sqrt.f32"}, selects(2)}},
	{name: "ilogb", accurate: []part{{1, "shr.s32"}, {1, "add.s32"}, selects(1)}},
	{name: "isequal", accurate: []part{compares(1)}, exact: true},
	{name: "isfinite", accurate: []part{compares(1)}, exact: true},
	{name: "isgreater", accurate: []part{compares(1)}, exact: true},
	{name: "isgreaterequal", accurate: []part{compares(1)}, exact: true},
	{name: "isinf", accurate: []part{compares(1)}, exact: true},
	{name: "isless", accurate: []part{compares(1)}, exact: true},
	{name: "islessequal", accurate: []part{compares(1)}, exact: true},
	{name: "islessgreater", accurate: []part{compares(1)}, exact: true},
	{name: "isnan", accurate: []part{compares(1)}, exact: true},
	{name: "isnormal", accurate: []part{compares(2)}, exact: true},
	{name: "isnotequal", accurate: []part{compares(1)}, exact: true},
	{name: "isordered", accurate: []part{compares(1)}, exact: true},
	{name: "isunordered", accurate: []part{compares(1)}, exact: true},
	{name: "ldexp", accurate: []part{{2, "shl.s32"}, muls(2)}},
	{name: "lgamma", accurate: []part{fmas(20), selects(4), {1, "log.f32"}}},
	{name: "lgamma_r", accurate: only("lgamma.f32"), exact: true},
	{name: "log", native: []part{sfu, muls(1)}, accurate: []part{{2, "add.s32"}, conversion, fmas(11), selects(2)}},
	{name: "log10", native: []part{sfu, muls(1)}, accurate: []part{{2, "add.s32"}, conversion, fmas(12), selects(2)}},
	{name: "log1p", accurate: []part{{2, "add.s32"}, conversion, fmas(12), selects(2)}},
	{name: "log2", native: []part{sfu}, accurate: []part{{2, "add.s32"}, conversion, fmas(11), selects(2)}},
	{name: "logb", accurate: []part{{1, "shr.s32"}, conversion, selects(1)}},
	{name: "lop3", accurate: only("and.s32"), exact: true},
	{name: "mad24", accurate: only("mad.s32"), exact: true},
	{name: "mad_hi", accurate: []part{{1, "mulhi.s32"}, {1, "add.s32"}}, exact: true},
	{name: "mad_sat", accurate: []part{{1, "mad.s32"}, {2, "min.s32"}}, exact: true},
	{name: "maxmag", accurate: []part{compares(1), selects(1), {1, "max.f32"}}, exact: true},
	{name: "minmag", accurate: []part{compares(1), selects(1), {1, "min.f32"}}, exact: true},
	{name: "mix", accurate: []part{adds(1), fmas(1)}, exact: true},
	{name: "modf", accurate: []part{conversion, adds(1)}, exact: true},
	{name: "mul24", accurate: only("mul.s32"), exact: true},
	{name: "mul_hi", accurate: only("mulhi.s32"), exact: true},
	{name: "nan", accurate: only("mov.s32"), exact: true},
	{name: "nextafter", accurate: []part{compares(2), selects(2), {1, "add.s32"}}},
	{name: "normcdf", accurate: []part{muls(1), {1, "erfc.f32"}}},
	{name: "popcount", accurate: []part{conversion}, exact: true},
	{name: "pow", native: []part{sfu, muls(1), sfu}, accurate: []part{fmas(28), {2, "add.s32"}, conversion, selects(4), sfu}},
	{name: "pown", native: []part{sfu, muls(1), sfu}, accurate: []part{fmas(28), {2, "add.s32"}, conversion, selects(5), sfu}},
	{name: "powr", native: []part{sfu, muls(1), sfu}, accurate: []part{fmas(28), {2, "add.s32"}, conversion, selects(2), sfu}},
	{name: "radians", accurate: []part{muls(1)}, exact: true},
	{name: "recip", native: []part{sfu}, accurate: only("div.f32"), exact: true},
	{name: "remainder", accurate: []part{{1, "div.f32"}, conversion, fmas(2)}},
	{name: "remquo", accurate: []part{{1, "div.f32"}, {2, "cvt.f32.s32"}, fmas(2)}},
	{name: "rhadd", accurate: []part{{3, "add.s32"}}, exact: true},
	{name: "rint", accurate: []part{conversion}, exact: true},
	{name: "rootn", accurate: []part{{1, "div.f32"}, {1, "pow.f32"}}},
	{name: "rotate", accurate: only("shl.s32"), exact: true},
	{name: "round", accurate: []part{adds(1), conversion}, exact: true},
	{name: "rsqrt", native: []part{sfu}, accurate: []part{muls(2), sfu}},
	{name: "sad", accurate: []part{{1, "sub.s32"}, {1, "abs.s32"}, {1, "add.s32"}}, exact: true},
	{name: "saturate", accurate: []part{{2, "min.f32"}}, exact: true},
	{name: "sign", accurate: []part{compares(2), selects(2)}, exact: true},
	{name: "signbit", accurate: only("shr.s32"), exact: true},
	{name: "sin", native: []part{sfu}, accurate: []part{muls(3), {2, "cvt.f32.s32"}, fmas(8), selects(3)}},
	{name: "sincos", native: []part{sfu, sfu}, accurate: []part{muls(3), {2, "cvt.f32.s32"}, fmas(12), selects(4)}},
	{name: "sinh", accurate: []part{{1, "exp.f32"}, {1, "native_recip.f32"}, fmas(8), selects(1)}},
	{name: "sinpi", accurate: []part{muls(2), {2, "cvt.f32.s32"}, fmas(6), selects(3)}},
	{name: "smoothstep", accurate: []part{adds(2), {1, "div.f32"}, {2, "min.f32"}, fmas(1), muls(2)}, exact: true},
	{name: "sqrt", native: []part{sfu, muls(1)}, accurate: []part{sfu, muls(2), fmas(3)}},
	{name: "step", accurate: []part{compares(1), selects(1)}, exact: true},
	{name: "sub_sat", accurate: []part{{1, "sub.s32"}, {2, "min.s32"}}, exact: true},
	{name: "tan", native: []part{sfu, sfu, sfu, muls(1)}, accurate: []part{muls(3), {2, "cvt.f32.s32"}, fmas(10), selects(3), {1, "native_recip.f32"}}},
	{name: "tanh", native: []part{sfu}, accurate: []part{fmas(4), selects(2), {1, "native_exp.f32"}, {1, "native_recip.f32"}}},
	{name: "tanpi", accurate: []part{muls(2), {2, "cvt.f32.s32"}, fmas(8), selects(3), {1, "native_recip.f32"}}},
	{name: "tgamma", accurate: []part{fmas(24), selects(4), {1, "exp.f32"}}},
	{name: "trunc", accurate: []part{conversion}, exact: true},
	{name: "upsample", accurate: []part{{1, "shl.s32"}, {1, "or.s32"}}, exact: true},
}

// functionNamed finds a math function by its plain name.
func functionNamed(name string) (*function, bool) {
	i, ok := slices.BinarySearchFunc(functions[:], name, func(f function, n string) int {
		if f.name < n {
			return -1
		} else if f.name > n {
			return 1
		}
		return 0
	})
	if !ok {
		return nil, false
	}
	return &functions[i], true
}
