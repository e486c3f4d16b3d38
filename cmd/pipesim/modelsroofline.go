package main

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gpupipe/internal/chart"
	"gpupipe/internal/report"
	"gpupipe/internal/sheet"
	"gpupipe/simulate/roof"
)

// drawRoofline draws the roofline of the launch: the floating-point rate that it reaches against its intensity at each
// level of memory, below the peaks of the pipelines and of the levels.
func (s *sideBySide) drawRoofline(ctx context.Context, o *modelsOptions) (drawing, error) {
	p, err := report.Predict(ctx, s.graph, report.Options{Mapper: s.mapper, Config: o.config, Warm: o.warm})
	if err != nil {
		return nil, err
	}
	r, err := newRoofline(p.Roof.Uses)
	if err != nil {
		return nil, err
	}
	return r.chart(s.title() + ": roofline"), nil
}

// roofline is what a launch does, taken apart.
type roofline struct {
	pipelines, levels []roof.Use // with a known peak, the highest first
	operations        float64
	perSecond         float64 // operations
}

func newRoofline(uses []roof.Use) (*roofline, error) {
	r := &roofline{}
	for _, u := range uses {
		into := &r.pipelines
		if u.Bytes {
			into = &r.levels
		} else {
			r.operations, r.perSecond = r.operations+u.Amount, r.perSecond+u.PerSecond
		}
		if u.Peak > 0 {
			*into = append(*into, u)
		}
	}
	switch {
	case r.operations == 0:
		return nil, errors.New("the launch computes nothing in floating point, or one compute unit runs other groups " +
			"than its share")
	case len(r.pipelines) == 0 || len(r.levels) == 0:
		return nil, errors.New("the device has no peaks of pipelines and memory")
	}
	for _, list := range [][]roof.Use{r.pipelines, r.levels} {
		slices.SortStableFunc(list, func(a, b roof.Use) int { return cmp.Compare(b.Peak, a.Peak) })
	}
	return r, nil
}

// intensity is the operations for each byte of a level.
func (r *roofline) intensity(level *roof.Use) float64 { return r.operations / level.Amount }

// How far the axes reach beyond what is drawn, on the left far enough for names along the slopes.
const (
	margin     = 3
	leftMargin = 16
)

// chart draws levels as slopes and pipelines as levels.
func (r *roofline) chart(title string) *chart.Chart {
	top := r.pipelines[0].Peak
	low, high := math.Inf(1), 0.0
	for i := range r.levels {
		l := &r.levels[i]
		low, high = min(low, r.intensity(l), top/l.Peak), max(high, r.intensity(l), top/l.Peak)
	}
	low, high = low/leftMargin, high*margin
	bottom := min(r.perSecond/margin, r.levels[len(r.levels)-1].Peak*low)
	out := &chart.Chart{
		Title: title, Note: "points: the launch, by bytes of each level",
		X: chart.Axis{Label: "arithmetic intensity", Unit: "FLOP/byte", Log: true, Min: low, Max: high},
		Y: chart.Axis{Label: "performance", Unit: "FLOP/s", Log: true, Min: bottom, Max: 2 * top},
	}
	for i := range r.pipelines {
		p := &r.pipelines[i]
		out.Series = append(out.Series, chart.Series{
			Name:   p.Name + " " + chart.SI(p.Peak, "FLOP/s"),
			Points: []chart.Point{{X: p.Peak / r.levels[0].Peak, Y: p.Peak}, {X: high, Y: p.Peak}},
		})
	}
	for i := range r.levels {
		l := &r.levels[i]
		from := max(low, bottom/l.Peak)
		out.Series = append(out.Series, chart.Series{
			Name: l.Name + " " + chart.SI(l.Peak, "B/s"), Place: chart.Along,
			Points: []chart.Point{{X: from, Y: from * l.Peak}, {X: top / l.Peak, Y: top}},
		}, chart.Series{
			Name: sheet.Percent(l.Share()) + " of " + l.Name, Place: r.side(l), Same: true, Style: chart.Marks,
			Points: []chart.Point{{X: r.intensity(l), Y: r.perSecond}},
		})
	}
	return out
}

// side is where the name of a level's point stands: from left to right in turns below and above.
func (r *roofline) side(level *roof.Use) chart.Place {
	left := 0
	for i := range r.levels {
		if r.intensity(&r.levels[i]) < r.intensity(level) {
			left++
		}
	}
	if left%2 == 0 {
		return chart.Below
	}
	return chart.Above
}
