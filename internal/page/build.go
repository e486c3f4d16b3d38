package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/report"
	"gpupipe/internal/sheet"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
)

// Options say how much of a run a page shows.
type Options struct {
	Findings int  // that are shown at first
	Issues   int  // of the timeline; 0 = MaxIssues
	Brief    bool // without findings and the launch at other occupancies, which Complete adds
}

// New collects what a page shows of a prediction. It simulates the beginning of the run again, to record it, and
// the launch at other occupancies. The findings are those of the prediction.
func New(ctx context.Context, p *report.Prediction, o Options) (*Data, error) {
	b := &builder{p: p, subsystems: map[string]int{}, out: &Data{
		Format: "pipesim-page", Version: 1, Title: p.Title(), About: p.About(), Report: *p.Document(false),
		Nothing: p.Nothing(), Source: strings.Split(p.Graph.Source.Text, "\n"), Columns: []Column{},
		Below:       []string{},
		Lines:       []Line{},
		Assumptions: []Assumption{},
		Iterations:  iterationsOf(p.Graph, p.Mapping), Instructions: []Instruction{}, Roofline: rooflineOf(&p.Roof),
	}}
	b.addFacts()
	b.addSubsystems()
	b.addCauses()
	b.addInstructions()
	b.addIterations()
	for _, a := range p.Assumptions() {
		b.out.Assumptions = append(b.out.Assumptions, Assumption{a.Text, b.line(a.Pos), a.Advice})
	}
	if err := b.addTimeline(ctx, cmp.Or(o.Issues, MaxIssues)); err != nil {
		return nil, err
	}
	if o.Brief {
		return b.out, nil
	}
	return b.out, b.out.Complete(ctx, p, o.Findings)
}

// Complete adds what a brief page leaves out: the findings, of which some are shown at first, and the launch at other
// occupancies.
func (d *Data) Complete(ctx context.Context, p *report.Prediction, findings int) (err error) {
	b := &builder{p: p, out: d}
	d.Facts, d.Findings, d.Shown, d.Nothing = nil, []Finding{}, min(findings, len(p.Findings)), p.Nothing()
	d.Below = append([]string{}, p.Below()...)
	b.addFacts()
	b.addFindings()
	d.Occupancy, err = occupancyOf(ctx, p)
	return err
}

type builder struct {
	p          *report.Prediction
	subsystems map[string]int // index of Data.Subsystems
	number     []int          // index of Data.Instructions, by instruction class
	out        *Data
}

// line is a line of the kernel's file, 0 for another one or none.
func (b *builder) line(pos idg.Pos) int {
	if pos.File != b.p.Graph.Source.File || pos.Line > len(b.out.Source) {
		return 0
	}
	return pos.Line
}

func (b *builder) addFacts() {
	for _, f := range append(b.p.Verdict(), b.p.Use()...) {
		b.out.Facts = append(b.out.Facts, Fact{f.Name, f.Text, b.line(f.Pos)})
	}
}

func (b *builder) addFindings() {
	for i := range b.p.Findings {
		f := &b.p.Findings[i]
		b.out.Findings = append(b.out.Findings, Finding{
			Code: f.Code, Line: b.line(f.Pos), Column: f.Pos.Column, Head: report.Saving(f), What: f.What,
			Proof: f.Proof, Remedy: f.Remedy,
			Seconds: f.Seconds, Saved: f.Saved,
		})
	}
}

// addSubsystems lists the subsystems in the order of the mapping, which timelines have, too.
func (b *builder) addSubsystems() {
	r := b.p.Result
	for i := range r.Subsystems {
		u := &r.Subsystems[i]
		b.subsystems[u.Name] = i
		b.out.Subsystems = append(b.out.Subsystems, Subsystem{
			Name: u.Name, Title: b.p.Mapping.Device.TitleOf(u.Name), Busy: sheet.Percent(u.Utilization),
			Share: u.Utilization, Issued: sheet.Grouped(u.Issued),
			Bound: r.Bound.Kind == simulate.BoundThroughput && u.Name == r.Bound.Subsystem,
		})
	}
}

// mostColumns is how many causes have a column, and leastColumn the share of the time from which on they have one.
const mostColumns, leastColumn = 7, 0.005

// rest is the column of the causes that have none of their own.
const rest = -1

// addCauses divides the time by cause and by line.
func (b *builder) addCauses() {
	type key struct {
		kind      cause.Kind
		subsystem string
	}
	all := b.p.Causes
	total := all.Total.Float()
	keyOf := func(c *cause.Cause) key { return key{c.Kind, c.Subsystem} }
	keys, sums := cause.By(all, keyOf)
	column := map[key]int{}
	others := 0.0
	for _, k := range keys {
		share := sums[k] / total
		if len(b.out.Columns) == mostColumns || share < leastColumn {
			column[k] = rest
			others += share
			continue
		}
		column[k] = len(b.out.Columns)
		at, ok := b.subsystems[k.subsystem]
		if !ok {
			at = -1
		}
		b.out.Columns = append(b.out.Columns, Column{
			Code: k.kind.String(), Subsystem: at,
			Title: b.p.Say(report.CauseText(k.kind, b.p.Mapping.Device.TitleOf(k.subsystem))),
			Text:  sheet.Percent(share),
			Share: share,
		})
	}
	if others > 0 {
		b.out.Rest = sheet.Percent(others)
	}
	lines, times := cause.By(all, func(c *cause.Cause) idg.Pos { return c.Pos })
	for _, pos := range lines {
		l := Line{Line: b.line(pos), Share: times[pos] / total, Text: sheet.Percent(times[pos] / total),
			Cells: []Cell{}}
		if l.Line == 0 && pos.IsValid() {
			l.Place = pos.String()
		}
		parts := map[int]float64{}
		for i := range all.Causes {
			if c := &all.Causes[i]; c.Pos == pos {
				parts[column[keyOf(c)]] += c.Cycles.Float() / total
			}
		}
		for at := rest; at < len(b.out.Columns); at++ {
			if share := parts[at]; share > 0 {
				l.Cells = append(l.Cells, Cell{at, sheet.Percent(share), share})
			}
		}
		b.out.Lines = append(b.out.Lines, l)
	}
}

// addInstructions lists the instruction classes with what the run did with them. Those of one place in the source
// that take the same time, as accesses of unrolled code that differ in their addresses alone, are one.
func (b *builder) addInstructions() {
	type key struct {
		x     Instruction // what of it is the same
		place idg.Pos
	}
	type use struct {
		issued         int64
		waited, queued float64
	}
	g := b.p.Graph
	numbers := map[string]int{}
	var uses []use
	for i := range g.Instrs() {
		x := b.instruction(idg.InstrID(i + 1))
		same := fmt.Sprint(key{x, g.Instrs()[i].Pos})
		n, ok := numbers[same]
		if !ok {
			n = len(uses)
			numbers[same] = n
			if a := g.Access(g.Instrs()[i].Access); a != nil {
				x.Access = a.Describe()
			}
			uses, b.out.Instructions = append(uses, use{}), append(b.out.Instructions, x)
		}
		b.number = append(b.number, n)
		b.out.Instructions[n].Classes++
		for k := i; k < len(b.p.Result.Classes); k += len(g.Instrs()) { // of each kind of group
			c := &b.p.Result.Classes[k]
			uses[n].issued += c.Issued
			uses[n].waited += c.Waited
			uses[n].queued += c.Queued
		}
	}
	for n, u := range uses {
		x := &b.out.Instructions[n]
		x.Issued, x.Waited, x.Queued = sheet.Grouped(u.issued), sheet.Significant(u.waited), sheet.Significant(u.queued)
	}
	b.addWaits()
}

// instruction is an instruction class without what the run did with it, and without its addresses.
func (b *builder) instruction(id idg.InstrID) Instruction {
	g, m := b.p.Graph, b.p.Mapping
	in, e := g.Instr(id), m.Entry(id)
	x := Instruction{
		Op: in.Op, Line: b.line(in.Pos), Column: in.Pos.Column, Lanes: int(in.Lanes), Subsystem: int(e.Subsystem),
		CPI: e.Timing.CPI.String(), Latency: e.Timing.Latency.String(), Transactions: e.Transactions, WaitsFor: []int{},
		Source: e.Source, Assumed: e.Assumed,
	}
	if s := &e.Second; !s.CPI.IsZero() {
		x.CPI += fmt.Sprintf(" and %v of %s", s.CPI, m.Device.TitleOf(m.Subsystems[s.Subsystem]))
	}
	if a := g.Access(in.Access); a != nil {
		x.Buffer = a.Buffer
	}
	return x
}

// mostProducers is how many instructions are named that an instruction depends on.
const mostProducers = 8

// addWaits lists what each instruction depends on, as the first executions of the first warp show.
func (b *builder) addWaits() {
	p := b.p.Graph.ProgramOf(0)
	var past []int // instructions that were executed, by number
	p.Walk(func(s idg.StaticID, _ idg.Executed, from []idg.Executed, _ []idg.EdgeKind) bool {
		n := b.number[p.StaticInstr(s)-1]
		x := &b.out.Instructions[n]
		for _, v := range from {
			if u := past[v]; len(x.WaitsFor) < mostProducers && !slices.Contains(x.WaitsFor, u) {
				x.WaitsFor = append(x.WaitsFor, u)
			}
		}
		past = append(past, n)
		return len(past) < mostWalked
	})
}

// mostWalked is how many executed instructions are looked at for what instructions depend on.
const mostWalked = 1 << 18

// addIterations gives the nodes of iterations, which name classes, their instructions.
func (b *builder) addIterations() {
	for _, it := range b.out.Iterations {
		for _, v := range it.Views {
			for i := range v.Nodes {
				v.Nodes[i].Instruction = b.number[v.Nodes[i].Instruction]
			}
		}
	}
}

// addTimeline records the beginning of the run. A run that cannot be recorded, as its graph is too large to be
// expanded, has no timeline.
func (b *builder) addTimeline(ctx context.Context, issues int) (err error) {
	p := b.p
	b.out.Timeline, err = NewTimeline(ctx, simulate.NewLaunch(p.Graph, p.Mapping), p.Graph, p.Config, issues,
		p.Mapping.Device.TitleOf)
	if e, ok := errors.AsType[*diag.Error](err); ok && e.Code == idg.CodeTooLarge {
		b.out.NoTimeline = e.Message
		return nil
	}
	if err != nil {
		return err
	}
	for i := range b.out.Timeline.Classes {
		c := &b.out.Timeline.Classes[i]
		c.Instruction = b.number[c.Instruction]
	}
	return nil
}
