package finding

import (
	"fmt"
	"slices"
	"strings"
)

// natives are the functions with a version in hardware (OpenCL C 6.15.2 native_*; CUDA C++ Programming Guide,
// Intrinsic Functions), by their name without CUDA's f.
var natives = map[string]string{
	"cos": "native_cos", "exp": "native_exp", "exp10": "native_exp10", "exp2": "native_exp2", "log": "native_log",
	"log10": "native_log10", "log2": "native_log2", "pow": "native_powr", "powr": "native_powr", "sin": "native_sin",
	"sqrt": "native_sqrt", "rsqrt": "native_rsqrt", "tan": "native_tan",
}

// intrinsics are the functions of CUDA that have such a version by name.
var intrinsics = []string{"cosf", "expf", "exp10f", "logf", "log2f", "log10f", "powf", "sinf", "tanf"}

// slowMath: an accurate function in single precision, where the hardware has one of less accuracy.
func slowMath(r *Run) (out []trial, err error) {
	for _, p := range r.places() {
		native := natives[strings.TrimSuffix(p.word, "f")]
		called := native + ", or "
		if r.Graph.Source.Dialect != "opencl" {
			called = ""
			if slices.Contains(intrinsics, p.word) {
				called = "__" + p.word + ", or "
			}
		}
		if p.word == "/" && p.has("native_recip", "recip.f32", "div.f32") && !p.dividesIntegers() {
			native, called = "native_divide", "native_divide, or "
			if r.Graph.Source.Dialect != "opencl" {
				called = "__fdividef, or "
			}
		}
		if native == "" || slices.ContainsFunc(p.instrs, isDouble) {
			continue
		}
		out, err = r.remedied(out, Finding{
			Pos:    p.pos,
			What:   fmt.Sprintf("%s is computed to full accuracy", strings.Replace(p.word, "/", "a quotient", 1)),
			Proof:  fmt.Sprintf("%d instructions around the special function unit's", len(p.instrs)),
			Remedy: fmt.Sprintf("%sfast math for the file, if a few units in the last place do not matter", called),
		}, r.instead(p, native+".f32")...)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
