package report

import (
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/sheet"
)

// recordsOf has a record for each prediction: what a table of several runs would compare. The columns up to
// "assumptions" are always the same; a column for each subsystem of the first one's device follows.
func recordsOf(all []*Prediction) (r sheet.Records) {
	for i, p := range all {
		names, values := p.record()
		if i == 0 {
			r.Names = names
		}
		r.Rows = append(r.Rows, values)
	}
	return r
}

func (p *Prediction) record() (names []string, values []any) {
	g, r := p.Graph, p.Result
	line := ""
	if l := p.guilty(); l != nil && l.Pos.IsValid() {
		line = l.Pos.String()
	}
	for _, x := range []struct {
		name  string
		value any
	}{
		{"kernel", g.Kernel},
		{"file", g.Source.File},
		{"defines", strings.Join(g.Source.Defines, " ")},
		{"local", idg.Extent(g.Launch.Local)},
		{"launch_groups", idg.Extent(g.Launch.Groups)},
		{"gpu", p.Mapping.Device.Name},
		{"cycles", r.Cycles.Float()},
		{"seconds", r.Seconds},
		{"groups", r.Groups},
		{"concurrent_groups", r.ConcurrentGroups},
		{"occupancy_warps", r.OccupancyWarps},
		{"occupancy_limit", r.OccupancyLimit},
		{"issued", r.Issued},
		{"warps_per_cycle", r.WarpsPerCycle},
		{"issue_utilization", r.IssueUtilization},
		{"read_utilization", r.ReadUtilization},
		{"bound", r.Bound.Kind},
		{"bound_subsystem", r.Bound.Subsystem},
		{"bound_line", line},
		{"extrapolated", r.Extrapolated},
		{"assumptions", len(p.assumptions())},
	} {
		names, values = append(names, x.name), append(values, x.value)
	}
	for _, s := range r.Subsystems {
		names, values = append(names, "utilization_"+s.Name), append(values, s.Utilization)
	}
	return names, values
}
