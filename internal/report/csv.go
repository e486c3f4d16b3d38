package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"gpupipe/internal/sheet"
)

// writeCSV writes one record, with a header if asked: what a table of several runs would
// compare. The columns up to "assumptions" are always the same; a column for
// each subsystem of the device follows.
func (p *Prediction) writeCSV(w io.Writer, head bool) error {
	g, r := p.Graph, p.Result
	var header, record []string
	add := func(name string, value any) {
		header = append(header, name)
		record = append(record, fmt.Sprint(value))
	}
	add("kernel", g.Kernel)
	add("file", g.Source.File)
	add("defines", strings.Join(g.Source.Defines, " "))
	add("local", extent(g.Launch.Local))
	add("launch_groups", extent(g.Launch.Groups))
	add("gpu", p.Mapping.Device.Name)
	add("cycles", sheet.Exactly(r.Cycles.Float()))
	add("seconds", r.Seconds)
	add("groups", r.Groups)
	add("concurrent_groups", r.ConcurrentGroups)
	add("occupancy_warps", r.OccupancyWarps)
	add("occupancy_limit", r.OccupancyLimit)
	add("issued", r.Issued)
	add("warps_per_cycle", r.WarpsPerCycle)
	add("issue_utilization", r.IssueUtilization)
	add("read_utilization", r.ReadUtilization)
	add("bound", r.Bound.Kind)
	add("bound_subsystem", r.Bound.Subsystem)
	line := ""
	if l := p.guilty(); l != nil && l.Pos.IsValid() {
		line = l.Pos.String()
	}
	add("bound_line", line)
	add("extrapolated", r.Extrapolated)
	add("assumptions", len(p.assumptions()))
	for _, s := range r.Subsystems {
		add("utilization_"+s.Name, s.Utilization)
	}
	out := csv.NewWriter(w)
	if head {
		_ = out.Write(header) // Error reports the first failure of all
	}
	_ = out.Write(record)
	out.Flush()
	return out.Error()
}
