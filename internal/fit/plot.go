package fit

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gpupipe/internal/chart"
	"gpupipe/internal/measure"
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
	per, alone := "instruction", ""
	if c.With != "" {
		per, alone = c.Op+" with "+strings.Join(strings.Fields(c.With), " and "), " alone"
	}
	times := &chart.Chart{
		Title: fmt.Sprintf("%s%s: λ %s, Λ %s, residual %s", name, alone, c.CPI.show(), c.Latency.show(),
			percent(c.Residual)),
		X: warps, Y: chart.Axis{Label: "cycles of a warp per " + per},
	}
	residuals := &chart.Chart{Title: "Residuals", X: warps, Y: chart.Axis{Label: "sample / fit - 1 (%)"}}
	list, _ := medians(c.used)
	for _, k := range c.curvesOf(list) {
		points, line := chart.Series{Style: chart.Marks, Name: c.curveName(k)}, chart.Series{Same: true}
		off := chart.Series{Style: chart.Marks, Name: points.Name}
		for _, o := range list {
			if c.curveOf(&o) != k || o.every != 1 {
				continue
			}
			if n := len(line.Points); n > 0 && c.Kind == measure.Barrier { // of which few occupancies are measured
				for at := o; at.warps > int(line.Points[n-1].X)+k; {
					at.warps -= k
					between := chart.Point{X: float64(at.warps), Y: c.curve(&at)}
					line.Points = slices.Insert(line.Points, n, between)
				}
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

// curveOf is what each curve of a plot has in common: the chains, of barriers the warps of a group.
func (c *Class) curveOf(o *observation) int {
	if c.Kind == measure.Barrier {
		return o.groupWarps
	}
	return o.chains
}

// curvesOf are these numbers in ascending order.
func (c *Class) curvesOf(list []observation) []int {
	var all []int
	for i := range list {
		all = append(all, c.curveOf(&list[i]))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (c *Class) curveName(k int) string {
	word, plural := "%d chain", "s"
	if c.Kind == measure.Barrier {
		word = "groups of %d warp"
	}
	if k == 1 {
		plural = ""
	}
	return fmt.Sprintf(word, k) + plural
}
