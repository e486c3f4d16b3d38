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
	extrapolated := 0
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
			extrapolated++
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
	if extrapolated > 0 {
		fmt.Fprintf(out, "~ extrapolated from the steady state: %s; --full simulates every group\n", count(int64(extrapolated), "row"))
	}
	for _, why := range reasons {
		for _, line := range console.Wrap(count(int64(failed[why]), "configuration")+" cannot be simulated: "+why, l.width) {
			fmt.Fprintln(out, line)
		}
	}
	return out.Flush()
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
