package chart

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// label is a name beside the end of a curve.
type label struct {
	curve *curve
	end   plotter.XY
	y     vg.Length // of the middle of the text
}

// labels are the names of a chart.
type labels struct {
	list   []*label
	inside []*curve  // inside the axes
	room   vg.Length // for the texts of list
}

// labelGap is the room between the axes and the labels, which a line from the curve's end crosses.
const labelGap = 14 * vg.Length(1)

// maxLabels is the most that labels take of a drawing's width.
const maxLabels = 0.42

func labelStyle() (s draw.TextStyle) { return style(textSize, ink, text.XLeft, text.YCenter) }

// labelsOf are the labels of curves that have a name and a point; that of a single mark stands
// beside it.
func labelsOf(curves []curve) (l labels) {
	for i := range curves {
		c := &curves[i]
		switch {
		case c.Name == "" || len(c.points) == 0:
		case c.Style == Marks && len(c.points) == 1, c.Place == Along && len(c.points) > 1:
			l.inside = append(l.inside, c)
		default:
			l.list = append(l.list, &label{curve: c, end: c.end()})
		}
	}
	return l
}

// end is where a curve has its label: at its last point, of an area at the last one from half of its height on.
func (c *curve) end() plotter.XY {
	last := len(c.points) - 1
	if c.Style != Area {
		return c.points[last]
	}
	top := 0.0
	for _, v := range c.points {
		top = max(top, v.Y)
	}
	for last > 0 && c.points[last].Y < top/2 {
		last--
	}
	return c.points[last]
}

// nameAlong writes the name of a curve along the end of its first part, above it, and returns its room.
func (c *curve) nameAlong(data draw.Canvas, from, to vg.Point) (room []vg.Rectangle) {
	s := labelStyle()
	s.Rotation, s.XAlign, s.YAlign = math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X)), text.XRight, text.YBottom
	sin, cos := vg.Length(math.Sin(s.Rotation)), vg.Length(math.Cos(s.Rotation))
	const back, above = 0.8 * textSize, 0.3 * textSize
	end := vg.Point{X: to.X - back*cos - above*sin, Y: to.Y - back*sin + above*cos}
	data.FillText(s, end, c.Name)
	const half = textSize / 2
	for at := half; at < s.Width(c.Name); at += textSize { // a square for about each letter
		middle := vg.Point{X: end.X - at*cos - half*sin, Y: end.Y - at*sin + half*cos}
		room = append(room, vg.Rectangle{
			Min: vg.Point{X: middle.X - half, Y: middle.Y - half},
			Max: vg.Point{X: middle.X + half, Y: middle.Y + half},
		})
	}
	return room
}

// meet reports whether two rooms overlap.
func meet(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// nameMark writes the name of a curve beside its one mark, clear of texts that are there already,
// and returns its room.
func (c *curve) nameMark(data draw.Canvas, at vg.Point, taken []vg.Rectangle) vg.Rectangle {
	s := labelStyle()
	if c.Place == AtEnd {
		at.X += textSize
		name := clipText(s, c.Name, data.Max.X-at.X)
		data.FillText(s, at, name)
		return s.Rectangle(name).Add(at)
	}
	s.XAlign = text.XCenter
	side := lineHeight
	if c.Place == Below {
		side = -side
	}
	var room vg.Rectangle
	for lines := vg.Length(1); ; { // the nearest room, on either side
		room = s.Rectangle(c.Name).Add(vg.Point{X: at.X, Y: at.Y + lines*side})
		if !slices.ContainsFunc(taken, func(r vg.Rectangle) bool { return meet(room, r) }) {
			at.Y += lines * side
			break
		}
		if lines = -lines; lines > 0 {
			lines++
		}
	}
	data.SetColor(color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xc0}) // lines stay visible below
	data.Fill(room.Path())
	data.FillText(s, at, c.Name)
	return room
}

// width is the room that labels need on the right.
func (l *labels) width(of vg.Length) vg.Length {
	w := 2 * textSize // for half of the last mark of the axis
	for _, one := range l.list {
		w = max(w, labelGap+labelStyle().Width(one.curve.Name)+2)
	}
	w = min(w, maxLabels*of)
	l.room = w - labelGap
	return w
}

// draw writes labels to the right of the axes, each as near to its curve's end as the others let
// it, with a line to the end.
func (l *labels) draw(p *plot.Plot, data draw.Canvas) {
	toX, toY := p.Transforms(&data)
	for _, one := range l.list {
		one.y = toY(one.end.Y)
	}
	// Those along curves have no choice, and come first.
	slices.SortStableFunc(l.inside, func(a, b *curve) int { return cmp.Compare(len(b.points), len(a.points)) })
	var taken []vg.Rectangle
	for _, c := range l.inside {
		at := func(i int) vg.Point { return vg.Point{X: toX(c.points[i].X), Y: toY(c.points[i].Y)} }
		if c.Place == Along {
			taken = append(taken, c.nameAlong(data, at(0), at(1))...)
		} else {
			taken = append(taken, c.nameMark(data, at(0), taken))
		}
	}
	slices.SortStableFunc(l.list, func(a, b *label) int { return cmp.Compare(a.y, b.y) })
	l.spread(data.Min.Y, data.Max.Y-lineHeight/2)
	s := labelStyle()
	for _, one := range l.list {
		c := one.curve
		from := vg.Point{X: toX(one.end.X), Y: toY(one.end.Y)}
		leader := c.line()
		if c.Style == Marks {
			leader.Width, leader.Dashes = vg.Points(0.5), nil
		}
		edge, at := data.Max.X, vg.Point{X: data.Max.X + labelGap - 3, Y: one.y}
		if from.X < edge-1 { // thin inside the axes, where it is not data
			thin := draw.LineStyle{Color: fade(c.look.colour, 0.5), Width: vg.Points(0.5)}
			data.StrokeLines(thin, []vg.Point{from, {X: edge, Y: one.y}})
			from = vg.Point{X: edge, Y: one.y}
		}
		data.StrokeLines(leader, []vg.Point{from, at})
		if c.Style == Marks || c.Style == Marked {
			data.DrawGlyph(c.mark(), vg.Point{X: (edge + at.X) / 2, Y: (from.Y + at.Y) / 2})
		}
		room := data.Max.X + labelGap
		data.FillText(s, vg.Point{X: room, Y: one.y}, clipText(s, c.Name, l.room))
	}
}

// spread moves labels, sorted from below, apart: those that would overlap stand around their mean.
func (l *labels) spread(bottom, top vg.Length) {
	type block struct {
		sum   vg.Length // of what the first label's place would be for each
		count int
		from  int
	}
	var blocks []block
	start := func(b block) vg.Length {
		y := b.sum / vg.Length(b.count)
		return max(min(y, top-vg.Length(b.count-1)*lineHeight), bottom)
	}
	for i, one := range l.list {
		blocks = append(blocks, block{one.y, 1, i})
		for len(blocks) > 1 {
			a, b := blocks[len(blocks)-2], blocks[len(blocks)-1]
			if start(a)+vg.Length(a.count)*lineHeight <= start(b) {
				break
			}
			shift := vg.Length(a.count) * lineHeight * vg.Length(b.count)
			blocks = append(blocks[:len(blocks)-2], block{a.sum + b.sum - shift, a.count + b.count, a.from})
		}
	}
	for _, b := range blocks {
		for k := range b.count {
			l.list[b.from+k].y = start(b) + vg.Length(k)*lineHeight
		}
	}
}
