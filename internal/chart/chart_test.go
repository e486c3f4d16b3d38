package chart

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func example() *Chart {
	x, y := Axis{Label: "warps"}, Axis{Label: "throughput", Unit: "warps/cycle"}
	return &Chart{Title: "t & u", Note: "dashed: allowed", X: x, Y: y, Series: []Series{
		{Name: "model", Points: []Point{{1, 1e-4}, {2, 2e-4}, {3, math.NaN()}, {4, 9e-4}}},
		{Same: true, Points: []Point{{1, 3e-4}, {4, 3e-4}}, Style: Dashed},
		{Name: "simulated", Points: []Point{{1, 1e-4}, {4, 2e-4}}, Style: Marks},
		{Name: "here", Points: []Point{{2, 1e-4}}, Style: Marks},
		{Name: "below", Points: []Point{{1, 1e-4}, {4, 2e-4}}, Style: Area},
		{Name: "empty"},
	}}
}

// svg draws twice and checks that the bytes are the same and well-formed.
func svg(t *testing.T, draw func(io.Writer, Form) error) string {
	t.Helper()
	var a, b bytes.Buffer
	if err := draw(&a, SVG); err != nil {
		t.Fatal(err)
	}
	if err := draw(&b, SVG); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two drawings differ")
	}
	d := xml.NewDecoder(bytes.NewReader(a.Bytes()))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return a.String()
}

// contains checks that texts are drawn.
func contains(t *testing.T, svg string, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(svg, ">"+want+"<") {
			t.Errorf("no text %q", want)
		}
	}
}

func TestChart(t *testing.T) {
	c := example()
	out := svg(t, c.Write)
	contains(t, out, "t &amp; u", "dashed: allowed", "model", "simulated", "here", "below")
	contains(t, out, "warps", "throughput (warps/Mcycle)", "800")
	if strings.Contains(out, ">empty<") || strings.Contains(out, "NaN") {
		t.Error("a series without points has a name, or NaN is drawn")
	}
	c.X.Log, c.Y.Max = true, 5e-4
	if svg(t, c.Write) == out {
		t.Error("axes make no difference")
	}
	var b bytes.Buffer
	if err := c.Write(&b, PNG); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&b); err != nil {
		t.Error(err)
	}
	if err := c.Write(&b, 0); err == nil {
		t.Error("an invalid form is drawn")
	}
}

// TestControlCharacters: a name that XML cannot contain leaves the picture an XML document.
func TestControlCharacters(t *testing.T) {
	c := example()
	c.Title, c.X.Label = "a\x1bb<\uFFFE", "warps\x00&"
	svg(t, c.Write)
}

// TestNamesInside: names along slopes and beside marks do not meet.
func TestNamesInside(t *testing.T) {
	c := &Chart{X: Axis{Label: "x", Log: true}, Y: Axis{Label: "y", Unit: "FLOP/s", Log: true}, Series: []Series{
		{Name: "slope", Place: Along, Points: []Point{{1, 1e9}, {100, 1e11}}},
		{Name: "first", Same: true, Place: Above, Style: Marks, Points: []Point{{2, 5e9}}},
		{Name: "second", Place: Above, Style: Marks, Points: []Point{{2, 5e9}}},
		{Name: "third", Place: Below, Style: Marks, Points: []Point{{2, 5e9}}},
	}}
	out := svg(t, c.Write)
	contains(t, out, "slope", "first", "second", "third", "1G", "10G", "100G", "y (FLOP/s)")
	places := regexp.MustCompile(`<text x="[^"]*" y="([^"]*)"[^>]*>(?:first|second|third)<`).
		FindAllStringSubmatch(out, -1)
	if len(places) != 3 || places[0][1] == places[1][1] || places[1][1] == places[2][1] ||
		places[0][1] == places[2][1] {
		t.Errorf("%q", places)
	}
	if !strings.Contains(out, "rotate(") {
		t.Error("no name is turned")
	}
}

func TestGrid(t *testing.T) {
	a, b, c := example(), example(), example()
	a.Title, b.Title, c.Title = "first", "second", "third"
	contains(t, svg(t, Grid{a, b, c}.Write), "first", "second", "third")
}

// TestCurvesDiffer: no two curves look the same, also in grey, and more than MaxCurves are not drawn.
func TestCurvesDiffer(t *testing.T) {
	c := &Chart{}
	for i := range 21 {
		c.Series = append(c.Series, Series{Name: string(rune('a' + i)), Points: []Point{{1, float64(i)}, {2, 2}}})
	}
	out := svg(t, c.Write)
	contains(t, out, "a", "u", "8 of 21 curves")
	shown := map[string]bool{}
	for _, look := range regexp.MustCompile(`style="[^"]*stroke-width:1.6[^"]*"`).FindAllString(out, -1) {
		shown[look] = true
	}
	if len(shown) != MaxCurves {
		t.Errorf("%d curves look like %d", MaxCurves, len(shown))
	}
	grey := func(l look) float64 {
		r, g, b, _ := l.colour.RGBA()
		return (0.299*float64(r) + 0.587*float64(g) + 0.114*float64(b)) / 257
	}
	for i, a := range looks {
		for _, b := range looks[:i] {
			same := slices.Equal(a.dashes, b.dashes)
			if same && math.Abs(grey(a)-grey(b)) < 35 {
				t.Errorf("curve %d is like one before it in grey: %.0f and %.0f", i, grey(a), grey(b))
			}
		}
	}
}

// TestLabelsApart: labels do not overlap and stay on the drawing.
func TestLabelsApart(t *testing.T) {
	for _, ends := range [][]vg.Length{{10, 10, 10}, {0, 1, 2, 3, 100}, {99, 99, 100, 100}, {5, 50, 52, 53, 54, 95}} {
		var l labels
		for _, y := range ends {
			l.list = append(l.list, &label{y: y})
		}
		l.spread(0, 100)
		for i, one := range l.list {
			if one.y < -1e-9 || one.y > 100+1e-9 || i > 0 && one.y-l.list[i-1].y < lineHeight-1e-9 {
				t.Errorf("%v: label %d is at %v", ends, i, one.y)
			}
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		least, most float64
		unit        string
		log         bool
		label, want string
	}{
		{0, 64, "", false, "x", "0 20 40 60"},
		{0, 0.5, "", false, "x", "0 0.1 0.2 0.3 0.4 0.5"},
		{0, 450_000, "", false, "x", "0 100k 200k 300k 400k"},
		{0, 0.0075, "s", false, "x (ms)", "0 2 4 6"},
		{0, 0.00043, "warps/cycle", false, "x (warps/Mcycle)", "0 100 200 300 400"},
		{0, 0.00043, "B/s", false, "x (µB/s)", "0 100 200 300 400"},
		{0, 4e12, "FLOP/s", false, "x (TFLOP/s)", "0 1 2 3 4"},
		{1e9, 1e13, "FLOP/s", true, "x (FLOP/s)", "1G 10G 100G 1T 10T"},
		{1, 10, "", true, "x", "1 2 5 10"},
	} {
		a := Axis{Label: "x", Unit: c.unit, Log: c.log}
		p, label := a.scaled(c.most)
		var got []string
		for _, tick := range (ticker{prefix: p, log: c.log, room: 1, length: 5}).Ticks(c.least, c.most) {
			if tick.Label != "" {
				got = append(got, tick.Label)
			}
		}
		if text := strings.Join(got, " "); text != c.want || label != c.label {
			t.Errorf("%v to %v: %q on %q, want %q on %q", c.least, c.most, text, label, c.want, c.label)
		}
	}
}
