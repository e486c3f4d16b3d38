// Package spelling finds what a user may have meant by a name that does not
// exist: kernels, devices, flags, identifiers.
package spelling

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// maxNames keeps "did you mean" on one line.
const maxNames = 3

// stem is how many first letters two names share when they may mean the same
// ("convolve", "convolution").
const stem = 5

// Nearest returns up to three of the known names that are like word, the
// nearest first: those that about as few typing errors turn into it as the
// nearest, or else those that contain it or begin alike. Case, '-' and '_' do not count.
func Nearest(word string, known []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	w := fold(word)
	if w == "" {
		return nil
	}
	limit := len(w) / 3
	best := limit + 1
	var found []candidate
	for _, name := range known {
		k := fold(name)
		if name == word || name == "" {
			continue
		}
		d := distance(w, k, limit)
		part := len(w) > 2 && strings.Contains(k, w)
		akin := len(w) >= stem && strings.HasPrefix(k, w[:stem])
		if d <= limit {
			best = min(best, d)
		}
		if d <= limit || part || akin {
			found = append(found, candidate{name, min(d, limit+1)})
		}
	}
	if best <= limit {
		found = slices.DeleteFunc(found, func(c candidate) bool { return c.distance > min(best+1, limit) })
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	found = slices.Compact(found)
	var names []string
	for _, c := range found[:min(len(found), maxNames)] {
		names = append(names, c.name)
	}
	return names
}

// DidYouMean is "did you mean a, b or c?", empty if no known name is like word.
func DidYouMean(word string, known []string) string {
	names := Nearest(word, known)
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return "did you mean " + names[0] + "?"
	default:
		return "did you mean " + strings.Join(names[:n-1], ", ") + " or " + names[n-1] + "?"
	}
}

// mostListed is how many names an error lists.
const mostListed = 5

// Known says which names there are: "did you mean ...?" for those like word, else the nearest of them by
// typing errors, in the order of known. kind is the plural of what they name.
func Known(kind, word string, known []string) string {
	if hint := DidYouMean(word, known); hint != "" || len(known) == 0 {
		return hint
	}
	if len(known) <= mostListed {
		return "the " + kind + ": " + strings.Join(known, ", ")
	}
	byDistance := slices.Clone(known)
	w := fold(word)
	slices.SortStableFunc(byDistance, func(a, b string) int {
		return cmp.Compare(distance(w, fold(a), len(w)+len(a)), distance(w, fold(b), len(w)+len(b)))
	})
	near := byDistance[:mostListed]
	listed := slices.DeleteFunc(slices.Clone(known), func(name string) bool { return !slices.Contains(near, name) })
	return fmt.Sprintf("the nearest of %d %s: %s", len(known), kind, strings.Join(listed, ", "))
}

var folder = strings.NewReplacer("_", "", "-", "")

func fold(s string) string { return folder.Replace(strings.ToLower(s)) }

// distance is the number of single-byte insertions, deletions, replacements and
// swaps of neighbours between a and b (optimal string alignment), or limit + 1
// where the lengths alone exceed the limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
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
