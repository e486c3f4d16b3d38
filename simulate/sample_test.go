package simulate

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
)

// The number of random kernels of TestSampling:
//
//	go test ./simulate -run TestSampling -v -sample.kernels 300
var sampleKernels = flag.Int("sample.kernels", 20, "random kernels on which sampling is tested")

// sampledKernels are kernels of different kinds: hand-made ones, and random ones
// with barriers, several programs, sub-cores, fractional λ and contention.
func sampledKernels(t testing.TB) map[string]func() *fixture {
	kernels := map[string]func() *fixture{
		"example":    func() *fixture { return exampleKernel(t) },
		"mixed":      func() *fixture { return mixedKernel(t, 150) },
		"mmul 8x8":   func() *fixture { return tiledKernel(t, 8, 4) },
		"mmul 16x16": func() *fixture { return tiledKernel(t, 16, 2) },
		"kepler mix": func() *fixture { return keplerMix(t, 3, 20) },
	}
	for i := range *sampleKernels {
		kernels[fmt.Sprintf("random %d", i)] = func() *fixture { return randomKernel(t, uint64(i)) }
	}
	return kernels
}

// randomUnit is groups of some warps on a random compute unit of three subsystems.
func randomUnit(t testing.TB, r *rand.Rand, warps int) *fixture {
	f := newFixture(t, warps, "a", "b", "c")
	d := f.mapping.Device
	d.Partitions = []int{1, 1, 2, 4}[r.IntN(4)]
	d.Subsystems[0].Partitioned = true
	if r.IntN(2) == 0 {
		d.IssueLimit = cycles(t, []string{"1", "2", "4"}[r.IntN(3)])
	}
	if r.IntN(3) == 0 {
		d.GroupReplacement = cycles(t, "40")
	}
	if r.IntN(3) == 0 {
		d.Memory.Contention = &latencies.Contention{Queueing: cycles(t, "20"), Capacity: cycles(t, "40")}
	}
	return f
}

func randomKernel(t testing.TB, seed uint64) *fixture {
	r := rand.New(rand.NewPCG(seed, 77))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	f := randomUnit(t, r, 1+r.IntN(4))
	var classes []idg.InstrID
	for _, op := range []string{"add.f32", "ld.global", "st.global", "fma.f32", "cos.f32", "barrier"}[:3+r.IntN(4)] {
		classes = append(classes, f.class(op, pick("a", "b", "c"), pick("1/4", "1", "2", "3", "5"),
			pick("4", "7", "18", "40", "250")))
	}
	randomWarps(f, r, classes, 5)
	return f
}

// TestSampling compares sampled runs with full ones: the error is within the
// bound that is stated in at least 95 of 100 cases, and a run that is not simulated
// as a whole says so.
func TestSampling(t *testing.T) {
	var cases, sampled, within int
	worst, simulated, total := 0.0, int64(0), int64(0)
	kernels := sampledKernels(t)
	for _, name := range slices.Sorted(maps.Keys(kernels)) {
		f := kernels[name]()
		g := f.graph(1)
		for _, m := range []int64{3, 6, 1, 12}[:tools.Cases(4, 2)] {
			for _, mode := range []IssueMode{Dataflow, InOrder} {
				s := Scheduler(1 + (int(m)+len(name)+int(mode))%4)
				n := min(100*m, 200_000/max(1, instructions(g))) + m/2
				full := f.run(g, Config{Full: true, Groups: n, Concurrent: m, Scheduler: s, Issue: mode})
				for _, precision := range []float64{0.02, 0.005} {
					r := f.run(g, Config{Precision: precision, Groups: n, Concurrent: m, Scheduler: s, Issue: mode,
						NoSkipping: true})
					cases++
					e := math.Abs(r.Cycles.Float()/full.Cycles.Float() - 1)
					if r.Sampling == nil {
						if r.Extrapolated || r.Cycles != full.Cycles {
							t.Errorf("%s, %d at once: not sampled, but %v cycles instead of %v", name, m, r.Cycles,
								full.Cycles)
						}
						continue
					}
					sampled++
					simulated, total = simulated+r.SimulatedGroups, total+r.Groups
					if !r.Extrapolated || len(r.Notes) == 0 || r.Sampling.Bound > precision ||
						(r.Groups-r.SimulatedGroups)%m != 0 {
						t.Errorf("%s, %d at once: %+v, notes %q", name, m, r.Sampling, r.Notes)
					}
					if e <= r.Sampling.Bound+1e-12 {
						within++
					} else {
						worst = max(worst, e-r.Sampling.Bound)
						t.Logf("%s, %d at once, %v, %v, %d groups: error %.3f%%, bound %.3f%%", name, m, mode, s, n,
							100*e, 100*r.Sampling.Bound)
					}
				}
			}
		}
	}
	t.Logf("%d cases, %d sampled (%.0f%% of their groups simulated), error within the bound in %d; at most %.3f%% "+
		"beyond it", cases, sampled, 100*float64(simulated)/float64(total), within, 100*worst)
	if sampled < cases/3 || float64(within) < 0.95*float64(sampled) {
		t.Errorf("%d of %d cases sampled, %d within the bound", sampled, cases, within)
	}
}

// TestRates: marks at a rate that changes once in the middle have the mean of the rates, their difference as the trend,
// and are off a straight line most at the change; a constant rate has neither.
func TestRates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		each, waves := 1+r.IntN(4), 2*(1+r.IntN(12))
		from, half := 1+r.IntN(5), each*waves/2
		first, second := 1+r.Int64N(9), 1+r.Int64N(9) // ticks an instruction
		marks := []mark{{}}
		for i := range from + 2*half {
			rate, issued := first, int64(10)
			if i >= from+half {
				rate = second
			}
			last := marks[len(marks)-1]
			marks = append(marks, mark{last.at + Tick(rate*issued), last.issued + issued})
		}
		got := newRates(marks, from, from+2*half, each)
		mean := float64(first+second) / 2
		trend := math.Abs(float64(first-second)) / mean
		want := rates{mean: mean, trend: trend, phase: trend * mean / 2 * float64(10*half), half: got.half}
		if math.Abs(got.mean-want.mean)+math.Abs(got.trend-want.trend)+math.Abs(got.phase-want.phase) > 1e-6 {
			t.Errorf("%d waves of %d, %d and %d ticks: %+v, want %+v", waves, each, first, second, got, want)
		}
		if n := min(waves, sampleBatches); waves%n == 0 { // all batches are off the mean by half of the difference
			if half := studentT[n-1] * trend / 2 / math.Sqrt(float64(n-1)); math.Abs(got.half-half) > 1e-9 {
				t.Errorf("%d waves of %d, %d and %d ticks: half of %v, want %v", waves, each, first, second, got.half, half)
			}
		}
	}
}

func TestErrorText(t *testing.T) {
	for share, want := range map[float64]string{0.005: "0.5%", 0.00043: "0.043%", 0: "0%", 1.4e-17: "0.0001%"} {
		if got := ErrorText(share); got != want {
			t.Errorf("%v is printed as %s, want %s", share, got, want)
		}
	}
}
