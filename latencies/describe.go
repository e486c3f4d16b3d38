package latencies

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Describe writes all that is known of a device: its names, every number with its
// source and the rule by which it was derived, its subsystems, what no source tells
// and what stands in for that, and the references.
func (d *Device) Describe(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s (%s), %s %s", d.Title, d.Name, d.Vendor, d.Architecture)
	if d.Capability != "" {
		fmt.Fprintf(out, ", %s", d.Capability)
	}
	fmt.Fprintln(out)
	if len(d.Aliases) > 0 {
		fmt.Fprintf(out, "also called: %s\n", strings.Join(d.Aliases, ", "))
	}
	if d.Description != "" {
		fmt.Fprintf(out, "%s\n", d.Description)
	}
	fmt.Fprintf(out, "\nsubsystems:\n")
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range d.Subsystems {
		fmt.Fprintf(t, "  %s\t%s\n", s.Name, s.Doc)
	}
	t.Flush()
	fmt.Fprintf(out, "\nnumbers:\n")
	t = tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, o := range d.Origins {
		if strings.HasPrefix(o.Path, "instructions.") && (strings.HasSuffix(o.Path, ".cpi") ||
			strings.HasSuffix(o.Path, ".latency")) {
			continue // below
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n", o.Path, o.Value, cite(o.Cite(), o.Inherited, o.Note))
	}
	t.Flush()
	fmt.Fprintf(out, "\ninstructions (cpi and latency in cycles):\n")
	t = tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i := range d.Instructions {
		in := &d.Instructions[i]
		fmt.Fprintf(t, "  %s\t%s\t%v\t%v\t%s\n", in.Match, d.Subsystems[in.Subsystem].Name, in.Timing.CPI,
			in.Timing.Latency, cite(in.Cite(), in.Inherited, in.Note))
	}
	t.Flush()
	if gaps := d.Gaps(); len(gaps) > 0 {
		fmt.Fprintf(out, "\nderived, for want of a source (cpi and latency in cycles):\n")
		t = tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, g := range gaps {
			cpi, latency := g.Parameters()
			fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", g.What, cpi, latency, g.Instead)
		}
		t.Flush()
	}
	if len(d.References) > 0 {
		fmt.Fprintf(out, "\nsources:\n")
		t = tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, r := range d.References {
			fmt.Fprintf(t, "  %s\t%s\n", r.Key, r.Text)
		}
		t.Flush()
	}
	return out.Flush()
}

// cite completes where a number comes from by the device that it was taken from and
// what is noted about it.
func cite(source, inherited, note string) string {
	if inherited != "" {
		source += ", as on " + inherited
	}
	if note != "" {
		source += "; " + note
	}
	return source
}
