package accuracy

import (
	"math"
	"testing"
)

// TestExpectedBest compares with all choices of n of the configurations.
func TestExpectedBest(t *testing.T) {
	times := []float64{3, 1, 4, 1.5, 9, 2.6, 5}
	for n := 1; n <= len(times); n++ {
		sum, choices := 0.0, 0
		for set := range 1 << len(times) {
			best, size := math.Inf(1), 0
			for i, x := range times {
				if set>>i&1 != 0 {
					best, size = min(best, x), size+1
				}
			}
			if size == n {
				sum += 1 / best
				choices++
			}
		}
		if got, want := ExpectedBest(times, n), sum/float64(choices); math.Abs(got-want) > 1e-9 {
			t.Errorf("the best of %d reaches %v, want %v", n, got, want)
		}
	}
}

func TestBest(t *testing.T) {
	measured := []float64{4, 2, 8, 1}
	for _, c := range []struct {
		predicted []float64
		n         int
		want      float64
	}{
		{[]float64{4, 2, 8, 1}, 1, 1}, // perfect
		{[]float64{1, 2, 3, 4}, 1, 0.25},
		{[]float64{1, 2, 3, 4}, 2, 0.5},
		{[]float64{1, 2, 3, 4}, 4, 1},
		{[]float64{7, 7, 7, 7}, 2, 0.5}, // equal predictions: in the order of the table
	} {
		if got := Best(c.predicted, measured, c.n); got != c.want {
			t.Errorf("%v: the best of %d reaches %v, want %v", c.predicted, c.n, got, c.want)
		}
	}
}
