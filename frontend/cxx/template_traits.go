package cxx

import (
	"slices"

	"gpupipe/frontend/tokens"
)

// Types that the standard library makes of types, where these are spelled: std::conditional_t<N == 4, float,
// half> becomes the type that it stands for when a template is written out.

// typeMakers are their names, by how many arguments they take at least.
var typeMakers = map[string]int{
	"conditional": 3, "common_type": 1, "enable_if": 1, "decay": 1, "remove_reference": 1, "remove_const": 1, "remove_cv": 1, "remove_pointer": 1, "make_unsigned": 1, "make_signed": 1,
}

// signedNames are the integer types by the names of their signed ones.
var signedNames = []struct{ signed, unsigned string }{
	{"char", "uchar"}, {"int8_t", "uint8_t"}, {"int8_t", "uchar"}, {"short", "ushort"}, {"int16_t", "uint16_t"}, {"int", "uint"}, {"int32_t", "uint32_t"}, {"long", "ulong"}, {"int64_t", "uint64_t"}, {"int64_t", "ulong"},
}

// arithmeticRanks orders the types of arithmetic: of two, the later one is what both become. Narrower ones
// become int.
var arithmeticRanks = []string{"int", "int32_t", "uint", "uint32_t", "long", "int64_t", "ulong", "uint64_t", "size_t", "half", "float", "double"}

// madeType is the type that the library's name at token k with its arguments stands for, and the last token of
// them; -1 if that is none, or not known.
func (w *writer) madeType(k int, sub Substitution) (string, int) {
	name, n := w.At(k), w.Next(k)
	short := len(name) > 2 && name[len(name)-2:] == "_t"
	if short {
		name = name[:len(name)-2]
	}
	if typeMakers[name] == 0 || !w.Is(n, "<") || w.Tokens[k].InDirective {
		return "", -1
	}
	words, end, rest, ok := w.AngleWords(n)
	if !ok || w.holds(words) || rest > 0 && !short {
		return "", -1
	}
	if !short {
		member := w.Next(w.Next(end))
		if !w.Is(w.Next(end), "::") || !w.Is(member, "type") {
			return "", -1
		}
		end = member
	}
	w.all.local = func(name string) ([]string, bool) { return w.localConstant(name, k, sub) }
	defer func() { w.all.local = nil }()
	parts := tokens.SplitWords(w.substitute(words, sub))
	if len(parts) < typeMakers[name] {
		return "", -1
	}
	made := w.all.makeType(name, parts)
	if made == nil {
		return "", -1
	}
	text := tokens.JoinWords(made)
	for range rest {
		text += ">"
	}
	return text, end
}

// makeType applies a typeMaker to its arguments; nil if the outcome is not known.
func (all *Program) makeType(name string, parts [][]string) []string {
	first := tokens.WordsOf(all.Canonical(Param{IsType: true}, parts[0]))
	drop := func(words ...string) []string {
		return slices.DeleteFunc(first, func(w string) bool { return slices.Contains(words, w) })
	}
	switch name {
	case "conditional", "enable_if":
		holds, known := all.evalConstant(all.unqualified(parts[0]))
		switch {
		case !known || name == "enable_if" && holds == 0:
			return nil
		case name == "enable_if" && len(parts) == 1:
			return []string{"void"}
		case holds != 0:
			return parts[1]
		}
		return parts[2]
	case "decay", "remove_cv":
		return drop("const", "volatile", "&", "&&")
	case "remove_reference":
		return drop("&", "&&")
	case "remove_const":
		return drop("const")
	case "remove_pointer":
		if n := len(first); n > 1 && first[n-1] == "*" {
			return first[:n-1]
		}
		return first
	case "make_unsigned", "make_signed":
		for _, s := range signedNames {
			switch tokens.JoinWords(first) {
			case s.signed, s.unsigned:
				if name == "make_signed" {
					return []string{s.signed}
				}
				return []string{s.unsigned}
			}
		}
		return nil
	}
	return all.commonType(parts)
}

// commonType is the type to which values of several types are brought.
func (all *Program) commonType(parts [][]string) []string {
	same, rank := true, -1
	var first string
	for i, part := range parts {
		text := all.Canonical(Param{IsType: true}, slices.DeleteFunc(slices.Clone(part), func(w string) bool { return w == "const" || w == "&" || w == "&&" }))
		if i == 0 {
			first = text
		}
		same = same && text == first
		r := slices.Index(arithmeticRanks, text)
		if r < 0 && slices.ContainsFunc(signedNames, func(s struct{ signed, unsigned string }) bool { return text == s.signed || text == s.unsigned }) {
			r = 0 // narrower than int
		}
		if r < 0 {
			rank = len(arithmeticRanks)
		}
		rank = max(rank, r)
	}
	switch {
	case same:
		return tokens.WordsOf(first)
	case rank == len(arithmeticRanks):
		return nil
	}
	return []string{arithmeticRanks[rank]}
}
