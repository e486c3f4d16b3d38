package fit

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestInterval: where one launch tells Λ, its interval is that of the launch's samples, however coarsely values of
// Λ/λ are tried.
func TestInterval(t *testing.T) {
	const noise, n = 0.05, 15
	random, missed := rand.New(rand.NewPCG(1, 2)), 0
	for range 200 {
		r := &ratios{scatter: noise, relative: func(x float64, o *observation) (float64, error) {
			return max(x, float64(o.warps)), nil
		}}
		for w := 1; w <= 16; w++ {
			for range n {
				r.list = append(r.list, observation{configuration{warps: w}, 0,
					max(1.56, float64(w)) * math.Exp(noise*random.NormFloat64())})
			}
		}
		if _, err := r.at(1.56 * math.Exp(0.02*random.NormFloat64())); err != nil {
			t.Fatal(err)
		}
		if _, err := r.walk(1); err != nil {
			t.Fatal(err)
		}
		if _, latency := r.found(); math.Abs(latency.Value/1.56-1) > latency.Error {
			missed++
		}
	}
	if missed > 10 {
		t.Errorf("%d of 200 intervals of 95%% do not hold Λ", missed)
	}
}
