package chart

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Size of a drawing.
const (
	width  = 16 * vg.Centimeter
	height = 10 * vg.Centimeter
)

// Chart is curves over a common axis. Each has its name beside its end.
type Chart struct {
	Title  string
	Note   string // explains what the names do not
	X, Y   Axis
	Series []Series
}

// Series is one curve.
type Series struct {
	Name   string
	Place  Place // of the name
	Same   bool  // goes with the series before it and looks like it, but for its style
	Points []Point
	Style  Style
}

// Place says where a name stands.
type Place uint8

// The places.
const (
	AtEnd Place = iota // to the right of the axes, or beside the mark if there is one
	Along              // along the end of the curve's first part, above it
	Above              // above the one mark
	Below              // below the one mark
)

// Point is a point of a curve.
type Point struct{ X, Y float64 }

// Style says how a series is drawn.
type Style uint8

// The styles.
const (
	Line   Style = iota // a line
	Dashed              // a bound, a level or a variant of the series before: a thin dashed line
	Marks               // marks at the points
	Marked              // a line with marks at the points
	Area                // a line with the area below it
)

// curve is a series as it is drawn.
type curve struct {
	*Series
	look   look
	points plotter.XYs // inside the axes
}

// curves are what is drawn: if there are more than MaxCurves, so many of them, evenly spaced.
func (c *Chart) curves() (drawn []curve, left int) {
	var first []int // series with those that go with them behind them
	for i := range c.Series {
		if !c.Series[i].Same {
			first = append(first, i)
		}
	}
	n := min(len(first), MaxCurves)
	for k := range n {
		at := k
		if n < len(first) {
			at = int(math.Round(float64(k*(len(first)-1)) / float64(n-1)))
		}
		end := len(c.Series)
		if at+1 < len(first) {
			end = first[at+1]
		}
		for i := first[at]; i < end; i++ {
			drawn = append(drawn, curve{Series: &c.Series[i], look: looks[k]})
		}
	}
	return drawn, len(first) - n
}

// note is what is said beside the label of the vertical axis.
func (c *Chart) note(left int) string {
	if left == 0 {
		return c.Note
	}
	text := fmt.Sprintf("%d of %d curves", MaxCurves, MaxCurves+left)
	if c.Note != "" {
		text += "; " + c.Note
	}
	return text
}

// draw draws a chart into a room.
func (c *Chart) draw(room draw.Canvas) error {
	drawn, left := c.curves()
	x, y := c.X, c.Y
	for i := range drawn {
		drawn[i].points = visible(drawn[i].Points, &c.X, &c.Y)
		for _, v := range drawn[i].points {
			x.include(v.X)
			y.include(v.Y)
		}
	}
	x.complete(1)
	y.complete(headroom)
	scaleY, labelY := y.scaled(y.Max)
	scaleX, labelX := x.scaled(x.Max)
	room = head(room, c.Title, labelY, c.note(left))
	labels := labelsOf(drawn)
	room = draw.Crop(room, 0, -labels.width(room.Size().X), 0, 0)

	p := blank()
	p.X.Label.Text = labelX
	p.X.Label.Padding = 0.4 * textSize
	x.apply(&p.X, ticker{prefix: scaleX, log: x.Log, room: 5 * textSize, length: room.Size().X})
	y.apply(&p.Y, ticker{prefix: scaleY, log: y.Log, room: 3.2 * textSize, length: room.Size().Y})
	p.Add(grid(c.X.Log))
	for i := range drawn {
		if err := drawn[i].add(p); err != nil {
			return fmt.Errorf("drawing %s: %w", drawn[i].Name, err)
		}
	}
	p.Draw(room)
	labels.draw(p, p.DataCanvas(room))
	return nil
}

// headroom keeps the highest curve below the top.
const headroom = 1.05

// include widens the range of an axis whose range is not given.
func (a *Axis) include(x float64) {
	switch {
	case a.Min == 0 && a.Max == 0 && a.Log:
		a.Min, a.Max = x, x
	default:
		a.Min, a.Max = min(a.Min, x), max(a.Max, x)
	}
}

// complete makes a range out of what has none, with room above.
func (a *Axis) complete(room float64) {
	if a.Max <= a.Min {
		a.Max = a.Min + 1
	}
	if !a.Log {
		a.Max *= room
	}
}

func (a *Axis) apply(to *plot.Axis, t ticker) {
	to.Min, to.Max, to.Tick.Marker = a.Min, a.Max, t
	if a.Log {
		to.Scale = plot.LogScale{}
	}
}

// grid is lines at the marks.
func grid(vertical bool) *plotter.Grid {
	g := plotter.NewGrid()
	g.Horizontal = draw.LineStyle{Color: rule, Width: vg.Points(0.6)}
	g.Vertical = draw.LineStyle{}
	if vertical {
		g.Vertical = g.Horizontal
	}
	return g
}

// visible is the part of a curve inside given ranges. Points that are not numbers are left out.
func visible(points []Point, x, y *Axis) plotter.XYs {
	inside := func(p Point) bool {
		return (y.Max == 0 || p.Y <= y.Max && p.Y >= y.Min) && (x.Max == 0 || p.X <= x.Max && p.X >= x.Min)
	}
	var out plotter.XYs
	var before Point
	for i, p := range points {
		if math.IsNaN(p.Y) || math.IsInf(p.Y, 0) {
			continue
		}
		if i > 0 && y.Max > 0 && (before.Y > y.Max) != (p.Y > y.Max) && !y.Log { // it leaves or comes back at the top
			share := (y.Max - before.Y) / (p.Y - before.Y)
			out = append(out, plotter.XY{X: before.X + share*(p.X-before.X), Y: y.Max})
		}
		if inside(p) {
			out = append(out, plotter.XY{X: p.X, Y: p.Y})
		}
		before = p
	}
	return out
}

// add draws a curve.
func (c *curve) add(p *plot.Plot) error {
	if len(c.points) == 0 {
		return nil
	}
	if c.Style != Marks {
		line, err := plotter.NewLine(c.points)
		if err != nil {
			return err
		}
		line.LineStyle = c.line()
		if c.Style == Area {
			line.FillColor = fade(c.look.colour, 0.25)
		}
		p.Add(line)
	}
	if c.Style == Marks || c.Style == Marked {
		marks, err := plotter.NewScatter(c.points)
		if err != nil {
			return err
		}
		marks.GlyphStyle = c.mark()
		p.Add(marks)
	}
	return nil
}

// line is how a curve's line is drawn.
func (c *curve) line() draw.LineStyle {
	s := draw.LineStyle{Color: c.look.colour, Width: vg.Points(1.6), Dashes: c.look.dashes}
	switch c.Style {
	case Dashed:
		s.Width, s.Dashes = vg.Points(1.1), dashed
	case Area:
		s.Width = vg.Points(0.5)
	}
	return s
}

// mark is how a curve's marks are drawn.
func (c *curve) mark() draw.GlyphStyle {
	return draw.GlyphStyle{Color: c.look.colour, Radius: vg.Points(2.4), Shape: draw.CircleGlyph{}}
}
