package frontend

import "strings"

// References of C++: parameters and variables, also of arrays, and casts to them.

// references turns the & of reference parameters and variables into a pointer
// with a mark, which every use dereferences.
func (r *rewriter) references() {
	for i, t := range r.toks {
		if r.dead[i] || t.inDir || t.kind != tokPunct || !r.is(i, "&") && !r.is(i, "&&") {
			continue
		}
		if !r.declaresReference(i) {
			continue
		}
		if r.is(i, "&&") && r.shape.inBody(i) {
			r.unsupported(i, "a variable that is an rvalue reference is", "make it a variable of the type itself")
			continue
		}
		if r.is(i, "&&") && !r.changes(i) {
			r.blank(i, i+1) // what is only read may as well be taken by value
			continue
		}
		r.replace(i, " "+macroReference+" ")
	}
}

// changes reports whether the function with the parameter whose && is token i may change it.
func (r *rewriter) changes(i int) bool {
	it, name := r.itemAt(i), r.next(i)
	if r.kindOf(name) != tokIdent {
		return false
	}
	for k := name + 1; k < it.end; k++ {
		if !r.is(k, r.at(name)) || r.toks[k].inDir {
			continue
		}
		switch p := r.at(r.prev(k)); p {
		case "&", "++", "--":
			return true
		}
		switch n := r.at(r.next(k)); {
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
	p, n := r.prev(i), r.next(i)
	if p < 0 || n >= len(r.toks) {
		return false
	}
	if !r.shape.inBody(i) {
		it := r.itemAt(i)
		return it != nil && it.function && (r.shape.parent[i] >= 0 || r.is(n, it.name) || r.is(r.next(n), "("))
	}
	end := r.next(n)
	if r.is(p, "(") && r.is(end, ")") {
		if p, end = r.prev(p), r.next(end); !r.is(end, "[") {
			return false
		}
		end = r.pastLengths(end)
	}
	if r.kindOf(p) != tokIdent && !r.is(p, "*") || r.kindOf(n) != tokIdent || !r.is(end, "=") {
		return false
	}
	s := r.at(p)
	return r.l.words.types[s] || s == "auto" || s == "const" || r.isVectorName(s)
}

// pastLengths is the first token behind the brackets that open at token i.
func (r *rewriter) pastLengths(i int) int {
	for r.is(i, "[") && r.shape.closing(i) > i {
		i = r.next(r.shape.closing(i))
	}
	return i
}

// referenceMark is the & of the type between the angle brackets n and gt, T & or T (&)[N], or -1.
func (r *rewriter) referenceMark(n, gt int) int {
	last := r.prev(gt)
	if r.is(last, "&") {
		return last
	}
	for k := r.next(n); k < gt; k = r.next(k) {
		if mark := r.next(k); r.is(k, "(") && r.is(mark, "&") && r.shape.closing(k) == r.next(mark) && r.pastLengths(r.next(r.next(mark))) == gt {
			return mark
		}
	}
	return -1
}
