package cxx

import (
	"strings"

	"gpupipe/frontend/tokens"
)

// Function templates among the members of a struct become templates of the functions
// that member functions become:
//
//	struct S {                                     struct S { ... };
//	  template <typename T> T twice(T x) {...} };  template <typename T> T S__kl_twice(S &__kl_this, T x) {...}
//
// Those of a template struct do so once for each of its copies. They are written out when
// that is done; a call names them by the object's type, which typing knows. The arguments
// that a call gives, s.f<int>(x), are in the called name, f__some__int.

// classifyTemplate tells what kind of member the template d is.
func (w *memberWriter) classifyTemplate(d *memberDecl, open int, self string) {
	d.kind = memberDropped
	_, closing, rest, ok := w.AnglesWith(w.Next(d.start), true)
	if !ok || rest > 0 {
		return
	}
	of := memberDecl{start: w.Next(closing), end: d.end}
	w.classify(&of, open, self)
	if of.kind != memberFunction || !of.device || of.name == OperatorPrefix+"conv" {
		return
	}
	d.kind, d.name, d.nameTok, d.outside, d.device, d.isStatic = memberTemplate, of.name, of.nameTok, of.outside, true, of.isStatic
}

// hoistedName reports whether a function was a member of a struct.
func hoistedName(name string) bool { return strings.Contains(name, MemberMark) }

// scanMethods notes the function templates that structs of this source have.
func (w *writer) scanMethods() {
	for i := range w.Tokens {
		if !w.memberTemplate(i) {
			continue
		}
		words, closing, rest, ok := w.AnglesWith(w.Next(i), true)
		if !ok || rest > 0 {
			continue
		}
		if name := w.functionName(w.Next(closing), w.ItemEnd(i)); name >= 0 && w.set.methods[w.At(name)] == nil {
			w.set.methods[w.At(name)], _ = templateParams(words)
		}
	}
}

// memberTemplate reports whether token i starts a template among a struct's members.
func (w *writer) memberTemplate(i int) bool {
	return w.Is(i, "template") && !w.Tokens[i].InDirective && w.Is(w.Next(i), "<") && w.Shape.KindAt(i) == tokens.Struct
}

// holdTemplate copies the member template at token k with the parameters of what is around it
// replaced, and returns its end.
func (w *writer) holdTemplate(k int, sub Substitution, self *selfName) int {
	words, closing, _, ok := w.AnglesWith(w.Next(k), true)
	if !ok {
		return k
	}
	outer := w.held
	w.held = map[string]bool{}
	for name := range outer {
		w.held[name] = true
	}
	params, _ := templateParams(words)
	for _, p := range params {
		w.held[p.Name] = true
	}
	end := w.ItemEnd(w.Next(closing))
	w.out.Copy(w.File, w.done, int(w.Tokens[k].End))
	w.done = int(w.Tokens[k].End)
	w.copyTokens(k+1, end, sub, self)
	w.held = outer
	return end
}

// holds reports whether words name a parameter of the member template being copied.
func (w *writer) holds(words []string) bool {
	for _, word := range words {
		if w.held[word] {
			return true
		}
	}
	return false
}

// methodUse is the name for a member template with the arguments that a call gives, from token
// k, and the last token of them; -1 if that is none.
func (w *writer) methodUse(k int, sub Substitution) (string, int) {
	params, n := w.set.methods[w.At(k)], w.Next(k)
	if params == nil || !w.Is(n, "<") || w.Tokens[k].InDirective {
		return "", -1
	}
	words, end, rest, ok := w.AngleWords(n)
	parts := tokens.SplitWords(w.substitute(words, sub))
	if !ok || rest > 0 || !w.Is(w.Next(end), "(") || len(parts) > len(params) || w.holds(words) {
		return "", -1
	}
	w.all.local = func(name string) ([]string, bool) { return w.localConstant(name, k, sub) }
	defer func() { w.all.local = nil }()
	var args []string
	for i, part := range parts {
		args = append(args, w.all.Canonical(params[i], part))
	}
	name := mangle(w.At(k)+"__some", args)
	w.set.partial[name] = partialCall{w.At(k), args}
	return name, end
}

// Called is the template that a called name stands for, and the arguments that the call gives.
func (n *Instances) Called(name string) (template string, given []string) {
	if p, some := n.partial[name]; some {
		return p.template, p.args
	}
	if of, member, ok := strings.Cut(name, MemberMark); ok {
		if p, some := n.partial[member]; some {
			return of + MemberMark + p.template, p.args
		}
	}
	return name, nil
}
