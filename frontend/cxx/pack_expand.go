package cxx

import (
	"strconv"

	"gpupipe/frontend/tokens"
)

// packEnv is what packs stand for where tokens are copied.
type packEnv struct {
	names    map[string]bool
	elements int
	element  int // of the pattern being copied, -1 outside of one
	outer    *packEnv
}

// of finds the pack of a name.
func (e *packEnv) of(name string) *packEnv {
	for ; e != nil; e = e.outer {
		if e.names[name] {
			return e
		}
	}
	return nil
}

// all are the names of all packs.
func (e *packEnv) all() map[string]bool {
	names := map[string]bool{}
	for ; e != nil; e = e.outer {
		for name := range e.names {
			names[name] = true
		}
	}
	return names
}

// copyPacked copies tokens i to j with packs expanded; w.done stands at token i.
func (w *packWriter) copyPacked(i, j int, env *packEnv) {
	patterns := w.patterns(i, j, env)
	for k := i; k < j; k++ {
		t := w.Tokens[k]
		if p := w.found[k]; p != nil {
			k = w.copies(p, env) - 1
			continue
		}
		if n := w.Next(k); w.Is(k, ",") && patterns[n] > 0 && w.packOf(n, patterns[n], env).elements == 0 {
			w.flush(k)
			w.done = int(t.End)
			continue
		}
		if end := patterns[k]; end > 0 {
			k = w.expand(k, end, j, env) - 1
			continue
		}
		if w.Is(k, "sizeof") && w.Is(w.Next(k), "...") {
			open := w.Next(w.Next(k))
			if e := env.of(w.At(w.Next(open))); e != nil && w.Is(open, "(") {
				k = w.Shape.Closing(open)
				w.insertFor(t.Start, strconv.Itoa(e.elements), k)
				continue
			}
		}
		if w.Is(k, "(") && env != nil {
			if end := w.fold(k, env); end > k {
				k = end
				continue
			}
		}
		if e := env.of(w.At(k)); e != nil && e.element >= 0 && t.Kind == tokens.Ident && !t.InDirective {
			w.insertFor(t.Start, elementName(w.At(k), e.element), k)
			continue
		}
		w.flush(k + 1)
	}
}

// insertFor writes text in place of what has not been copied up to the end of token k.
func (w *packWriter) insertFor(at int32, text string, k int) {
	if int(at) > w.done {
		w.out.Copy(w.File, w.done, int(at))
	}
	w.out.Insert(text, w.File, int(at))
	w.done = int(w.Tokens[k].End)
}

// copies writes the copies of a template, and returns its end.
func (w *packWriter) copies(p *pack, outer *packEnv) int {
	w.flush(p.start)
	for _, n := range p.elements {
		w.skip(p.start)
		env := &packEnv{names: p.names, elements: n, element: -1, outer: outer}
		delete(w.found, p.start)
		w.copyPacked(p.start, p.end, env)
		w.found[p.start] = p
		w.out.Insert("\n", w.File, int(w.Tokens[p.start].Start))
	}
	w.skip(p.end)
	return p.end
}

// patterns finds what is to be expanded among tokens i to j: the end of each pattern, behind its ... and name,
// by its first token.
func (w *packWriter) patterns(i, j int, env *packEnv) map[int]int {
	if env == nil {
		return nil
	}
	found := map[int]int{}
	names := env.all()
	for e := i; e < j; e++ {
		n, p := w.Next(e), w.Prev(e)
		if !w.Is(e, "...") || w.Tokens[e].InDirective || w.Is(p, "sizeof") || w.Is(p, "(") || w.operatorBeside(e) {
			continue
		}
		first := w.segment(e)
		end := e + 1
		if n < j && w.KindOf(n) == tokens.Ident {
			end = n + 1
		}
		inHeader := w.Is(first, "typename") || w.Is(first, "class") || w.templateParameter(e)
		if first >= i && (inHeader || w.names(first, e, names)) && found[first] < end {
			found[first] = end
		}
	}
	return found
}

// templateParameter reports whether the ... at token e stands among the parameters of a template.
func (w *packWriter) templateParameter(e int) bool {
	for k := w.segment(e); k > 0; k = w.segment(k) {
		switch p := w.Prev(k); {
		case w.Is(p, "<"):
			return w.Is(w.Prev(p), "template")
		case w.Is(p, ","):
			k = p
		default:
			return false
		}
	}
	return false
}

// operatorBeside reports whether the ... at token e is that of a fold, and not of a parameter without a name: f(A &&...).
func (w *packWriter) operatorBeside(e int) bool {
	p, n := w.Prev(e), w.Next(e)
	if open := int(w.Shape.Parent[e]); w.Is(n, ")") && open > 0 && w.KindOf(w.Prev(open)) == tokens.Ident && !w.Is(w.Prev(open), "return") {
		return false
	}
	return foldOperator(w.At(p)) && w.Is(n, ")") || foldOperator(w.At(n)) && !w.Is(n, ",") && foldOperator(w.At(p))
}

func foldOperator(s string) bool {
	switch s {
	case "+", "-", "*", "/", "%", "^", "&", "|", "<<", ">>", "&&", "||", ",", "==", "!=", "<", ">", "<=", ">=", "+=", "-=", "*=", "|=", "&=", "=":
		return true
	}
	return false
}

// expand writes the pattern from token first to token end for each element, and returns the token to go on with. limit
// is the end of what is being copied.
func (w *packWriter) expand(first, end, limit int, env *packEnv) int {
	last := end - 1 // the ..., or the name behind it
	name := ""
	if !w.Is(last, "...") {
		name, last = w.At(last), w.Prev(last)
	}
	e := w.packOf(first, end, env)
	w.flush(first)
	for n := range e.elements {
		if n > 0 {
			w.out.Insert(", ", w.File, int(w.Tokens[first].Start))
		}
		w.skip(first)
		inner := &packEnv{names: e.names, elements: e.elements, element: n, outer: env}
		w.copyPacked(first, last, inner)
		w.flush(last)
		if name != "" {
			w.out.Insert(" "+elementName(name, n), w.File, int(w.Tokens[first].Start))
		}
	}
	w.done = int(w.Tokens[end-1].End)
	if n := w.Next(end - 1); e.elements == 0 && n < limit && w.Is(n, ",") && !w.Is(w.Prev(first), ",") {
		w.done = int(w.Tokens[n].End)
		return n + 1
	}
	return end
}

// packOf is the pack that a pattern names.
func (w *packWriter) packOf(first, end int, env *packEnv) *packEnv {
	for k := first; k < end; k++ {
		if e := env.of(w.At(k)); e != nil && w.KindOf(k) == tokens.Ident {
			return e
		}
	}
	return env // a parameter without a name
}

// fold writes the fold in the parentheses at token open, and returns its last token; open if it is none.
func (w *packWriter) fold(open int, env *packEnv) int {
	closing := w.Shape.Closing(open)
	if before := w.Prev(open); closing < 0 || w.KindOf(before) == tokens.Ident && !w.Is(before, "return") {
		return open
	}
	at := -1
	for k := w.Next(open); k < closing; k = w.Next(k) {
		if w.Is(k, "...") && int(w.Shape.Parent[k]) == open && !w.Is(w.Prev(k), "sizeof") {
			at = k
			break
		}
	}
	if at < 0 {
		return open
	}
	p, n := w.Prev(at), w.Next(at)
	var op int
	var pattern, initial [2]int
	left := false
	switch {
	case p == open && foldOperator(w.At(n)): // (... + a)
		op, pattern, left = n, [2]int{w.Next(n), closing}, true
	case n == closing && foldOperator(w.At(p)): // (a + ...)
		op, pattern = p, [2]int{w.Next(open), p}
	case foldOperator(w.At(p)) && w.At(n) == w.At(p):
		op = p
		before, behind := [2]int{w.Next(open), p}, [2]int{w.Next(n), closing}
		pattern, initial = before, behind
		if left = !w.names(before[0], before[1], env.all()); left {
			pattern, initial = behind, before
		}
	default:
		return open
	}
	if !w.names(pattern[0], pattern[1], env.all()) {
		return open
	}
	w.flush(open)
	w.writeFold(w.At(op), pattern, initial, left, env)
	w.done = int(w.Tokens[closing].End)
	return closing
}

// writeFold writes a fold's operations in the order of C++: from the left (((a + b) + c)) or from the right.
func (w *packWriter) writeFold(op string, pattern, initial [2]int, left bool, env *packEnv) {
	e := w.packOf(pattern[0], pattern[1], env)
	at := int(w.Tokens[pattern[0]].Start)
	var terms []func()
	for n := range e.elements {
		terms = append(terms, func() {
			w.copyTerm(pattern, &packEnv{names: e.names, elements: e.elements, element: n, outer: env})
		})
	}
	if initial[0] > 0 {
		first := func() { w.copyTerm(initial, env) }
		if left {
			terms = append([]func(){first}, terms...)
		} else {
			terms = append(terms, first)
		}
	}
	switch {
	case len(terms) > 0:
	case op == "&&":
		w.out.Insert("(true)", w.File, at)
		return
	case op == "||":
		w.out.Insert("(false)", w.File, at)
		return
	default:
		w.out.Insert("((void)0)", w.File, at)
		return
	}
	if left {
		for range terms {
			w.out.Insert("(", w.File, at)
		}
	}
	for n, term := range terms {
		if n > 0 {
			w.out.Insert(" "+op+" ", w.File, at)
		}
		if !left {
			w.out.Insert("(", w.File, at)
		}
		term()
		if left {
			w.out.Insert(")", w.File, at)
		}
	}
	if !left {
		for range terms {
			w.out.Insert(")", w.File, at)
		}
	}
}

// copyTerm copies a term of a fold, in parentheses.
func (w *packWriter) copyTerm(part [2]int, env *packEnv) {
	at := int(w.Tokens[part[0]].Start)
	w.out.Insert("(", w.File, at)
	w.skip(part[0])
	w.copyPacked(part[0], part[1], env)
	w.flush(part[1])
	w.out.Insert(")", w.File, at)
}
