package chart

import (
	"cmp"
	"fmt"
	"slices"

	"gpupipe/simulate"
)

// warp names a warp of a run.
type warp struct {
	group int64
	warp  uint32
}

// Execution is the profile of a run: warps, and pipelines by which they are coloured, over time. A
// bar is an instruction that keeps a pipeline busy (λ), a thin line one that is under way (Λ).
// Pipelines are titled by title, which may be nil; those that do nothing in this time are left out.
func Execution(p *simulate.Profile, o simulate.ProfileOptions, title func(string) string) *Profile {
	e := execution{Profile: p, title: title}
	e.from, e.to = o.Window(p)
	c := &Profile{
		X: "time (cycles)", From: e.cycles(e.from), To: e.cycles(e.to),
		Note: "bar: the instruction occupies the pipeline of its colour; thin line: its result is awaited",
	}
	pipelines := e.pipelines()
	warps, all := e.warps(o.Warps())
	heading := "warps (group.warp)"
	if all > len(warps) {
		heading += fmt.Sprintf(", %d of %d", len(warps), all)
	}
	c.Parts = []Part{{heading, warps}, {"pipelines", pipelines}}
	return c
}

// execution is a part of a run.
type execution struct {
	*simulate.Profile
	from, to simulate.Tick
	title    func(string) string
	kind     []int // by subsystem: the colour of its spans
}

func (e *execution) cycles(t simulate.Tick) float64 { return float64(t) / float64(e.TicksPerCycle) }

func (e *execution) span(subsystem int, from, to simulate.Tick) Span {
	return Span{Kind: e.kind[subsystem], From: e.cycles(from), To: e.cycles(to)}
}

// shown reports whether something is to be seen of a time.
func (e *execution) shown(from, to simulate.Tick) bool {
	return to > from && to > e.from && from < e.to
}

// pipelines are the rows of pipelines, one for each sub-core that has its own; it chooses the colours.
func (e *execution) pipelines() (rows []Row) {
	e.kind = make([]int, len(e.Subsystems))
	spans := make([][][]Span, len(e.Subsystems)) // by subsystem and sub-core
	for s := range spans {
		spans[s] = make([][]Span, e.SubCores)
	}
	add := func(s, core int, from, to simulate.Tick) {
		if e.Shared[s] {
			core = 0
		}
		if e.shown(from, to) {
			spans[s][core] = append(spans[s][core], e.span(s, from, to))
		}
	}
	for i := range e.Issues {
		is := &e.Issues[i]
		c := &e.Classes[is.Instr-1]
		add(int(c.Subsystem), is.SubCore, is.Turn, is.Passed)
		if !c.Second.CPI.IsZero() {
			add(int(c.Second.Subsystem), is.SubCore, is.Second.From, is.Second.To)
		}
	}
	used := 0
	for s := range spans {
		before := len(rows)
		for core, list := range spans[s] {
			if len(list) == 0 {
				continue
			}
			for i := range list {
				list[i].Kind = used
			}
			rows = append(rows, Row{e.name(s, core), list})
		}
		if len(rows) > before {
			e.kind[s] = used
			used++
		}
	}
	return rows
}

func (e *execution) name(subsystem, core int) string {
	name := e.Subsystems[subsystem]
	if e.title != nil {
		name = e.title(name)
	}
	if e.Shared[subsystem] || e.SubCores == 1 {
		return name
	}
	return fmt.Sprintf("%s, sub-core %d", name, core)
}

// warps are the rows of the first warps, and how many there are.
func (e *execution) warps(most int) (rows []Row, all int) {
	spans := map[warp][]Span{}
	var names []warp
	for i := range e.Issues {
		is := &e.Issues[i]
		if !e.shown(is.Issued, max(is.Complete, is.Passed, is.Second.To)) {
			continue
		}
		c := &e.Classes[is.Instr-1]
		k := warp{is.Group, is.Warp}
		if spans[k] == nil {
			names = append(names, k)
		}
		waits := e.span(int(c.Subsystem), is.Issued, is.Complete)
		waits.Waits = true
		spans[k] = append(spans[k], waits, e.span(int(c.Subsystem), is.Turn, is.Passed))
		if !c.Second.CPI.IsZero() {
			spans[k] = append(spans[k], e.span(int(c.Second.Subsystem), is.Second.From, is.Second.To))
		}
	}
	slices.SortFunc(names, func(a, b warp) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.warp, b.warp))
	})
	for _, k := range names[:min(len(names), most)] {
		rows = append(rows, Row{fmt.Sprintf("%d.%d", k.group, k.warp), spans[k]})
	}
	return rows, len(names)
}
