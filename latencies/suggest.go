package latencies

import (
	"fmt"
	"slices"
	"strings"
)

// nearest returns up to three of the known words that are spelled like word,
// the nearest first.
func nearest(word string, known []string) []string {
	type candidate struct {
		word     string
		distance int
	}
	var found []candidate
	limit := max(1, len(word)/3)
	for _, k := range known {
		d := editDistance(word, k)
		if d > limit && len(word) >= 3 && (strings.HasPrefix(k, word) || strings.Contains(k, word)) {
			d = limit
		}
		if d <= limit {
			found = append(found, candidate{k, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.distance - b.distance })
	var words []string
	for _, c := range found {
		if len(words) < 3 && !slices.Contains(words, c.word) {
			words = append(words, c.word)
		}
	}
	return words
}

// didYouMean is "; did you mean a, b or c?", or nothing.
func didYouMean(word string, known []string) string {
	words := nearest(word, known)
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("; did you mean %s?", words[0])
	default:
		return fmt.Sprintf("; did you mean %s or %s?", strings.Join(words[:n-1], ", "), words[n-1])
	}
}

// editDistance is the number of single-byte insertions, deletions,
// replacements and swaps of neighbours between a and b (optimal string
// alignment).
func editDistance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	before, last, row := rows[2], rows[0], rows[1]
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := last[j]
			if a[i] != b[j] {
				cost++
			}
			cost = min(cost, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				cost = min(cost, before[j-1]+1)
			}
			row[j+1] = cost
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
