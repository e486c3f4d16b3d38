package accuracy

import (
	"cmp"
	"math"
	"slices"
)

// Best is the share of the true optimum that the best of the n configurations reaches that are predicted to be fastest,
// at most 1. Equal predictions keep their order.
func Best(predicted, measured []float64, n int) float64 {
	order := make([]int, len(predicted))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(predicted[a], predicted[b]) })
	best := math.Inf(1)
	for _, i := range order[:n] {
		best = min(best, measured[i])
	}
	return slices.Min(measured) / best
}

// ExpectedBest is Best for n configurations chosen at random, on average: the
// i-th fastest of N (from 0) is the best of them with probability
// C(N-1-i, n-1) / C(N, n).
func ExpectedBest(measured []float64, n int) float64 {
	sorted := slices.Sorted(slices.Values(measured))
	total := len(sorted)
	chance := float64(n) / float64(total) // that the fastest is among them
	sum := 0.0
	for i, t := range sorted {
		sum += chance * sorted[0] / t
		// C(N-2-i, n-1) / C(N-1-i, n-1) = (N-i-n) / (N-1-i)
		if rest := total - 1 - i; rest > 0 {
			chance *= float64(total-i-n) / float64(rest)
		}
	}
	return sum
}
