package fit

import (
	"fmt"
	"io"
	"slices"

	"gpupipe/internal/chart"
)

// Plot draws the samples of a class, its curves and how far the medians are from them. It draws nothing
// for a class without samples.
func (r *Result) Plot(w io.Writer, name string, form chart.Form) error {
	i := slices.IndexFunc(r.Classes, func(c Class) bool { return c.Name == name })
	if i < 0 || len(r.Classes[i].used) == 0 {
		return fmt.Errorf("there are no samples of %q to draw", name)
	}
	c := &r.Classes[i]
	warps := chart.Axis{Label: "resident warps of a compute unit"}
	times := &chart.Chart{
		Title: fmt.Sprintf("%s: λ %s, Λ %s, residual %s", name, c.CPI.show(), c.Latency.show(), percent(c.Residual)),
		X:     warps, Y: chart.Axis{Label: "cycles per instruction of a warp"},
	}
	residuals := &chart.Chart{Title: "Residuals", X: warps, Y: chart.Axis{Label: "sample / fit - 1 (%)"}}
	list, _ := medians(c.used)
	for _, k := range chainsOf(list) {
		points, line := chart.Series{Style: chart.Marks, Name: chainsName(k)}, chart.Series{Same: true}
		off := chart.Series{Style: chart.Marks, Name: chainsName(k)}
		for _, o := range list {
			if o.chains != k || o.every != 1 {
				continue
			}
			x, fitted := float64(o.warps), c.curve(&o)
			points.Points = append(points.Points, chart.Point{X: x, Y: o.time})
			line.Points = append(line.Points, chart.Point{X: x, Y: fitted})
			off.Points = append(off.Points, chart.Point{X: x, Y: 100 * (o.time/fitted - 1)})
		}
		times.Series = append(times.Series, points, line)
		residuals.Series = append(residuals.Series, off)
	}
	return chart.Grid{times, residuals}.Write(w, form)
}

// chainsOf are the numbers of chains, in ascending order.
func chainsOf(list []observation) []int {
	var all []int
	for _, o := range list { // ordered by chains
		if len(all) == 0 || all[len(all)-1] != o.chains {
			all = append(all, o.chains)
		}
	}
	return all
}

func chainsName(k int) string {
	if k == 1 {
		return "1 chain"
	}
	return fmt.Sprintf("%d chains", k)
}
