package main

import (
	"math"
	"testing"

	"gpupipe/internal/chart"
	"gpupipe/simulate/roof"
)

// TestRoofline: a slope for each level of memory that ends at the peak of the pipeline, and below it a
// point at the level's intensity.
func TestRoofline(t *testing.T) {
	r, err := newRoofline([]roof.Use{
		{Name: "DRAM", Bytes: true, Amount: 100, PerSecond: 5e9, Peak: 1e11},
		{Name: "FP32", Amount: 800, PerSecond: 4e10, Peak: 1e12},
		{Name: "L2", Bytes: true, Amount: 400, PerSecond: 2e10, Peak: 4e11},
		{Name: "FP64", Amount: 200, PerSecond: 1e10},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.perSecond != 5e10 || r.levels[0].Name != "L2" || len(r.pipelines) != 1 {
		t.Errorf("%+v", r)
	}
	c := r.chart("t")
	if !c.X.Log || !c.Y.Log || c.X.Unit != "FLOP/byte" || c.Y.Unit != "FLOP/s" {
		t.Errorf("%+v, %+v", c.X, c.Y)
	}
	want := []struct {
		name string
		last chart.Point
	}{
		{"FP32 1 TFLOP/s", chart.Point{X: c.X.Max, Y: 1e12}},
		{"L2 400 GB/s", chart.Point{X: 2.5, Y: 1e12}}, {"5% of L2", chart.Point{X: 2.5, Y: 5e10}},
		{"DRAM 100 GB/s", chart.Point{X: 10, Y: 1e12}}, {"5% of DRAM", chart.Point{X: 10, Y: 5e10}},
	}
	for i, s := range c.Series {
		last := s.Points[len(s.Points)-1]
		if s.Name != want[i].name || math.Abs(last.X/want[i].last.X-1) > 1e-9 ||
			math.Abs(last.Y/want[i].last.Y-1) > 1e-9 {
			t.Errorf("%s ends at %v, want %+v", s.Name, last, want[i])
		}
	}
	for _, uses := range [][]roof.Use{nil, {{Name: "FP32", Amount: 1}}} {
		if _, err := newRoofline(uses); err == nil {
			t.Errorf("%+v is drawn", uses)
		}
	}
}
