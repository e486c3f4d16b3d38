package cxx

import (
	"slices"
	"strings"

	"gpupipe/frontend/constexpr"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/host"
	"gpupipe/frontend/tokens"
)

// Host code launches most template kernels without naming their arguments: the types of what it passes decide
// them. As far as those stand in the text - a variable declared in that function or at file scope, a literal, a
// cast - they are read here; what a member function returns, say, stays unknown.

// hostArgumentTypes are the types of the arguments in the parentheses at token open, in host code that starts
// at token from: their words, nil where a type is not known.
func (w *writer) hostArgumentTypes(from, open int) (types [][]string) {
	closing := w.Shape.Closing(open)
	if !w.Is(open, "(") || closing < 0 {
		return nil
	}
	start := w.Next(open)
	for k := start; k <= closing; k++ {
		if w.Tokens[k].InDirective || k < closing && !(w.Is(k, ",") && w.Shape.Parent[k] == int32(open)) {
			continue
		}
		if k > start {
			types = append(types, w.hostType(from, start, k))
		}
		start = w.Next(k)
	}
	return types
}

// launchArguments is the parenthesis of a launch's arguments, of which the <<< is token i; -1 without one.
func (w *writer) launchArguments(i int) int {
	for k := i + 1; w.Is(i, "<<<") && k < len(w.Tokens) && !w.Is(k, ";"); k++ {
		if w.Is(k, ">>>") && w.Shape.Parent[k] == w.Shape.Parent[i] {
			if open := w.Next(k); w.Is(open, "(") {
				return open
			}
			break
		}
	}
	return -1
}

// hostType is the type of the expression of tokens i to j.
func (w *writer) hostType(from, i, j int) []string {
	last := w.Prev(j)
	switch n := w.Next(i); {
	case w.Is(i, "(") && w.Shape.Closing(i) < last: // (T *)p
		return typeWords(w.Words(n, w.Shape.Closing(i)))
	case strings.HasSuffix(w.At(i), "_cast") && w.Is(n, "<"):
		if words, end, rest, ok := w.AngleWords(n); ok && rest == 0 && w.Shape.Closing(w.Next(end)) == last {
			return typeWords(words)
		}
	case i == last && w.KindOf(i) == tokens.Ident && (w.Is(i, "true") || w.Is(i, "false")):
		return []string{"bool"}
	case i == last && w.KindOf(i) == tokens.Ident:
		return w.declaredHostType(from, i)
	case i == last && w.KindOf(i) == tokens.Number:
		if v, problem := ctypes.ParseNumber(w.At(i)); problem == "" {
			return []string{v.Type.String()}
		}
	case w.KindOf(i) == tokens.Ident && w.Is(n, "+"): // p + offset
		if words := w.declaredHostType(from, i); slices.Contains(words, "*") {
			return words
		}
	}
	return nil
}

// declaredHostType is the type with which the variable at token k is declared, above it in the function that
// starts at token from, or at file scope.
func (w *writer) declaredHostType(from, k int) []string {
	name := w.At(k)
	for i := w.Prev(k); i >= 0; i = w.Prev(i) {
		if !w.Is(i, name) || i < from && w.Shape.Parent[i] >= 0 && w.Shape.KindAt(i) != tokens.Flat {
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
	switch w.At(w.Next(i)) {
	case "=", ";", ",", ")", "[", "{":
	default:
		return nil
	}
	parent := w.Shape.Parent[i]
	inParameters := parent >= 0 && w.Is(int(parent), "(")
	start := i
	for p := w.Prev(start); p > int(parent) && (w.Shape.Parent[p] != parent || !w.endsDeclaration(p, inParameters)); p = w.Prev(p) {
		if w.Shape.Parent[p] == parent {
			start = p
		}
	}
	first := start // the name that is declared first
	for k := w.Next(start); k <= i && !w.Is(k, ",") && !w.Is(k, "=") && !w.Is(k, "["); k = w.Next(k) {
		first = k
	}
	words := w.Words(start, min(first, w.Find(start, first, "*", "&")))
	for p := w.Prev(i); p >= start && w.Is(p, "*"); p = w.Prev(p) {
		words = append(words, "*")
	}
	if w.Is(w.Next(i), "[") {
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
	switch w.At(p) {
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
	if w.all.Words.Types[s] || constexpr.IsType(s) || ctypes.IsCUDAVector(s) || w.set.Aliases[s] != nil || w.hostParams[s] {
		return true
	}
	_, known := w.set.Types[s]
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
		case s == "*" && len(out) > 0, tokens.IsIdentifier(s) && !slices.Contains(out, "*"):
			out = append(out, s)
		default:
			return nil
		}
	}
	return out
}

// deduceLaunch binds template parameters to what the types of a call's arguments say.
func (all *Program) deduceLaunch(t *Template, u launch, sub Substitution) map[string]string {
	bound := map[string]string{}
	params := t.FunctionParameters()
	if len(u.types) > len(params) {
		return bound
	}
	for i, types := range u.types {
		name, stars, ok := t.plainParameter(params[i])
		words := all.Substitute(types, sub)
		n := len(words)
		for ; ok && stars > 0; stars-- {
			if n--; n < 1 || words[n] != "*" {
				ok = false
			}
		}
		if _, done := bound[name]; ok && n > 0 && !done {
			bound[name] = constexpr.TypeText(words[:n])
		}
	}
	return bound
}

// plainParameter reads a function's parameter of the form "const T *x", of a type parameter T.
func (t *Template) plainParameter(words []string) (name string, stars int, ok bool) {
	if eq := slices.Index(words, "="); eq >= 0 {
		words = words[:eq]
	}
	for i, s := range words {
		switch {
		case s == "*" || s == "[":
			stars++
		case s == "const" || s == "&" || s == "]" || strings.HasPrefix(s, "__restrict") || s == "volatile":
		case slices.ContainsFunc(t.Params, func(p Param) bool { return p.IsType && p.Name == s && p.Name != "" }) && name == "":
			name = s
		case i < len(words)-1 && words[i+1] != "[" || name == "":
			return "", 0, false
		}
	}
	return name, stars, name != ""
}

// deducedArgument is the argument of parameter i that a call does not give: what the types of its arguments
// say, the default, or one that is assumed.
func (all *Program) deducedArgument(t *Template, i int, bound map[string]string, own Substitution) (words []string, assumed bool) {
	p := t.Params[i]
	switch v, ok := bound[p.Name]; {
	case ok:
		return strings.Fields(v), false
	case p.Preset != nil:
		return all.Substitute(p.Preset, own), false
	}
	return all.assumedArgument(t, i), true
}

// FunctionParameters are the words of a function template's parameters.
func (t *Template) FunctionParameters() [][]string {
	words := withoutAttributes(t.text.Words(t.nameTok+1, t.end))
	start := slices.Index(words, "(")
	if start > 0 && words[0] == "operator" {
		return nil
	}
	depth := 0
	for i := start; i >= 0 && i < len(words); i++ {
		switch words[i] {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return tokens.SplitWords(words[start+1 : i])
			}
		}
	}
	return nil
}

// withoutAttributes leaves [[maybe_unused]] and its like out of words.
func withoutAttributes(words []string) (out []string) {
	for i := 0; i < len(words); i++ {
		if i+1 < len(words) && words[i] == "[" && words[i+1] == "[" {
			for i < len(words) && words[i] != "]" {
				i++
			}
			i++ // the second ]
			continue
		}
		out = append(out, words[i])
	}
	return out
}
