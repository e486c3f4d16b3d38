package frontend

import (
	"slices"
	"strings"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/host"
)

// Host code launches most template kernels without naming their arguments: the types of what it passes decide
// them. As far as those stand in the text - a variable declared in that function or at file scope, a literal, a
// cast - they are read here; what a member function returns, say, stays unknown.

// hostArgumentTypes are the types of the arguments in the parentheses at token open, in host code that starts
// at token from: their words, nil where a type is not known.
func (w *writer) hostArgumentTypes(from, open int) (types [][]string) {
	closing := w.shape.closing(open)
	if !w.is(open, "(") || closing < 0 {
		return nil
	}
	start := w.next(open)
	for k := start; k <= closing; k++ {
		if w.toks[k].inDir || k < closing && !(w.is(k, ",") && w.shape.parent[k] == int32(open)) {
			continue
		}
		if k > start {
			types = append(types, w.hostType(from, start, k))
		}
		start = w.next(k)
	}
	return types
}

// launchArguments is the parenthesis of a launch's arguments, of which the <<< is token i; -1 without one.
func (w *writer) launchArguments(i int) int {
	for k := i + 1; w.is(i, "<<<") && k < len(w.toks) && !w.is(k, ";"); k++ {
		if w.is(k, ">>>") && w.shape.parent[k] == w.shape.parent[i] {
			if open := w.next(k); w.is(open, "(") {
				return open
			}
			break
		}
	}
	return -1
}

// hostType is the type of the expression of tokens i to j.
func (w *writer) hostType(from, i, j int) []string {
	last := w.prev(j)
	switch n := w.next(i); {
	case w.is(i, "(") && w.shape.closing(i) < last: // (T *)p
		return typeWords(w.words(n, w.shape.closing(i)))
	case strings.HasSuffix(w.at(i), "_cast") && w.is(n, "<"):
		if words, end, rest, ok := w.angleWords(n); ok && rest == 0 && w.shape.closing(w.next(end)) == last {
			return typeWords(words)
		}
	case i == last && w.kindOf(i) == tokIdent && (w.is(i, "true") || w.is(i, "false")):
		return []string{"bool"}
	case i == last && w.kindOf(i) == tokIdent:
		return w.declaredHostType(from, i)
	case i == last && w.kindOf(i) == tokNumber:
		if v, problem := ctypes.ParseNumber(w.at(i)); problem == "" {
			return []string{v.Type.String()}
		}
	case w.kindOf(i) == tokIdent && w.is(n, "+"): // p + offset
		if words := w.declaredHostType(from, i); slices.Contains(words, "*") {
			return words
		}
	}
	return nil
}

// declaredHostType is the type with which the variable at token k is declared, above it in the function that
// starts at token from, or at file scope.
func (w *writer) declaredHostType(from, k int) []string {
	name := w.at(k)
	for i := w.prev(k); i >= 0; i = w.prev(i) {
		if !w.is(i, name) || i < from && w.shape.parent[i] >= 0 && w.shape.kindAt(i) != scopeFlat {
			continue
		}
		if words := w.declaratorType(i); words != nil {
			return words
		}
	}
	return nil
}

// declaratorType is the type of the variable that token i declares; nil if it declares none.
func (w *writer) declaratorType(i int) []string {
	switch w.at(w.next(i)) {
	case "=", ";", ",", ")", "[", "{":
	default:
		return nil
	}
	parent := w.shape.parent[i]
	inParameters := parent >= 0 && w.is(int(parent), "(")
	start := i
	for p := w.prev(start); p > int(parent) && (w.shape.parent[p] != parent || !w.endsDeclaration(p, inParameters)); p = w.prev(p) {
		if w.shape.parent[p] == parent {
			start = p
		}
	}
	first := start // the name that is declared first
	for k := w.next(start); k <= i && !w.is(k, ",") && !w.is(k, "=") && !w.is(k, "["); k = w.next(k) {
		first = k
	}
	words := w.words(start, min(first, w.find(start, first, "*", "&")))
	for p := w.prev(i); p >= start && w.is(p, "*"); p = w.prev(p) {
		words = append(words, "*")
	}
	if w.is(w.next(i), "[") {
		words = append(words, "*")
	}
	words = typeWords(words)
	if len(words) == 0 || !w.isTypeName(words[0]) {
		return nil
	}
	return words
}

// endsDeclaration reports whether the declaration behind token p starts there.
func (w *writer) endsDeclaration(p int, inParameters bool) bool {
	switch w.at(p) {
	case ";", "{", "}", ")":
		return true
	case ",":
		return inParameters
	}
	return false
}

// isTypeName reports whether a word starts the name of a type that device code can have, or is a parameter of a
// template.
func (w *writer) isTypeName(s string) bool {
	if w.l.words.types[s] || shortTypes[s] != "" || wordSizes[s] > 0 || s == "signed" || w.isVectorName(s) || w.set.aliases[s] != nil || w.hostParams[s] {
		return true
	}
	_, known := w.set.types[s]
	return known
}

// typeWords are the words of a type without const and its like; nil if they are none.
func typeWords(words []string) []string {
	var out []string
	for _, s := range words {
		switch {
		case host.Specifier(s), s == "&", s == "restrict", strings.HasPrefix(s, "__restrict"):
		case s == "auto", s == "return", s == "else", s == "case", s == "new", s == "delete":
			return nil
		case s == "*" && len(out) > 0, isIdentifier(s) && !slices.Contains(out, "*"):
			out = append(out, s)
		default:
			return nil
		}
	}
	return out
}

// deduceLaunch binds template parameters to what the types of a call's arguments say.
func (l *loader) deduceLaunch(t *template, u launch, sub substitution) map[string]string {
	bound := map[string]string{}
	params := t.functionParameters()
	if len(u.types) > len(params) {
		return bound
	}
	for i, types := range u.types {
		name, stars, ok := t.plainParameter(params[i])
		words := l.substitute(types, sub)
		n := len(words)
		for ; ok && stars > 0; stars-- {
			if n--; n < 1 || words[n] != "*" {
				ok = false
			}
		}
		if _, done := bound[name]; ok && n > 0 && !done {
			bound[name] = typeText(words[:n])
		}
	}
	return bound
}

// plainParameter reads a function's parameter of the form "const T *x", of a type parameter T.
func (t *template) plainParameter(words []string) (name string, stars int, ok bool) {
	if eq := slices.Index(words, "="); eq >= 0 {
		words = words[:eq]
	}
	for i, s := range words {
		switch {
		case s == "*" || s == "[":
			stars++
		case s == "const" || s == "&" || s == "]" || strings.HasPrefix(s, "__restrict") || s == "volatile":
		case slices.ContainsFunc(t.params, func(p templateParam) bool { return p.isType && p.name == s && p.name != "" }) && name == "":
			name = s
		case i < len(words)-1 && words[i+1] != "[" || name == "":
			return "", 0, false
		}
	}
	return name, stars, name != ""
}

// deducedArgument is the argument of parameter i that a call does not give: what the types of its arguments
// say, the default, or one that is assumed.
func (l *loader) deducedArgument(t *template, i int, bound map[string]string, own substitution) (words []string, assumed bool) {
	p := t.params[i]
	switch v, ok := bound[p.name]; {
	case ok:
		return strings.Fields(v), false
	case p.preset != nil:
		return l.substitute(p.preset, own), false
	}
	return l.assumedArgument(t, i), true
}
