package report

import (
	"fmt"
	"strconv"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/sheet"
	"gpupipe/simulate"
)

// sheet is the report for people: first how long, how far from the device's peaks and why, then what to change,
// then where, then what it rests on.
func (p *Prediction) sheet(v *View) (sheet.Sheet, error) {
	s := sheet.Sheet{
		{Title: p.Title(), About: p.About()},
		{Facts: p.facts(p.Verdict())},
		p.findingSection(v.Findings),
		{Facts: p.facts(p.Use())},
		p.subsystemSection(),
		p.lineSection(v.Top),
		p.assumptionSection(v.Verbose),
	}
	if p.Critical != nil {
		s = append(s, p.criticalSection())
	}
	var b strings.Builder
	if v.Explain {
		if err := p.Mapping.Explain(&b, p.Graph); err != nil {
			return nil, err
		}
		s = append(s, sheet.Section{Title: "Parameters", Verbatim: b.String()})
	}
	if v.Draw {
		b.Reset()
		if err := simulate.WriteProfile(&b, p.Result.Profile, v.Profile); err != nil {
			return nil, err
		}
		s = append(s, sheet.Section{Title: "Profile", Verbatim: b.String()})
	}
	return s, nil
}

// facts quotes the lines that facts name.
func (p *Prediction) facts(list []Fact) (out []sheet.Fact) {
	for _, f := range list {
		out = append(out, sheet.Fact{Name: f.Name, Text: f.Text, Quote: p.quote(f.Pos)})
	}
	return out
}

// quote is a source line with its number, "" where the graph does not hold it.
func (p *Prediction) quote(pos idg.Pos) string {
	if text := p.sourceLine(pos); text != "" {
		return fmt.Sprintf("%d | %s", pos.Line, text)
	}
	return ""
}

// warpText says how an average warp spends its life.
func warpText(w *simulate.Waiting) string {
	text := fmt.Sprintf("%s cycles on average: %s waiting for data", sheet.Grouped(int64(w.Resident+0.5)),
		sheet.Percent(w.Latency/w.Resident))
	if w.Barrier > 0 {
		text += fmt.Sprintf(", %s at barriers", sheet.Percent(w.Barrier/w.Resident))
	}
	return text + fmt.Sprintf(", %s ready but not issued", sheet.Percent(w.Queued/w.Resident))
}

func (p *Prediction) issueText() string {
	r := p.Result
	rate := sheet.Significant(float64(r.Issued) / r.Cycles.Float())
	if r.IssueUtilization == 0 { // no limit
		return rate + " warp instructions per cycle"
	}
	limit := float64(r.Issued) / r.Cycles.Float() / r.IssueUtilization
	return fmt.Sprintf("%s of %s warp instructions per cycle · %s of the issue slots", rate,
		strconv.FormatFloat(limit, 'g', 3, 64), sheet.Percent(r.IssueUtilization))
}

func (p *Prediction) occupancyText() string {
	r := p.Result
	text := sheet.Count(r.OccupancyWarps, "warp")
	if most := r.Occupancy.MaxWarps; most > 0 {
		text = fmt.Sprintf("%d of %s", r.OccupancyWarps, sheet.Count(most, "warp"))
	}
	text += fmt.Sprintf(": %s of %s, limited by %s", sheet.Count(r.ConcurrentGroups, "group"),
		sheet.Count(r.WarpsPerGroup, "warp"), limitText(r.OccupancyLimit))
	var details []string
	if r.OccupancyLimit == "registers" {
		details = append(details, registersText(&r.Occupancy, p.Graph))
	}
	if next := nextLimit(r); next != "" {
		details = append(details, next)
	}
	if details != nil {
		text += " (" + strings.Join(details, "; ") + ")"
	}
	if spilled := p.spilledText(); spilled != "" {
		text += "; " + spilled
	}
	if steps := p.occupancySteps(); steps != "" {
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
func registersText(o *simulate.Occupancy, g *idg.Graph) string {
	switch {
	case o.RegistersSpilled > 0 && g.MachineCode:
		bound := "__launch_bounds__"
		if g.Source.Dialect == "opencl" {
			bound = "reqd_work_group_size"
		}
		return fmt.Sprintf("%d per work item fit, the code takes an estimated %d: the launch fails unless %s or "+
			"idgen --registers %d has the compiler spill the others", o.Registers, o.Registers+o.RegistersSpilled,
			bound, o.Registers)
	case o.RegistersSpilled > 0:
		return fmt.Sprintf("%d per work item, of an estimated %d; the others are spilled", o.Registers,
			o.Registers+o.RegistersSpilled)
	case o.RegistersEstimated:
		return fmt.Sprintf("an estimated %d per work item", o.Registers)
	}
	return fmt.Sprintf("%d per work item", o.Registers)
}

// spilledText says what spilled registers cost, "" if none are in the graph.
func (p *Prediction) spilledText() string {
	s := p.Graph.Spills()
	if s.Bytes == 0 {
		return ""
	}
	return fmt.Sprintf("registers spill %d bytes per work item: %s and %s of a group's warps, at %s", s.Bytes,
		sheet.Count(s.Stores, "store"), sheet.Count(s.Loads, "load"), s.At())
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
	return fmt.Sprintf("next %s: %s", limitText(name), sheet.Count(least, "group"))
}

// subsystemSection says how busy each subsystem is.
func (p *Prediction) subsystemSection() sheet.Section {
	s := sheet.Section{Columns: sheet.ColumnsOf("subsystem", "busy", sheet.BarColumn, p.Say("warp instructions"))}
	for _, u := range p.Result.Subsystems {
		if u.Busy.IsZero() {
			continue
		}
		r := sheet.Row{Cells: []string{p.Mapping.Device.TitleOf(u.Name), sheet.Percent(u.Utilization), "",
			sheet.Grouped(u.Issued)}, Bar: u.Utilization}
		if p.Result.Bound.Kind == simulate.BoundThroughput && u.Name == p.Result.Bound.Subsystem {
			r.Mark = sheet.Alarm
		}
		s.Rows = append(s.Rows, r)
	}
	return s
}

// minShare is the part of the cost from which on a line is worth mentioning.
const minShare = 0.005

// lineSection lists the costliest source lines, at most so many; 0 = all.
func (p *Prediction) lineSection(top int) sheet.Section {
	lines := p.costliest()
	shown := lines
	if top > 0 {
		shown = shown[:min(top, len(shown))]
		for len(shown) > 1 && p.cost(shown[len(shown)-1]) < minShare {
			shown = shown[:len(shown)-1]
		}
	}
	busiest := p.Mapping.Device.TitleOf(p.Result.Bound.Subsystem)
	s := sheet.Section{Columns: sheet.ColumnsOf("line", busiest+" time", p.Say("warp time"), "source<")}
	s.Columns[0].Right = true
	for _, l := range shown {
		s.Add(p.place(l.Pos), sheet.Percent(l.Share), sheet.Percent(p.warpTime(l)), p.sourceLine(l.Pos))
	}
	if rest := len(lines) - len(shown); rest > 0 {
		share, time := 0.0, 0.0
		for _, l := range lines[len(shown):] {
			share += l.Share
			time += p.warpTime(l)
		}
		s.Below = []string{fmt.Sprintf("and %s: %s of %s time, %s of %s; --top 0 shows all",
			sheet.Count(int64(rest), "more line"), sheet.Percent(share), busiest, sheet.Percent(time),
			p.Say("warp time"))}
	}
	return s
}

// assumptionSection lists what the prediction rests on: in short, or with every place.
func (p *Prediction) assumptionSection(all bool) (s sheet.Section) {
	if all {
		for _, text := range p.assumptions() {
			s.Notes = append(s.Notes, p.byLine(text))
		}
	} else {
		for _, a := range p.Assumptions() {
			s.Notes = append(s.Notes, a.Text)
		}
	}
	if len(s.Notes) > 0 {
		s.Title = "Assumed"
	}
	return s
}

// TimeText is the time of a run, with the part of the launch itself where that matters.
func TimeText(r *simulate.Result) string {
	text := sheet.Duration(r.Seconds)
	if r.LaunchSeconds > 0 && r.LaunchSeconds >= r.Seconds/100 {
		text += fmt.Sprintf(", including %s launch overhead", sheet.Duration(r.LaunchSeconds))
	}
	return text
}

// cyclesText is how many cycles a run takes, "about" if not all of it was simulated.
func cyclesText(r *simulate.Result) string {
	text := sheet.Grouped(int64(r.Cycles.Float()+0.5)) + " cycles"
	if r.Extrapolated {
		text = "about " + text
	}
	return text
}
