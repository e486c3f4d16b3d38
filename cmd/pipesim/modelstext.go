package main

import (
	"fmt"
	"strconv"
	"strings"

	"gpupipe/internal/sheet"
	"gpupipe/simulate/analytic"
	"gpupipe/simulate/comparison"
)

// modelsSheet is the comparison for people: the models, then why.
func (s *sideBySide) modelsSheet(explain bool, width int) sheet.Sheet {
	all := sheet.Sheet{s.headSection()}
	if len(s.comparison.Points) == 1 {
		all = append(all, s.pointSections()...)
	} else {
		all = append(append(all, s.curveSections(width)...), s.accuracySections()...)
	}
	all = append(append(all, s.worksheetSection()), s.littleSections()...)
	if explain {
		all = append(all, s.aboutSection())
	}
	return all
}

func (s *sideBySide) headSection() sheet.Section {
	c := s.comparison
	in := c.Input
	roof, bound := in.Throughput()
	return sheet.Section{Title: fmt.Sprintf("%s on %s", s.graph.Kernel, s.device.Title), About: []string{
		fmt.Sprintf("%s instructions per warp: %s computations, %s memory accesses",
			sheet.Significant(in.Comp.Count+in.Mem.Count), sheet.Significant(in.Comp.Count),
			sheet.Significant(in.Mem.Count)),
		"a warp alone takes " + sheet.Significant(in.WarpLatency) + " cycles",
		"ILP " + sheet.Significant(in.ILP),
		fmt.Sprintf("roof %s warps per cycle (%s)", sheet.Significant(roof), bound),
		fmt.Sprintf("%s of %s per compute unit", sheet.Count(c.Groups, "group"),
			sheet.Count(s.graph.Launch.WarpsPerGroup(), "warp")),
	}}
}

// pointSections are what all models say of one occupancy.
func (s *sideBySide) pointSections() []sheet.Section {
	c := s.comparison
	point := sheet.Section{Title: sheet.Count(c.Points[0].Warps, "resident warp"),
		Columns: sheet.ColumnsOf("model", "warps/cycle", "time", "simulated", "needs", "bound by<")}
	needed := map[string]string{}
	for k, a := range c.Models {
		needed[a.Name] = s.neededText(k)
	}
	var notes []string
	invalid := map[string][]string{} // models by the reason
	var reasons []string
	for _, r := range s.rows(0) {
		if r.Invalid != "" {
			point.Rows = append(point.Rows,
				sheet.Row{Mark: sheet.Dim, Cells: []string{r.Model, "-", "-", "-", needed[r.Model], "not valid here"}})
			if invalid[r.Invalid] == nil {
				reasons = append(reasons, r.Invalid)
			}
			invalid[r.Invalid] = append(invalid[r.Invalid], r.Model)
			continue
		}
		relative := ""
		if r.Relative != nil && r.Model != simulatedName {
			relative = "×" + sheet.Significant(*r.Relative)
		}
		set := sheet.Plain
		if r.Model == simulatedName {
			set = sheet.Bold
		}
		point.Rows = append(point.Rows, sheet.Row{Mark: set,
			Cells: []string{r.Model, sheet.Significant(*r.WarpsPerCycle), sheet.Duration(*r.Seconds), relative,
				needed[r.Model], r.Bound}})
		if r.Note != "" {
			notes = append(notes, r.Model+": "+r.Note)
		}
	}
	for _, why := range reasons {
		notes = append(notes, strings.Join(invalid[why], ", ")+": not valid here: "+why)
	}
	if why := nonOverlap(&c.Points[0]); why != "" {
		notes = append([]string{why}, notes...)
	}
	if len(notes) == 0 {
		return []sheet.Section{point}
	}
	return []sheet.Section{point, {Notes: notes}}
}

// worthNaming is how far below the occupancy roofline a simulation must stay for
// the difference to be explained.
const worthNaming = 0.01

// nonOverlap says why the simulation stays below Volkov's bound: what does not
// overlap perfectly there. Empty if it does not, or is not known.
func nonOverlap(p *comparison.Point) string {
	r := p.Simulated
	if r == nil || r.Waiting.Resident <= 0 {
		return ""
	}
	roof, _ := p.Input.Throughput()
	bound := min(roof, float64(p.Warps)/p.Input.WarpLatency)
	below := 1 - r.WarpsPerCycle/bound
	if below < worthNaming {
		return ""
	}
	w := &r.Waiting
	return fmt.Sprintf("the simulation is %s below the occupancy roofline, which lets everything overlap: its warps "+
		"live %s cycles: %s ready but not issued, %s at barriers",
		sheet.Percent(below), sheet.Significant(w.Resident), sheet.Percent(w.Queued/w.Resident),
		sheet.Percent(w.Barrier/w.Resident))
}

// neededText is how many warps a model asks for.
func (s *sideBySide) neededText(model int) string {
	switch n := s.comparison.Needed[model]; {
	case s.comparison.Models[model].Static:
		return "-"
	case n == 0:
		return fmt.Sprintf(">%d", s.comparison.MaxWarps)
	default:
		return strconv.Itoa(n)
	}
}

// curveSections have a row for each occupancy, and as many models beside each other as fit.
func (s *sideBySide) curveSections(width int) (list []sheet.Section) {
	c := s.comparison
	names := []string{simulatedName}
	for _, a := range c.Models {
		names = append(names, a.Name)
	}
	const indent, warpsColumn, gap = 2, 5, 2
	for first := 0; first < len(names); {
		used, end := indent+warpsColumn, first
		for end < len(names) && (end == first || used+gap+max(len(names[end]), 7) <= width) {
			used += gap + max(len(names[end]), 7)
			end++
		}
		curves := sheet.Section{Columns: sheet.ColumnsOf(append([]string{"warps"}, names[first:end]...)...)}
		curves.Columns[0].Right = true
		for i := range c.Points {
			cells := []string{strconv.FormatInt(c.Points[i].Warps, 10)}
			for k := first; k < end; k++ {
				cells = append(cells, s.rateText(i, k-1))
			}
			curves.Add(cells...)
		}
		list = append(list, curves)
		first = end
	}
	list[len(list)-1].Below = []string{"warps per cycle; - : not valid there, or not simulated"}
	return list
}

// rateText is what a model says of a point; model -1 is the simulation.
func (s *sideBySide) rateText(point, model int) string {
	p := &s.comparison.Points[point]
	switch {
	case model < 0 && p.Simulated == nil, model >= 0 && p.Estimates[model].Invalid != "":
		return "-"
	case model < 0:
		return sheet.Significant(p.Simulated.WarpsPerCycle)
	}
	return sheet.Significant(p.Estimates[model].WarpsPerCycle)
}

func (s *sideBySide) accuracySections() []sheet.Section {
	if s.highest() == nil {
		return nil
	}
	t := sheet.Section{Title: "Against the simulation", Columns: sheet.ColumnsOf("model", "occupancies", "MAPE",
		"of shape", "of time", "needs")}
	for k, a := range s.accuracies(s.comparison.SimulatedTimes()) {
		t.Add(append(a.cells(), s.neededText(k))...)
	}
	return []sheet.Section{t}
}

// worksheetSection is the throughput bound like V16 T.3.4.
func (s *sideBySide) worksheetSection() sheet.Section {
	w := analytic.NewWorksheet(s.comparison.Input)
	t := sheet.Section{Title: "Throughput bound", Columns: sheet.ColumnsOf("resource", "instructions",
		"cycles per warp", "<")}
	for _, r := range w.Rows {
		bound := ""
		if r.Resource == w.Bound {
			bound = "bound"
		}
		t.Add(r.Resource, sheet.Significant(r.Count), sheet.Significant(r.Cycles), bound)
	}
	return t
}

// littleSections are the concurrency of each subsystem.
func (s *sideBySide) littleSections() []sheet.Section {
	p := s.highest()
	if p == nil {
		return nil
	}
	l := analytic.NewLittle(p.Input, float64(p.Warps), p.Simulated.WarpsPerCycle)
	t := sheet.Section{
		Title: fmt.Sprintf("In flight, by Little's law, with %s", sheet.Count(p.Warps, "warp")),
		Columns: sheet.ColumnsOf("subsystem", "CPI", "latency", "needed", "has", "to saturate", "in warps",
			"of the chain<"),
		Below: []string{strings.ToUpper(l.Verdict[:1]) + l.Verdict[1:] + "."},
	}
	for _, c := range l.Subsystems {
		t.Add(c.Subsystem, sheet.Significant(c.CPI), sheet.Significant(c.Latency), sheet.Significant(c.Needed),
			sheet.Significant(c.Available),
			sheet.Significant(c.Saturating), sheet.Significant(c.SaturatingWarps), sheet.Percent(c.Chain))
	}
	return []sheet.Section{t}
}

// highest is the simulated point of most warps, nil if there is none.
func (s *sideBySide) highest() *comparison.Point {
	for i := len(s.comparison.Points) - 1; i >= 0; i-- {
		if p := &s.comparison.Points[i]; p.Simulated != nil {
			return p
		}
	}
	return nil
}

// aboutSection is where the models come from.
func (s *sideBySide) aboutSection() sheet.Section {
	t := sheet.Section{Title: "Models"}
	for _, a := range s.comparison.Models {
		t.Notes = append(t.Notes, fmt.Sprintf("%s: %s (%s). Assumes: %s.", a.Name, a.Title, a.Source, a.Assumes))
	}
	return t
}
