package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gpupipe/internal/sheet"
	"gpupipe/simulate"
	"gpupipe/simulate/sweep"
)

// sweepSheet has the rows of a sweep, the fastest first. A parameter that is the same in all rows stands above
// the table.
func sweepSheet(plan *sweep.Plan, rows []*sweep.Row) sheet.Sheet {
	names := plan.Parameters()
	var columns []int
	var common []string
	for i, name := range names {
		if sameInAll(rows, i) {
			common = append(common, name+" "+rows[0].Values[i])
		} else {
			columns = append(columns, i)
		}
	}
	s := sheet.Section{Title: strings.Join(common, " · ")}
	for _, i := range columns {
		// graph and gpu are names
		s.Columns = append(s.Columns, sheet.Column{Name: strings.ReplaceAll(names[i], "_", " "), Right: i > 1})
	}
	results := sheet.ColumnsOf("warps", "time", "speed-up", "<", "busy", "bound by<")
	results[0].Right = true
	s.Columns = append(s.Columns, results...)
	failed := map[string]int{} // by reason
	var reasons []string
	first, sorted := byTime(rows)
	for i, r := range sorted {
		var cells []string
		for _, i := range columns {
			cells = append(cells, r.Values[i])
		}
		if r.Error != "" {
			if failed[r.Error]++; failed[r.Error] == 1 {
				reasons = append(reasons, r.Error)
			}
			code, _, _ := strings.Cut(r.Error, ":")
			s.Rows = append(s.Rows, sheet.Row{Mark: sheet.Alarm, Cells: append(cells, "", "", "", "", "", code)})
			continue
		}
		time := sheet.Duration(r.Seconds)
		if r.Extrapolated {
			time = "~" + time
		}
		by := r.Bound
		if r.Bound == simulate.BoundThroughput {
			by = plan.Device(&r.Configuration).TitleOf(r.Subsystem)
		}
		speedup, mark := fmt.Sprintf("%.2fx", first.Seconds/r.Seconds), ""
		switch {
		case len(rows) == 1:
			speedup = ""
		case i == 0:
			mark = "best"
		case r == first:
			mark = "first"
		}
		s.Add(append(cells, sheet.Grouped(r.Warps), time, speedup, mark, sheet.Percent(r.Utilization), by)...)
	}
	s.Below = extrapolations(rows)
	for _, why := range reasons {
		s.Below = append(s.Below, sheet.Count(int64(failed[why]), "configuration")+" cannot be simulated: "+why)
	}
	return sheet.Sheet{s}
}

// byTime sorts rows by time, those with errors last, and tells which comes first in the sweep.
func byTime(rows []*sweep.Row) (first *sweep.Row, sorted []*sweep.Row) {
	sorted = slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b *sweep.Row) int {
		if failed := min(len(a.Error), 1) - min(len(b.Error), 1); failed != 0 {
			return failed
		}
		return cmp.Compare(a.Seconds, b.Seconds)
	})
	if i := slices.IndexFunc(rows, func(r *sweep.Row) bool { return r.Error == "" }); i >= 0 {
		first = rows[i]
	}
	return first, sorted
}

// extrapolations says how many rows were not simulated as a whole, and how exact
// they are.
func extrapolations(rows []*sweep.Row) []string {
	sampled, others, worst := int64(0), int64(0), 0.0
	for _, r := range rows {
		switch {
		case r.Sampled:
			sampled, worst = sampled+1, max(worst, r.SamplingBound)
		case r.Extrapolated:
			others++
		}
	}
	var notes []string
	if sampled > 0 {
		notes = append(notes, fmt.Sprintf("~ sampled until the throughput had converged: %s, cycles within %s or "+
			"less by a 99%% estimate (--precision; --full simulates every group)",
			sheet.Count(sampled, "row"), simulate.ErrorText(worst)))
	}
	if others > 0 {
		notes = append(notes, fmt.Sprintf("~ extrapolated from the steady state, without a bound of the error: %s "+
			"(--budget; --full simulates every group)", sheet.Count(others, "row")))
	}
	return notes
}

// sameInAll reports whether a parameter has one value only.
func sameInAll(rows []*sweep.Row, parameter int) bool {
	if len(rows) == 0 {
		return false
	}
	for _, r := range rows {
		if r.Values[parameter] != rows[0].Values[parameter] {
			return false
		}
	}
	return true
}
