package kernels

import (
	"fmt"
	"slices"
	"strings"
)

// UnknownNameError says that no built-in kernel has a name.
type UnknownNameError struct {
	Name        string
	Suggestions []string // similar names, best first; may be empty
}

// Error names the similar kernels, or how to see them all.
func (e *UnknownNameError) Error() string {
	if len(e.Suggestions) == 0 {
		return fmt.Sprintf("no built-in kernel is called %q", e.Name)
	}
	return fmt.Sprintf("no built-in kernel is called %q; did you mean %s?",
		e.Name, strings.Join(e.Suggestions, ", "))
}

// maxSuggestions keeps the error message on one line.
const maxSuggestions = 4

// stem is how many first letters two names share when they may mean the same
// ("convolve", "convolution").
const stem = 5

// suggest returns the names most like an unknown one: those that contain it, are
// contained in it or begin like it, and those that a few typing errors turn into
// it. Underscores and capitals count as what the names use instead.
func suggest(unknown string) []string {
	type candidate struct {
		name     string
		distance int
	}
	wanted := strings.ToLower(strings.ReplaceAll(unknown, "_", "-"))
	var found []candidate
	for _, e := range catalogue {
		d := editDistance(wanted, e.name)
		part := len(wanted) > 2 && strings.Contains(e.name, wanted) || strings.Contains(wanted, e.name)
		akin := len(wanted) >= stem && strings.HasPrefix(e.name, wanted[:stem])
		if part || akin || d <= len(wanted)/3 {
			found = append(found, candidate{e.name, d})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.name, b.name)
	})
	var names []string
	for _, c := range found[:min(len(found), maxSuggestions)] {
		names = append(names, c.name)
	}
	return names
}

// editDistance returns the least number of bytes to insert, delete or replace
// that turn a into b (Levenshtein). Names are short ASCII; a user's longer
// input only costs time in proportion to its length.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := diagonal
			if a[i-1] != b[j-1] {
				replaced++
			}
			diagonal = row[j]
			row[j] = min(replaced, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
