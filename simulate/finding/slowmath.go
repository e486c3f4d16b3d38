package finding

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/simulate/remedy"
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

// slow is what a kernel computes to full accuracy with one function.
type slow struct {
	Finding
	native  string // instead
	instrs  int    // of a call
	lines   []string
	changes []remedy.Change
}

// slowMath: accurate functions in single precision, where the hardware has ones of less accuracy; one finding for each
// function.
func slowMath(r *Run) (out []trial, err error) {
	at := map[string]*slow{}
	var order []string
	places := r.places()
	for i, p := range places {
		word, native, called := r.fastMath(p)
		if native == "" || slices.ContainsFunc(p.instrs, (*idg.Instr).IsDouble) {
			continue
		}
		changes := r.instead(p, native+".f32")
		if root := r.rootBelow(p, places); root != nil {
			word, called = "1 / "+root.word, "rsqrt instead of both"
			if r.Graph.Source.Dialect != "opencl" {
				called = "rsqrtf instead of both"
			}
			changes = append(r.instead(root, "native_rsqrt.f32"),
				remedy.Change{Kind: remedy.Removed, Pick: func(in *idg.Instr) bool { return in.Pos == p.pos }})
		} else if slices.ContainsFunc(places, func(q *place) bool { return r.rootBelow(q, places) == places[i] }) {
			continue
		}
		s := at[word]
		if s == nil {
			s = &slow{Finding: Finding{Pos: p.pos, Remedy: called}, native: native, instrs: len(p.instrs)}
			at[word], order = s, append(order, word)
		}
		s.changes = append(s.changes, changes...)
		if line := fmt.Sprint(p.pos.Line); !slices.Contains(s.lines, line) {
			s.lines = append(s.lines, line)
		}
	}
	for _, word := range order {
		s := at[word]
		f := s.Finding
		f.What = fmt.Sprintf("%s is computed to full accuracy", word)
		f.Proof = fmt.Sprintf("%d instructions around the special function unit's", s.instrs)
		if len(s.lines) > 1 {
			f.Proof += "; lines " + strings.Join(s.lines, ", ")
		}
		fast := "fast math for the file, if a few units in the last place do not matter"
		if f.Remedy != "" {
			fast = f.Remedy + ", or " + fast
		}
		f.Remedy = fast
		if out, err = r.remedied(out, f, s.changes...); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fastMath is what a place computes to full accuracy, the op of less accuracy that hardware has for that, and how the
// kernel's language calls it, "" if it has no name there; no op if the place is none of these.
func (r *Run) fastMath(p *place) (word, native, called string) {
	if p.word == "/" {
		if !p.has("native_recip", "recip.f32", "div.f32") || p.dividesIntegers() {
			return "", "", ""
		}
		return "a quotient", "native_divide", r.called("native_divide", "__fdividef")
	}
	native = natives[strings.TrimSuffix(p.word, "f")]
	intrinsic := ""
	if slices.Contains(intrinsics, p.word) {
		intrinsic = "__" + p.word
	}
	return p.word, native, r.called(native, intrinsic)
}

// rootBelow is the square root of "1 / sqrt(x)", nil if a place is no such quotient.
func (r *Run) rootBelow(p *place, places []*place) *place {
	if p.word != "/" {
		return nil
	}
	line := r.line(p.pos)
	one := strings.TrimRight(line[:p.pos.Column-1], " ")
	if !slices.ContainsFunc([]string{"1", "1.0f", "1.f", "1.0"}, func(x string) bool {
		before, ok := strings.CutSuffix(one, x)
		return ok && (before == "" || strings.ContainsAny(before[len(before)-1:], " =(,+-*/"))
	}) {
		return nil
	}
	for _, q := range places {
		if (q.word == "sqrt" || q.word == "sqrtf") && sameLine(q.pos, p.pos) && q.pos.Column > p.pos.Column &&
			strings.TrimSpace(line[p.pos.Column:q.pos.Column-1]) == "" {
			return q
		}
	}
	return nil
}
