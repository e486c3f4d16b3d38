package main

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/sheet"
)

// accidentalDoubles lists the kernels that compute in double precision and neither load nor store a double, nil if
// there are none. What that costs, pipesim advise says.
func accidentalDoubles(graphs []*idg.Graph) error {
	var list []string
	for _, g := range graphs {
		if share, lines := doubles(g); share > 0 {
			list = append(list, fmt.Sprintf("%-40s %4s of the instructions of %s",
				g.Source.File+":"+strings.Join(lines, ","), sheet.Percent(share), g.Kernel))
		}
	}
	if list == nil {
		return nil
	}
	e := diag.Notef(diag.Pos{}, "DOUBLES", "double precision by accident, in kernels that load and store none: "+
		"write an f behind literals (0.5f), and call functions of single precision")
	for _, text := range list {
		e = e.WithNote("%s", text)
	}
	return e
}

// doubles is the share of a kernel's instructions that compute in double precision, and their lines; 0 if it has
// doubles in memory.
func doubles(g *idg.Graph) (share float64, lines []string) {
	executed := make([]int64, len(g.Instrs()))
	for i, warps := range g.Executions() {
		for class, times := range g.Programs()[i].Tally(len(executed)) {
			executed[class] += warps * times
		}
	}
	all, n := int64(0), int64(0)
	var at []int
	for i, times := range executed {
		in := &g.Instrs()[i]
		all += times
		switch {
		case times == 0:
		case in.Access != 0 && in.Type == "f64":
			return 0, nil
		case in.IsDouble():
			n += times
			at = append(at, in.Pos.Line)
		}
	}
	slices.Sort(at)
	for _, line := range slices.Compact(at) {
		lines = append(lines, fmt.Sprint(line))
	}
	return float64(n) / float64(max(all, 1)), lines
}
