package main

import (
	"io"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/chart"
	"gpupipe/internal/diag"
	"gpupipe/internal/sheet"
	"gpupipe/simulate/sweep"
)

// maxPanels is the most panels of one file: a page that can still be read.
const maxPanels = 100

// checkPlot refuses plots that nobody could read, before the sweep is run.
func (o *sweepOptions) checkPlot() error {
	if n := len(o.space.Graphs) * max(1, len(o.space.Devices)); o.plot != "" && n > maxPanels {
		return console.Usagef("--plot %s: %d panels, one for each graph and device, are more than %d", o.plot,
			n, maxPanels)
	}
	return nil
}

// writePlot writes the file of --plot, if there is to be one.
func (s *sweepRun) writePlot() error {
	name := s.options.plot
	if name == "" {
		return nil
	}
	panels := s.plan.Panels(s.rows)
	if len(panels) == 0 {
		return diag.Errorf(diag.Pos{File: name}, console.CodeGate,
			"there is nothing to draw: no configuration could be simulated")
	}
	form, err := chart.FormOf(name)
	if err != nil {
		return err
	}
	var charts chart.Grid
	for i := range panels {
		charts = append(charts, panelChart(&panels[i]))
	}
	return s.console.Emit(name, func(w io.Writer) error { return diag.AsDefect(charts.Write(console.Raw(w), form)) })
}

// panelChart is the curves of one graph on one device, each with its roof as a dashed line unless there are too many.
func panelChart(p *sweep.Panel) *chart.Chart {
	c := &chart.Chart{Title: p.Title, X: chart.Axis{Label: p.X}, Y: chart.Axis{Label: speedUp(p)}}
	several := len(p.Series) > 1
	roofs := 2*len(p.Series) <= chart.MaxCurves
	if several && roofs {
		c.Note = "dashed: what pipelines, issue limit and latency allow"
	}
	for i := range p.Series {
		s := &p.Series[i]
		curve, roof := chart.Series{Style: chart.Marked}, chart.Series{Style: chart.Dashed, Same: several}
		best := 0.0
		for _, v := range s.Points {
			curve.Points = append(curve.Points, chart.Point{X: v.X, Y: v.Y})
			roof.Points = append(roof.Points, chart.Point{X: v.X, Y: v.Roof})
			best = max(best, v.Y)
		}
		curve.Name = curveName(s) + ", best " + sheet.Duration(p.First/best)
		if !several {
			roof.Name = "allowed by pipelines and latency"
		}
		c.Series = append(c.Series, curve)
		if roofs {
			c.Series = append(c.Series, roof)
		}
	}
	return c
}
