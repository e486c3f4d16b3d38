package main

import (
	"io"
	"slices"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/chart"
	"gpupipe/internal/diag"
	"gpupipe/internal/spelling"
	"gpupipe/internal/tune"
)

// axes are the parameters of the plot, by index: those of --over, else the two most important ones.
func (o *options) axes(s *tune.Space, rows []tune.Row) (x, y int, err error) {
	names := o.over
	if names == nil {
		for _, i := range tune.Importances(s, rows) {
			names = append(names, i.Name)
		}
		if len(names) < 2 {
			return 0, 0, console.Usagef("--plot draws over two parameters of several values")
		}
	}
	var at []int
	var known []string
	for i := range s.Params {
		known = append(known, s.Params[i].Name)
	}
	for _, name := range names[:2] {
		i := slices.Index(known, name)
		if i < 0 {
			return 0, 0, console.Usagef("--over: there is no parameter %s", name).
				WithNote("%s", spelling.Known("parameters", name, known))
		}
		at = append(at, i)
	}
	return at[0], at[1], nil
}

// draw writes the file of --plot: the fastest time over one parameter, a curve for each value of another.
func (o *options) draw(c *console.Console, p *tune.Plan, rows []tune.Row) error {
	x, y, err := o.axes(p.Space, rows)
	if err != nil {
		return err
	}
	form, err := chart.FormOf(o.plot)
	if err != nil {
		return err
	}
	params := p.Space.Params
	d := &chart.Chart{Title: p.Kernel + ": fastest time", X: chart.Axis{Label: params[x].Name},
		Y: chart.Axis{Label: "time", Unit: "s"}}
	for _, cell := range tune.Over(p.Space, rows, x, y) {
		name := params[y].Name + "=" + tune.Text(cell.Y)
		if n := len(d.Series); n == 0 || d.Series[n-1].Name != name {
			d.Series = append(d.Series, chart.Series{Name: name, Style: chart.Marked})
		}
		at, ok := tune.Number(cell.X)
		if !ok { // a text: its place in the list
			at = float64(slices.Index(params[x].Values, cell.X))
		}
		last := &d.Series[len(d.Series)-1]
		last.Points = append(last.Points, chart.Point{X: at, Y: cell.Seconds})
	}
	return c.Emit(o.plot, func(w io.Writer) error {
		return diag.AsDefect(chart.Grid{d}.Write(console.Raw(w), form))
	})
}
