package cxx

import "gpupipe/frontend/tokens"

// A template of a typedef,
//
//	template <typename T> using Vec = Array<T, 4>;
//
// has no copies: Vec<float> is written as what it stands for.

// aliasTemplate is one of them.
type aliasTemplate struct {
	params []Param
	target []string
}

// scanAliasTemplate notes the one whose "using" is token k.
func (w *writer) scanAliasTemplate(k, end int, params []string) {
	name := w.Next(k)
	if parsed, problem := templateParams(params); problem == "" && w.KindOf(name) == tokens.Ident && w.Is(w.Next(name), "=") && w.Is(end-1, ";") {
		w.set.aliasTemplates[w.At(name)] = &aliasTemplate{parsed, w.Words(w.Next(name)+1, end-1)}
	}
}

// ExpandAliases replaces templates of typedefs in words.
func (all *Program) ExpandAliases(words []string) []string {
	if len(all.Templates.aliasTemplates) == 0 {
		return words
	}
	for range maxAliases {
		expanded, again := all.expandAliasesOnce(words)
		if words = expanded; !again {
			break
		}
	}
	return words
}

func (all *Program) expandAliasesOnce(words []string) (out []string, found bool) {
	for i := 0; i < len(words); i++ {
		a := all.Templates.aliasTemplates[words[i]]
		end := -1
		if a != nil {
			end = anglesEnd(words, i+1)
		}
		own := Substitution{}
		if end < 0 || !a.bind(tokens.SplitWords(words[i+2:end]), own) {
			out = append(out, words[i])
			continue
		}
		for _, word := range a.target {
			if arg, ok := own[word]; ok {
				out = append(out, arg...)
			} else {
				out = append(out, word)
			}
		}
		i, found = end, true
	}
	return out, found
}

// bind gives the parameters the arguments, and those that are left out their presets.
func (a *aliasTemplate) bind(args [][]string, own Substitution) bool {
	for n, p := range a.params {
		switch {
		case n < len(args):
			own[p.Name] = args[n]
		case p.Preset != nil:
			own[p.Name] = p.Preset
		default:
			return false
		}
	}
	return len(args) <= len(a.params)
}

// anglesEnd is the word that closes the < at word i; -1 if none does.
func anglesEnd(words []string, i int) int {
	if i >= len(words) || words[i] != "<" {
		return -1
	}
	for depth, k := 0, i; k < len(words); k++ {
		switch words[k] {
		case "<":
			depth++
		case ">":
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return -1
}
