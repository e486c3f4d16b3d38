package cxx

import (
	"slices"
	"strings"

	"gpupipe/frontend/constexpr"
	"gpupipe/frontend/tokens"
)

// arguments are the canonical arguments of a template; full is false where
// some are left to be deduced, nil means that there are too many.
func (w *writer) arguments(t *Template, words []string, sub Substitution) (args []string, full bool) {
	return w.all.completeArguments(t, tokens.SplitWords(w.substitute(words, sub)))
}

// completeArguments makes given arguments canonical and adds the defaults.
func (all *Program) completeArguments(t *Template, parts [][]string) (args []string, full bool) {
	if len(parts) > len(t.Params) {
		return nil, false
	}
	own := Substitution{}
	for i, p := range t.Params {
		var words []string
		switch {
		case i < len(parts):
			words = parts[i]
		case p.Preset != nil:
			words = all.Substitute(p.Preset, own)
		default:
			return args, false
		}
		arg := all.Canonical(p, words)
		args = append(args, arg)
		own[p.Name] = strings.Fields(arg)
	}
	return args, true
}

// Canonical spells an argument so that equal ones are spelled equally.
func (all *Program) Canonical(p Param, words []string) string {
	if p.isFunction && words[0] == "&" {
		words = words[1:]
	}
	if p.isTemplate || p.isFunction && len(words) > 0 {
		return words[len(words)-1] // without its namespace
	}
	if p.IsType {
		for range maxAliases {
			target := all.Templates.Aliases[tokens.JoinWords(words)]
			if target == nil {
				break
			}
			words = target
		}
		return constexpr.TypeText(words)
	}
	for n := len(words); n > 2 && words[0] == "(" && words[n-1] == ")" && slices.Index(words, ")") == n-1; n = len(words) {
		words = words[1 : n-1]
	}
	v, ok := all.evalConstant(all.unqualified(words))
	switch {
	case !ok:
		return tokens.JoinWords(words)
	case p.isBool && v != 0:
		return "true"
	case p.isBool:
		return "false"
	}
	return IntegerText(v)
}

// unqualified leaves out the namespaces in words.
func (all *Program) unqualified(words []string) (out []string) {
	for i := 0; i < len(words); i++ {
		if i+1 < len(words) && words[i+1] == "::" && all.Templates.Namespaces[words[i]] {
			i++
			continue
		}
		out = append(out, words[i])
	}
	return out
}

// evalConstant is the value of a constant expression of integers.
func (all *Program) evalConstant(words []string) (int64, bool) {
	return constexpr.Eval(words, constexpr.Names{Words: all.ConstantWords, Function: func(name string) *constexpr.Function { return all.Templates.functions[name] }})
}

// ConstantWords are the words that a constant's or macro's name stands for.
func (all *Program) ConstantWords(name string) ([]string, bool) {
	for _, d := range slices.Backward(all.Defines) {
		if n, value, _ := strings.Cut(d, "="); n == name {
			return tokens.WordsOf(value), true
		}
	}
	if all.local != nil {
		if words, ok := all.local(name); ok {
			return words, true
		}
	}
	words := all.Templates.Consts[name]
	return words, len(words) > 0
}

// localConstant finds the words of a constant that the function around token k
// declares above it.
func (w *writer) localConstant(name string, k int, sub Substitution) ([]string, bool) {
	if !w.Shape.InBody(k) {
		return nil, false
	}
	for i := w.Prev(k); i > 0 && w.Shape.InBody(i); i = w.Prev(i) {
		value := w.Next(i) // the = or { before it
		if !w.Is(i, name) || !w.Is(value, "=") && !w.Is(value, "{") || w.KindOf(w.Prev(i)) != tokens.Ident && !w.Is(w.Prev(i), ",") {
			continue
		}
		constant := w.declaresConstant(i)
		if w.Is(w.Prev(i), ",") && !constant {
			continue // an assignment in a list
		}
		end := w.declaratorEnd(value, w.Find(i, k, ";"))
		if w.Is(value, "{") {
			end = w.Shape.Closing(value)
		}
		if !constant || end <= value || end >= k {
			return nil, false
		}
		var words []string
		for _, word := range w.Words(value+1, end) {
			if r, ok := sub[word]; ok {
				words = append(words, r...)
			} else {
				words = append(words, word)
			}
		}
		return words, true
	}
	return nil, false
}

// declaresConstant reports whether the declaration that declares the name at token i, perhaps behind others, is one
// of constants.
func (w *writer) declaresConstant(i int) bool {
	p := w.Prev(i)
	for w.Is(p, ",") { // constexpr int M = 64, N = 32
		for p = w.Prev(p); p > 0 && w.Shape.InBody(p) && (w.Shape.Parent[p] != w.Shape.Parent[i] || !w.Is(p, ",") && !w.Is(p, "=")); p = w.Prev(p) {
			if w.Shape.Parent[p] == w.Shape.Parent[i] && (w.Is(p, ";") || w.Is(p, "{") || w.Is(p, "}")) {
				return false
			}
		}
		if w.Is(p, "=") {
			p = w.Prev(w.Prev(p)) // in front of the name
		}
	}
	for ; p > 0 && w.KindOf(p) == tokens.Ident; p = w.Prev(p) {
		if w.Is(p, "const") || w.Is(p, "constexpr") {
			return true
		}
	}
	return false
}

// declaratorEnd is the comma that ends the value behind the = at token i, or end.
func (w *writer) declaratorEnd(i, end int) int {
	for k := w.Next(i); k < end; k = w.Next(k) {
		if w.Is(k, ",") && w.Shape.Parent[k] == w.Shape.Parent[i] {
			return k
		}
	}
	return end
}

// Substitute replaces parameters in words, and templates by their copies.
func (all *Program) Substitute(words []string, sub Substitution) (out []string) {
	words = all.ExpandAliases(words)
	for i := 0; i < len(words); i++ {
		name := words[i]
		if r, ok := sub[name]; ok && len(r) == 1 && i+1 < len(words) && words[i+1] == "<" && all.Templates.Find(r[0]) != nil {
			name = r[0] // a parameter that is a template
		} else if ok {
			out = append(out, r...)
			continue
		}
		t := all.Templates.Find(name)
		if t == nil || i+1 >= len(words) || words[i+1] != "<" {
			out = append(out, words[i])
			continue
		}
		end, depth := i+1, 0
		for ; end < len(words); end++ {
			if words[end] == "<" {
				depth++
			} else if words[end] == ">" {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if end == len(words) {
			return append(out, words[i:]...)
		}
		parts := tokens.SplitWords(all.Substitute(words[i+2:end], sub))
		if best := all.Templates.taking(name, len(parts)); best != nil {
			t = best
		}
		args, full := all.completeArguments(t, parts)
		if !full || all.Templates.Count >= MaxInstances {
			out = append(out, words[i:end+1]...)
		} else {
			out = append(out, all.Templates.Request(t.Name, args).Name)
		}
		i = end
	}
	return out
}
