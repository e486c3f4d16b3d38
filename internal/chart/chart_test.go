package chart

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"
)

func example() *Chart {
	return &Chart{Title: "t", X: "warps", Y: "rate", Series: []Series{
		{Name: "model", Points: []Point{{1, 1}, {2, 2}, {3, math.NaN()}, {4, 9}}},
		{Name: "roof", Points: []Point{{1, 3}, {4, 3}}, Style: Dashed},
		{Name: "simulated", Points: []Point{{1, 1}, {4, 2}}, Style: Marks},
		{Name: "empty"},
	}}
}

func profile() *Profile {
	return &Profile{Title: "p", X: "cycles", Rows: []string{"warp 0", "warp 1"}, Kinds: []string{"comp", "mem"}, Spans: []Span{
		{Row: 0, Kind: 0, From: 0, To: 4}, {Row: 1, Kind: 1, From: 1, To: 3},
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

func TestChart(t *testing.T) {
	c := example()
	out := svg(t, c.Write)
	for _, want := range []string{"model", "roof", "simulated", "warps", "rate"} {
		if !strings.Contains(out, ">"+want+"<") {
			t.Errorf("no text %q", want)
		}
	}
	if strings.Contains(out, ">empty<") || strings.Contains(out, "NaN") {
		t.Error("a series without points is in the legend, or NaN is drawn")
	}
	c.LogX, c.YMax = true, 5
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

// TestCurvesDiffer: no two of the curves of a drawing of all models look the same.
func TestCurvesDiffer(t *testing.T) {
	for _, style := range []Style{Line, Dashed} {
		c := &Chart{}
		const n = 21
		for range n {
			c.Series = append(c.Series, Series{Points: []Point{{1, 1}, {2, 2}}, Style: style})
		}
		looks := map[string]bool{}
		for _, look := range regexp.MustCompile(`style="[^"]*stroke-width:1.2[^"]*"`).FindAllString(svg(t, c.Write), -1) {
			looks[look] = true
		}
		if len(looks) != n {
			t.Errorf("%d curves look like %d", n, len(looks))
		}
	}
}

func TestProfile(t *testing.T) {
	out := svg(t, profile().Write)
	for _, want := range []string{"warp 0", "warp 1", "comp", "mem"} {
		if !strings.Contains(out, ">"+want+"<") {
			t.Errorf("no text %q", want)
		}
	}
	p := profile()
	p.Spans[1].To = 4
	if svg(t, p.Write) == out {
		t.Error("a longer span makes no difference")
	}
}
