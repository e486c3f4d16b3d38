package chart

import (
	"image/color"

	xfont "golang.org/x/image/font"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of letters.
const (
	titleSize = 12 * vg.Length(1)
	textSize  = 9 * vg.Length(1)
	// lineHeight is the distance of lines of text.
	lineHeight = 12 * vg.Length(1)
)

// Greys.
var (
	ink   = color.Gray{Y: 0x22}
	faint = color.Gray{Y: 0x60}
	rule  = color.Gray{Y: 0xe4}
)

// MaxCurves is how many curves of a drawing can be told apart, also in grey.
const MaxCurves = 8

// look is the colour and the dashes of a curve or a kind of span.
type look struct {
	colour color.Color
	dashes []vg.Length
}

// looks are dark, middle and light in turns: those of the same dashes differ in grey.
var looks = [MaxCurves]look{
	{rgb(0x14407a), nil}, {rgb(0xc8501a), nil}, {rgb(0x6cb4dd), nil},
	{rgb(0x6a2c91), long}, {rgb(0x3a9d63), long}, {rgb(0xe0a030), long},
	{rgb(0x333333), short}, {rgb(0xb0578d), short},
}

var (
	long   = []vg.Length{7, 2.5}
	short  = []vg.Length{2, 1.6}
	dashed = []vg.Length{3.5, 2.5} // of bounds and levels
)

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

// fade mixes a colour with white; 1 leaves it as it is.
func fade(c color.Color, share float64) color.Color {
	r, g, b, _ := c.RGBA()
	mix := func(x uint32) uint8 { return uint8(255 - share*(255-float64(x>>8)) + 0.5) }
	return color.RGBA{R: mix(r), G: mix(g), B: mix(b), A: 0xff}
}

// style is a style of text.
func style(size vg.Length, c color.Color, x text.XAlignment, y text.YAlignment) draw.TextStyle {
	return draw.TextStyle{
		Color: c, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: plot.DefaultTextHandler,
		XAlign:  x, YAlign: y,
	}
}

// clipText shortens a text to a width.
func clipText(s draw.TextStyle, t string, width vg.Length) string {
	if s.Width(t) <= width {
		return t
	}
	letters := []rune(t)
	for len(letters) > 0 && s.Width(string(letters)+"…") > width {
		letters = letters[:len(letters)-1]
	}
	return string(letters) + "…"
}

// head writes the title and below it two notes, and returns the room that is left.
func head(c draw.Canvas, title, left, right string) draw.Canvas {
	bold := style(titleSize, ink, text.XLeft, text.YTop)
	bold.Font.Weight = xfont.WeightBold
	c.FillText(bold, vg.Point{X: c.Min.X, Y: c.Max.Y}, clipText(bold, title, c.Size().X))
	below := c.Max.Y - titleSize - 0.5*textSize
	rest := c.Size().X
	if left != "" {
		note := style(textSize, faint, text.XLeft, text.YTop)
		left = clipText(note, left, rest)
		c.FillText(note, vg.Point{X: c.Min.X, Y: below}, left)
		rest -= note.Width(left) + 2*textSize
	}
	if right != "" {
		note := style(textSize, faint, text.XRight, text.YTop)
		c.FillText(note, vg.Point{X: c.Max.X, Y: below}, clipText(note, right, rest))
	}
	return draw.Crop(c, 0, 0, 0, -(titleSize + lineHeight + textSize))
}

// blank is a plot without data in the common look.
func blank() *plot.Plot {
	p := plot.New()
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Padding = 0
		for _, s := range []*draw.TextStyle{&a.Tick.Label, &a.Label.TextStyle} {
			*s = style(textSize, ink, s.XAlign, s.YAlign)
		}
		a.Tick.Length = 0
		a.LineStyle.Width = 0
	}
	p.X.LineStyle.Width, p.X.LineStyle.Color = vg.Points(0.8), faint
	p.X.Tick.Length, p.X.Tick.LineStyle.Color = vg.Points(3), faint
	p.BackgroundColor = nil
	return p
}
