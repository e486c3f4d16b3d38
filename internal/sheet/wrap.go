package sheet

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// MinText is the least number of columns for running text, on however narrow a
// terminal.
const MinText = 30

// Wrap breaks text at blanks into lines of at most so many columns. Longer words
// keep a line to themselves.
func Wrap(text string, columns int) []string {
	return wrap(text, max(columns, MinText))
}

func wrap(text string, columns int) []string {
	var lines []string
	line, used := "", 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		if used > 0 && used+1+n > columns {
			lines = append(lines, line)
			line, used = "", 0
		}
		if used > 0 {
			line += " "
			used++
		}
		line += word
		used += n
	}
	return append(lines, line)
}

// breakWords puts blanks into words that are longer than so many columns.
func breakWords(text string, columns int) string {
	words := strings.Fields(text)
	for i, word := range words {
		parts := slices.Collect(slices.Chunk([]rune(word), columns))
		words[i] = ""
		for _, p := range parts {
			words[i] += string(p) + " "
		}
	}
	return strings.Join(words, "")
}
