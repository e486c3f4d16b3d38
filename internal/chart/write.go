package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Form is what a drawing is written as.
type Form uint8

// The forms. The zero value is invalid.
const (
	SVG Form = iota + 1
	PNG
)

// FormOf is the form of a drawing by its file's name.
func FormOf(file string) (Form, error) {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".svg":
		return SVG, nil
	case ".png":
		return PNG, nil
	}
	return 0, errors.New("the name must end in .svg or .png")
}

// margin is around a drawing.
const margin = 3 * vg.Millimeter

// Write draws a chart.
func (c *Chart) Write(w io.Writer, form Form) error {
	return write(w, form, c.Title, width, height, c.draw)
}

// Grid is charts side by side, in rows.
type Grid []*Chart

// Write draws the charts.
func (g Grid) Write(w io.Writer, form Form) error {
	columns := int(math.Ceil(math.Sqrt(float64(len(g)))))
	rows := (len(g) + columns - 1) / max(columns, 1)
	title := ""
	if len(g) > 0 {
		title = g[0].Title
	}
	return write(w, form, title, vg.Length(columns)*width, vg.Length(rows)*height, func(room draw.Canvas) error {
		tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: 2 * margin, PadY: 2 * margin}
		for i, c := range g {
			if err := c.draw(tiles.At(room, i%columns, i/columns)); err != nil {
				return err
			}
		}
		return nil
	})
}

// write makes a canvas of a size, has it drawn on, and writes it.
func write(w io.Writer, form Form, title string, wide, high vg.Length, paint func(draw.Canvas) error) error {
	var canvas vg.CanvasWriterTo
	switch form {
	case SVG:
		canvas = vgsvg.New(wide, high)
	case PNG:
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(wide, high), vgimg.UseDPI(pngDPI))}
	default:
		return fmt.Errorf("chart: there is no form %d", form)
	}
	whole := draw.NewCanvas(canvas, wide, high)
	whole.SetColor(color.White)
	whole.Fill(whole.Rectangle.Path())
	if err := paint(draw.Crop(whole, margin, -margin, margin, -margin)); err != nil {
		return err
	}
	if form == PNG {
		_, err := canvas.WriteTo(w)
		return err
	}
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return err
	}
	_, err := w.Write(bytes.Map(ofXML, named(b.Bytes(), title)))
	return err
}

// ofXML replaces what no XML document may contain, even escaped (XML 1.0, 2.2): names in a graph may have any
// characters.
func ofXML(r rune) rune {
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == '\uFFFE' || r == '\uFFFF' {
		return utf8.RuneError
	}
	return r
}

// pngDPI is the resolution of PNG: twice that of a page on a screen.
const pngDPI = 192

// named gives an SVG its title, which screen readers say, and fonts that every system has one of.
func named(svg []byte, title string) []byte {
	var text bytes.Buffer
	_ = xml.EscapeText(&text, []byte(title)) // a buffer does not fail
	svg = bytes.Replace(svg, []byte("<svg "), []byte(`<svg role="img" `), 1)
	svg = bytes.Replace(svg, []byte("<g "), fmt.Appendf(nil, "<title>%s</title>\n<g ", &text), 1)
	const family = "font-family:Liberation Sans"
	return bytes.ReplaceAll(svg, []byte(family), []byte(family+",Arial,Helvetica,sans-serif"))
}
