package cxx

import (
	"strings"

	"gpupipe/frontend/tokens"
)

// A variable template of a constant whose value a function computes,
//
//	template <typename K> const K empty = emptyKey<K>();
//
// becomes no variable, which C could not initialise: where it is used, its value is computed, and folded like any
// other call of a function of constants.

// isComputed reports whether a template is such a constant.
func (w *writer) isComputed(t *Template) bool {
	x := t.text
	if t.Kind != templateVariable || !x.Is(x.Next(t.nameTok), "=") {
		return false
	}
	called := false
	for k := t.body; k < t.end; k = x.Next(k) {
		if w.all.Words.Marks[x.At(k)] != "" {
			return false // an object of device code
		}
		called = called || k > t.nameTok && x.Is(k, "(") && (x.KindOf(x.Prev(k)) == tokens.Ident || x.Is(x.Prev(k), ">"))
	}
	return called
}

// computedValue spells the value of such a constant.
func (w *writer) computedValue(t *Template, args []string) string {
	x := t.text
	own := Substitution{}
	for i, p := range t.Params {
		own[p.Name] = strings.Fields(args[i])
	}
	var typ []string
	for _, s := range x.Words(t.body, t.nameTok) {
		switch s {
		case "const", "constexpr", "static", "inline":
		default:
			typ = append(typ, s)
		}
	}
	value := x.Words(x.Next(x.Next(t.nameTok)), t.end-1)
	return "((" + tokens.JoinWords(w.substitute(typ, own)) + ")(" + tokens.JoinWords(w.substitute(value, own)) + "))"
}
