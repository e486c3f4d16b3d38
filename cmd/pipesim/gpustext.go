package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gpupipe/internal/sheet"
	"gpupipe/latencies"
)

// writeDevices prints the catalogue as a table.
func writeDevices(w io.Writer, devices []*latencies.Device, style sheet.Style) error {
	t := sheet.Table{Right: []bool{false, false, false, true, true, true, true, true, true}}
	t.Painted(style.Dim, "name", "device", "architecture", "units", "GHz", "warps", "issue", "local KB", "GB/s")
	for _, d := range devices {
		name := d.Name
		if name == latencies.Default {
			name += " *"
		}
		t.Row(name, d.Title, d.Architecture, strconv.Itoa(d.ComputeUnits), sheet.Gigahertz(d.ClockHz), known(d.Limits.Warps), d.IssueLimit.String(),
			known(d.Limits.LocalBytes/1024), knownCycles(d.Memory.PeakGBs))
	}
	if err := t.Write(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n* default. warps, issue (warp instructions per cycle) and local memory are of a\ncompute unit. pipesim gpus NAME shows every number and its source.\n")
	return err
}

func known(n int64) string {
	if n == 0 {
		return "?"
	}
	return strconv.FormatInt(n, 10)
}

func knownCycles(c latencies.Cycles) string {
	if c.IsZero() {
		return "?"
	}
	return c.String()
}

// writeDevice prints one device with every number and its source.
func writeDevice(w io.Writer, d *latencies.Device, l sheet.Layout) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n", l.Style.Bold(d.Title))
	names := append([]string{d.Name}, d.Aliases...)
	about := strings.Join(names, ", ")
	if d.Architecture != "" {
		about = strings.TrimSpace(d.Vendor+" "+d.Architecture+" "+d.Capability) + " · " + about
	}
	fmt.Fprintln(b, l.Style.Dim(about))
	if d.Description != "" {
		fmt.Fprintln(b, strings.Join(sheet.Wrap(d.Description, l.Width), "\n"))
	}
	heading := func(text string) { fmt.Fprintf(b, "\n%s\n", l.Style.Bold(text)) }

	heading("Numbers")
	t := sheet.Table{Indent: 2, Right: []bool{false, true}}
	for _, o := range d.Origins {
		if !strings.HasPrefix(o.Path, "instructions.") {
			wrapLast(&t, l.Width-41, o.Path, o.Value, citation(o.Cite(), o.Inherited, o.Note))
		}
	}
	_ = t.Write(b) // b keeps its error

	heading("Subsystems")
	t = sheet.Table{Indent: 2}
	for _, s := range d.Subsystems {
		doc := s.Doc
		if s.Partitioned {
			doc += " (one share per partition)"
		}
		t.Row(s.Name, doc)
	}
	_ = t.Write(b)

	heading("Instructions")
	t = sheet.Table{Indent: 2, Right: []bool{false, false, true, true}}
	t.Painted(l.Style.Dim, "match", "subsystem", "λ (CPI)", "Λ (latency)", "source")
	for _, in := range d.Instructions {
		wrapLast(&t, l.Width-49, in.Match, d.Subsystems[in.Subsystem].Name, in.Timing.CPI.String(), in.Timing.Latency.String(), citation(in.Cite(), in.Inherited, in.Note))
	}
	_ = t.Write(b)

	writeGaps(b, d, l)
	writeRules(b, d, l)
	heading("Sources")
	for _, r := range d.References {
		for i, line := range sheet.Wrap(r.Text, l.Width-8) {
			key := r.Key
			if i > 0 {
				key = ""
			}
			fmt.Fprintf(b, "  %-5s %s\n", key, line)
		}
	}
	return b.Flush()
}

// writeGaps lists what no source tells of a device and what stands in for it.
func writeGaps(b *bufio.Writer, d *latencies.Device, l sheet.Layout) {
	gaps := d.Gaps()
	if len(gaps) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", l.Style.Bold("Derived, for want of a source"))
	t := sheet.Table{Indent: 2, Right: []bool{false, true, true}}
	t.Painted(l.Style.Dim, "what", "λ (CPI)", "Λ (latency)", "instead")
	for _, g := range gaps {
		cpi, latency := g.Parameters()
		wrapLast(&t, l.Width-52, g.What, cpi, latency, g.Instead)
	}
	_ = t.Write(b) // b keeps its error
}

// writeRules explains the rules by which numbers of a device were derived.
func writeRules(w *bufio.Writer, d *latencies.Device, l sheet.Layout) {
	used := func(name string) bool {
		return slices.ContainsFunc(d.Origins, func(o latencies.Origin) bool { return o.Derived == name })
	}
	first := true
	for _, r := range latencies.DeriveRules() {
		if !used(r.Name) {
			continue
		}
		if first {
			fmt.Fprintf(w, "\n%s\n", l.Style.Bold("Rules by which numbers follow from their sources"))
			first = false
		}
		for i, line := range sheet.Wrap(r.Name+": "+r.Doc, l.Width-4) {
			mark := "  "
			if i > 0 {
				mark = "    "
			}
			fmt.Fprintf(w, "%s%s\n", mark, line)
		}
	}
}

// wrapLast adds a row whose last cell is wrapped into so many columns.
func wrapLast(t *sheet.Table, columns int, cells ...string) {
	last := len(cells) - 1
	for i, line := range sheet.Wrap(cells[last], columns) {
		row := make([]string, len(cells))
		if i == 0 {
			copy(row, cells)
		}
		row[last] = line
		t.Row(row...)
	}
}

// citation is where a number is from: its sources and rules, the device that it was
// taken over from, and what is noted about it.
func citation(source, inherited, note string) string {
	if inherited != "" {
		source += ", from " + inherited
	}
	if note != "" {
		source += "; " + note
	}
	return source
}
