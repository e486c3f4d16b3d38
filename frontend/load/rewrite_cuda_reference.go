package load

import (
	"strings"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/encoding"
	"gpupipe/frontend/tokens"
)

// References of C++: parameters and variables, also of arrays, and casts to them.

// references turns the & of reference parameters and variables into a pointer
// with a mark, which every use dereferences.
func (r *rewriter) references() {
	for i, t := range r.Tokens {
		if r.dead[i] || t.InDirective || t.Kind != tokens.Punct || !r.Is(i, "&") && !r.Is(i, "&&") {
			continue
		}
		if !r.declaresReference(i) {
			continue
		}
		if r.Is(i, "&&") && r.Shape.InBody(i) {
			r.unsupported(i, "a variable that is an rvalue reference is", "make it a variable of the type itself")
			continue
		}
		if r.Is(i, "&&") && !r.changes(i) {
			r.blank(i, i+1) // what is only read may as well be taken by value
			continue
		}
		r.replace(i, " "+encoding.MacroReference+" ")
	}
}

// changes reports whether the function with the parameter whose && is token i may change it.
func (r *rewriter) changes(i int) bool {
	it, name := r.itemAt(i), r.Next(i)
	if r.KindOf(name) != tokens.Ident {
		return false
	}
	for k := name + 1; k < it.end; k++ {
		if !r.Is(k, r.At(name)) || r.Tokens[k].InDirective {
			continue
		}
		switch p := r.At(r.Prev(k)); p {
		case "&", "++", "--":
			return true
		}
		switch n := r.At(r.Next(k)); {
		case n == "++" || n == "--" || n == "[" || n == ".":
			return true
		case strings.HasSuffix(n, "=") && n != "==" && n != "!=" && n != "<=" && n != ">=":
			return true
		}
	}
	return false
}

// declaresReference reports whether the & at token i belongs to a declarator:
// in a parameter list, or behind a type and before "name =", in a function. A reference to an
// array is T (&name)[N].
func (r *rewriter) declaresReference(i int) bool {
	p, n := r.Prev(i), r.Next(i)
	if p < 0 || n >= len(r.Tokens) {
		return false
	}
	if !r.Shape.InBody(i) {
		it := r.itemAt(i)
		return it != nil && it.function && (r.Shape.Parent[i] >= 0 || r.Is(n, it.name) || r.Is(r.Next(n), "("))
	}
	end := r.Next(n)
	if r.Is(p, "(") && r.Is(end, ")") {
		if p, end = r.Prev(p), r.Next(end); !r.Is(end, "[") {
			return false
		}
		end = r.pastLengths(end)
	}
	if r.KindOf(p) != tokens.Ident && !r.Is(p, "*") || r.KindOf(n) != tokens.Ident || !r.Is(end, "=") {
		return false
	}
	s := r.At(p)
	return r.l.Words.Types[s] || s == "auto" || s == "const" || ctypes.IsCUDAVector(s)
}

// pastLengths is the first token behind the brackets that open at token i.
func (r *rewriter) pastLengths(i int) int {
	for r.Is(i, "[") && r.Shape.Closing(i) > i {
		i = r.Next(r.Shape.Closing(i))
	}
	return i
}

// referenceMark is the & of the type between the angle brackets n and gt, T & or T (&)[N], or -1.
func (r *rewriter) referenceMark(n, gt int) int {
	last := r.Prev(gt)
	if r.Is(last, "&") {
		return last
	}
	for k := r.Next(n); k < gt; k = r.Next(k) {
		if mark := r.Next(k); r.Is(k, "(") && r.Is(mark, "&") && r.Shape.Closing(k) == r.Next(mark) && r.pastLengths(r.Next(r.Next(mark))) == gt {
			return mark
		}
	}
	return -1
}
