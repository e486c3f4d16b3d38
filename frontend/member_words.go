package frontend

import (
	"slices"
	"strings"
)

// code copies tokens i to j and rewrites what C++ says about members: this,
// S::x, operators' names and constructors' calls.
func (w *memberWriter) code(i, j int, self *memberScope) {
	for k := i; k < j; k++ {
		t := w.toks[k]
		if t.kind != tokIdent || t.inDir && !t.pragma {
			w.out.copy(w.source, w.done, int(t.end))
			w.done = int(t.end)
			continue
		}
		text, end := w.memberWord(k, self)
		if end < 0 {
			w.out.copy(w.source, w.done, int(t.end))
			w.done = int(t.end)
			continue
		}
		w.changed = true
		w.out.copy(w.source, w.done, int(t.start))
		w.out.insert(text, w.source, int(t.start))
		w.done = int(w.toks[end].end)
		k = end
	}
}

// memberWord is what the word at token k becomes and the last token that it
// replaces; -1: it stays.
func (w *memberWriter) memberWord(k int, self *memberScope) (string, int) {
	s, n, p := w.at(k), w.next(k), w.prev(k)
	if w.is(p, ".") || w.is(p, "->") {
		if _, isType := w.set.types[s]; (isType || w.structs[s] != nil) && w.is(n, "(") {
			return methodMark + s, k // the name of a type is no member's to C's grammar
		}
		return "", -1
	}
	switch {
	case s == "this" && w.is(n, "->"):
		return nameThis + ".", n
	case s == "this":
		return "(&" + nameThis + ")", k
	case s == "operator":
		op := w.operatorAt(k)
		if operatorNames[op] == "" {
			return "", -1
		}
		end := n
		if len(op) == 2 && (op == "()" || op == "[]") {
			end = w.next(n)
		}
		return operatorFn + operatorNames[op], end
	}
	if (s == "using" || s == "typedef") && w.shape.inBody(k) {
		w.alias(k, w.find(k, len(w.toks), ";")+1)
		return "", -1
	}
	if text, end := w.vectorVariable(k); end >= 0 {
		return text, end
	}
	m := w.structs[s]
	if m != nil && w.is(n, "::") {
		member := w.next(n)
		if outside := m.renamed[w.at(member)]; outside != "" {
			return outside, member
		}
		if w.is(w.next(member), "(") {
			return m.name + memberMark + w.at(member), member
		}
		return "", -1
	}
	if self != nil && self.renamed[s] != "" {
		return self.renamed[s], k
	}
	if m != nil && !m.made && w.shape.inBody(k) && w.is(n, "(") && w.is(w.next(n), ")") {
		return "(" + m.name + "){0}", w.next(n)
	}
	if first := w.declarationOf(k); first >= 0 && w.l.words.types[w.at(first)] && w.kindOf(w.next(first)) == tokIdent {
		return s + " = ", k // a number
	}
	if made := w.declaredWith(k); made != nil {
		return s + " = " + constructor + made.name, k
	}
	p = w.beforeNamespace(k)
	if m == nil || !m.made || !w.shape.inBody(k) || w.is(p, "struct") || w.is(p, "::") {
		return "", -1
	}
	if w.is(n, "(") && !w.is(w.next(n), "*") {
		return constructor + m.name, k
	}
	if n < len(w.toks) && w.kindOf(n) == tokIdent && w.is(w.next(n), "(") { // S v(1, 2);
		if c := w.shape.closing(w.next(n)); c > w.next(w.next(n)) && (w.is(w.next(c), ";") || w.is(w.next(c), ",")) && (strings.Contains(";{}", w.at(p)) || w.at(p) == "const") {
			return s + " " + w.at(n) + " = " + constructor + m.name, n
		}
	}
	return "", -1
}

// beforeNamespace is the token before the name at token k and the namespaces that it is qualified by.
func (w *memberWriter) beforeNamespace(k int) int {
	p := w.prev(k)
	for w.is(p, "::") && w.kindOf(w.prev(p)) == tokIdent && w.structs[w.at(w.prev(p))] == nil {
		p = w.prev(w.prev(p))
	}
	return p
}

// declaredWith finds the structure of a further variable that its constructor makes, w in
// "S v(1), w(2);": nil if token k is no such name.
func (w *memberWriter) declaredWith(k int) *structMembers {
	first := w.declarationOf(k)
	if first < 0 {
		return nil
	}
	m := w.structs[w.at(first)]
	if m == nil || !m.made || w.kindOf(w.next(first)) != tokIdent {
		return nil
	}
	return m
}

// declarationOf is the type's token in the declaration of which token k is a further name with a value in
// parentheses; -1 if token k is none.
func (w *memberWriter) declarationOf(k int) int {
	if !w.shape.inBody(k) || w.kindOf(k) != tokIdent || !w.is(w.next(k), "(") || !w.is(w.prev(k), ",") {
		return -1
	}
	first, parent := k, w.shape.parent[k]
	for p := w.prev(k); p > int(parent) && !(w.shape.parent[p] == parent && strings.Contains(";{}", w.at(p))); p = w.prev(p) {
		if w.shape.parent[p] == parent {
			first = p
		}
	}
	for w.is(first, "const") || w.is(first, "constexpr") {
		first = w.next(first)
	}
	return first
}

// vectorVariable rewrites "float2 v(1, 2);" and "dim3 v(1, 2);" in a function; -1 if
// token k starts nothing like it.
func (w *memberWriter) vectorVariable(k int) (string, int) {
	n, p := w.next(k), w.prev(k)
	isScalar := w.l.words.types[w.at(k)]
	atFile := isScalar && w.shape.kindAt(k) != scopeStruct && w.shape.parent[k] < 0 && w.parenthesisedValue(w.next(n))
	for isScalar && w.l.words.types[w.at(p)] { // unsigned int
		p = w.prev(p)
	}
	if atFile && (w.is(p, "const") || w.is(p, "constexpr")) {
		return w.at(k) + " " + w.at(n) + " = ", n
	}
	if !w.shape.inBody(k) || !isScalar && !w.isVectorName(w.at(k)) && !slices.Contains([]string{"half2", "__half2", "dim3"}, w.at(k)) || n >= len(w.toks) || w.kindOf(n) != tokIdent {
		return "", -1
	}
	open := w.next(n)
	c := w.shape.closing(open)
	first := w.next(open)
	if !w.is(open, "(") || c <= first || !w.is(w.next(c), ";") && !(isScalar && w.is(w.next(c), ",")) || !(isScalar && w.is(p, "(") && w.is(w.prev(p), "for")) && !strings.Contains(";{}", w.at(p)) && w.at(p) != "const" && w.at(p) != "constexpr" && w.at(p) != "static" ||
		w.l.words.types[w.at(first)] && !w.is(w.next(first), "(") || w.isVectorName(w.at(first)) {
		return "", -1
	}
	if isScalar {
		return w.at(k) + " " + w.at(n) + " = ", n
	}
	if w.at(k) == "dim3" {
		return "dim3 " + w.at(n) + " = " + makeDim3, n
	}
	return w.at(k) + " " + w.at(n) + " = make_" + strings.TrimPrefix(w.at(k), "__"), n
}
