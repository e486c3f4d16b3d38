package main

import (
	"slices"
	"strconv"
	"strings"

	"gpupipe/internal/sheet"
	"gpupipe/latencies"
)

// catalogue lists devices.
func catalogue(devices []*latencies.Device) sheet.Sheet {
	s := sheet.Section{Columns: sheet.ColumnsOf("name", "units", "GHz", "warps", "KB", "GB/s", "device<<")}
	for _, d := range devices {
		name := d.Name
		if name == latencies.Default {
			name += " *"
		}
		s.Add(name, strconv.Itoa(d.ComputeUnits), sheet.Gigahertz(d.ClockHz),
			known(d.Limits.Warps), known(d.Limits.LocalBytes/1024), knownCycles(d.Memory.PeakGBs), d.Title)
	}
	return sheet.Sheet{s, {Text: []string{
		"* default. warps and KB (of local memory) are of a compute unit. pipesim gpus NAME shows every number and " +
			"its source.",
	}}}
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

// deviceSheet is a device with every number and its source.
func deviceSheet(d *latencies.Device) sheet.Sheet {
	head := sheet.Section{Title: d.Title, About: []string{
		strings.TrimSpace(d.Vendor + " " + d.Architecture + " " + d.Capability),
		strings.Join(append([]string{d.Name}, d.Aliases...), ", "),
	}}
	if d.Description != "" {
		head.Text = []string{d.Description}
	}
	numbers := sheet.Section{Title: "Numbers", Columns: sheet.ColumnsOf("", "", "<<")}
	for _, o := range d.Origins {
		if !strings.HasPrefix(o.Path, "instructions.") {
			numbers.Add(o.Path, o.Value, citation(o.Cite(), o.Inherited, o.Note))
		}
	}
	subsystems := sheet.Section{Title: "Subsystems", Columns: sheet.ColumnsOf("", "<<")}
	for _, s := range d.Subsystems {
		doc := s.Doc
		if s.Partitioned {
			doc += " (one share per partition)"
		}
		subsystems.Add(s.Name, doc)
	}
	instructions := sheet.Section{Title: "Instructions", Columns: sheet.ColumnsOf("match", "subsystem<", "λ (CPI)",
		"Λ (latency)", "source<<")}
	for _, in := range d.Instructions {
		instructions.Add(in.Match, d.Subsystems[in.Subsystem].Name, in.Timing.CPI.String(), in.Timing.Latency.String(),
			citation(in.Cite(), in.Inherited, in.Note))
	}
	sources := sheet.Section{Title: "Sources", Columns: sheet.ColumnsOf("", "<<")}
	for _, r := range d.References {
		sources.Add(r.Key, r.Text)
	}
	return sheet.Sheet{head, numbers, subsystems, instructions, gapSection(d), ruleSection(d), sources}
}

// gapSection lists what no source tells of a device and what stands in for it.
func gapSection(d *latencies.Device) sheet.Section {
	gaps := d.Gaps()
	if len(gaps) == 0 {
		return sheet.Section{}
	}
	s := sheet.Section{Title: "Derived, for want of a source",
		Columns: sheet.ColumnsOf("what", "λ (CPI)", "Λ (latency)", "instead<<")}
	for _, g := range gaps {
		cpi, latency := g.Parameters()
		s.Add(g.What, cpi, latency, g.Instead)
	}
	return s
}

// ruleSection explains the rules by which numbers of a device were derived.
func ruleSection(d *latencies.Device) sheet.Section {
	s := sheet.Section{Title: "Rules by which numbers follow from their sources"}
	for _, r := range latencies.DeriveRules() {
		if slices.ContainsFunc(d.Origins, func(o latencies.Origin) bool { return o.Derived == r.Name }) {
			s.Notes = append(s.Notes, r.Name+": "+r.Doc)
		}
	}
	if len(s.Notes) == 0 {
		return sheet.Section{}
	}
	return s
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
