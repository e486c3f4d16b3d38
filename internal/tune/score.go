package tune

import (
	"cmp"
	"math"
	"slices"

	"gpupipe/simulate/accuracy"
)

// Score is how well a way to rank variants does: NaN where that has no answer.
type Score struct {
	Name     string
	Spearman float64            // rank correlation with the measured times
	Best     [len(Tops)]float64 // the share of the optimum that the best of its first ones reaches
}

// Tops are how many of the first ones are measured: numbers, and shares of all.
var Tops = [...]struct {
	Name  string
	count func(n int) int
}{
	{"top 1", func(int) int { return 1 }},
	{"top 5", func(n int) int { return min(5, n) }},
	{"top 10", func(n int) int { return min(10, n) }},
	{"top 20", func(n int) int { return min(20, n) }},
	{"top 1%", func(n int) int { return max(1, n/100) }},
}

// Scores compares ways to rank the variants that were measured, given their times by number: the prediction, and what
// else is known before anything is measured. It also tells how many variants there are.
func Scores(rows []Row, measured map[int64]float64) (list []Score, n int) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Error != "" || measured[r.Number] == 0 })
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.Number, b.Number) })
	if len(rows) == 0 {
		return nil, 0
	}
	var times []float64
	for i := range rows {
		times = append(times, measured[rows[i].Number])
	}
	for _, model := range []struct {
		name string
		of   func(*Row) float64
	}{
		{"prediction", func(r *Row) float64 { return r.Seconds }},
		{"Volkov's model", func(r *Row) float64 { return r.Volkov }},
		{"roofline", func(r *Row) float64 { return r.Roofline }},
		{"occupancy", func(r *Row) float64 { return -float64(r.Warps) }},
	} {
		var by []float64
		for i := range rows {
			by = append(by, model.of(&rows[i]))
		}
		s := Score{Name: model.name, Spearman: math.NaN()}
		if r, err := accuracy.Spearman(by, times); err == nil {
			s.Spearman = r
		}
		for i, t := range Tops {
			s.Best[i] = accuracy.Best(by, times, t.count(len(rows)))
		}
		list = append(list, s)
	}
	random := Score{Name: "random choice", Spearman: math.NaN()}
	for i, t := range Tops {
		random.Best[i] = accuracy.ExpectedBest(times, t.count(len(rows)))
	}
	return append(list, random), len(rows)
}
