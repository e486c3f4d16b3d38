package console

import (
	"slices"
	"strings"
)

// maxSuggestions keeps "did you mean" on one line.
const maxSuggestions = 3

// DidYouMean is the advice "did you mean a or b?" for a word that is none of
// the known ones, empty if none is like it.
func DidYouMean(word string, known []string) string {
	words := nearest(word, known)
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return "did you mean " + words[0] + "?"
	default:
		return "did you mean " + strings.Join(words[:n-1], ", ") + " or " + words[n-1] + "?"
	}
}

// nearest returns the known words that a few typing errors turn into word or
// that contain it, the nearest first.
func nearest(word string, known []string) []string {
	type candidate struct {
		word     string
		distance int
	}
	var found []candidate
	low := strings.ToLower(word)
	for _, k := range known {
		d := editDistance(low, strings.ToLower(k))
		part := len(word) > 2 && strings.Contains(strings.ToLower(k), low)
		if d <= max(1, len(word)/3) || part {
			found = append(found, candidate{k, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.distance - b.distance })
	var words []string
	for _, c := range found[:min(len(found), maxSuggestions)] {
		words = append(words, c.word)
	}
	return words
}

// editDistance is the number of bytes to insert, delete or replace to turn a
// into b (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
