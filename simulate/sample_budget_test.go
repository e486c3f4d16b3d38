package simulate

import (
	"maps"
	"slices"
	"testing"
)

// TestSamplingWithinBudget holds what a budget makes of sampling: a run that
// converges within it is the run without a budget, one that does not is the run
// without a precision, in every number, and both engines agree.
func TestSamplingWithinBudget(t *testing.T) {
	converged, spent := 0, 0
	kernels := sampledKernels(t)
	for _, name := range slices.Sorted(maps.Keys(kernels)) {
		f := kernels[name]()
		g := f.graph(1)
		const m, n = 3, 300
		for _, waves := range []int64{6, 25, 60} {
			for _, engine := range []Engine{EngineFast, EngineReference} {
				cfg := Config{Groups: n, Concurrent: m, NoSkipping: true, Engine: engine, Precision: 0.01,
					Budget: waves * m * instructions(g)}
				free, blind := cfg, cfg
				free.Budget, blind.Precision = 0, 0
				r, sampled, budget := f.run(g, cfg), f.run(g, free), f.run(g, blind)
				want := budget
				if r.Sampling != nil {
					converged++
					want = sampled
				} else {
					spent++
				}
				if !r.Extrapolated || r.Cycles != want.Cycles || r.SimulatedGroups != want.SimulatedGroups ||
					r.SimulatedGroups > budget.SimulatedGroups {
					t.Errorf("%s, %d waves, %v: %v cycles of %d groups, sampled %t; want %v of %d", name, waves, engine,
						r.Cycles, r.SimulatedGroups, r.Sampling != nil, want.Cycles, want.SimulatedGroups)
				}
			}
		}
	}
	if converged == 0 || spent == 0 {
		t.Errorf("%d runs converged, %d spent the budget", converged, spent)
	}
}
