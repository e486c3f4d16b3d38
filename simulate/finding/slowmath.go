package finding

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/idg/isa"
)

// natives are the functions with a version in hardware (OpenCL C 6.15.2 native_*; CUDA C++ Programming Guide,
// Intrinsic Functions), by their name without CUDA's f.
var natives = map[string]string{
	"cos": "native_cos", "exp": "native_exp", "exp10": "native_exp10", "exp2": "native_exp2", "log": "native_log",
	"log10": "native_log10", "log2": "native_log2", "pow": "native_powr", "powr": "native_powr", "sin": "native_sin",
	"sqrt": "native_sqrt", "tan": "native_tan",
}

// intrinsics are the functions of CUDA that have such a version by name.
var intrinsics = []string{"cosf", "expf", "exp10f", "logf", "log2f", "log10f", "powf", "sinf", "tanf"}

// slowMath: accurate functions in single precision, where the hardware has ones of less accuracy. The code with fast
// math is simulated.
func slowMath(r *Run) ([]trial, error) {
	if r.Graph.VariantOf(idg.FastMath) == nil {
		return nil, nil
	}
	var words, instead []string
	var at []idg.Pos
	var list []*place
	n := 0
	add := func(list []string, x string) []string {
		if x == "" || slices.Contains(list, x) {
			return list
		}
		return append(list, x)
	}
	for _, p := range r.places() {
		word, called := r.fastMath(p)
		if word == "" || !slices.ContainsFunc(p.instrs, computesSingle) {
			continue
		}
		if r.aboveRoot(p) {
			word, called = "", r.called("rsqrt", "rsqrtf")+" for 1 / sqrt"
		}
		list = append(list, p)
		words, instead, at = add(words, word), add(instead, called), append(at, p.pos)
		n += len(p.instrs)
	}
	if len(list) == 0 {
		return nil, nil
	}
	f := Finding{
		Pos:    list[0].pos,
		What:   strings.Join(words, ", ") + " computed to full accuracy",
		Proof:  several(fmt.Sprintf("%d instructions around the special function unit's", n), at),
		Remedy: "compile with fast math, if a few units in the last place do not matter",
	}
	if !slices.ContainsFunc(words, func(w string) bool { return !strings.HasPrefix(w, "rsqrt") }) {
		f.What = "rsqrt scales its argument, as it may be denormal"
		f.Remedy = fmt.Sprintf("flush denormal numbers to zero (%s), if they do not matter",
			r.called("-cl-denorms-are-zero, -cl-fast-relaxed-math", "-ftz=true, -use_fast_math"))
	}
	if len(instead) > 0 {
		f.Remedy += "; or call " + strings.Join(instead, ", ")
	}
	return r.compiled(nil, idg.FastMath, f, in(list))
}

// computesSingle reports whether an instruction computes in single precision.
func computesSingle(in *idg.Instr) bool {
	op := in.Operation()
	return strings.HasSuffix(in.Op, ".f32") && op.Verb != isa.Convert && in.Access == 0
}

// fastMath is what a place computes to full accuracy, and how the kernel's language calls what hardware has for that,
// "" if it has no name there; no word if the place is none of these.
func (r *Run) fastMath(p *place) (word, called string) {
	if p.word == "/" {
		if !p.has("native_recip", "recip.f32", "div.f32") || p.dividesIntegers() {
			return "", ""
		}
		return "quotient", r.called("native_divide", "__fdividef")
	}
	if p.word == "rsqrt" || p.word == "rsqrtf" {
		return p.word, "" // hardware's has the same accuracy, but for denormal numbers
	}
	native := natives[strings.TrimSuffix(p.word, "f")]
	if native == "" {
		return "", ""
	}
	intrinsic := ""
	if slices.Contains(intrinsics, p.word) {
		intrinsic = "__" + p.word
	}
	return p.word, r.called(native, intrinsic)
}

// aboveRoot reports whether a place is the quotient of "1 / sqrt(x)".
func (r *Run) aboveRoot(p *place) bool {
	if p.word != "/" {
		return false
	}
	line := r.line(p.pos)
	above, below := strings.TrimRight(line[:p.pos.Column-1], " "), strings.TrimLeft(line[p.pos.Column:], " ")
	return strings.HasPrefix(below, "sqrt") && slices.ContainsFunc([]string{"1", "1.0f", "1.f", "1.0"},
		func(x string) bool {
			before, ok := strings.CutSuffix(above, x)
			return ok && (before == "" || strings.ContainsAny(before[len(before)-1:], " =(,+-*/"))
		})
}
