package load

import (
	"fmt"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/encoding"
	"gpupipe/frontend/tokens"
)

// attributes rewrites what cc cannot take: OpenCL's unroll attribute becomes a
// label like the pragmas, and a list of three or more attributes becomes
// several lists, as cc's parser keeps only the first and the last of each.
func (r *rewriter) attributes() {
	for i := 0; i < len(r.Tokens); i++ {
		if r.dead[i] || !r.Is(i, "__attribute__") && !r.Is(i, "__attribute") {
			continue
		}
		limit := len(r.Tokens)
		if r.Tokens[i].InDirective {
			limit = r.LineEnd(i)
		}
		list := r.attributeList(i, limit)
		if list == nil {
			continue
		}
		end := list[len(list)-1].end + 2
		if v := unrollAttribute(r, list); v != nil && r.unrollAttribute(i, end, v) {
			i = end - 1
			continue
		}
		if len(list) > 2 {
			for _, v := range list[1:] {
				r.replace(v.start-1, ")) __attribute__((")
			}
		}
	}
}

// brackets takes [[noreturn]] and the other attributes of C++ out: nothing else begins with two brackets there.
func (r *rewriter) brackets() {
	for i := 0; i < len(r.Tokens); i++ {
		open := r.step(i, len(r.Tokens))
		if !r.Is(i, "[") || !r.Is(open, "[") || r.Tokens[i].InDirective != r.Tokens[open].InDirective {
			continue
		}
		closing := open
		for closing < len(r.Tokens) && !r.Is(closing, "]") {
			closing++
		}
		if closing == len(r.Tokens) {
			return
		}
		end := r.step(closing, len(r.Tokens))
		if !r.Is(end, "]") {
			continue
		}
		for ; i <= end; i++ {
			if r.KindOf(i) != tokens.Newline {
				r.replace(i, "")
				r.dead[i] = true
			}
		}
	}
}

// attributeValue is one value of a list: tokens start to end (exclusive).
type attributeValue struct{ start, end int }

// attributeList splits __attribute__((a, b(c), d)) at token i, or returns nil.
func (r *rewriter) attributeList(i, limit int) (list []attributeValue) {
	k := r.step(i, limit)
	if !r.Is(k, "(") {
		return nil
	}
	if k = r.step(k, limit); !r.Is(k, "(") {
		return nil
	}
	start, depth := k+1, 0
	for k++; k < limit; k++ {
		switch s := r.At(k); {
		case s == "(":
			depth++
		case s == ")" && depth > 0:
			depth--
		case s == ")":
			if k == start && len(list) == 0 || !r.Is(k+1, ")") {
				return nil
			}
			return append(list, attributeValue{start, k})
		case s == "," && depth == 0:
			list = append(list, attributeValue{start, k})
			start = k + 1
		case s == ";" || s == "{":
			return nil
		}
	}
	return nil
}

// step returns the next token behind i, newlines skipped unless in a directive.
func (r *rewriter) step(i, limit int) int {
	if r.Tokens[i].InDirective {
		return i + 1
	}
	return min(r.Next(i), limit)
}

func unrollAttribute(r *rewriter, list []attributeValue) *attributeValue {
	for _, v := range list {
		for k := v.start; k < v.end; k++ {
			if s := r.At(k); s == "opencl_unroll_hint" || s == "__opencl_unroll_hint__" {
				return &attributeValue{k, v.end}
			}
		}
	}
	return nil
}

// unrollAttribute makes the attribute from token i to token end a label; v is
// the value, opencl_unroll_hint or opencl_unroll_hint(N).
func (r *rewriter) unrollAttribute(i, end int, v *attributeValue) bool {
	close, ok := "", true
	if !r.Tokens[i].InDirective {
		close, ok = r.labelPlace(i, end)
	}
	if !ok || end > len(r.Tokens) {
		return false
	}
	h := hintText{r.tokPos(i), ast.UnrollFull, r.Text[r.Tokens[i].Start:r.Tokens[end-1].End]}
	from, to := v.start+2, v.end-1 // of N
	if from < to && r.Is(v.start+1, "(") && isExpression(r.Words(from, to)) {
		h.kind = ast.UnrollFactor
	}
	id := r.hintID(h)
	for k := i + 1; k < end; k++ {
		if r.KindOf(k) != tokens.Newline && (h.kind != ast.UnrollFactor || k < from || k >= to) {
			r.replace(k, "")
		}
	}
	if h.kind == ast.UnrollFactor {
		r.replace(i, fmt.Sprintf("case %s(%d,(", encoding.LabelUnroll, id))
		r.behind(to-1, ")):"+close)
	} else {
		r.replace(i, fmt.Sprintf("case %s(%d):%s", encoding.LabelUnroll, id, close))
	}
	return true
}
