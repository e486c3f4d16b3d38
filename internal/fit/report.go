package fit

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Report writes what was found, and what was not and why.
func (r *Result) Report(w io.Writer) error {
	d := &r.Device
	fmt.Fprintf(w, "%s: %d compute units at %g MHz, warps of %d\n\n", text(d.Name), d.ComputeUnits, d.ClockMHz,
		d.WarpSize)
	r.reportMachine(w)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "class\tλ (cycles)\t±\tΛ (cycles)\t±\tridge "+
		"(warps)\tresidual\tnoise\tsamples\toutliers\tclock moved\tmarked\t")
	for i := range r.Classes {
		c := &r.Classes[i]
		if c.Refused != "" {
			continue
		}
		n := c.Counts
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t\n", c.Name, c.CPI.show(),
			percent(c.CPI.Error), c.Latency.show(), percent(c.Latency.Error),
			decimal(c.Latency.Value/c.CPI.Value), percent(c.Residual), percent(c.Noise), n.Used, n.Outliers, n.Moved,
			n.Marked)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	r.reportDoubts(w)
	return nil
}

// show is the value, or the bound.
func (n Number) show() string {
	if n.Bound {
		return "≤ " + decimal(n.Value)
	}
	return decimal(n.Value)
}

func (r *Result) reportMachine(w io.Writer) {
	m := r.Machine
	switch limit := r.IssueLimit; {
	case limit.Value == 0:
		fmt.Fprint(w, "issue limit: not found")
	case limit.Bound:
		fmt.Fprintf(w, "issue limit: at least %s instructions per cycle (%s)", decimal(limit.Value), limit.Why)
	default:
		fmt.Fprintf(w, "issue limit: %s instructions per cycle", decimal(limit.Value))
	}
	fmt.Fprintf(w, "\nsub-cores: %d\n", m.Partitions)
	if m.Interval > 0 {
		fmt.Fprintf(w, "shortest time between two issues of a warp: %s cycles\n", decimal(m.Interval))
	}
	order := "all warps advance evenly"
	if m.Priority {
		order = "some warps go first until they end"
	}
	fmt.Fprintf(w, "scheduling: %s\n", order)
	if r.Mix != nil {
		fmt.Fprintf(w, "%s and %s: %v (residuals: ", first, special, r.Mix.Structure)
		for s := Single; s <= Limited; s++ {
			if s > Single {
				fmt.Fprint(w, ", ")
			}
			fmt.Fprintf(w, "%v %s", s, percent(r.Mix.Residuals[s]))
		}
		fmt.Fprintln(w, ")")
	}
	if r.Launch.Value > 0 {
		fmt.Fprintf(w, "launch: %s ns\n", decimal(r.Launch.Value))
	}
	if n := r.Replacement; n.Value > 0 {
		fmt.Fprintf(w, "group replacement: %s cycles", n.show())
		if n.Bound {
			fmt.Fprintf(w, " (%s)", n.Why)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
}

// reportDoubts lists bounds, assumptions and what was refused.
func (r *Result) reportDoubts(w io.Writer) {
	said := false
	for i := range r.Classes {
		c := &r.Classes[i]
		if text := c.describe(); c.Refused == "" && text != "" {
			if !said {
				fmt.Fprintln(w, "\nonly bounds, or assumed:")
			}
			said = true
			fmt.Fprintf(w, "  %s: %s\n", c.Name, text)
		}
	}
	said = false
	for i := range r.Classes {
		if c := &r.Classes[i]; c.Refused != "" {
			if !said {
				fmt.Fprintln(w, "\nnot written:")
			}
			said = true
			fmt.Fprintf(w, "  %s: %s\n", c.Name, c.Refused)
		}
	}
}
