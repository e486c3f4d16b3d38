package chart

import (
	"cmp"
	"io"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Profile is an execution profile: what rows do when. The rows of one of its parts are each of one
// kind, and so name the colours.
type Profile struct {
	Title, Note string
	X           string // label of the time axis
	From, To    float64
	Parts       []Part
}

// Part is rows under a heading.
type Part struct {
	Heading string
	Rows    []Row
}

// Row is what one thing does.
type Row struct {
	Name  string
	Spans []Span
}

// Span is a time in which a row is busy.
type Span struct {
	Kind     int // chooses the colour
	From, To float64
	Waits    bool // drawn thin: it is under way and keeps nothing busy
}

// Distances of a profile.
const (
	rowPitch     = 12 * vg.Length(1)
	headingPitch = 18 * vg.Length(1)
	rowBar       = 9 * vg.Length(1)
	rowThin      = 2 * vg.Length(1)
	// finest is what a span is apart from the next or longer than at least to be seen.
	finest = 0.3 * vg.Length(1)
	// seam is left white between two instructions if both stay visible.
	seam = 0.5 * vg.Length(1)
)

// Profiles is profiles one below the other.
type Profiles []*Profile

// Write draws a profile.
func (c *Profile) Write(w io.Writer, form Form) error { return Profiles{c}.Write(w, form) }

// Write draws the profiles.
func (l Profiles) Write(w io.Writer, form Form) error {
	title, high := "", vg.Length(0)
	for _, c := range l {
		title, high = cmp.Or(title, c.Title), high+c.height()
	}
	high += 2*margin + vg.Length(len(l)-1)*2*margin
	return write(w, form, title, profileWidth, high, func(room draw.Canvas) error {
		for _, c := range l {
			c.draw(draw.Crop(room, 0, 0, room.Size().Y-c.height(), 0))
			room = draw.Crop(room, 0, 0, 0, -c.height()-2*margin)
		}
		return nil
	})
}

// profileWidth is wider than a chart: time is long.
const profileWidth = 20 * vg.Centimeter

// axisHeight is the room for the marks and the label of the time axis.
const axisHeight = 3.2 * textSize

// height is what the profile needs.
func (c *Profile) height() vg.Length {
	h := titleSize + lineHeight + textSize + axisHeight
	for _, p := range c.Parts {
		h += vg.Length(len(p.Rows))*rowPitch + headingPitch
	}
	return h
}

// draw draws a profile into a room of its height.
func (c *Profile) draw(room draw.Canvas) {
	room = head(room, c.Title, c.Note, "")
	names := vg.Length(0)
	name := style(textSize, ink, text.XRight, text.YCenter)
	for _, p := range c.Parts {
		for _, r := range p.Rows {
			names = max(names, name.Width(r.Name))
		}
	}
	names = min(names+0.7*textSize, maxLabels*room.Size().X)
	data := draw.Crop(room, names, -textSize, axisHeight, 0)
	c.axis(data)
	y := data.Max.Y
	heading := style(textSize, faint, text.XLeft, text.YCenter)
	for _, p := range c.Parts {
		data.FillText(heading, vg.Point{X: data.Min.X, Y: y - headingPitch + 0.45*rowPitch}, p.Heading)
		y -= headingPitch
		for _, r := range p.Rows {
			middle := y - rowPitch/2
			data.FillText(name, vg.Point{X: data.Min.X - 0.5*textSize, Y: middle}, clipText(name, r.Name, names))
			data.StrokeLine2(draw.LineStyle{Color: rule, Width: vg.Points(0.5)}, data.Min.X, middle, data.Max.X, middle)
			c.row(data, middle, r.Spans)
			y -= rowPitch
		}
	}
}

// axis draws the time axis below the data, with lines through it.
func (c *Profile) axis(data draw.Canvas) {
	mark := style(textSize, ink, text.XCenter, text.YTop)
	t := ticker{room: 6 * textSize, length: data.Size().X}
	for _, tick := range t.Ticks(c.From, c.To) {
		x := c.at(data, tick.Value)
		data.StrokeLine2(draw.LineStyle{Color: rule, Width: vg.Points(0.6)}, x, data.Min.Y, x, data.Max.Y-headingPitch)
		data.StrokeLine2(draw.LineStyle{Color: faint, Width: vg.Points(0.8)}, x, data.Min.Y, x, data.Min.Y-3)
		data.FillText(mark, vg.Point{X: x, Y: data.Min.Y - 4}, tick.Label)
	}
	data.StrokeLine2(draw.LineStyle{Color: faint, Width: vg.Points(0.8)}, data.Min.X, data.Min.Y, data.Max.X,
		data.Min.Y)
	data.FillText(mark, vg.Point{X: data.Center().X, Y: data.Min.Y - 4 - 1.4*textSize}, c.X)
}

func (c *Profile) at(data draw.Canvas, x float64) vg.Length {
	return data.X((min(max(x, c.From), c.To) - c.From) / (c.To - c.From))
}

// bar is a span on the canvas.
type bar struct {
	kind     int
	waits    bool
	from, to vg.Length
}

// row draws spans, the thin ones below the others. Those that cannot be told apart become one.
func (c *Profile) row(data draw.Canvas, middle vg.Length, spans []Span) {
	var bars []bar
	for _, s := range spans {
		if s.To >= c.From && s.From < c.To {
			bars = append(bars, bar{s.Kind % MaxCurves, s.Waits, c.at(data, s.From), c.at(data, s.To)})
		}
	}
	slices.SortStableFunc(bars, func(a, b bar) int { return cmp.Compare(a.from, b.from) })
	var last [2 * MaxCurves]*bar
	thin, thick := [MaxCurves]vg.Path{}, [MaxCurves]vg.Path{}
	flush := func(b *bar) {
		paths, half := &thick, rowBar/2
		if b.waits {
			paths, half = &thin, rowThin/2
		} else if b.to-b.from > 4*seam {
			b.to -= seam
		}
		p := &paths[b.kind]
		p.Move(vg.Point{X: b.from, Y: middle - half})
		p.Line(vg.Point{X: b.to, Y: middle - half})
		p.Line(vg.Point{X: b.to, Y: middle + half})
		p.Line(vg.Point{X: b.from, Y: middle + half})
		p.Close()
	}
	for i := range bars {
		b := &bars[i]
		b.to = max(b.to, b.from+finest)
		at := b.kind
		if b.waits {
			at += MaxCurves
		}
		before := last[at]
		short := before != nil && (b.waits || b.to-b.from < 4*seam && before.to-before.from < 4*seam ||
			b.from < before.to-seam)
		switch {
		case before != nil && b.from <= before.to+finest && short:
			before.to = max(before.to, b.to)
			continue
		case before != nil:
			flush(before)
		}
		last[at] = b
	}
	for _, b := range last {
		if b != nil {
			flush(b)
		}
	}
	for k := range thin {
		data.SetColor(fade(looks[k].colour, 0.45))
		fill(data, thin[k])
	}
	for k := range thick {
		data.SetColor(looks[k].colour)
		fill(data, thick[k])
	}
}

func fill(c draw.Canvas, p vg.Path) {
	if len(p) > 0 {
		c.Fill(p)
	}
}
