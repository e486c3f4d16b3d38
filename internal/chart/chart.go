package chart

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Size of a drawing.
const (
	width  = 16 * vg.Centimeter
	height = 10 * vg.Centimeter
)

// Chart is curves over a common axis.
type Chart struct {
	Title, X, Y string
	LogX        bool // needs X > 0
	// YMax cuts the vertical axis, which begins at 0; 0 = the highest point.
	YMax   float64
	Series []Series
}

// Series is one curve.
type Series struct {
	Name   string // in the legend; empty = not in it
	Points []Point
	Style  Style
}

// Point is a point of a curve.
type Point struct{ X, Y float64 }

// Style says how a series is drawn.
type Style uint8

// The styles.
const (
	Line   Style = iota // a line
	Dashed              // a dashed line
	Marks               // marks at the points
)

// Form is what a drawing is written as.
type Form uint8

// The forms. The zero value is invalid.
const (
	SVG Form = iota + 1
	PNG
)

// Canvas is a drawing that can be written to a file.
type Canvas interface {
	vg.CanvasSizer
	io.WriterTo
}

// Canvas is an empty drawing of a size.
func (f Form) Canvas(w, h vg.Length) (Canvas, error) {
	switch f {
	case SVG:
		return vgsvg.New(w, h), nil
	case PNG:
		return vgimg.PngCanvas{Canvas: vgimg.New(w, h)}, nil
	}
	return nil, fmt.Errorf("chart: there is no form %d", f)
}

// Write draws a chart.
func (c *Chart) Write(w io.Writer, form Form) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.X, c.Y
	p.Title.Padding = vg.Millimeter
	p.Add(plotter.NewGrid())
	top := 0.0
	for i := range c.Series {
		highest, err := c.add(p, i)
		if err != nil {
			return err
		}
		top = max(top, highest)
	}
	p.Y.Min, p.Y.Max = 0, top*headroom
	if c.YMax > 0 {
		p.Y.Max = c.YMax
	}
	if c.LogX {
		p.X.Scale = plot.LogScale{}
		p.X.Tick.Marker = plot.LogTicks{Prec: -1}
	} else {
		p.X.Min = min(p.X.Min, 0)
	}
	return write(p, w, form)
}

// headroom keeps the highest curve away from the title.
const headroom = 1.05

// add draws a series and returns its highest point. Points beyond YMax are left
// out, and so is what is no number.
func (c *Chart) add(p *plot.Plot, i int) (float64, error) {
	s := &c.Series[i]
	var points plotter.XYs
	top := 0.0
	for _, v := range s.Points {
		if math.IsNaN(v.Y) || math.IsInf(v.Y, 0) || c.YMax > 0 && v.Y > c.YMax {
			continue
		}
		points = append(points, plotter.XY{X: v.X, Y: v.Y})
		top = max(top, v.Y)
	}
	if len(points) == 0 {
		return 0, nil
	}
	colour := plotutil.Color(i)
	if s.Style == Marks {
		marks, err := plotter.NewScatter(points)
		if err != nil {
			return 0, fmt.Errorf("drawing %s: %w", s.Name, err)
		}
		marks.Color, marks.Shape, marks.Radius = colour, draw.CircleGlyph{}, vg.Points(2.5)
		p.Add(marks)
		if s.Name != "" {
			p.Legend.Add(s.Name, marks)
		}
		return top, nil
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return 0, fmt.Errorf("drawing %s: %w", s.Name, err)
	}
	line.Color, line.Width = colour, vg.Points(1.2)
	line.Dashes = dashes(s.Style, i/len(plotutil.DefaultColors))
	p.Add(line)
	if s.Name != "" {
		p.Legend.Add(s.Name, line)
	}
	return top, nil
}

// dashes tells curves of the same colour apart: each colour is used for the first time in round 0.
// After round 2 there are more curves than a drawing can show.
func dashes(style Style, round int) []vg.Length {
	lines, dashed := [...][]vg.Length{nil, {1, 2}, {8, 2}}, [...][]vg.Length{{4, 3}, {4, 2, 1, 2}, {8, 2, 1, 2, 1, 2}}
	round = min(round, len(lines)-1)
	if style == Dashed {
		return dashed[round]
	}
	return lines[round]
}

// write renders a plot with its legend to the right of it, where it hides nothing.
func write(p *plot.Plot, w io.Writer, form Form) error {
	canvas, err := form.Canvas(width, height)
	if err != nil {
		return err
	}
	p.BackgroundColor = color.White
	whole := draw.Crop(draw.New(canvas), vg.Millimeter, -2*vg.Millimeter, vg.Millimeter, -vg.Millimeter)
	whole.SetColor(p.BackgroundColor)
	whole.Fill(draw.New(canvas).Rectangle.Path())
	legend := p.Legend
	p.Legend = plot.NewLegend()
	legend.Left, legend.Top, legend.YOffs = true, true, -p.Title.TextStyle.Font.Size*2
	size := legend.Rectangle(whole).Size()
	margin := 2 * vg.Millimeter // for the last tick's label
	if size.X > 0 {
		margin += size.X
	}
	p.Draw(draw.Crop(whole, 0, -margin, 0, 0))
	legend.Draw(draw.Crop(whole, whole.Size().X-size.X, 0, 0, 0))
	_, err = canvas.WriteTo(w)
	return err
}
