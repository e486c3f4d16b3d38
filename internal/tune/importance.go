package tune

import (
	"cmp"
	"math"
	"slices"
)

// Importance is what a parameter decides.
type Importance struct {
	Name string
	// Share is the part of the variance of the logarithm of the times that the mean of each of the parameter's values
	// explains (its main effect in an analysis of variance): 0 to 1. What parameters decide together is in none.
	Share float64
	// Cost is how many times slower the fastest variant with the worst value is than the fastest of all.
	Cost float64
	Best Value // of the fastest variant
}

// Importances are those of the parameters with several values, the most important first. Rows that are only known to be
// slow tell nothing of that.
func Importances(s *Space, rows []Row) (list []Importance) {
	rows = exact(rows)
	if len(rows) == 0 {
		return nil
	}
	mean, variance := moments(rows)
	best := slices.MinFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.Number, b.Number))
	})
	for k := range s.Params {
		if len(s.Params[k].Values) < 2 {
			continue
		}
		one := Importance{Name: s.Params[k].Name, Cost: 1, Best: best.Values[k]}
		explained := 0.0
		for _, v := range s.Params[k].Values {
			var part []Row
			fastest := math.Inf(1)
			for _, r := range rows {
				if r.Values[k] == v {
					part, fastest = append(part, r), min(fastest, r.Seconds)
				}
			}
			if len(part) == 0 {
				continue
			}
			m, _ := moments(part)
			explained += float64(len(part)) * (m - mean) * (m - mean)
			one.Cost = max(one.Cost, fastest/best.Seconds)
		}
		if variance > 0 {
			one.Share = explained / float64(len(rows)) / variance
		}
		list = append(list, one)
	}
	slices.SortStableFunc(list, func(a, b Importance) int { return cmp.Compare(b.Share, a.Share) })
	return list
}

// exact are the rows whose times are predicted.
func exact(rows []Row) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return !r.Simulated() })
}

// moments are the mean and the variance of the logarithms of times.
func moments(rows []Row) (mean, variance float64) {
	for _, r := range rows {
		mean += math.Log(r.Seconds)
	}
	mean /= float64(len(rows))
	for _, r := range rows {
		d := math.Log(r.Seconds) - mean
		variance += d * d
	}
	return mean, variance / float64(len(rows))
}

// Cell is the fastest time at two values.
type Cell struct {
	X, Y    Value
	Seconds float64
}

// Over is the fastest time for each pair of values of two parameters, whatever the others are: in the order of the
// values, without pairs that no variant has.
func Over(s *Space, rows []Row, x, y int) (cells []Cell) {
	rows = exact(rows)
	for _, v := range s.Params[y].Values {
		for _, u := range s.Params[x].Values {
			least := math.Inf(1)
			for _, r := range rows {
				if r.Values[x] == u && r.Values[y] == v {
					least = min(least, r.Seconds)
				}
			}
			if !math.IsInf(least, 1) {
				cells = append(cells, Cell{u, v, least})
			}
		}
	}
	return cells
}
