package main

import (
	"context"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/chart"
	"gpupipe/internal/sheet"
	"gpupipe/simulate/comparison"
)

// writeErrors writes how far the models are from the simulation against arithmetic intensity,
// as V16 Fig. 7.11 to 7.13, and in a table how many warps they need, as Fig. 7.14.
func writeErrors(ctx context.Context, c *console.Console, o *modelsOptions, s *sideBySide) error {
	if o.plotError == "" {
		return nil
	}
	opt := comparison.Options{Models: o.models, Config: o.config, MSHRs: o.mshrs}
	ranges, err := comparison.ErrorRanges(ctx, s.comparison.Input, s.device, opt, s.comparison.MaxWarps)
	if err != nil {
		return err
	}
	if isTable(o.plotError) {
		return c.Emit(o.plotError, s.errorRecords(ranges).WriteCSV)
	}
	return emitDrawing(c, o.plotError, s, func(s *sideBySide) (drawing, error) { return s.drawErrors(o, ranges), nil })
}

// errorRow is how far a model is from the simulation at an arithmetic intensity.
type errorRow struct {
	Intensity       int     `json:"computations_per_access"`
	Model           string  `json:"model"`
	Least           float64 `json:"least_of_simulated"`
	Most            float64 `json:"most_of_simulated"`
	Needed          *int64  `json:"warps_for_90_percent"` // nil if no number is enough
	SimulatedNeeded *int64  `json:"simulated_warps_for_90_percent"`
}

func (s *sideBySide) errorRecords(ranges []comparison.ErrorRange) *sheet.Records {
	var rows []errorRow
	for i := range ranges {
		r := &ranges[i]
		for k, a := range s.comparison.Models {
			if r.Most[k] > 0 {
				rows = append(rows, errorRow{r.Intensity, a.Name, r.Least[k], r.Most[k], positive(&r.Needed[k]),
					positive(&r.SimulatedNeeded)})
			}
		}
	}
	records := sheet.RecordsOf(rows)
	return &records
}

// positive is nil for 0.
func positive(n *int64) *int64 {
	if *n == 0 {
		return nil
	}
	return n
}

// drawErrors draws two lines for each model, of which the lower one is dashed.
func (s *sideBySide) drawErrors(o *modelsOptions, ranges []comparison.ErrorRange) drawing {
	out := &chart.Chart{
		Title: s.title() + ": throughput of models over simulated",
		Note:  "solid: most; dashed: least over the occupancies",
		X:     intensityAxis(), Y: chart.Axis{Label: "estimated / simulated"},
	}
	for k, a := range s.comparison.Models {
		if !o.drawn(a, maxRanges) {
			continue
		}
		most, least := chart.Series{Name: a.Name}, chart.Series{Style: chart.Dashed, Same: true}
		for _, r := range ranges {
			if r.Most[k] > 0 {
				most.Points = append(most.Points, chart.Point{X: float64(r.Intensity), Y: r.Most[k]})
				least.Points = append(least.Points, chart.Point{X: float64(r.Intensity), Y: r.Least[k]})
			}
		}
		out.Series = append(out.Series, most, least)
	}
	return out
}
