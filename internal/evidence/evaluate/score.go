package main

import (
	"fmt"
	"math"

	"gpupipe/simulate/accuracy"
)

// score is how well a model's times agree with the measured ones. NaN stands for
// what has no answer.
type score struct {
	model             string
	spearman, kendall float64
	mape, shape       float64 // of the time, percent; NaN for what is not a time
	best              [4]float64
}

// tops are the shares of configurations of which the report tells the best: how many of n.
var tops = [4]struct {
	name  string
	count func(n int) int
}{
	{"top 1", func(int) int { return 1 }},
	{"top 10", func(n int) int { return min(10, n) }},
	{"top 1%", func(n int) int { return max(1, n/100) }},
	{"top 5%", func(n int) int { return max(1, n/20) }},
}

// scores compares the models of a study, the simulation in the first mode first.
func (s *study) scores() []score {
	measured := make([]float64, len(s.table.rows))
	modes := s.predictor.modes
	ours := make([][]float64, len(modes))
	var roof, volkov, idle, warps []float64
	for i := range s.table.rows {
		p := &s.predictions[i]
		measured[i] = s.table.rows[i].seconds
		for m := range modes {
			ours[m] = append(ours[m], p.seconds[m])
		}
		roof, volkov = append(roof, p.roofline), append(volkov, p.volkov)
		idle, warps = append(idle, -p.warps), append(warps, p.warps)
	}
	var out []score
	for m := range modes {
		name := "simulation, " + modes[m].name
		if m == 0 {
			name = "**" + name + "**"
		}
		out = append(out, newScore(name, ours[m], measured, warps))
	}
	alone := newScore("occupancy alone", idle, measured, warps)
	alone.mape, alone.shape = math.NaN(), math.NaN()
	random := score{model: "random choice", mape: math.NaN(), shape: math.NaN()}
	for i, t := range tops {
		random.best[i] = 100 * accuracy.ExpectedBest(measured, t.count(len(measured)))
	}
	return append(out, newScore("Volkov", volkov, measured, warps), newScore("roofline", roof, measured, warps),
		alone, random)
}

func newScore(model string, predicted, measured, warps []float64) score {
	number := func(v float64, err error) float64 {
		if err != nil {
			return math.NaN()
		}
		return v
	}
	s := score{
		model:    model,
		spearman: number(accuracy.Spearman(predicted, measured)),
		kendall:  number(accuracy.Kendall(predicted, measured)),
		mape:     number(accuracy.MAPE(predicted, measured)),
		shape:    number(accuracy.MAPEShape(warps, predicted, measured)),
	}
	for i, t := range tops {
		s.best[i] = 100 * accuracy.Best(predicted, measured, t.count(len(measured)))
	}
	return s
}

// cell prints a number of a table.
func cell(format string, v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf(format, v)
}
