package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/simulate/analytic"
	"gpupipe/simulate/comparison"
)

// writeModelsText writes the comparison for people: the models, then why.
func (s *sideBySide) writeModelsText(w io.Writer, o *modelsOptions, l layout) error {
	t := &modelsReport{sideBySide: s, layout: l, Writer: bufio.NewWriter(w)}
	t.writeHead()
	if len(s.comparison.Points) == 1 {
		t.writePoint()
	} else {
		t.writeCurves()
		t.writeAccuracy()
	}
	t.writeWorksheet()
	t.writeLittle()
	if o.explain {
		t.writeModels()
	}
	return t.Flush()
}

// modelsReport is a report being written. Its writer keeps the first error until
// Flush.
type modelsReport struct {
	*sideBySide
	layout
	*bufio.Writer
}

func (t *modelsReport) writeHead() {
	c := t.comparison
	in := c.Input
	roof, bound := in.Throughput()
	fmt.Fprintf(t, "%s on %s\n", t.style.Bold(t.graph.Kernel), t.style.Bold(t.device.Title))
	for _, line := range wrapItems([]string{
		fmt.Sprintf("%s instructions per warp: %s computations, %s memory accesses", significant(in.Comp.Count+in.Mem.Count), significant(in.Comp.Count), significant(in.Mem.Count)),
		"a warp alone takes " + significant(in.WarpLatency) + " cycles",
		"ILP " + significant(in.ILP),
		fmt.Sprintf("roof %s warps per cycle (%s)", significant(roof), bound),
		fmt.Sprintf("%s of %s per compute unit", count(c.Groups, "group"), count(t.graph.Launch.WarpsPerGroup(), "warp")),
	}, t.width) {
		fmt.Fprintln(t, t.style.Dim(line))
	}
	fmt.Fprintln(t)
}

// writePoint writes what all models say of one occupancy.
func (t *modelsReport) writePoint() {
	c := t.comparison
	fmt.Fprintf(t, "%s\n", t.style.Bold(count(c.Points[0].Warps, "resident warp")))
	table := console.Table{Indent: 2, Right: []bool{false, true, true, true, true}}
	table.Painted(t.style.Dim, "model", "warps/cycle", "time", "simulated", "needs", "bound by")
	needed := map[string]string{}
	for k, a := range c.Models {
		needed[a.Name] = t.neededText(k)
	}
	var notes []string
	invalid := map[string][]string{} // models by the reason
	var reasons []string
	for _, r := range t.rows(0) {
		if r.Invalid != "" {
			table.Painted(t.style.Dim, r.Model, "-", "-", "-", needed[r.Model], "not valid here")
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
		paint := func(text string) string { return text }
		if r.Model == simulatedName {
			paint = t.style.Bold
		}
		table.Painted(paint, r.Model, significant(*r.WarpsPerCycle), duration(*r.Seconds), relative, needed[r.Model], r.Bound)
		if r.Note != "" {
			notes = append(notes, r.Model+": "+r.Note)
		}
	}
	_ = table.Write(t)
	for _, why := range reasons {
		notes = append(notes, strings.Join(invalid[why], ", ")+": not valid here: "+why)
	}
	if why := nonOverlap(&c.Points[0]); why != "" {
		notes = append([]string{why}, notes...)
	}
	t.writeNotes(notes)
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
func (t *modelsReport) neededText(model int) string {
	switch n := t.comparison.Needed[model]; {
	case t.comparison.Models[model].Static:
		return "-"
	case n == 0:
		return fmt.Sprintf(">%d", t.comparison.MaxWarps)
	default:
		return strconv.Itoa(n)
	}
}

func (t *modelsReport) writeNotes(notes []string) {
	if len(notes) > 0 {
		fmt.Fprintln(t)
	}
	for _, n := range notes {
		for i, line := range console.Wrap(n, t.width-4) {
			mark := "- "
			if i > 0 {
				mark = "  "
			}
			fmt.Fprintf(t, "  %s%s\n", mark, line)
		}
	}
}

// writeCurves writes a row for each occupancy, as many models beside each other
// as fit.
func (t *modelsReport) writeCurves() {
	c := t.comparison
	names := []string{simulatedName}
	for _, a := range c.Models {
		names = append(names, a.Name)
	}
	const warpsColumn, gap = 5, 2
	for first := 0; first < len(names); {
		width, end := warpsColumn, first
		for end < len(names) && (end == first || width+gap+max(len(names[end]), 7) <= t.width) {
			width += gap + max(len(names[end]), 7)
			end++
		}
		table := console.Table{Right: make([]bool, 1+end-first)}
		for i := range table.Right {
			table.Right[i] = true
		}
		table.Painted(t.style.Dim, append([]string{"warps"}, names[first:end]...)...)
		for i := range c.Points {
			row := []string{strconv.FormatInt(c.Points[i].Warps, 10)}
			for k := first; k < end; k++ {
				row = append(row, t.rateText(i, k-1))
			}
			table.Row(row...)
		}
		_ = table.Write(t)
		fmt.Fprintln(t)
		first = end
	}
	fmt.Fprintln(t, t.style.Dim("warps per cycle; - : not valid there, or not simulated"))
}

// rateText is what a model says of a point; model -1 is the simulation.
func (t *modelsReport) rateText(point, model int) string {
	p := &t.comparison.Points[point]
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

func (t *modelsReport) writeAccuracy() {
	list := t.accuracies()
	if list == nil {
		return
	}
	fmt.Fprintf(t, "\n%s\n", t.style.Bold("Against the simulation"))
	table := console.Table{Indent: 2, Right: []bool{false, true, true, true, true, true}}
	table.Painted(t.style.Dim, "model", "occupancies", "MAPE", "of shape", "of time", "needs")
	for k, a := range list {
		table.Row(a.name, strconv.Itoa(a.Points), errorText(a.MAPE), errorText(a.MAPEShape), errorText(a.MAPEOfTime), t.neededText(k))
	}
	_ = table.Write(t)
}

// errorText prints an error in percent; a negative one is none.
func errorText(x float64) string {
	if x < 0 {
		return "-"
	}
	return strconv.FormatFloat(x, 'f', 1, 64) + "%"
}

// writeWorksheet writes the throughput bound like V16 T.3.4.
func (t *modelsReport) writeWorksheet() {
	w := analytic.NewWorksheet(t.comparison.Input)
	fmt.Fprintf(t, "\n%s\n", t.style.Bold("Throughput bound"))
	table := console.Table{Indent: 2, Right: []bool{false, true, true}}
	table.Painted(t.style.Dim, "resource", "instructions", "cycles per warp")
	for _, r := range w.Rows {
		mark := ""
		if r.Resource == w.Bound {
			mark = "bound"
		}
		table.Row(r.Resource, significant(r.Count), significant(r.Cycles), mark)
	}
	_ = table.Write(t)
}

// writeLittle writes the concurrency of each subsystem.
func (t *modelsReport) writeLittle() {
	p := t.highest()
	if p == nil {
		return
	}
	l := analytic.NewLittle(p.Input, float64(p.Warps), p.Simulated.WarpsPerCycle)
	fmt.Fprintf(t, "\n%s\n", t.style.Bold(fmt.Sprintf("In flight, by Little's law, with %s", count(p.Warps, "warp"))))
	table := console.Table{Indent: 2, Right: []bool{false, true, true, true, true, true, true}}
	table.Painted(t.style.Dim, "subsystem", "CPI", "latency", "needed", "has", "to saturate", "in warps", "of the chain")
	for _, c := range l.Subsystems {
		table.Row(c.Subsystem, significant(c.CPI), significant(c.Latency), significant(c.Needed), significant(c.Available),
			significant(c.Saturating), significant(c.SaturatingWarps), percent(c.Chain))
	}
	_ = table.Write(t)
	for _, line := range console.Wrap(strings.ToUpper(l.Verdict[:1])+l.Verdict[1:]+".", t.width-2) {
		fmt.Fprintf(t, "  %s\n", line)
	}
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

// writeModels writes where the models come from.
func (t *modelsReport) writeModels() {
	fmt.Fprintf(t, "\n%s\n", t.style.Bold("Models"))
	for _, a := range t.comparison.Models {
		fmt.Fprintf(t, "  %s\n", t.style.Bold(a.Name))
		for _, line := range console.Wrap(fmt.Sprintf("%s (%s). Assumes: %s.", a.Title, a.Source, a.Assumes), t.width-4) {
			fmt.Fprintf(t, "    %s\n", line)
		}
	}
}
