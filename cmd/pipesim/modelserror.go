package main

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/chart"
	"gpupipe/simulate/comparison"
)

// errorForm checks the ending of a file's name: a table is as good as a drawing.
func errorForm(file string) error {
	if strings.EqualFold(filepath.Ext(file), ".csv") {
		return nil
	}
	if _, err := drawingForm(file); err != nil {
		return errors.New("the name must end in .svg, .png or .csv")
	}
	return nil
}

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
	if strings.EqualFold(filepath.Ext(o.plotError), ".csv") {
		return c.Emit(o.plotError, func(w io.Writer) error { return s.writeErrorsCSV(w, ranges) })
	}
	return emitDrawing(c, o.plotError, s, func(s *sideBySide) (drawing, error) { return s.drawErrors(o, ranges), nil })
}

func (s *sideBySide) writeErrorsCSV(w io.Writer, ranges []comparison.ErrorRange) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"computations_per_access", "model", "least_of_simulated", "most_of_simulated", "warps_for_90_percent", "simulated_warps_for_90_percent"})
	for _, r := range ranges {
		for k, a := range s.comparison.Models {
			if r.Most[k] > 0 {
				_ = out.Write([]string{strconv.Itoa(r.Intensity), a.Name, strconv.FormatFloat(r.Least[k], 'g', 6, 64), strconv.FormatFloat(r.Most[k], 'g', 6, 64),
					warpsText(r.Needed[k]), warpsText(r.SimulatedNeeded)})
			}
		}
	}
	out.Flush()
	return out.Error() // the first failure of all
}

// warpsText is a number of warps, nothing if no number is enough.
func warpsText(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// drawErrors draws two lines for each model, of which the lower one is dashed.
func (s *sideBySide) drawErrors(o *modelsOptions, ranges []comparison.ErrorRange) drawing {
	out := &chart.Chart{
		Title: s.title() + ": throughput of models over simulated", Note: "solid: most; dashed: least over the occupancies",
		X: intensityAxis(), Y: chart.Axis{Label: "estimated / simulated"},
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
