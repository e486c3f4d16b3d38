package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gpupipe/simulate"
	"gpupipe/simulate/accuracy"
)

// CountSpec compares a column of the table that counts something, such as a performance counter,
// with what the graph has.
type CountSpec struct {
	Name   string `yaml:"name"`
	Column string `yaml:"column"`
	// Predicted is an expression over the launch's warp instructions: issued, or those of an
	// op, as in ld_global, st_private or loop; over registers, of a work item; and over the
	// row's parameters.
	Predicted string `yaml:"predicted"`
}

// launchCounts are the warp instructions of a launch by the first two parts of their ops, and all
// of them.
func launchCounts(kinds []simulate.GroupKind) map[string]float64 {
	counts := map[string]float64{"registers": float64(kinds[0].Graph.Resources.Registers)}
	for _, k := range kinds {
		for i, n := range executions(k.Graph) {
			op := k.Graph.Instrs()[i].Operation().Family()
			counts[strings.ReplaceAll(op, ".", "_")] += float64(n) * float64(k.Count)
			counts["issued"] += float64(n) * float64(k.Count)
		}
	}
	return counts
}

// writeCounts says how what was counted compares with what the graphs have.
func (s *study) writeCounts(w io.Writer) error {
	if len(s.spec.Counts) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nCounted while the configurations were measured, and predicted:\n\n| count | Spearman | "+
		"measured / predicted, median | 10%% to 90%% | equal to 10%% |\n|---|---|---|---|---|\n")
	for k, c := range s.spec.Counts {
		e, err := parseExpr(c.Predicted)
		if err != nil {
			return fmt.Errorf("counts: %w", err)
		}
		var measured, predicted, ratio []float64
		near := 0
		for i := range s.table.rows {
			names := s.table.names(&s.table.rows[i])
			for n, v := range s.predictions[i].counts {
				names[n] = v
			}
			for _, op := range countedOps {
				if _, ok := names[op]; !ok {
					names[op] = 0
				}
			}
			p, err := e.value(names)
			if err != nil {
				return fmt.Errorf("counts: %w", err)
			}
			m := s.table.rows[i].counts[k]
			if math.IsNaN(m) {
				continue
			}
			measured, predicted = append(measured, m), append(predicted, p)
			if math.Abs(m-p) <= .1*p {
				near++
			}
			if p > 0 {
				ratio = append(ratio, m/p)
			}
		}
		r, err := accuracy.Spearman(predicted, measured)
		if err != nil {
			r = math.NaN()
		}
		if slices.Sort(ratio); len(ratio) == 0 {
			ratio = []float64{math.NaN()}
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s to %s | %d of %d |\n", c.Name, cell("%.3f", r),
			cell("%.2f", quantile(ratio, .5)), cell("%.2f", quantile(ratio, .1)), cell("%.2f", quantile(ratio, .9)),
			near, len(measured))
	}
	return nil
}

// countedOps are 0 where a graph has none of them.
var countedOps = []string{"loop", "ld_global", "st_global", "ld_local", "st_local", "ld_private", "st_private"}
