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
		"(warps)\tresidual\tnoise\tsamples\toutliers\tclock moved\tmarked\tleft out\t")
	for i := range r.Classes {
		c := &r.Classes[i]
		if c.Refused != "" {
			continue
		}
		n := c.Counts
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t\n", c.Name, c.CPI.show(),
			percent(c.CPI.Error), c.Latency.show(), percent(c.Latency.Error),
			decimal(c.Latency.Value/c.CPI.Value), percent(c.Residual), percent(c.Noise), n.Used, n.Outliers, n.Moved,
			n.Marked, n.Apart)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if err := r.reportMemory(w); err != nil {
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

// reportDoubts lists bounds and assumptions, what is left out, and what is inherited.
func (r *Result) reportDoubts(w io.Writer) {
	f, err := r.newFile()
	if err != nil {
		f = &file{r: r}
	}
	about := func(title string, of func(*Class) string) {
		for i := range r.Classes {
			c := &r.Classes[i]
			if text := of(c); text != "" {
				if title != "" {
					fmt.Fprintln(w, "\n"+title)
				}
				title = ""
				fmt.Fprintf(w, "  %s: %s\n", c.Name, text)
			}
		}
	}
	about("only bounds, or assumed:", func(c *Class) string {
		if c.Refused != "" {
			return ""
		}
		return c.describe()
	})
	about("samples left out:", func(c *Class) string {
		if c.Counts.Apart == 0 {
			return ""
		}
		return fmt.Sprintf("%d, because %s", c.Counts.Apart, c.apart)
	})
	title := "not written:"
	if f.base != nil {
		title = "inherited from " + f.base.Name + ":"
	}
	about(title, func(c *Class) string {
		if matchOf(c.Class) == "" && c.Refused == "" {
			return ""
		}
		return f.inherits(c)
	})
}

// reportMemory compares the λ of accesses of device memory with what their sectors take at its bandwidth.
func (r *Result) reportMemory(w io.Writer) error {
	if r.Read.Value == 0 {
		return nil
	}
	fmt.Fprintf(w, "\ndevice memory: ")
	comma := ""
	for _, n := range []struct {
		Number
		what string
	}{{r.Read, "read"}, {r.Written, "written"}, {r.Copied, "copied"}} {
		if n.Value > 0 {
			fmt.Fprintf(w, "%s%s GB/s %s (±%s)", comma, decimal(r.gigabytes(n.Value)), n.what, percent(n.Error))
			comma = ", "
		}
	}
	fmt.Fprint(w, "\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "access\tbytes of a warp\tλ by bandwidth\tλ reached\t")
	for i := range r.Classes {
		c := &r.Classes[i]
		if !c.OfDeviceMemory() || c.Refused != "" || c.reached == 0 {
			continue
		}
		bytes := c.Lane() * r.Device.WarpSize
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t\n", c.Name, bytes,
			decimal(float64(bytes*r.Device.ComputeUnits)/r.Read.Value), decimal(c.reached))
	}
	return t.Flush()
}
