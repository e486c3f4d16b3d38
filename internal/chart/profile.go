package chart

import (
	"fmt"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// Profile is an execution profile: what each row does when.
type Profile struct {
	Title, X string
	Rows     []string // from the top
	Kinds    []string // of spans, in the legend
	Spans    []Span
}

// Span is a time in which a row is busy.
type Span struct {
	Row, Kind int
	From, To  float64
}

// Write draws a profile.
func (c *Profile) Write(w io.Writer, form Form) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text = c.Title, c.X
	p.Title.Padding = vg.Millimeter
	drawn := make([]*plotter.Polygon, len(c.Kinds))
	for _, s := range c.Spans {
		y := float64(len(c.Rows) - 1 - s.Row)
		box, err := plotter.NewPolygon(plotter.XYs{{X: s.From, Y: y - barHalf}, {X: s.To, Y: y - barHalf}, {X: s.To, Y: y + barHalf}, {X: s.From, Y: y + barHalf}})
		if err != nil {
			return fmt.Errorf("drawing %s: %w", c.Title, err)
		}
		box.Color = plotutil.Color(s.Kind)
		box.LineStyle.Width = vg.Points(0.4)
		p.Add(box)
		if drawn[s.Kind] == nil {
			drawn[s.Kind] = box
			p.Legend.Add(c.Kinds[s.Kind], box)
		}
	}
	ticks := make([]plot.Tick, len(c.Rows))
	for i, name := range c.Rows {
		ticks[i] = plot.Tick{Value: float64(len(c.Rows) - 1 - i), Label: name}
	}
	p.Y.Tick.Marker = plot.ConstantTicks(ticks)
	p.X.Min, p.Y.Min, p.Y.Max = 0, -0.6, float64(len(c.Rows))
	return write(p, w, form)
}

// barHalf is half the height of a span, of rows that are 1 apart.
const barHalf = 0.38
