package cxx

import (
	"slices"
	"strings"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/tokens"
)

// code copies tokens i to j and rewrites what C++ says about members: this,
// S::x, operators' names and constructors' calls.
func (w *memberWriter) code(i, j int, self *memberScope) {
	for k := i; k < j; k++ {
		t := w.Tokens[k]
		if t.Kind != tokens.Ident || t.InDirective && !t.Pragma {
			w.out.Copy(w.File, w.done, int(t.End))
			w.done = int(t.End)
			continue
		}
		text, end := w.memberWord(k, self)
		if end < 0 {
			w.out.Copy(w.File, w.done, int(t.End))
			w.done = int(t.End)
			continue
		}
		w.changed = true
		w.out.Copy(w.File, w.done, int(t.Start))
		w.out.Insert(text, w.File, int(t.Start))
		w.done = int(w.Tokens[end].End)
		k = end
	}
}

// memberWord is what the word at token k becomes and the last token that it
// replaces; -1: it stays.
func (w *memberWriter) memberWord(k int, self *memberScope) (string, int) {
	s, n, p := w.At(k), w.Next(k), w.Prev(k)
	if w.Is(p, ".") || w.Is(p, "->") {
		if _, isType := w.set.Types[s]; (isType || w.structs[s] != nil) && w.Is(n, "(") {
			return MethodMark + s, k // the name of a type is no member's to C's grammar
		}
		return "", -1
	}
	switch {
	case s == "this" && w.Is(n, "->"):
		return This + ".", n
	case s == "this":
		return "(&" + This + ")", k
	case s == "operator":
		op := w.operatorAt(k)
		if operatorNames[op] == "" {
			return "", -1
		}
		end := n
		if len(op) == 2 && (op == "()" || op == "[]") {
			end = w.Next(n)
		}
		return OperatorPrefix + operatorNames[op], end
	}
	if (s == "using" || s == "typedef") && w.Shape.InBody(k) {
		w.alias(k, w.Find(k, len(w.Tokens), ";")+1)
		return "", -1
	}
	if text, end := w.vectorVariable(k); end >= 0 {
		return text, end
	}
	m := w.structs[s]
	if m != nil && w.Is(n, "::") {
		member := w.Next(n)
		if outside := m.renamed[w.At(member)]; outside != "" {
			return outside, member
		}
		if w.Is(w.Next(member), "(") {
			return m.Name + MemberMark + w.At(member), member
		}
		return "", -1
	}
	if self != nil && self.renamed[s] != "" {
		return self.renamed[s], k
	}
	if m != nil && m.Default && w.Shape.InBody(k) && w.Is(n, "(") && w.Is(w.Next(n), ")") {
		return ConstructorPrefix + m.Name, k
	}
	if m != nil && !m.Made && w.Shape.InBody(k) && w.Is(n, "(") && w.Is(w.Next(n), ")") {
		return "(" + m.Name + "){0}", w.Next(n)
	}
	if first := w.declarationOf(k); first >= 0 && w.all.Words.Types[w.At(first)] && w.KindOf(w.Next(first)) == tokens.Ident {
		return s + " = ", k // a number
	}
	if made := w.declaredWith(k); made != nil {
		return s + " = " + ConstructorPrefix + made.Name, k
	}
	p = w.beforeNamespace(k)
	if m == nil || !m.Made || !w.Shape.InBody(k) || w.Is(p, "struct") || w.Is(p, "::") {
		return "", -1
	}
	if w.Is(n, "(") && !w.Is(w.Next(n), "*") {
		return ConstructorPrefix + m.Name, k
	}
	if n < len(w.Tokens) && w.KindOf(n) == tokens.Ident && w.Is(w.Next(n), "(") { // S v(1, 2);
		if c := w.Shape.Closing(w.Next(n)); c > w.Next(w.Next(n)) && (w.Is(w.Next(c), ";") || w.Is(w.Next(c), ",")) && (strings.Contains(";{}", w.At(p)) || w.At(p) == "const") {
			return s + " " + w.At(n) + " = " + ConstructorPrefix + m.Name, n
		}
	}
	return "", -1
}

// beforeNamespace is the token before the name at token k and the namespaces that it is qualified by.
func (w *memberWriter) beforeNamespace(k int) int {
	p := w.Prev(k)
	for w.Is(p, "::") && w.KindOf(w.Prev(p)) == tokens.Ident && w.structs[w.At(w.Prev(p))] == nil {
		p = w.Prev(w.Prev(p))
	}
	return p
}

// declaredWith finds the structure of a further variable that its constructor makes, w in
// "S v(1), w(2);": nil if token k is no such name.
func (w *memberWriter) declaredWith(k int) *Members {
	first := w.declarationOf(k)
	if first < 0 {
		return nil
	}
	m := w.structs[w.At(first)]
	if m == nil || !m.Made || w.KindOf(w.Next(first)) != tokens.Ident {
		return nil
	}
	return m
}

// declarationOf is the type's token in the declaration of which token k is a further name with a value in
// parentheses; -1 if token k is none.
func (w *memberWriter) declarationOf(k int) int {
	if !w.Shape.InBody(k) || w.KindOf(k) != tokens.Ident || !w.Is(w.Next(k), "(") || !w.Is(w.Prev(k), ",") {
		return -1
	}
	first, parent := k, w.Shape.Parent[k]
	for p := w.Prev(k); p > int(parent) && !(w.Shape.Parent[p] == parent && strings.Contains(";{}", w.At(p))); p = w.Prev(p) {
		if w.Shape.Parent[p] == parent {
			first = p
		}
	}
	for w.Is(first, "const") || w.Is(first, "constexpr") {
		first = w.Next(first)
	}
	return first
}

// vectorVariable rewrites "float2 v(1, 2);" and "dim3 v(1, 2);" in a function; -1 if
// token k starts nothing like it.
func (w *memberWriter) vectorVariable(k int) (string, int) {
	n, p := w.Next(k), w.Prev(k)
	isScalar := w.all.Words.Types[w.At(k)]
	atFile := isScalar && w.Shape.KindAt(k) != tokens.Struct && w.Shape.Parent[k] < 0 && w.parenthesisedValue(w.Next(n))
	for isScalar && w.all.Words.Types[w.At(p)] { // unsigned int
		p = w.Prev(p)
	}
	if atFile && (w.Is(p, "const") || w.Is(p, "constexpr")) {
		return w.At(k) + " " + w.At(n) + " = ", n
	}
	if !w.Shape.InBody(k) || !isScalar && !ctypes.IsCUDAVector(w.At(k)) && !slices.Contains([]string{"half2", "__half2", "dim3"}, w.At(k)) || n >= len(w.Tokens) || w.KindOf(n) != tokens.Ident {
		return "", -1
	}
	open := w.Next(n)
	c := w.Shape.Closing(open)
	first := w.Next(open)
	if !w.Is(open, "(") || c <= first || !w.Is(w.Next(c), ";") && !(isScalar && w.Is(w.Next(c), ",")) || !(isScalar && w.Is(p, "(") && w.Is(w.Prev(p), "for")) && !strings.Contains(";{}", w.At(p)) && w.At(p) != "const" && w.At(p) != "constexpr" && w.At(p) != "static" ||
		w.all.Words.Types[w.At(first)] && !w.Is(w.Next(first), "(") || ctypes.IsCUDAVector(w.At(first)) {
		return "", -1
	}
	if isScalar {
		return w.At(k) + " " + w.At(n) + " = ", n
	}
	if w.At(k) == "dim3" {
		return "dim3 " + w.At(n) + " = " + MakeDim3, n
	}
	return w.At(k) + " " + w.At(n) + " = make_" + strings.TrimPrefix(w.At(k), "__"), n
}

// MakeDim3 is the function that stands for dim3's constructors: (x), (x, y) or (x, y, z).
const MakeDim3 = "__kl_dim3"
