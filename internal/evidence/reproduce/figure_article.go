package main

import (
	"fmt"
	"math"

	"gpupipe/internal/chart"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
)

// articleFigures are those after A.
func articleFigures() []figure {
	list := []figure{
		{"a-2", "A Fig. 2", "The occupancy roofline of the example kernel by the published models, and what the " +
			"simulation reaches, round-robin.", func() (drawing, error) {
			return occupancyRoofline("mwp-cwp", "wfg", "gpumech-rr", "gpumech-gto")
		}},
		{"a-3", "A Fig. 3", "Transit on the example kernel with 5 warps: the memory's supply and the computing " +
			"warps' demand.", transitGraph},
		{"a-6", "A Fig. 6", "WFG on three kernels of equal latency, 14 cycles: cycles of a run of ω warps, published " +
			"(lines) and corrected (dashed, all the same).", wfgCases},
	}
	for _, c := range []struct {
		name, source string
		warps        int64
		scheduler    simulate.Scheduler
	}{
		{"a-8-1", "A Fig. 8, 1 warp", 1, simulate.RoundRobin}, {"a-8-2", "A Fig. 8, 2 warps", 2, simulate.RoundRobin},
		{"a-9-4", "A Fig. 9, 4 warps", 4, simulate.RoundRobin},
		{"a-9-10", "A Fig. 9, 10 warps", 10, simulate.RoundRobin}, {"a-9-oldest", "A Fig. 9, 10 warps oldest first", 10,
			simulate.Oldest},
	} {
		list = append(list, figure{c.name, c.source,
			fmt.Sprintf("Execution profile of the example kernel, %d at once: when each instruction occupies its "+
				"subsystem.", c.warps),
			func() (drawing, error) { return executionProfile(c.warps, c.scheduler) }})
	}
	return append(list,
		figure{"a-12", "A Fig. 12", "Instruction mix of Eqs. 43 to 45: IPC of type 1 against β, formulas (lines) and " +
			"simulation (marks).", mixCurves},
		figure{"a-14", "A Fig. 14", "The occupancy roofline of the example kernel by the corrected models, and what " +
			"the simulation reaches.", func() (drawing, error) {
			return occupancyRoofline("mwp-cwp-corrected", "wfg-corrected", "gpumech-rr-corrected", "gpumech-gto")
		}})
}

func occupancyRoofline(models ...string) (drawing, error) {
	const most = 16
	marks := chart.Series{Name: "simulated", Style: chart.Marks}
	for ω := int64(1); ω <= most; ω++ {
		r, err := exampleKernel().run(1, 400, simulate.Config{Concurrent: ω})
		if err != nil {
			return nil, err
		}
		marks.Points = append(marks.Points, chart.Point{X: float64(ω), Y: r.WarpsPerCycle})
	}
	in := example()
	c := &chart.Chart{Title: "Occupancy roofline of the example", X: warps(),
		Y:      chart.Axis{Label: "throughput", Unit: "warps/cycle"},
		Series: []chart.Series{curve("volkov", in, most, 1), marks}}
	for _, name := range models {
		c.Series = append(c.Series, curve(name, in, most, 1))
	}
	return c, nil
}

func transitGraph() (drawing, error) {
	f, ok := analytic.TransitFlows(example())
	if !ok {
		return nil, fmt.Errorf("the example has no supply and demand")
	}
	c := &chart.Chart{Title: "Transit", X: chart.Axis{Label: "warps in the memory"},
		Y: chart.Axis{Label: "throughput", Unit: "warps/cycle", Max: 0.32}}
	const steps, n = 100, 5
	demand, supply := chart.Series{Name: fmt.Sprintf("demand of %d warps", n)}, chart.Series{Name: "supply"}
	for i := range steps + 1 {
		k := n * float64(i) / steps
		demand.Points = append(demand.Points, chart.Point{X: k, Y: f.Demand(n - k)})
		supply.Points = append(supply.Points, chart.Point{X: k, Y: f.Supply(k)})
	}
	k := f.Steady(n)
	steady := chart.Series{Same: true, Style: chart.Marks,
		Points: []chart.Point{{X: k, Y: min(f.Supply(k), f.Demand(n-k))}}}
	c.Series = []chart.Series{demand, supply, steady}
	return c, nil
}

func wfgCases() (drawing, error) {
	c := &chart.Chart{Title: "WFG: cycles of a run", X: warps(), Y: chart.Axis{Label: "cycles"}}
	cases := []struct{ comp, mem float64 }{{8, 6}, {11, 3}, {3, 11}}
	for i, k := range cases {
		in := analytic.Mix{CompCPI: 0.01, CompLatency: k.comp, MemCPI: 0.01, MemLatency: k.mem}.Input(1, 1)
		published, err := runCycles("wfg", in)
		if err != nil {
			return nil, err
		}
		published.Name = fmt.Sprintf("αΛ_comp %v, Λ_mem %v", k.comp, k.mem)
		c.Series = append(c.Series, published)
		if i < len(cases)-1 {
			continue
		}
		corrected, err := runCycles("wfg-corrected", in)
		if err != nil {
			return nil, err
		}
		corrected.Name = "corrected, all three"
		c.Series = append(c.Series, dashed(corrected))
	}
	return c, nil
}

// runCycles is the cycles that a model gives for a run of up to 12 warps.
func runCycles(name string, in *analytic.Input) (s chart.Series, err error) {
	const most = 12
	for ω := 1.0; ω <= most; ω++ {
		w, err := rate(name, in, ω)()
		if err != nil {
			return s, err
		}
		s.Points = append(s.Points, chart.Point{X: ω, Y: ω / w})
	}
	return s, nil
}

// executionProfile draws when the instructions of so many warps occupy their
// subsystems.
func executionProfile(warps int64, s simulate.Scheduler) (drawing, error) {
	r, err := exampleKernel().run(1, warps, simulate.Config{Groups: warps, Concurrent: warps, Scheduler: s,
		Profile: true})
	if err != nil {
		return nil, err
	}
	c := chart.Execution(r.Profile, simulate.ProfileOptions{To: math.MaxInt64}, nil)
	c.Title = fmt.Sprintf("%v, warps at once: %d, cycles: %v", s, warps, r.Cycles)
	return c, nil
}

func mixCurves() (drawing, error) {
	const λ1, λ2 = 1.0, 4.0
	c := &chart.Chart{Title: "Instruction mix", X: chart.Axis{Label: "β"},
		Y: chart.Axis{Label: "instructions of type 1 per cycle"}}
	for _, k := range []struct {
		name            string
		shared, limited bool
		formula         func(β float64) float64
	}{
		{"one subsystem", true, false, func(β float64) float64 { return β / (β*λ1 + λ2) }},
		{"two subsystems", false, false, func(β float64) float64 { return min(1/λ1, β/λ2) }},
		{"two behind an issue limit", false, true, func(β float64) float64 { return min(1/λ1, β/λ2, β/(β+1)) }},
	} {
		line, marks := chart.Series{Name: k.name}, chart.Series{Style: chart.Marks, Same: true}
		for β := 1; β <= 16; β++ {
			got, err := instructionMix(β, k.shared, k.limited)
			if err != nil {
				return nil, err
			}
			line.Points = append(line.Points, chart.Point{X: float64(β), Y: k.formula(float64(β))})
			marks.Points = append(marks.Points, chart.Point{X: float64(β), Y: got})
		}
		c.Series = append(c.Series, line, marks)
	}
	return c, nil
}

// simulatedCurve is the simulation of a mix over occupancy, scaled.
func simulatedCurve(g *volkovGPU, α, accesses int, scale float64) (chart.Series, error) {
	s := chart.Series{Name: "simulated", Style: chart.Marks}
	for n := 1; n <= g.warps; n++ {
		w, err := simulatedMix(g.mix, α, accesses, int64(n))
		if err != nil {
			return s, err
		}
		s.Points = append(s.Points, chart.Point{X: float64(n), Y: scale * w})
	}
	return s, nil
}
