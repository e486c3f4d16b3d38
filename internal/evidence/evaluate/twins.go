package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gpupipe/simulate/accuracy"
)

// writeTwins tells how far configurations agree that differ in one parameter only,
// the spec's Twins, of which the code hardly depends: how well a prediction can do that
// does not know what else has changed between two measurements.
func (s *study) writeTwins(w io.Writer) {
	column := slices.Index(s.table.params, s.spec.Twins)
	if column < 0 {
		return
	}
	byOthers := map[string][]int{}
	var keys []string // in the order of the table
	for i := range s.table.rows {
		others := slices.Clone(s.table.rows[i].values)
		others[column] = ""
		k := strings.Join(others, ",")
		if byOthers[k] == nil {
			keys = append(keys, k)
		}
		byOthers[k] = append(byOthers[k], i)
	}
	var first, second, measured, blind, slower []float64
	apart := 0
	for _, k := range keys {
		rows := byOthers[k]
		if len(rows) != 2 {
			continue
		}
		a, b := s.table.rows[rows[0]].seconds, s.table.rows[rows[1]].seconds
		first, second = append(first, a), append(second, b)
		mean := math.Sqrt(a * b)
		measured, blind, slower = append(measured, a, b), append(blind, mean, mean),
			append(slower, max(a, b), max(a, b))
		if max(a, b)/min(a, b) > 1.15 {
			apart++
		}
	}
	if len(first) < 3 {
		return
	}
	agree, err := accuracy.Spearman(first, second)
	if err != nil {
		return
	}
	best, err := accuracy.Spearman(blind, measured)
	if err != nil {
		return
	}
	fmt.Fprintf(w, "\n%d pairs of measured configurations differ in %s only. Their times have a Spearman correlation "+
		"of %.3f with each other; %.0f%% of the pairs are more than 15%% apart. A prediction that is equal for both "+
		"of a pair reaches a Spearman correlation of at most about %.2f", len(first), s.spec.Twins, agree,
		100*float64(apart)/float64(len(first)), best)
	if known, err := accuracy.Spearman(slower, measured); err == nil {
		n := tops[2].count(len(measured))
		fmt.Fprintf(w, "; one that knows the slower time of every pair, and so all but why the other is faster, "+
			"%.2f, and the best of its top 1%% is at %.1f%% of the optimum", known, 100*accuracy.Best(slower, measured,
			n))
	}
	fmt.Fprintln(w, ".")
}
