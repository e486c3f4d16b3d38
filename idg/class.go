package idg

import "strings"

// Class is the kind of work that an op is, for instruction mixes: "fp32", "fp64",
// "fp16", "int", "special", "convert", "compare", "barrier", "fence", "loop",
// "branch", "converge", "index", "shuffle", "vote", "async", "tma", "tensor", "off", the memory classes "ld.global",
// "st.local", "atomic.global" and so on for each address space, and "other".
type Class string

// ClassOf returns the class of an op. Special are the functions that GPUs
// compute in special function units or by sequences around them: square roots,
// powers, exponentials, logarithms, trigonometric functions, and floating-point
// division and remainder.
func ClassOf(op string) Class {
	name, rest, _ := strings.Cut(op, ".")
	switch name {
	case "ld", "st":
		space, _, _ := strings.Cut(rest, ".")
		return memoryClass(name, space)
	case "atomic":
		return memoryClass(name, rest[strings.LastIndexByte(rest, '.')+1:])
	case "barrier", "fence", "loop", "branch", "converge", "index", "shuffle", "vote", "async", "tma", "off":
		return Class(name)
	case "hmma", "imma", "dmma", "wgmma":
		return "tensor"
	case "cvt":
		return "convert"
	case "setp", "select":
		return "compare"
	}
	typ := rest[strings.LastIndexByte(rest, '.')+1:]
	float := strings.HasPrefix(typ, "f")
	switch {
	case special(name), float && (name == "div" || name == "rem"):
		return "special"
	case typ == "f16", typ == "f32", typ == "f64":
		return Class("fp" + typ[1:])
	case typ != "" && strings.IndexByte("subp", typ[0]) >= 0: // s32, u64, b32, pred
		return "int"
	}
	return "other"
}

// memoryClass is the class of a memory op in an address space.
func memoryClass(name, space string) Class {
	if space == "" {
		return Class(name)
	}
	return Class(name + "." + space)
}

// Clobbers reports whether AMD's scalar unit may not load from global memory what is executed
// behind the class: its cache does not see what stores and atomics write (LLVM,
// AMDGPUAnnotateUniformValues: amdgpu.noclobber).
func (c Class) Clobbers() bool {
	return c == "st.global" || c == "atomic" || strings.HasPrefix(string(c), "atomic.")
}

// special reports whether an op without its type is a function of the special
// class, in any of its variants.
func special(name string) bool {
	for _, variant := range []string{"native_", "half_", "fast_"} {
		name = strings.TrimPrefix(name, variant)
	}
	switch name {
	case "sqrt", "rsqrt", "cbrt", "rcbrt", "rcp", "recip", "divide", "fdividef", "fmod", "remainder", "remquo", "pow", "powr", "pown", "rootn", "hypot",
		"exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p",
		"sin", "cos", "tan", "sinpi", "cospi", "tanpi", "sincos", "asin", "acos", "atan", "atan2",
		"asinpi", "acospi", "atanpi", "atan2pi", "sincospi", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "tgamma", "lgamma", "lgamma_r":
		return true
	}
	return false
}
