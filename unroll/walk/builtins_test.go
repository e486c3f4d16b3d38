package walk_test

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
	"gpupipe/lower/translate"
)

// Functions of OpenCL C 1.2, 6.12.2 to 6.12.7, by the types that they take: T the type itself, S its scalar,
// I int of as many components, U the unsigned type of its size, M the signed one, and pointers to these. What is in
// front of a name is the result's type.
const (
	integerFunctions = `U abs(T)  U abs_diff(T,T)  T add_sat(T,T)  T hadd(T,T)  T rhadd(T,T)  T clamp(T,T,T)  T clz(T)  T mad_hi(T,T,T)
		T mad_sat(T,T,T)  T max(T,T)  T min(T,T)  T mul_hi(T,T)  T rotate(T,T)  T sub_sat(T,T)  T popcount(T)  T ctz(T)
		T bitselect(T,T,T)  T select(T,T,M)  T select(T,T,U)`
	vectorIntegerFunctions = "T clamp(T,S,S)  T max(T,S)  T min(T,S)"
	narrowFunctions        = "T mul24(T,T)  T mad24(T,T,T)"
	signedFunctions        = "int any(T)  int all(T)"
	floatFunctions         = `T acos(T)  T acosh(T)  T acospi(T)  T asin(T)  T asinh(T)  T asinpi(T)  T atan(T)  T atan2(T,T)  T atanh(T)  T atanpi(T)
		T atan2pi(T,T)  T cbrt(T)  T ceil(T)  T copysign(T,T)  T cos(T)  T cosh(T)  T cospi(T)  T erfc(T)  T erf(T)  T exp(T)  T exp2(T)
		T exp10(T)  T expm1(T)  T fabs(T)  T fdim(T,T)  T floor(T)  T fma(T,T,T)  T fmax(T,T)  T fmin(T,T)  T fmod(T,T)  T fract(T,*T)
		T frexp(T,*I)  T hypot(T,T)  I ilogb(T)  T ldexp(T,I)  T lgamma(T)  T lgamma_r(T,*I)  T log(T)  T log2(T)  T log10(T)  T log1p(T)
		T logb(T)  T mad(T,T,T)  T maxmag(T,T)  T minmag(T,T)  T modf(T,*T)  T nan(U)  T nextafter(T,T)  T pow(T,T)  T pown(T,I)
		T powr(T,T)  T remainder(T,T)  T remquo(T,T,*I)  T rint(T)  T rootn(T,I)  T round(T)  T rsqrt(T)  T sin(T)  T sincos(T,*T)
		T sinh(T)  T sinpi(T)  T sqrt(T)  T tan(T)  T tanh(T)  T tanpi(T)  T tgamma(T)  T trunc(T)
		T clamp(T,T,T)  T degrees(T)  T max(T,T)  T min(T,T)  T mix(T,T,T)  T radians(T)  T step(T,T)  T smoothstep(T,T,T)  T sign(T)
		R isequal(T,T)  R isnotequal(T,T)  R isgreater(T,T)  R isgreaterequal(T,T)  R isless(T,T)  R islessequal(T,T)  R islessgreater(T,T)
		R isfinite(T)  R isinf(T)  R isnan(T)  R isnormal(T)  R isordered(T,T)  R isunordered(T,T)  R signbit(T)
		T bitselect(T,T,T)  T select(T,T,M)  T select(T,T,U)`
	vectorFloatFunctions = "T clamp(T,S,S)  T fmax(T,S)  T fmin(T,S)  T ldexp(T,int)  T max(T,S)  T min(T,S)  T " +
		"mix(T,T,S)  T step(S,T)  T smoothstep(S,S,T)"
	singleFunctions = `T half_cos(T)  T half_divide(T,T)  T half_exp(T)  T half_exp2(T)  T half_exp10(T)  T half_log(T)  T half_log2(T)  T half_log10(T)
		T half_powr(T,T)  T half_recip(T)  T half_rsqrt(T)  T half_sin(T)  T half_sqrt(T)  T half_tan(T)
		T native_cos(T)  T native_divide(T,T)  T native_exp(T)  T native_exp2(T)  T native_exp10(T)  T native_log(T)  T native_log2(T)
		T native_log10(T)  T native_powr(T,T)  T native_recip(T)  T native_rsqrt(T)  T native_sin(T)  T native_sqrt(T)  T native_tan(T)`
	geometricFunctions     = "S dot(T,T)  S distance(T,T)  S length(T)  T normalize(T)"
	fastGeometricFunctions = "S fast_distance(T,T)  S fast_length(T)  T fast_normalize(T)"
)

var (
	widths       = []int{1, 2, 3, 4, 8, 16}
	integerNames = []string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"}
	floatNames   = []string{"half", "float", "double"}
	sizes        = map[string]int{"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8,
		"ulong": 8, "half": 2, "float": 4, "double": 8}
)

// vectorOf is the type of so many components.
func vectorOf(scalar string, width int) string {
	if width == 1 {
		return scalar
	}
	return fmt.Sprint(scalar, width)
}

// signatureType is the type that a letter of a list of functions stands for.
func signatureType(letter, scalar string, width int) string {
	signed := map[int]string{1: "char", 2: "short", 4: "int", 8: "long"}[sizes[scalar]]
	switch letter {
	case "T":
		return vectorOf(scalar, width)
	case "S":
		return scalar
	case "I":
		return vectorOf("int", width)
	case "U":
		return vectorOf("u"+signed, width)
	case "M":
		return vectorOf(signed, width)
	case "R":
		if width == 1 {
			return "int"
		}
		return vectorOf(signed, width)
	}
	return letter
}

// functionsOf are the functions that take a type.
func functionsOf(scalar string, width int) []string {
	lists := []string{floatFunctions}
	_, isFloat := map[string]bool{"half": true, "float": true, "double": true}[scalar]
	switch {
	case !isFloat:
		lists = []string{integerFunctions}
		if width > 1 {
			lists = append(lists, vectorIntegerFunctions)
		}
		if scalar == "int" || scalar == "uint" {
			lists = append(lists, narrowFunctions)
		}
		if scalar[0] != 'u' {
			lists = append(lists, signedFunctions)
		}
	default:
		if width > 1 {
			lists = append(lists, vectorFloatFunctions)
		}
		if width <= 4 {
			lists = append(lists, geometricFunctions)
		}
		if width == 3 || width == 4 {
			lists = append(lists, "T cross(T,T)")
		}
		if scalar == "float" {
			lists = append(lists, singleFunctions)
			if width <= 4 {
				lists = append(lists, fastGeometricFunctions)
			}
		}
	}
	var out []string
	for _, l := range lists {
		out = append(out, strings.FieldsFunc(strings.NewReplacer("\n", "  ", "\t", "").Replace(l), func(r rune) bool {
			return r == ')'
		})...)
	}
	return out
}

// functionKernels are kernels of one call each, of all functions of a type: with what is loaded, and with what is
// known.
func functionKernels(scalar string, width int) string {
	var b strings.Builder
	b.WriteString("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n")
	n := 0
	call := func(result, text string, pointers []string) {
		fmt.Fprintf(&b, "kernel void k%d(global char *o, global char *in, int n) { int id = get_local_id(0);", n)
		for i, p := range pointers {
			fmt.Fprintf(&b, " %s p%d;", p, i)
		}
		fmt.Fprintf(&b, " %s r = %s; ((global %s *)o)[id] = r;", result, text, result)
		for i, p := range pointers {
			fmt.Fprintf(&b, " ((global %s *)o)[n + id] = p%d;", p, i)
		}
		b.WriteString(" }\n")
		n++
	}
	for _, f := range functionsOf(scalar, width) {
		f = strings.TrimSpace(f)
		if f == "" {
			continue
		}
		head, params, _ := strings.Cut(f, "(")
		result, name, _ := strings.Cut(head, " ")
		var loaded, known, pointers []string
		for i, p := range strings.Split(params, ",") {
			if inner, isPointer := strings.CutPrefix(p, "*"); isPointer {
				loaded, known = append(loaded, fmt.Sprintf("&p%d", len(pointers))),
					append(known, fmt.Sprintf("&p%d", len(pointers)))
				pointers = append(pointers, signatureType(inner, scalar, width))
				continue
			}
			typ := signatureType(p, scalar, width)
			loaded = append(loaded, fmt.Sprintf("((global %s *)in)[id + %d]", typ, i))
			known = append(known, fmt.Sprintf("(%s)(%s)(id * 77 - %d * n)", typ,
				strings.TrimRight(typ, "0123456789"), i+1))
		}
		result = signatureType(result, scalar, width)
		call(result, name+"("+strings.Join(loaded, ", ")+")", pointers)
		call(result, name+"("+strings.Join(known, ", ")+")", pointers)
	}
	from := vectorOf(scalar, width)
	value := fmt.Sprintf("((global %s *)in)[id]", from)
	for _, to := range append(integerNames, floatNames...) {
		to = vectorOf(to, width)
		modes := []string{"", "_rte", "_rtz", "_rtp", "_rtn"}
		if !strings.ContainsAny(to, "fb") { // saturation is of integers
			for _, m := range modes[:5:5] {
				modes = append(modes, "_sat"+m)
			}
		}
		for _, m := range modes {
			if width != 3 && strings.Contains(m, "_rt") {
				continue // each component is converted alike
			}
			call(to, "convert_"+to+m+"("+value+")", nil)
		}
		if sizes[scalar] == sizes[strings.TrimRight(to, "0123456789")] {
			call(to, "as_"+to+"("+value+")", nil)
		}
	}
	return b.String()
}

// TestBuiltinsOfAllTypes: every function of every type and width is lowered to a tree that keeps its invariants, and
// compiled to code whose graph does.
func TestBuiltinsOfAllTypes(t *testing.T) {
	n := 0
	for _, scalar := range append(integerNames, floatNames...) {
		for _, width := range widths {
			if !tools.Full() && width > 1 && (width > 2 || scalar != "float" && scalar != "uint") {
				continue
			}
			text := functionKernels(scalar, width)
			u := unit(t, "k.cl", text)
			lines := strings.Split(text, "\n")
			for i, fn := range u.Kernels {
				if !tools.Full() && i%3 != width%3 {
					continue
				}
				n++
				_, err := translate.Kernel(u, fn)
				if err != nil {
					t.Errorf("%s: lower: %v", lines[fn.Pos.Line-1], err)
					continue
				}
				for _, level := range []string{"-O0", []string{"-O2", "--compiler clang --capability gfx90a"}[i%2]} {
					g, _, err := execute(u, fn, parsed(t, level+" --local 4 --arg n=5"))
					if err == nil {
						err = g.Verify()
					}
					if err != nil {
						t.Errorf("%s: %v: %v", lines[fn.Pos.Line-1], level, err)
					}
				}
			}
		}
	}
	t.Logf("%d kernels", n)
}
