package main

import (
	"encoding/csv"
	"io"
	"strconv"
)

// writeRows writes one line for each configuration of each study; the last column says
// why there is no prediction.
func writeRows(w io.Writer, studies []*study) error {
	out := csv.NewWriter(w)
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	measured := func(r *row) string {
		if !r.measured() {
			return ""
		}
		return number(r.seconds)
	}
	for _, s := range studies {
		header := append([]string{"study"}, s.table.params...)
		modes := s.predictor.modes
		header = append(header, "measured_s", "predicted_s", "roofline_s", "volkov_s", "occupancy_warps",
			"occupancy_limit", "bound",
			"registers", "fma", "ld_local", "issued", "groups")
		for _, m := range modes[1:] {
			header = append(header, "predicted_"+m.name+"_s")
		}
		header = append(header, "refused")
		if err := out.Write(header); err != nil {
			return err
		}
		for i := range s.outcomes {
			o := &s.outcomes[i]
			r, p := &o.row, &o.prediction
			line := append([]string{s.spec.Kernel}, r.values...)
			if o.err != nil {
				line = append(line, measured(r))
				line = append(line, make([]string, len(header)-len(line)-1)...)
				if err := out.Write(append(line, reason(o.err))); err != nil {
					return err
				}
				continue
			}
			line = append(line, measured(r), number(p.seconds[0]), number(p.roofline), number(p.volkov),
				number(p.warps), p.result.OccupancyLimit, p.result.Bound.Subsystem,
				strconv.Itoa(p.graph.registers), strconv.FormatInt(p.graph.perWarp["fp32"], 10),
				strconv.FormatInt(p.graph.perWarp["ld.local"], 10),
				strconv.FormatInt(p.result.Issued, 10), strconv.FormatInt(p.result.Groups, 10))
			for m := range modes[1:] {
				line = append(line, number(p.seconds[m+1]))
			}
			if err := out.Write(append(line, "")); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}
