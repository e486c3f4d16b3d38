package main

import (
	"fmt"
	"strconv"
	"strings"

	"gpupipe/simulate/analytic"
	"gpupipe/simulate/comparison"
)

// modelsSheet is the comparison for people: the models, then why.
func (s *sideBySide) modelsSheet(explain bool, width int) sheet {
	all := sheet{s.headSection()}
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

func (s *sideBySide) headSection() section {
	c := s.comparison
	in := c.Input
	roof, bound := in.Throughput()
	return section{title: fmt.Sprintf("%s on %s", s.graph.Kernel, s.device.Title), facts: []string{
		fmt.Sprintf("%s instructions per warp: %s computations, %s memory accesses", significant(in.Comp.Count+in.Mem.Count), significant(in.Comp.Count), significant(in.Mem.Count)),
		"a warp alone takes " + significant(in.WarpLatency) + " cycles",
		"ILP " + significant(in.ILP),
		fmt.Sprintf("roof %s warps per cycle (%s)", significant(roof), bound),
		fmt.Sprintf("%s of %s per compute unit", count(c.Groups, "group"), count(s.graph.Launch.WarpsPerGroup(), "warp")),
	}}
}

// pointSections are what all models say of one occupancy.
func (s *sideBySide) pointSections() []section {
	c := s.comparison
	point := section{title: count(c.Points[0].Warps, "resident warp"), columns: columnsOf("model", "warps/cycle", "time", "simulated", "needs", "bound by<")}
	needed := map[string]string{}
	for k, a := range c.Models {
		needed[a.Name] = s.neededText(k)
	}
	var notes []string
	invalid := map[string][]string{} // models by the reason
	var reasons []string
	for _, r := range s.rows(0) {
		if r.Invalid != "" {
			point.rows = append(point.rows, row{mark: markDim, cells: []string{r.Model, "-", "-", "-", needed[r.Model], "not valid here"}})
			if invalid[r.Invalid] == nil {
				reasons = append(reasons, r.Invalid)
			}
			invalid[r.Invalid] = append(invalid[r.Invalid], r.Model)
			continue
		}
		relative := ""
		if r.Relative != nil && r.Model != simulatedName {
			relative = "×" + significant(*r.Relative)
		}
		set := markNone
		if r.Model == simulatedName {
			set = markBold
		}
		point.rows = append(point.rows, row{mark: set, cells: []string{r.Model, significant(*r.WarpsPerCycle), duration(*r.Seconds), relative, needed[r.Model], r.Bound}})
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
		return []section{point}
	}
	return []section{point, {notes: notes}}
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
	return fmt.Sprintf("the simulation is %s below the occupancy roofline, which lets everything overlap: its warps live %s cycles, of which they wait %s for their turn and %s for barriers",
		percent(below), significant(w.Resident), percent(w.Queued/w.Resident), percent(w.Barrier/w.Resident))
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
func (s *sideBySide) curveSections(width int) (list []section) {
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
		curves := section{columns: columnsOf(append([]string{"warps"}, names[first:end]...)...)}
		curves.columns[0].right = true
		for i := range c.Points {
			cells := []string{strconv.FormatInt(c.Points[i].Warps, 10)}
			for k := first; k < end; k++ {
				cells = append(cells, s.rateText(i, k-1))
			}
			curves.add(cells...)
		}
		list = append(list, curves)
		first = end
	}
	list[len(list)-1].below = []string{"warps per cycle; - : not valid there, or not simulated"}
	return list
}

// rateText is what a model says of a point; model -1 is the simulation.
func (s *sideBySide) rateText(point, model int) string {
	p := &s.comparison.Points[point]
	switch {
	case model < 0 && p.Simulated == nil, model >= 0 && p.Estimates[model].Invalid != "":
		return "-"
	case model < 0:
		return significant(p.Simulated.WarpsPerCycle)
	}
	return significant(p.Estimates[model].WarpsPerCycle)
}

// namedAccuracy is a model's accuracy against the simulation.
type namedAccuracy struct {
	name string
	comparison.Accuracy
}

// accuracies compares the models with the simulation; nil if nothing was
// simulated.
func (s *sideBySide) accuracies() []namedAccuracy {
	if s.highest() == nil {
		return nil
	}
	c := s.comparison
	var list []namedAccuracy
	for k, a := range c.Models {
		list = append(list, namedAccuracy{a.Name, comparison.Measure(c.Warps(), c.Times(k), c.SimulatedTimes())})
	}
	return list
}

func (s *sideBySide) accuracySections() []section {
	list := s.accuracies()
	if list == nil {
		return nil
	}
	t := section{title: "Against the simulation", columns: columnsOf("model", "occupancies", "MAPE", "of shape", "of time", "needs")}
	for k, a := range list {
		t.add(a.name, strconv.Itoa(a.Points), errorText(a.MAPE), errorText(a.MAPEShape), errorText(a.MAPEOfTime), s.neededText(k))
	}
	return []section{t}
}

// errorText prints an error in percent; a negative one is none.
func errorText(x float64) string {
	if x < 0 {
		return "-"
	}
	return strconv.FormatFloat(x, 'f', 1, 64) + "%"
}

// worksheetSection is the throughput bound like V16 T.3.4.
func (s *sideBySide) worksheetSection() section {
	w := analytic.NewWorksheet(s.comparison.Input)
	t := section{title: "Throughput bound", columns: columnsOf("resource", "instructions", "cycles per warp", "<")}
	for _, r := range w.Rows {
		bound := ""
		if r.Resource == w.Bound {
			bound = "bound"
		}
		t.add(r.Resource, significant(r.Count), significant(r.Cycles), bound)
	}
	return t
}

// littleSections are the concurrency of each subsystem.
func (s *sideBySide) littleSections() []section {
	p := s.highest()
	if p == nil {
		return nil
	}
	l := analytic.NewLittle(p.Input, float64(p.Warps), p.Simulated.WarpsPerCycle)
	t := section{
		title:   fmt.Sprintf("In flight, by Little's law, with %s", count(p.Warps, "warp")),
		columns: columnsOf("subsystem", "CPI", "latency", "needed", "has", "to saturate", "in warps", "of the chain<"),
		below:   []string{strings.ToUpper(l.Verdict[:1]) + l.Verdict[1:] + "."},
	}
	for _, c := range l.Subsystems {
		t.add(c.Subsystem, significant(c.CPI), significant(c.Latency), significant(c.Needed), significant(c.Available),
			significant(c.Saturating), significant(c.SaturatingWarps), percent(c.Chain))
	}
	return []section{t}
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
func (s *sideBySide) aboutSection() section {
	t := section{title: "Models"}
	for _, a := range s.comparison.Models {
		t.notes = append(t.notes, fmt.Sprintf("%s: %s (%s). Assumes: %s.", a.Name, a.Title, a.Source, a.Assumes))
	}
	return t
}
