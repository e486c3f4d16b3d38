package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// sourceLine is the text of a source line without the blanks around it; empty
// if the graph does not hold it.
func (p *Prediction) sourceLine(pos idg.Pos) string {
	if pos.File != p.Graph.Source.File || pos.Line < 1 || pos.Line > len(p.lines) {
		return ""
	}
	return strings.TrimSpace(p.lines[pos.Line-1])
}

// place names a line: its number, and the file where it is another one than the
// kernel's.
func (p *Prediction) place(pos idg.Pos) string {
	switch {
	case !pos.IsValid():
		return "-"
	case pos.File == p.Graph.Source.File:
		return fmt.Sprint(pos.Line)
	}
	return pos.String()
}

// warpTime is the part of a warp's life that is spent at a line: waiting for
// its instructions or queueing to issue them.
func (p *Prediction) warpTime(l *simulate.LineUse) float64 {
	if p.Result.Waiting.Resident <= 0 {
		return 0
	}
	return (l.Waited + l.Queued) / p.Result.Waiting.Resident
}

// costliest lists the source lines by cost, the costliest first.
func (p *Prediction) costliest() []*simulate.LineUse {
	lines := make([]*simulate.LineUse, len(p.Result.Lines))
	for i := range lines {
		lines[i] = &p.Result.Lines[i]
	}
	slices.SortStableFunc(lines, func(a, b *simulate.LineUse) int { return cmp.Compare(p.cost(b), p.cost(a)) })
	return lines
}

// cost is a line's part of a warp's time or of what is saturated, the busiest
// subsystem, the issue slots or the reads of registers, whichever is larger.
func (p *Prediction) cost(l *simulate.LineUse) float64 {
	switch p.Result.Bound.Kind {
	case simulate.BoundThroughput:
		return max(l.Share, p.warpTime(l))
	case simulate.BoundIssue:
		return max(float64(l.Issued)/float64(p.Result.Issued), p.warpTime(l))
	case simulate.BoundReads:
		return max(l.ReadShare, p.warpTime(l))
	}
	return p.warpTime(l)
}

// guilty is the line that the sentence on the bound names: of a saturated
// subsystem, of issue slots or of reads of registers the largest user, else the one that
// warps wait for longest.
func (p *Prediction) guilty() *simulate.LineUse {
	if len(p.Result.Lines) == 0 {
		return nil
	}
	key := func(l *simulate.LineUse) float64 { return l.Waited }
	switch p.Result.Bound.Kind {
	case simulate.BoundThroughput:
		key = func(l *simulate.LineUse) float64 { return l.Share }
	case simulate.BoundIssue:
		key = func(l *simulate.LineUse) float64 { return float64(l.Issued) }
	case simulate.BoundReads:
		key = func(l *simulate.LineUse) float64 { return l.ReadShare }
	}
	top := &p.Result.Lines[0]
	for i := range p.Result.Lines {
		if l := &p.Result.Lines[i]; key(l) > key(top) {
			top = l
		}
	}
	return top
}

// assumptions lists what the prediction rests on: what idgen had to assume,
// parameters that the device lacks, and how the run was simulated.
func (p *Prediction) assumptions() []string {
	list := append(p.graphNotes(), p.Mapping.Fallbacks(p.Graph)...)
	list = append(list, p.runNotes()...)
	for i := range list {
		list[i] = p.Say(list[i])
	}
	return list
}

// Assumption is something that the prediction rests on.
type Assumption struct {
	Text   string
	Pos    idg.Pos // source line; not valid for none
	Advice string  // how to replace it, a line each
}

// Assumptions is assumptions in short, with a sentence on what to do about addresses that are not
// known, and one on the parameters that the device lacks, which are many and matter little in most kernels.
func (p *Prediction) Assumptions() []Assumption {
	list := p.graphNotesInShort()
	for _, text := range p.Mapping.Assumptions(p.Graph) {
		list = append(list, Assumption{Text: text})
	}
	for _, text := range append([]string{p.unknownSentence(), p.fallbackSentence()}, p.runNotes()...) {
		if text != "" {
			list = append(list, Assumption{Text: text})
		}
	}
	for i := range list {
		list[i].Text, list[i].Advice = p.byLine(p.Say(list[i].Text)), p.Say(list[i].Advice)
	}
	return list
}

// runNotes is what to know about the mapping and the simulation.
func (p *Prediction) runNotes() []string {
	var list []string
	for _, w := range p.Mapping.Warnings {
		list = append(list, w.Message)
	}
	list = append(list, p.Mapping.Remarks...)
	return append(list, p.Result.Notes...)
}

// unknownSentence says how to take addresses otherwise that are not known, for the first
// access of which that is assumed.
func (p *Prediction) unknownSentence() string {
	list := p.Mapping.UnknownAddresses(p.Graph)
	if len(list) == 0 {
		return ""
	}
	in := p.Graph.Instr(list[0])
	selector := latencies.Selector{Name: in.Op, Buffer: p.Graph.Access(in.Access).Buffer}
	other := latencies.Scattered
	if p.Mapping.Entry(list[0]).Addresses == other {
		other = latencies.Coalesced
	}
	return fmt.Sprintf("such addresses decide the time of their accesses: idgen's --arg and --contents make "+
		"those known that follow from arguments and from what is loaded; --set '%v:addresses=%v' (or "+
		"same) takes them otherwise", selector, other)
}

// leastFallback is the share of the busiest resource's time from which on an op without parameters is named.
const leastFallback = 0.05

// fallbackSentence names the ops without parameters of their own that the time depends on: --explain names all.
func (p *Prediction) fallbackSentence() string {
	var ops []string
	share := map[string]float64{}
	for i := range p.Result.Classes {
		c := &p.Result.Classes[i]
		if c.Entry.Fallback == "" {
			continue
		}
		op, before := c.Instr.Op, share[c.Instr.Op]
		share[op] = before + p.Causes.Load(c)
		if before < leastFallback && share[op] >= leastFallback {
			ops = append(ops, op)
		}
	}
	if len(ops) == 0 {
		return ""
	}
	return fmt.Sprintf("no measured parameters for %s: using those of similar instructions (--explain shows which)",
		strings.Join(ops, ", "))
}

// assumedText names what of the launch and the control flow is assumed, "" if nothing is.
func (p *Prediction) assumedText() string {
	var parts []string
	for _, a := range []struct {
		prefix, text string
	}{{"ASSUMED-LOCAL", "group size"}, {"ASSUMED-GROUPS", "number of groups"}, {assumedTrips, "trip counts"},
		{assumedBranch, "branches"}} {
		if slices.ContainsFunc(p.Graph.Notes, func(n idg.Note) bool { return n.Code == a.prefix }) {
			parts = append(parts, a.text)
		}
	}
	for _, a := range p.Graph.Launch.Args {
		if a.Assumed {
			parts = append(parts, a.Name+"="+a.Value)
		}
	}
	return strings.Join(parts, ", ")
}

// byLine shortens positions in the kernel's own file to "line N".
func (p *Prediction) byLine(text string) string {
	return strings.ReplaceAll(text, p.Graph.Source.File+":", "line ")
}
