package main

import (
	"fmt"
	"io"
	"math"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/chart"
	"gpupipe/internal/diag"
	"gpupipe/simulate/sweep"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Size of a panel of a plot, and the most panels of one file: a page that can
// still be read.
const (
	panelWidth  = 12 * vg.Centimeter
	panelHeight = 8 * vg.Centimeter
	maxPanels   = 100
)

// maxPlotSeries bounds the curves of a panel, for which there are colours.
const maxPlotSeries = 24

// headroom keeps the highest roof away from the title.
const headroom = 1.05

// checkPlot refuses plots that nobody could read, before the sweep is run.
func (o *sweepOptions) checkPlot() error {
	if n := len(o.space.Graphs) * max(1, len(o.space.Devices)); o.plot != "" && n > maxPanels {
		return console.Usagef("--plot %s: %d panels, one for each graph and device, are more than %d", o.plot, n, maxPanels)
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
		return diag.Errorf(diag.Pos{File: name}, console.CodeGate, "there is nothing to draw: no configuration could be simulated")
	}
	form, err := drawingForm(name)
	if err != nil {
		return err
	}
	return s.console.Emit(name, func(w io.Writer) error {
		c, err := drawPlot(panels, form)
		if err != nil {
			return console.AsDefect(err)
		}
		_, err = c.WriteTo(console.Raw(w))
		return err
	})
}

// drawPlot draws panels side by side.
func drawPlot(panels []sweep.Panel, form chart.Form) (chart.Canvas, error) {
	columns := int(math.Ceil(math.Sqrt(float64(len(panels)))))
	rows := (len(panels) + columns - 1) / columns
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: 5 * vg.Millimeter, PadY: 5 * vg.Millimeter,
		PadTop: 2 * vg.Millimeter, PadBottom: 2 * vg.Millimeter, PadLeft: 2 * vg.Millimeter, PadRight: 4 * vg.Millimeter}
	out, err := form.Canvas(vg.Length(columns)*panelWidth, vg.Length(rows)*panelHeight)
	if err != nil {
		return nil, err
	}
	grid := make([][]*plot.Plot, rows)
	for i := range grid {
		grid[i] = make([]*plot.Plot, columns)
	}
	for i := range panels {
		p, err := plotPanel(&panels[i])
		if err != nil {
			return nil, err
		}
		grid[i/columns][i%columns] = p
	}
	for i, row := range plot.Align(grid, tiles, draw.New(out)) {
		for k, c := range row {
			if grid[i][k] != nil {
				grid[i][k].Draw(c)
			}
		}
	}
	return out, nil
}

// plotPanel draws the curves of one graph on one device, each with its roof as
// a dashed line.
func plotPanel(panel *sweep.Panel) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = panel.Title, panel.X, "warps per cycle"
	p.X.Min, p.Y.Min = 0, 0
	p.Legend.Left, p.Legend.Top = false, false
	p.Add(plotter.NewGrid())
	for i, s := range panel.Series[:min(len(panel.Series), maxPlotSeries)] {
		points, roof := make(plotter.XYs, len(s.Points)), make(plotter.XYs, len(s.Points))
		for k, v := range s.Points {
			points[k] = plotter.XY{X: v.X, Y: v.Y}
			roof[k] = plotter.XY{X: v.X, Y: v.Roof}
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, fmt.Errorf("plotting %s: %w", panel.Title, err)
		}
		top, err := plotter.NewLine(roof)
		if err != nil {
			return nil, fmt.Errorf("plotting the roof of %s: %w", panel.Title, err)
		}
		line.Color, marks.Color, top.Color = plotutil.Color(i), plotutil.Color(i), plotutil.Color(i)
		marks.Shape = plotutil.Shape(i)
		top.Dashes = []vg.Length{vg.Points(3), vg.Points(3)}
		p.Add(top, line, marks)
		for _, v := range s.Points {
			p.Y.Max = max(p.Y.Max, headroom*max(v.Y, v.Roof))
		}
		p.Legend.Add(curveName(&s), line, marks)
		if i == 0 {
			p.Legend.Add("roof", top)
		}
	}
	return p, nil
}
