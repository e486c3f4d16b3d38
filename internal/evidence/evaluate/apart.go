package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// apartOf says of each of a specification's Apart which rows it means. It is an error
// if that cannot be told of any row.
func apartOf(spec *Spec, t *table) ([][]bool, error) {
	var all [][]bool
	for _, a := range spec.Apart {
		when, err := parseExpr(a.When)
		if err != nil {
			return nil, err
		}
		apart := make([]bool, len(t.rows))
		known := false
		for i := range t.rows {
			var v float64
			if v, err = when.value(t.names(&t.rows[i])); err == nil {
				apart[i], known = v != 0, true
			} else if t.rows[i].bad == nil {
				t.rows[i].bad = fmt.Errorf("apart: %w", err)
			}
		}
		if !known {
			return nil, err
		}
		all = append(all, apart)
	}
	return all, nil
}

// writeApart tells how far the predictions of some configurations are off beside
// those of the others, and the scores of the others.
func (s *study) writeApart(w io.Writer) {
	for k, a := range s.spec.Apart {
		var ratios, others []float64
		for i := range s.table.rows {
			r := s.table.rows[i].seconds / s.predictions[i].seconds[0]
			if s.apart[k][i] {
				ratios = append(ratios, r)
			} else {
				others = append(others, r)
			}
		}
		if len(ratios) == 0 || len(others) == 0 {
			fmt.Fprintf(w, "\n%s: %d of %d configurations.\n", a.Name, len(ratios), len(s.table.rows))
			continue
		}
		slices.Sort(ratios)
		slices.Sort(others)
		var rest []string
		for m, mode := range s.predictor.modes {
			var predicted, measured, warps []float64
			for i := range s.table.rows {
				if p := &s.predictions[i]; !s.apart[k][i] {
					predicted, measured, warps = append(predicted, p.seconds[m]),
						append(measured, s.table.rows[i].seconds), append(warps, p.warps)
				}
			}
			c := newScore(mode.name, predicted, measured, warps)
			rest = append(rest, fmt.Sprintf("%s has a Spearman correlation of %s and a MAPE of time of %s", c.model,
				cell("%.3f", c.spearman), cell("%.1f%%", c.mape)))
		}
		fmt.Fprintf(w, "\n%s: %d configurations; the median of measured / predicted with %s is %.2f, and %.2f for "+
			"the others. Without them %s.\n",
			a.Name, len(ratios), s.predictor.modes[0].name, quantile(ratios, .5), quantile(others, .5),
			strings.Join(rest, ", "))
	}
}
