package main

import (
	"fmt"
	"math"

	"gpupipe/internal/chart"
)

// volkovFigures are those after V16.
func volkovFigures() []figure {
	return []figure{
		{"v16-4-5", "V16 Fig. 4.5", "Warps that hide all latency against arithmetic intensity on Maxwell: the cusp " +
			"at α ≈ 49.", func() (drawing, error) { return cusps("Maxwell"), nil }},
		{"v16-4-6", "V16 Figs. 4.6 and 4.10", "The same on five GPUs, and the CUDA guide's rule for Maxwell (dashed).",
			func() (drawing, error) {
				c := cusps("G80", "GT200", "Fermi", "Kepler", "Maxwell")
				c.Series = append(c.Series, guideCurve(gpuNamed("Maxwell")))
				c.Y.Max = 80
				return c, nil
			}},
		{"v16-7-1", "V16 Fig. 7.1", "MWP-CWP against Volkov's model on GT200, α = 32: additions per cycle.",
			func() (drawing, error) {
				return compared("GT200", 32, 8, "mwp-cwp-issue", "mwp-cwp-corrected")
			}},
		{"v16-7-3", "V16 Fig. 7.3", "WFG against Volkov's model on G80, α = 32: additions per cycle.",
			func() (drawing, error) { return compared("G80", 32, 64, "wfg", "wfg-corrected") }},
		{"v16-7-7", "V16 Fig. 7.7c", "Sim et al. against Volkov's model on Maxwell, α = 64: additions per cycle.",
			func() (drawing, error) { return compared("Maxwell", 64, 8, "gpuperf") }},
		{"v16-7-5", "V16 Fig. 7.5", "Zhang and Owens, both forms, against Volkov's model on GT200, α = 16: additions " +
			"per cycle.", func() (drawing, error) {
			return compared("GT200", 16, 8, "zhang-owens", "zhang-owens-additive")
		}},
		{"v16-7-9a", "V16 Fig. 7.9a", "GPUMech, round-robin, Maxwell, computations only: additions per cycle.",
			func() (drawing, error) {
				return computationsOnly("gpumech-rr-full")
			}},
		{"v16-7-9b", "V16 Fig. 7.9b", "GPUMech, greedy-then-oldest, Maxwell, computations only: additions per cycle.",
			func() (drawing, error) {
				return computationsOnly("gpumech-gto-full")
			}},
		{"v16-7-10", "V16 Fig. 7.10", "GPUMech with its queue on a GPU of 16 units, α = 16: additions per cycle, up " +
			"to the number of warps at which the time of an access becomes negative.", contended},
	}
}

// Arithmetic intensities of a cusp plot.
const (
	cuspFrom, cuspTo = 0.25, 4096
	cuspSteps        = 140
)

func intensityAt(i int) float64 {
	return cuspFrom * math.Pow(cuspTo/cuspFrom, float64(i)/cuspSteps)
}

func cusps(names ...string) *chart.Chart {
	c := &chart.Chart{Title: "Warps to hide all latency", X: chart.Axis{Label: "additions per access", Log: true},
		Y: chart.Axis{Label: "warps"}}
	for _, name := range names {
		g := gpuNamed(name)
		s := chart.Series{Name: name}
		for i := range cuspSteps + 1 {
			α := intensityAt(i)
			s.Points = append(s.Points, chart.Point{X: α, Y: g.mix.Needed(α)})
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// guideCurve is the CUDA guide's estimate over arithmetic intensity.
func guideCurve(g *volkovGPU) chart.Series {
	s := dashed(chart.Series{Name: g.name + ", CUDA guide"})
	for i := range cuspSteps + 1 {
		α := intensityAt(i)
		s.Points = append(s.Points, chart.Point{X: α, Y: g.mix.MemLatency / (g.mix.CompCPI * α)})
	}
	return s
}

// compared is models, Volkov's and the simulation on a mix, in additions per
// cycle.
func compared(gpu string, α, accesses int, names ...string) (drawing, error) {
	g := gpuNamed(gpu)
	in := g.input(α, accesses)
	scale := float64(lanes * α * accesses)
	c := &chart.Chart{Title: fmt.Sprintf("%s, α = %d", gpu, α), X: warps(), Y: chart.Axis{Label: "additions per cycle"}}
	c.Series = append(c.Series, curve("volkov", in, g.warps, scale))
	for _, name := range names {
		c.Series = append(c.Series, curve(name, in, g.warps, scale))
	}
	marks, err := simulatedCurve(g, α, accesses, scale)
	c.Series = append(c.Series, marks)
	return c, err
}

// computationsOnly is models of additions alone on Maxwell.
func computationsOnly(names ...string) (drawing, error) {
	g := gpuNamed("Maxwell")
	in := g.input(1, 0)
	c := &chart.Chart{Title: "Maxwell, additions only", X: warps(), Y: chart.Axis{Label: "additions per cycle"}}
	c.Series = append(c.Series, curve("volkov", in, g.warps, lanes))
	for _, name := range names {
		s := curve(name, in, g.warps, lanes)
		s.Name = name // its title is long
		c.Series = append(c.Series, s)
	}
	return c, nil
}

// queueingDelays is the delay of GPUMech's queue while it is stable.
func contended() (drawing, error) {
	const α, most = 16, 64
	curve := chart.Series{Name: "gpumech-rr-full"}
	const step = 0.125
	for n := step; n <= most; n += step {
		rate := synthetic.contended(α, n)
		if rate < 0 {
			break
		}
		curve.Points = append(curve.Points, chart.Point{X: n, Y: lanes * α * rate})
	}
	return &chart.Chart{Title: "GPUMech with its queue, α = 16", X: warps(),
		Y: chart.Axis{Label: "additions per cycle", Max: 64}, Series: []chart.Series{curve}}, nil
}
