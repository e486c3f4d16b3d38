package frontend

import "strings"

// A variable template of a constant whose value a function computes,
//
//	template <typename K> const K empty = emptyKey<K>();
//
// becomes no variable, which C could not initialise: where it is used, its value is computed, and folded like any
// other call of a function of constants.

// isComputed reports whether a template is such a constant.
func (w *writer) isComputed(t *template) bool {
	x := t.text
	if t.kind != templateVariable || !x.is(x.next(t.nameTok), "=") {
		return false
	}
	called := false
	for k := t.body; k < t.end; k = x.next(k) {
		if w.l.words.marks[x.at(k)] != "" {
			return false // an object of device code
		}
		called = called || k > t.nameTok && x.is(k, "(") && (x.kindOf(x.prev(k)) == tokIdent || x.is(x.prev(k), ">"))
	}
	return called
}

// computedValue spells the value of such a constant.
func (w *writer) computedValue(t *template, args []string) string {
	x := t.text
	own := substitution{}
	for i, p := range t.params {
		own[p.name] = strings.Fields(args[i])
	}
	var typ []string
	for _, s := range x.words(t.body, t.nameTok) {
		switch s {
		case "const", "constexpr", "static", "inline":
		default:
			typ = append(typ, s)
		}
	}
	value := x.words(x.next(x.next(t.nameTok)), t.end-1)
	return "((" + joinWords(w.substitute(typ, own)) + ")(" + joinWords(w.substitute(value, own)) + "))"
}
