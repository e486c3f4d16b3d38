package accuracy

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestMAPE(t *testing.T) {
	for _, c := range []struct {
		name                string
		predicted, measured []float64
		want                float64
	}{
		{"exact", []float64{1, 2, 3}, []float64{1, 2, 3}, 0},
		{"one", []float64{150}, []float64{100}, 50},
		{"signs do not cancel", []float64{90, 110}, []float64{100, 100}, 10},
		{"relative to measured", []float64{2, 30}, []float64{1, 40}, (100 + 25) / 2.0},
	} {
		got, err := MAPE(c.predicted, c.measured)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		near(t, c.name, got, c.want)
	}
}

func TestMAPEShape(t *testing.T) {
	occupancy := []float64{1, 2, 3, 4, 6}
	measured := []float64{100, 60, 50, 45, 44}
	// By hand: of the differences 0, 0, 3 at 1, 2, 3 the best line is 1.5x - 2;
	// what is left is 0.5, -1, 0.5 of 10, 10, 10.
	got, err := MAPEShape([]float64{1, 2, 3}, []float64{10, 10, 13}, []float64{10, 10, 10})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "by hand", got, 100*(0.05+0.1+0.05)/3)

	for _, c := range []struct {
		name  string
		model func(x, m float64) float64
	}{
		{"exact", func(_, m float64) float64 { return m }},
		{"constant", func(_, m float64) float64 { return m + 7 }},
		{"slope", func(x, m float64) float64 { return m + 20 - 2*x }},
	} {
		predicted := make([]float64, len(measured))
		for i, m := range measured {
			predicted[i] = c.model(occupancy[i], m)
		}
		got, err := MAPEShape(occupancy, predicted, measured)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		near(t, c.name, got, 0)
	}
}

// What is left after the fit is at right angles to lines: no other line leaves a
// smaller sum of squares. The test finds the line with a search of its own.
func TestMAPEShapeAgainstSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n := 3 + r.IntN(8)
		x, p, m := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			x[i], p[i], m[i] = float64(i+1), 1+9*r.Float64(), 1+9*r.Float64()
		}
		squares := func(a, b float64) float64 {
			var s float64
			for i := range n {
				d := p[i] - m[i] - a - b*x[i]
				s += d * d
			}
			return s
		}
		a, b := 0.0, 0.0
		for step := 8.0; step > 1e-11; step /= 2 {
			for moved := true; moved; {
				moved = false
				for _, d := range [][2]float64{{step, 0}, {-step, 0}, {0, step}, {0, -step}, {step, -step / 4},
					{-step, step / 4}} {
					if squares(a+d[0], b+d[1]) < squares(a, b) {
						a, b, moved = a+d[0], b+d[1], true
					}
				}
			}
		}
		var want float64
		for i := range n {
			want += math.Abs(p[i]-m[i]-a-b*x[i]) / m[i]
		}
		want *= 100 / float64(n)
		got, err := MAPEShape(x, p, m)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got-want) > 1e-4*(1+want) {
			t.Errorf("MAPEShape = %v, by search %v", got, want)
		}
	}
}

func TestRankCorrelations(t *testing.T) {
	for _, c := range []struct {
		name              string
		a, b              []float64
		spearman, kendall float64
	}{
		{"same order", []float64{1, 5, 9}, []float64{2, 3, 100}, 1, 1},
		{"opposite", []float64{1, 5, 9}, []float64{9, 5, 1}, -1, -1},
		{"two swapped of four", []float64{1, 2, 3, 4}, []float64{1, 3, 2, 4}, 0.8, 4.0 / 6},
		// Pairs: 1 concordant, 0 discordant, one tie in a, one in b.
		{"ties", []float64{1, 1, 2}, []float64{1, 2, 2}, 0.5, 0.5},
		{"unsorted", []float64{3, 1, 2}, []float64{30, 10, 20}, 1, 1},
	} {
		s, err := Spearman(c.a, c.b)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		near(t, c.name+": Spearman", s, c.spearman)
		k, err := Kendall(c.a, c.b)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		near(t, c.name+": Kendall", k, c.kendall)
	}
}

// Without ties Spearman's correlation is 1 - 6Σd²/(n³-n), and Kendall's counts
// inversions.
func TestRankCorrelationsOfPermutations(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		n := 2 + r.IntN(20)
		a, b := make([]float64, n), make([]float64, n)
		for i, v := range r.Perm(n) {
			a[i] = float64(v)
		}
		for i, v := range r.Perm(n) {
			b[i] = float64(v)
		}
		var squares, inversions float64
		for i := range n {
			squares += (a[i] - b[i]) * (a[i] - b[i])
			for k := range i {
				if (a[i] < a[k]) != (b[i] < b[k]) {
					inversions++
				}
			}
		}
		N := float64(n)
		s, err := Spearman(a, b)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "Spearman", s, 1-6*squares/(N*N*N-N))
		k, err := Kendall(a, b)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "Kendall", k, 1-4*inversions/(N*(N-1)))
	}
}

func TestRefusals(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	mape := func(_, a, b []float64) (float64, error) { return MAPE(a, b) }
	spearman := func(_, a, b []float64) (float64, error) { return Spearman(a, b) }
	kendall := func(_, a, b []float64) (float64, error) { return Kendall(a, b) }
	three := []float64{1, 2, 3}
	for _, c := range []struct {
		name    string
		metric  func(x, a, b []float64) (float64, error)
		x, a, b []float64
		want    string
	}{
		{"nothing", mape, nil, nil, nil, "no values"},
		{"lengths", mape, nil, three, three[:2], "3 predicted values for 2"},
		{"measured 0", mape, nil, three, []float64{1, 0, 3}, "measured value 2 is 0"},
		{"predicted 0", mape, nil, []float64{0, 1, 3}, three, "predicted value 1 is 0"},
		{"NaN", mape, nil, []float64{nan}, []float64{1}, "is NaN"},
		{"Inf", mape, nil, []float64{1}, []float64{inf}, "is +Inf"},
		{"overflow", mape, nil, []float64{1e308}, []float64{1e-308}, "too much"},
		{"two occupancies", MAPEShape, []float64{1, 2, 2}, three, three, "2 different occupancies"},
		{"occupancies missing", MAPEShape, three[:2], three, three, "2 occupancies of 3"},
		{"occupancy NaN", MAPEShape, []float64{1, nan, 2}, three, three, "is not a number"},
		{"shape without values", MAPEShape, nil, nil, nil, "no values"},
		{"rank lengths", spearman, nil, three, three[:2], "3 and 2"},
		{"constant", spearman, nil, three, []float64{4, 4, 4}, "no order"},
		{"one", kendall, nil, three[:1], three[:1], "no order"},
		{"rank NaN", kendall, nil, three, []float64{1, nan, 2}, "not a number"},
	} {
		got, err := c.metric(c.x, c.a, c.b)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, error %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestInputsStayAsTheyAre(t *testing.T) {
	x, a, b := []float64{3, 1, 2}, []float64{30, 10, 25}, []float64{1, 5, 2}
	keep := [][]float64{slices.Clone(x), slices.Clone(a), slices.Clone(b)}
	for _, err := range []error{
		second(MAPE(a, b)), second(MAPEShape(x, a, b)), second(Spearman(a, b)), second(Kendall(a, b)),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	for i, s := range [][]float64{x, a, b} {
		if !slices.Equal(s, keep[i]) {
			t.Errorf("argument %d was changed to %v", i, s)
		}
	}
}

func second(_ float64, err error) error { return err }
