package idg

import (
	"cmp"
	"slices"
)

// sortRow orders what belongs to the dependences of one instruction by producer
// and reports whether no producer is met twice.
func sortRow[N ~int64 | ~uint32, T any](from []N, with []T) bool {
	switch {
	case ascending(from):
		return true
	case len(from) <= 16: // nearly all: merge the kinds in place
		for i := 1; i < len(from); i++ {
			for j := i; j > 0 && from[j] < from[j-1]; j-- {
				from[j], from[j-1] = from[j-1], from[j]
				with[j], with[j-1] = with[j-1], with[j]
			}
		}
	default:
		type both struct {
			from N
			with T
		}
		all := make([]both, len(from))
		for i := range from {
			all[i] = both{from[i], with[i]}
		}
		slices.SortFunc(all, func(a, b both) int { return cmp.Compare(a.from, b.from) })
		for i, e := range all {
			from[i], with[i] = e.from, e.with
		}
	}
	return ascending(from)
}

func ascending[N ~int64 | ~uint32](from []N) bool {
	for i := 1; i < len(from); i++ {
		if from[i] <= from[i-1] {
			return false
		}
	}
	return true
}
