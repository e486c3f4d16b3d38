package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/simulate"
	"gpupipe/simulate/sweep"
)

// sweepBarColumns is the width of a utilisation of 100% in a table of rows.
const sweepBarColumns = 10

// writeSweepTable writes the rows for people. A parameter that is the same in
// all rows stands above the table.
func writeSweepTable(w io.Writer, plan *sweep.Plan, rows []*sweep.Row, l layout) error {
	out := bufio.NewWriter(w)
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
	if len(common) > 0 {
		for _, line := range wrapItems(common, l.width) {
			fmt.Fprintln(out, l.style.Bold(line))
		}
	}
	table := console.Table{Right: make([]bool, len(columns)+5)}
	var head []string
	for k, i := range columns {
		head = append(head, strings.ReplaceAll(names[i], "_", " "))
		table.Right[k] = i > 1 // graph and gpu are names
	}
	for k := range 4 {
		table.Right[len(columns)+k] = true
	}
	head = append(head, "warps", "warps/cycle", "time", "busy", pad("", sweepBarColumns), "bound by")
	table.Painted(l.style.Dim, head...)
	failed := map[string]int{} // by reason
	var reasons []string
	for _, r := range rows {
		var cells []string
		for _, i := range columns {
			cells = append(cells, r.Values[i])
		}
		if r.Error != "" {
			if failed[r.Error]++; failed[r.Error] == 1 {
				reasons = append(reasons, r.Error)
			}
			code, _, _ := strings.Cut(r.Error, ":")
			table.Painted(l.style.Alarm, append(cells, "", "", "", "", "", code)...)
			continue
		}
		time := duration(r.Seconds)
		if r.Extrapolated {
			time = "~" + time
		}
		by := r.Bound
		if r.Bound == simulate.BoundThroughput {
			by = r.Subsystem
		}
		table.Row(append(cells, grouped(r.Warps), significant(r.WarpsPerCycle), time, percent(r.Utilization), bar(r.Utilization, sweepBarColumns), by)...)
	}
	if err := table.Write(out); err != nil {
		return err
	}
	writeExtrapolations(out, rows, l)
	for _, why := range reasons {
		for _, line := range console.Wrap(count(int64(failed[why]), "configuration")+" cannot be simulated: "+why, l.width) {
			fmt.Fprintln(out, line)
		}
	}
	return out.Flush()
}

// writeExtrapolations writes what extrapolations says.
func writeExtrapolations(out io.Writer, rows []*sweep.Row, l layout) {
	for _, note := range extrapolations(rows) {
		for _, line := range console.Wrap("~ "+note, l.width) {
			fmt.Fprintln(out, line)
		}
	}
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
		notes = append(notes, fmt.Sprintf("sampled until the throughput had converged: %s, cycles within %s or less by a 99%% estimate (--precision; --full simulates every group)",
			count(sampled, "row"), simulate.ErrorText(worst)))
	}
	if others > 0 {
		notes = append(notes, fmt.Sprintf("extrapolated from the steady state, without a bound of the error: %s (--budget; --full simulates every group)", count(others, "row")))
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
