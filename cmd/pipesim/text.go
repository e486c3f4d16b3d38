package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/idg/spill"
	"gpupipe/simulate"
)

// writeText writes the report for people: first how long, how far from the device's peaks and why,
// then what to change, then where, then what it rests on.
func (p *prediction) writeText(w io.Writer, o *runOptions, l layout) error {
	t := &textReport{prediction: p, layout: l, Writer: bufio.NewWriter(w)}
	t.writeTitle()
	t.writeVerdict()
	t.writeFindings(o.findings)
	t.writeFacts()
	fmt.Fprintln(t)
	if err := p.tables(o).writeText(t, l); err != nil {
		return err
	}
	if err := t.writeAppendix(o); err != nil {
		return err
	}
	return t.Flush()
}

// textReport is a report being written. Its writer keeps the first error until
// Flush.
type textReport struct {
	*prediction
	layout
	*bufio.Writer
}

func (t *textReport) writeTitle() {
	g, d := t.graph, t.mapping.Device
	fmt.Fprintf(t, "%s on %s\n", t.style.Bold(g.Kernel), t.style.Bold(d.Title))
	about := []string{
		g.Source.File,
		g.Launch.Sizes(),
	}
	about = append(about, g.Source.Defines...)
	if g.Level != "" {
		about = append(about, strings.TrimSpace("-"+g.Level+" "+g.Compiler))
	}
	about = append(about, d.Architecture, count(int64(d.ComputeUnits), "compute unit")+" at "+gigahertz(d.ClockHz)+" GHz")
	for _, line := range wrapItems(about, t.width) {
		fmt.Fprintln(t, t.style.Dim(line))
	}
}

// factIndent is the column in which what is said about a fact begins.
const factIndent = 13

// fact prints a fact under its name, and more lines below it.
func (t *textReport) fact(name, text string, more ...string) {
	for i, line := range console.Wrap(text, t.width-factIndent) {
		label := ""
		if i == 0 {
			label = name
		}
		pad := strings.Repeat(" ", factIndent-2-len(label))
		fmt.Fprintf(t, "  %s%s%s\n", t.style.Bold(label), pad, line)
	}
	for _, m := range more {
		fmt.Fprintf(t, "%s%s\n", strings.Repeat(" ", factIndent), m)
	}
}

// writeVerdict says how long the launch takes, how far that is from the device's peaks, and what limits it.
func (t *textReport) writeVerdict() {
	r := t.result
	fmt.Fprintln(t)
	time := timeText(r)
	if assumed := t.assumedText(); assumed != "" {
		time += " (" + assumed + " assumed)"
	}
	t.fact("time", fmt.Sprintf("%s · %s · %s per compute unit", time, cyclesText(r), count(r.Groups, "group")))
	if text := t.roofText(); text != "" {
		t.fact("roof", text)
	}
	t.writeBound()
	t.fact("spent on", t.causesText())
}

func (t *textReport) writeFacts() {
	r := t.result
	fmt.Fprintln(t)
	t.fact("occupancy", t.occupancyText())
	t.fact("issue", t.issueText())
	if text := t.memoryText(); text != "" {
		t.fact("memory", text)
	}
	if r.Waiting.Resident > 0 {
		t.fact("a warp", warpText(&r.Waiting))
	}
}

// warpText says how an average warp spends its life.
func warpText(w *simulate.Waiting) string {
	text := fmt.Sprintf("%s cycles on average: %s waiting for data", grouped(int64(w.Resident+0.5)), percent(w.Latency/w.Resident))
	if w.Barrier > 0 {
		text += fmt.Sprintf(", %s at barriers", percent(w.Barrier/w.Resident))
	}
	return text + fmt.Sprintf(", %s ready but not issued", percent(w.Queued/w.Resident))
}

func (t *textReport) issueText() string {
	r := t.result
	rate := significant(float64(r.Issued) / r.Cycles.Float())
	if r.IssueUtilization == 0 { // no limit
		return rate + " warp instructions per cycle"
	}
	limit := float64(r.Issued) / r.Cycles.Float() / r.IssueUtilization
	return fmt.Sprintf("%s of %s warp instructions per cycle · %s of the issue slots", rate, strconv.FormatFloat(limit, 'g', 3, 64), percent(r.IssueUtilization))
}

func (t *textReport) writeBound() {
	var quote []string
	if l := t.guilty(); l != nil {
		if text := t.sourceLine(l.Pos); text != "" {
			quote = append(quote, t.style.Alarm(clip(fmt.Sprintf("%d | %s", l.Pos.Line, text), t.width-factIndent)))
		}
	}
	t.fact("bound by", t.byLine(t.result.Bound.Text), quote...)
}

func (t *textReport) occupancyText() string {
	r := t.result
	text := count(r.OccupancyWarps, "warp")
	if most := r.Occupancy.MaxWarps; most > 0 {
		text = fmt.Sprintf("%d of %s", r.OccupancyWarps, count(most, "warp"))
	}
	text += fmt.Sprintf(": %s of %s, limited by %s", count(r.ConcurrentGroups, "group"), count(r.WarpsPerGroup, "warp"), limitText(r.OccupancyLimit))
	var details []string
	if r.OccupancyLimit == "registers" {
		details = append(details, registersText(&r.Occupancy))
	}
	if next := nextLimit(r); next != "" {
		details = append(details, next)
	}
	if details != nil {
		text += " (" + strings.Join(details, "; ") + ")"
	}
	if spilled := t.spilledText(); spilled != "" {
		text += "; " + spilled
	}
	if steps := t.occupancySteps(); steps != "" {
		text += "; " + steps
	}
	return text
}

// limitText names what limits the occupancy in a sentence.
func limitText(limit string) string {
	switch limit {
	case "warps", "groups", "work items":
		return "the number of " + limit
	case "launch":
		return "the launch, which is too small to fill the GPU"
	}
	return limit
}

// registersText says how many registers a work item takes.
func registersText(o *simulate.Occupancy) string {
	switch {
	case o.RegistersSpilled > 0:
		return fmt.Sprintf("%d per work item, of an estimated %d; the others are spilled", o.Registers, o.Registers+o.RegistersSpilled)
	case o.RegistersEstimated:
		return fmt.Sprintf("an estimated %d per work item", o.Registers)
	}
	return fmt.Sprintf("%d per work item", o.Registers)
}

// spilledText says what spilled registers cost, "" if none are in the graph.
func (t *textReport) spilledText() string {
	s := spill.TrafficOf(t.graph)
	if s.Bytes == 0 {
		return ""
	}
	return fmt.Sprintf("registers spill %d bytes per work item: %s and %s of a group's warps, at %s", s.Bytes, count(s.Stores, "store"), count(s.Loads, "load"), s.At())
}

// nextLimit says which resource would limit next, and from how many groups on.
func nextLimit(r *simulate.Result) string {
	least, name := int64(-1), ""
	for _, c := range r.Occupancy.Candidates {
		if c.Resource != r.OccupancyLimit && c.Resource != "launch" && (least < 0 || c.Groups < least) {
			least, name = c.Groups, c.Resource
		}
	}
	if least <= r.ConcurrentGroups {
		return ""
	}
	return fmt.Sprintf("next %s: %s", limitText(name), count(least, "group"))
}

// subsystemSection says how busy each subsystem is.
func (p *prediction) subsystemSection() section {
	s := section{columns: columnsOf("subsystem", "busy", barColumn, "warp instructions")}
	for _, u := range p.result.Subsystems {
		if u.Busy.IsZero() {
			continue
		}
		r := row{cells: []string{p.mapping.Device.TitleOf(u.Name), percent(u.Utilization), "", grouped(u.Issued)}, bar: u.Utilization}
		if p.result.Bound.Kind == simulate.BoundThroughput && u.Name == p.result.Bound.Subsystem {
			r.mark = markAlarm
		}
		s.rows = append(s.rows, r)
	}
	return s
}

// minShare is the part of the cost from which on a line is worth mentioning.
const minShare = 0.005

// lineSection lists the costliest source lines, at most so many; 0 = all.
func (p *prediction) lineSection(top int) section {
	lines := p.costliest()
	shown := lines
	if top > 0 {
		shown = shown[:min(top, len(shown))]
		for len(shown) > 1 && p.cost(shown[len(shown)-1]) < minShare {
			shown = shown[:len(shown)-1]
		}
	}
	busiest := p.mapping.Device.TitleOf(p.result.Bound.Subsystem)
	s := section{columns: columnsOf("line", busiest+" time", "warp time", "source<")}
	s.columns[0].right = true
	for _, l := range shown {
		s.add(p.place(l.Pos), percent(l.Share), percent(p.warpTime(l)), p.sourceLine(l.Pos))
	}
	if rest := len(lines) - len(shown); rest > 0 {
		share, time := 0.0, 0.0
		for _, l := range lines[len(shown):] {
			share += l.Share
			time += p.warpTime(l)
		}
		s.below = []string{fmt.Sprintf("and %s: %s of %s time, %s of warp time; --top 0 shows all", count(int64(rest), "more line"), percent(share), busiest, percent(time))}
	}
	return s
}

// assumptionSection lists what the prediction rests on: in short, or with every place.
func (p *prediction) assumptionSection(all bool) section {
	list := p.assumptionsInShort()
	if all {
		list = p.assumptions()
	}
	s := section{title: "Assumed"}
	for _, a := range list {
		s.notes = append(s.notes, p.byLine(a))
	}
	return s
}

// tables are the sections that all forms of the report share.
func (p *prediction) tables(o *runOptions) sheet {
	s := sheet{p.subsystemSection()}
	if lines := p.lineSection(o.top); len(lines.rows) > 0 {
		s = append(s, lines)
	}
	if assumed := p.assumptionSection(o.verbose); len(assumed.notes) > 0 {
		s = append(s, assumed)
	}
	if p.critical != nil {
		s = append(s, p.criticalSection())
	}
	return s
}

// writeAppendix writes what --explain and --profile ask for.
func (t *textReport) writeAppendix(o *runOptions) error {
	if o.explain {
		fmt.Fprintf(t, "\n%s\n", t.style.Bold("Parameters"))
		if err := t.mapping.Explain(t, t.graph); err != nil {
			return err
		}
	}
	if o.draw {
		fmt.Fprintf(t, "\n%s\n", t.style.Bold("Profile"))
		return simulate.WriteProfile(t, t.result.Profile, o.profile)
	}
	return nil
}
