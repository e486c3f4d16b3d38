package load

import (
	"slices"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/cxx"
	"gpupipe/frontend/encoding"
	"gpupipe/frontend/tokens"
)

// Lists in braces that C++ takes for values and C does not: behind a name that they
// initialise, behind a type, and where the context says which type they are of.
//
//	int a{3}        int a = {3}
//	T{a, b}         (T){a, b}, or the call of a constructor of T
//	x = {a, b}      x = (__kl_braces){a, b}, to which typing gives the type of x
//	return {a, b}   return (__kl_braces){a, b}
//	f({a, b}, c)    f((__kl_braces){a, b}, c)

// contextBraces finds a list whose type is its context's, the { at token i.
func (r *rewriter) contextBraces(i int) {
	c := r.Shape.Closing(i)
	if c < 0 || !r.Shape.InBody(i) || r.Find(i, c, ";") < c {
		return
	}
	p := r.Prev(i)
	switch s := r.At(p); {
	case s == "return":
	case s == "=":
		if r.initializes(p) {
			return
		}
	case s == "(" || s == ",":
		open := int(r.Shape.Parent[i])
		if open < 0 || !r.Is(open, "(") || !r.callee(r.Prev(open)) {
			return
		}
	default:
		return
	}
	r.before(i, "("+encoding.TypeBraces+")")
	r.fillBraces(i)
}

// arrayBraces finds int a[3]{1}, the { at token i.
func (r *rewriter) arrayBraces(i int) {
	name := r.Prev(i)
	if !r.Is(name, "]") || !r.Shape.InBody(i) {
		return
	}
	for r.Is(name, "]") && r.Shape.Match[name] > 0 {
		name = r.Prev(int(r.Shape.Match[name]))
	}
	if p := r.Prev(name); r.KindOf(name) == tokens.Ident && p >= 0 && (r.KindOf(p) == tokens.Ident && !r.Is(p, "return") || r.Is(p, "*") || r.Is(p, ",")) {
		r.before(i, " = ")
		r.fillBraces(i)
	}
}

// callee reports whether a call's parentheses may stand behind token i.
func (r *rewriter) callee(i int) bool {
	if i < 0 {
		return false
	}
	switch s := r.At(i); {
	case s == "]" || s == ")" || s == ">":
		return true
	case r.KindOf(i) != tokens.Ident:
		return false
	default:
		switch s {
		case "if", "while", "for", "switch", "return", "sizeof", "case", "else", "do":
			return false
		}
		return true
	}
}

// initializes reports whether the = at token i stands in a declaration, of which C
// knows the lists, or behind a designator: words follow one another before it
// (const float x[2] = {) where an assignment has operators between them.
func (r *rewriter) initializes(i int) bool {
	parent := r.Shape.Parent[i]
	if parent >= 0 && r.Shape.Kinds[parent] == tokens.Init {
		return true
	}
	depth := 0
	for k := r.Prev(i); k > int(parent); k = r.Prev(k) {
		switch s := r.At(k); {
		case s == "}" && depth == 0 && r.Shape.Match[k] > 0 && r.Shape.Kinds[r.Shape.Match[k]] == tokens.Init:
			k = int(r.Shape.Match[k]) // of a variable before this one
		case s == ")" || s == "]":
			depth++
		case s == "(" || s == "[":
			depth--
		case depth > 0:
		case s == ";" || s == "{" || s == "}" || s == ":":
			return false
		case s == "__shared__" || s == "__constant__" || s == "static":
			return true
		case r.KindOf(k) == tokens.Ident:
			p := r.Prev(k)
			if p > int(parent) && r.KindOf(p) == tokens.Ident && r.At(p) != "else" && r.At(p) != "do" {
				return true
			}
			if (r.Is(p, "*") || r.Is(p, "&")) && r.KindOf(r.Prev(p)) == tokens.Ident {
				return true // float *p = {
			}
		}
	}
	return false
}

// bracedValue finds int a{3} and T{3}, the { behind token i.
func (r *rewriter) bracedValue(i int) {
	isType := func(s string) bool {
		return r.l.Words.Types[s] || ctypes.IsCUDAVector(s) || slices.Contains(encoding.HalfPairNames, s)
	}
	before := r.Prev(i)
	for c := r.At(before); c == "const" || c == "volatile" || c == "*"; c = r.At(before) { // size_t const n{3}
		before = r.Prev(before)
	}
	if r.Is(before, ",") { // int a{3}, b{4}
		before = r.declaredType(before)
	}
	switch p := r.At(before); {
	case before < 0:
	case p == "struct" || p == "union" || p == "enum":
	case isType(r.At(i)):
		r.bracedConversion(i, r.At(i))
	case isType(p):
		n := r.Next(i)
		if m := r.l.Templates.Structs[p]; m != nil && (m.Made || m.Default && r.Next(n) == r.Shape.Closing(n)) {
			r.behind(i, " = ")
			r.braceCall(n, cxx.ConstructorPrefix+m.Name)
		} else {
			r.behind(i, " = ")
			r.fillBraces(n)
		}
	case p == "auto":
		r.unsupported(i, "a braced initialiser is", "initialise with =")
	}
}

// declaredType is the first token of the declaration in which the comma at token i stands, without const; -1 for a comma of a
// list.
func (r *rewriter) declaredType(i int) int {
	parent, first := r.Shape.Parent[i], i
	if parent < 0 || r.Shape.Kinds[parent] != tokens.Block {
		return -1
	}
	for k := r.Prev(i); k > int(parent); k = r.Prev(k) {
		switch m := r.Shape.Match[k]; {
		case m > parent && int(m) < k && (!r.Is(k, "}") || r.Is(r.Next(k), ",")):
			k = int(m)
		case r.Is(k, ";") || r.Is(k, "}") || r.Is(k, "{") || r.Is(k, ":"):
			k = 0
			continue
		}
		first = k
	}
	for r.Is(first, "const") || r.Is(first, "constexpr") || r.Is(first, "static") {
		first = r.Next(first)
	}
	return first
}

// bracedConversion rewrites T{a, b}: a compound literal, or a constructor's call.
func (r *rewriter) bracedConversion(i int, name string) {
	n := r.Next(i)
	if m := r.l.Templates.Structs[name]; m != nil && (m.Made && r.Next(n) != r.Shape.Closing(n) || m.Default && r.Next(n) == r.Shape.Closing(n)) {
		r.replace(i, "")
		r.braceCall(n, cxx.ConstructorPrefix+m.Name)
		return
	}
	r.replace(i, "("+name+")")
	r.fillBraces(n)
}

// braceCall makes the braces at token n the parentheses of a call.
func (r *rewriter) braceCall(n int, name string) {
	if c := r.Shape.Closing(n); c > 0 {
		r.replace(n, name+"(")
		r.replace(c, ")")
	}
}

// fillBraces gives an empty initialiser at token n the zero that C asks for.
func (r *rewriter) fillBraces(n int) {
	if c := r.Shape.Closing(n); c == r.Next(n) {
		r.behind(n, encoding.ZeroOfEmpty)
	}
}
