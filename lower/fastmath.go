package lower

// fastMath are the functions that -use_fast_math takes in single precision in the place of the
// accurate ones: the intrinsics (CUDA C++ Programming Guide, Mathematical Functions Appendix,
// functions affected by -use_fast_math), and what -ftz=true and -prec-sqrt=false, which it
// implies, leave of the roots (PTX ISA, rsqrt.approx.ftz and sqrt.approx.ftz: one instruction of the
// special function unit, without scaling of small arguments). OpenCL's
// -cl-fast-relaxed-math allows the same.
var fastMath = map[string]string{
	"cos": "native_cos", "exp": "native_exp", "exp10": "native_exp10", "exp2": "native_exp2",
	"log": "native_log", "log10": "native_log10", "log2": "native_log2", "pow": "native_powr", "powr": "native_powr",
	"rsqrt": "native_rsqrt", "sin": "native_sin", "sqrt": "native_sqrt", "tan": "native_tan",
}

// fast is what a math function becomes where the unit is compiled for speed.
func (l *lowerer) fast(fn string, t Type) string {
	if n, ok := fastMath[fn]; ok && l.unit.Target.FastMath && t == F32 {
		return n
	}
	return fn
}
