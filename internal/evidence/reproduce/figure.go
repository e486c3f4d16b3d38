package main

import (
	"bytes"
	"fmt"
	"io"

	"gpupipe/internal/chart"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
)

// figureFolder is where drawings lie below the document.
const figureFolder = "figures"

// figure is a drawing after one of a source's.
type figure struct {
	name    string // of the file
	source  string // "A Fig. 6"
	caption string
	make    func() (drawing, error)
}

// drawing is something that can be written.
type drawing interface {
	Write(w io.Writer, form chart.Form) error
}

func (f *figure) draw() ([]byte, error) {
	d, err := f.make()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = d.Write(&b, chart.SVG)
	return b.Bytes(), err
}

// figures lists all drawings.
func figures() []figure { return append(articleFigures(), volkovFigures()...) }

// curve is a model over occupancy, scaled; what is not valid is left out.
func curve(name string, in *analytic.Input, most int, scale float64) chart.Series {
	s := chart.Series{Name: model(name).About().Title}
	for n := 1; n <= most; n++ {
		if e := analytic.Evaluate(model(name), in, float64(n)); e.Invalid == "" {
			s.Points = append(s.Points, chart.Point{X: float64(n), Y: scale * e.WarpsPerCycle})
		}
	}
	return s
}

// warps is the axis of occupancy.
func warps() chart.Axis { return chart.Axis{Label: "warps"} }

// dashed draws a curve dashed.
func dashed(s chart.Series) chart.Series {
	s.Style = chart.Dashed
	return s
}

// simulatedMix is the simulated rate of so many warps of a dependent mix on a
// GPU of V16, in steady state: groups of one warp, replaced as they end.
func simulatedMix(m analytic.Mix, α, accesses int, warps int64) (float64, error) {
	b := newBench("alu", "memory")
	if m.IssueLimit > 0 {
		b.mapping.Device.IssueLimit = b.cycles(fmt.Sprint(m.IssueLimit))
	}
	rounded := func(x float64) string { return fmt.Sprintf("%.2f", x) }
	comp := b.class("add.f32", 0, rounded(m.CompCPI), rounded(m.CompLatency))
	mem := b.class("ld.global", 1, rounded(m.MemCPI), rounded(m.MemLatency))
	b.chain(1, repeat(accesses, append(repeat(α, comp), mem)...)...)
	r, err := b.run(1, 6*warps, simulate.Config{Concurrent: warps})
	if err != nil {
		return 0, err
	}
	return r.WarpsPerCycle, nil
}
