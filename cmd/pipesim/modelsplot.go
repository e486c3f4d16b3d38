package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/chart"
	"gpupipe/internal/diag"
	"gpupipe/simulate/analytic"
)

// drawing is something that can be written as SVG or PNG.
type drawing interface {
	Write(w io.Writer, form chart.Form) error
}

// emitDrawing writes a drawing to a file, unless there is no file.
func emitDrawing(c *console.Console, file string, s *sideBySide, draw func(*sideBySide) (drawing, error)) error {
	if file == "" {
		return nil
	}
	form, err := chart.FormOf(file)
	if err != nil {
		return err
	}
	d, err := draw(s)
	if err != nil {
		return diag.Errorf(diag.Pos{File: file}, console.CodeGate, "there is nothing to draw: %v", err)
	}
	return c.Emit(file, func(w io.Writer) error { return diag.AsDefect(d.Write(console.Raw(w), form)) })
}

// title names what a drawing shows.
func (s *sideBySide) title() string { return fmt.Sprintf("%s on %s", s.graph.Kernel, s.device.Title) }

// overshoot is how far above the roof a curve is drawn: a published model may go
// anywhere.
const overshoot = 1.5

// perCycle is an axis of throughput.
func perCycle() chart.Axis { return chart.Axis{Label: "throughput", Unit: "warps/cycle"} }

// How many models are drawn beside the simulation, and of how many the range of errors.
const (
	maxDrawn  = chart.MaxCurves - 1
	maxRanges = chart.MaxCurves / 2
)

// drawn says which models to draw: those asked for, or the first of a list with one of each family.
func (o *modelsOptions) drawn(a analytic.About, most int) bool {
	newest := []string{"volkov", "mwp-cwp-corrected", "wfg-corrected", "gpumech-gto-full", "mdm", "gpuperf", "roofline"}
	return len(o.models) > 0 || slices.Contains(newest[:most], a.Name)
}

// drawModels draws what models say against occupancy, and the simulation as marks.
func (s *sideBySide) drawModels(o *modelsOptions) drawing {
	c := s.comparison
	roof, _ := c.Input.Throughput()
	out := &chart.Chart{Title: s.title(), X: chart.Axis{Label: "resident warps"}, Y: perCycle()}
	out.Y.Max = overshoot * roof
	simulated := chart.Series{Name: "simulated", Style: chart.Marks}
	for i := range c.Points {
		if r := c.Points[i].Simulated; r != nil {
			simulated.Points = append(simulated.Points, chart.Point{X: float64(c.Points[i].Warps), Y: r.WarpsPerCycle})
		}
	}
	out.Series = append(out.Series, simulated)
	for k, a := range c.Models {
		if !o.drawn(a, maxDrawn) {
			continue
		}
		line := chart.Series{Name: a.Name}
		for i := range c.Points {
			if e := &c.Points[i].Estimates[k]; e.Invalid == "" {
				line.Points = append(line.Points, chart.Point{X: float64(c.Points[i].Warps), Y: e.WarpsPerCycle})
			}
		}
		out.Series = append(out.Series, line)
	}
	return out
}

// Range of arithmetic intensities of a cusp plot.
const (
	cuspFrom, cuspTo = 0.1, 10000
	cuspSteps        = 160
)

func intensityAxis() chart.Axis {
	return chart.Axis{Label: "computations per memory access", Log: true}
}

// drawCusp draws how many warps a mix of the kernel's computations and accesses
// needs, against their ratio, and the kernel itself.
func drawCusp(s *sideBySide) (drawing, error) {
	in := s.comparison.Input
	m, ok := analytic.MixOf(in)
	if !ok {
		return nil, errors.New("the kernel has no computation or no access of device memory")
	}
	out := &chart.Chart{Title: s.title() + ": warps to hide latency", X: intensityAxis(), Y: chart.Axis{Label: "warps"}}
	line := chart.Series{Name: "needed"}
	for i := range cuspSteps + 1 {
		α := cuspFrom * math.Pow(cuspTo/cuspFrom, float64(i)/cuspSteps)
		line.Points = append(line.Points, chart.Point{X: α, Y: m.Needed(α)})
	}
	here := chart.Series{Name: "this kernel's intensity", Style: chart.Marks,
		Points: []chart.Point{{X: in.Intensity(), Y: m.Needed(in.Intensity())}}}
	most := chart.Series{Name: "resident warps", Style: chart.Dashed}
	for _, α := range []float64{cuspFrom, cuspTo} {
		most.Points = append(most.Points, chart.Point{X: α, Y: float64(s.comparison.Capacity.Warps)})
	}
	out.Series = []chart.Series{line, here, most}
	return out, nil
}

// transitSteps is the number of points of supply and demand.
const transitSteps = 120

// drawTransit draws what the memory supplies to k warps and what the others
// demand.
func drawTransit(s *sideBySide) (drawing, error) {
	p := &s.comparison.Points[len(s.comparison.Points)-1]
	f, ok := analytic.TransitFlows(p.Input)
	if !ok {
		return nil, errors.New("the kernel has no computation or no access of device memory")
	}
	n := float64(p.Warps)
	out := &chart.Chart{Title: fmt.Sprintf("%s, %d warps: Transit", s.title(), p.Warps),
		X: chart.Axis{Label: "warps in the memory"}, Y: perCycle()}
	supply, demand := chart.Series{Name: "supply of the memory"}, chart.Series{Name: "demand of the computing warps"}
	for i := range transitSteps + 1 {
		k := n * float64(i) / transitSteps
		supply.Points = append(supply.Points, chart.Point{X: k, Y: f.Supply(k)})
		demand.Points = append(demand.Points, chart.Point{X: k, Y: f.Demand(n - k)})
	}
	k := f.Steady(n)
	steady := chart.Series{Name: "steady state", Style: chart.Marks,
		Points: []chart.Point{{X: k, Y: min(f.Supply(k), f.Demand(n-k))}}}
	out.Series = []chart.Series{supply, demand, steady}
	return out, nil
}
