package tokens

import "slices"

// Has reports whether one of tokens i to j is one of words.
func (l *List) Has(i, j int, words ...string) bool {
	return l.Find(i, j, words...) < j
}

// Find returns the first of tokens i to j that is one of words, or j.
func (l *List) Find(i, j int, words ...string) int {
	for i = max(i, 0); i < min(j, len(l.Tokens)); i++ {
		if l.KindOf(i) != String && !l.Tokens[i].InDirective && slices.Contains(words, l.At(i)) {
			return i
		}
	}
	return j
}

// LineEnd returns the index of the newline that ends the line of token i.
func (l *List) LineEnd(i int) int {
	for i < len(l.Tokens) && l.KindOf(i) != Newline {
		i++
	}
	return i
}

// Rest is the text behind token v up to token end.
func (l *List) Rest(v, end int) string {
	if v+1 >= end {
		return ""
	}
	return l.Text[l.Tokens[v+1].Start:l.Tokens[end-1].End]
}
