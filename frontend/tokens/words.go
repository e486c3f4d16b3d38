package tokens

import "strings"

// Parts of a text that are taken from one place to another, arguments of templates among them, are
// handled as lists of words, the spelling of their tokens.

// Words returns tokens i to j as strings, newlines left out.
func (l *List) Words(i, j int) []string {
	w := make([]string, 0, max(0, j-i))
	for ; i < j; i++ {
		if l.KindOf(i) != Newline {
			w = append(w, l.At(i))
		}
	}
	return w
}

// AngleWords reads the template arguments that start with the < at token i. It
// returns their words, the token that ends them, and how many > of that token
// belong to what is around.
func (l *List) AngleWords(i int) (words []string, end, rest int, ok bool) {
	return l.AnglesWith(i, false)
}

// AnglesWith is angleWords for arguments or, which may have defaults,
// parameters.
func (l *List) AnglesWith(i int, params bool) (words []string, end, rest int, ok bool) {
	depth, brackets := 0, 0
	for k := i; k < len(l.Tokens) && k < i+400; k++ {
		t := l.Tokens[k]
		if t.InDirective || t.Kind == Newline {
			continue
		}
		s := l.At(k)
		if t.Kind != Punct {
			words = append(words, s)
			continue
		}
		switch s {
		case "<":
			depth++
			if k == i {
				continue
			}
		case ">", ">>", ">>>":
			if brackets > 0 {
				break
			}
			for n := range len(s) {
				if depth--; depth == 0 {
					return words, k, len(s) - n - 1, true
				}
				words = append(words, ">")
			}
			continue
		case "(", "[":
			brackets++
		case ")", "]":
			if brackets--; brackets < 0 {
				return nil, 0, 0, false
			}
		case ";", "{", "}", "<<<":
			return nil, 0, 0, false
		case "&&", "||", "=", "+=", "-=", "++", "--", "?":
			if brackets == 0 && s != "&&" && !(params && s == "=") {
				return nil, 0, 0, false
			}
		}
		words = append(words, s)
	}
	return nil, 0, 0, false
}

// SplitWords splits a list at its commas, those in brackets aside.
func SplitWords(words []string) (parts [][]string) {
	depth, angles, start := 0, 0, 0
	for i, w := range words {
		switch w {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "<", ">": // in other brackets they may compare
			if depth == 0 && w == "<" {
				angles++
			} else if depth == 0 {
				angles--
			}
		case ",":
			if depth == 0 && angles == 0 {
				parts = append(parts, words[start:i])
				start = i + 1
			}
		}
	}
	if len(words) > 0 {
		parts = append(parts, words[start:])
	}
	return parts
}

// CutWords cuts words at a separator outside of brackets.
func CutWords(words []string, separator string) (parts [][]string) {
	from := 0
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "(", "{", "[":
			i = max(i, ClosingWord(words, i))
		case separator:
			parts = append(parts, words[from:i])
			from = i + 1
		}
	}
	return append(parts, words[from:])
}

// ClosingWord returns the index of the word that closes the bracket at i, or -1.
func ClosingWord(words []string, i int) int {
	if i < 0 || i >= len(words) {
		return -1
	}
	open, closing := words[i], map[string]string{"(": ")", "{": "}", "[": "]"}[words[i]]
	if closing == "" {
		return -1
	}
	depth := 0
	for ; i < len(words); i++ {
		switch words[i] {
		case open:
			depth++
		case closing:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// JoinWords spells words out again.
func JoinWords(words []string) string { return strings.Join(words, " ") }

// IsIdentifier reports whether s is a name.
func IsIdentifier(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !IsIdentByte(s[i]) {
			return false
		}
	}
	return true
}

// WordsOf cuts a text of C++ into words.
func WordsOf(text string) []string {
	x, _, err := Lex(text, true)
	if err != nil {
		return nil
	}
	return x.Words(0, len(x.Tokens))
}

// IsAllCaps reports whether a name is written as macros usually are.
func IsAllCaps(name string) bool {
	upper := false
	for _, r := range name {
		switch {
		case r >= 'A' && r <= 'Z':
			upper = true
		case r != '_' && (r < '0' || r > '9'):
			return false
		}
	}
	return upper
}
