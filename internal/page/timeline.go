package page

import (
	"context"
	"fmt"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// Timeline is the beginning of a run. Times are ticks. The lists of issues are in the order of issue; a script
// tells from them what each warp does at any time, and what it waits for.
type Timeline struct {
	Unit      int64      `json:"unit"`  // ticks in a cycle
	End       int64      `json:"end"`   // of what is recorded
	Whole     bool       `json:"whole"` // the run ends there; else only its first issues are recorded
	Pipelines []Pipeline `json:"pipelines"`
	Classes   []Class    `json:"classes"`
	Lives     [][5]int64 `json:"lives"` // of warps: place, group, warp of the group, start, end (0: later), by start

	At     []int64 `json:"at"`     // of each issue, ticks since the issue before
	Place  []int64 `json:"place"`  // of its warp
	Class  []int64 `json:"class"`  // index of Classes
	Queued []int64 `json:"queued"` // ticks for which it was ready before
	// how many issues before it in the same warp the one was that it waited for; 0 = for none
	Waited []int64 `json:"waited"`

	// What differs from the class: pairs of how many issues further, and ticks.
	Turn   []int64 `json:"turn"`   // in the queue of its pipeline
	Apart  []int64 `json:"apart"`  // from then until its second pipeline begins; may be negative
	Longer []int64 `json:"longer"` // until it completes, more than the latency; before its turn = it has not
}

// Pipeline is a subsystem, or the part of it that a sub-core has.
type Pipeline struct {
	Subsystem int    `json:"subsystem"` // index of the report's
	Core      int    `json:"core"`      // sub-core; -1 = shared by all
	Title     string `json:"title"`
}

// Class is what the executions of an instruction have in common.
type Class struct {
	Instruction int    `json:"instruction"` // index of Data.Instructions
	Op          string `json:"op"`
	Line        int    `json:"line"` // 0 = none in the kernel's file
	Subsystem   int    `json:"subsystem"`
	Hold        int64  `json:"hold"`    // λ in ticks: how long the pipeline is busy
	Latency     int64  `json:"latency"` // Λ in ticks
	Second      int    `json:"second"`  // another subsystem that it keeps busy; -1 = none
	SecondHold  int64  `json:"secondHold"`
	Barrier     bool   `json:"barrier"`
}

// MaxIssues is how many issues a timeline keeps unless the caller chooses: about 20 bytes each.
const MaxIssues = 30_000

// NewTimeline records the beginning of a run of so many issues. Titles name the subsystems.
func NewTimeline(ctx context.Context, l *simulate.Launch, g *idg.Graph, cfg simulate.Config, issues int,
	title func(subsystem string) string) (*Timeline, error) {
	p, err := l.Record(ctx, cfg, issues)
	if err != nil {
		return nil, err
	}
	return TimelineOf(p, g, title)
}

// TimelineOf writes a profile of a graph's run as a Timeline.
func TimelineOf(p *simulate.Profile, g *idg.Graph, title func(subsystem string) string) (*Timeline, error) {
	b := &timelineBuilder{profile: p, graph: g, unit: unitOf(p), lives: map[lifeKey]*life{},
		classes: map[idg.InstrID]int64{}, out: &Timeline{
			Whole: !p.Truncated, Turn: []int64{}, Apart: []int64{}, Longer: []int64{},
		}}
	b.out.Unit, b.out.End = p.TicksPerCycle/b.unit, b.ticks(p.End)
	b.addPipelines(title)
	for i := range p.Issues {
		if err := b.add(&p.Issues[i]); err != nil {
			return nil, err
		}
	}
	b.addLives()
	return b.out, nil
}

// unitOf is the largest unit in which all times of a profile are whole.
func unitOf(p *simulate.Profile) int64 {
	unit := p.TicksPerCycle
	for i := range p.Issues {
		x := &p.Issues[i]
		for _, t := range [...]simulate.Tick{x.Ready, x.Issued, x.Turn, x.Passed, x.Complete, x.Second.From,
			x.Second.To} {
			unit = latencies.CommonDivisor(unit, int64(t))
		}
		if unit == 1 {
			break
		}
	}
	return unit
}

type timelineBuilder struct {
	profile *simulate.Profile
	graph   *idg.Graph
	kinds   []idg.GroupKind
	unit    int64
	lives   map[lifeKey]*life
	order   []*life
	classes map[idg.InstrID]int64
	last    simulate.Tick // issue
	number  int64         // of issues so far
	turned  int64         // the issue that the last pair of Turn is of
	apart   int64         // of Apart
	longer  int64         // of Longer
	out     *Timeline
}

type lifeKey struct {
	group int64
	warp  uint32
}

// life is that of a warp, as far as it is recorded.
type life struct {
	at     [5]int64
	flat   *idg.Flat
	issues map[idg.NodeID]int // index of Profile.Issues
	count  map[idg.NodeID]int64
	open   bool // a barrier has not completed
}

func (b *timelineBuilder) ticks(t simulate.Tick) int64 { return int64(t) / b.unit }

func (b *timelineBuilder) addPipelines(title func(string) string) {
	p := b.profile
	for s, name := range p.Subsystems {
		if p.Shared[s] {
			b.out.Pipelines = append(b.out.Pipelines, Pipeline{s, -1, title(name)})
			continue
		}
		for core := range p.SubCores {
			b.out.Pipelines = append(b.out.Pipelines, Pipeline{s, core, fmt.Sprintf("%s %d", title(name), core)})
		}
	}
}

// lifeOf is the life of an issue's warp, which begins when its first instruction is ready.
func (b *timelineBuilder) lifeOf(x *simulate.Issue) (*life, error) {
	key := lifeKey{x.Group, x.Warp}
	l := b.lives[key]
	if l == nil {
		if b.kinds == nil {
			b.kinds = b.graph.GroupKinds()
		}
		program := b.kinds[x.Kind].Graph.ProgramOf(int64(x.Warp))
		if program == nil {
			return nil, fmt.Errorf("page: warp %d has no program", x.Warp)
		}
		flat, err := program.Expanded(idg.MaxExpanded)
		if err != nil {
			return nil, err
		}
		l = &life{at: [5]int64{int64(x.Place), x.Group, int64(x.Warp), b.ticks(x.Ready), 0}, flat: flat,
			issues: map[idg.NodeID]int{}, count: map[idg.NodeID]int64{}}
		b.lives[key] = l
		b.order = append(b.order, l)
	}
	l.at[3] = min(l.at[3], b.ticks(x.Ready))
	return l, nil
}

func (b *timelineBuilder) add(x *simulate.Issue) error {
	l, err := b.lifeOf(x)
	if err != nil {
		return err
	}
	i, out := int(b.number), b.out
	out.At = append(out.At, b.ticks(x.Issued-b.last))
	out.Place = append(out.Place, int64(x.Place))
	out.Class = append(out.Class, b.classOf(x))
	out.Queued = append(out.Queued, b.ticks(x.Issued-x.Ready))
	out.Waited = append(out.Waited, b.waited(l, x))
	c := &out.Classes[out.Class[i]]
	if x.Turn != x.Issued {
		out.Turn = append(out.Turn, b.number-b.turned, b.ticks(x.Turn-x.Issued))
		b.turned = b.number
	}
	if c.Second >= 0 && x.Second.From != x.Turn {
		out.Apart = append(out.Apart, b.number-b.apart, b.ticks(x.Second.From-x.Turn))
		b.apart = b.number
	}
	longer := -c.Latency - 1
	if x.Complete > 0 {
		longer = b.ticks(x.Complete-x.Turn) - c.Latency
	}
	if longer != 0 {
		out.Longer = append(out.Longer, b.number-b.longer, longer)
		b.longer = b.number
	}
	l.issues[x.Node], l.count[x.Node] = i, int64(len(l.issues))
	l.open = l.open || x.Complete == 0
	l.at[4] = max(l.at[4], b.ticks(x.Complete))
	b.last = x.Issued
	b.number++
	return nil
}

// classOf is the index of an issue's class. Its times are those of its first issue: later ones may complete later.
func (b *timelineBuilder) classOf(x *simulate.Issue) int64 {
	if at, ok := b.classes[x.Instr]; ok {
		return at
	}
	pc := &b.profile.Classes[x.Instr-1]
	number := (int(x.Instr) - 1) % len(b.graph.Instrs()) // kinds of groups share the graph's classes
	c := Class{
		Instruction: number, Op: pc.Op, Line: b.line(pc.Pos), Subsystem: int(pc.Subsystem),
		Hold:   b.ticks(x.Passed - x.Turn),
		Second: -1, Barrier: b.graph.Instrs()[number].IsBarrier(),
	}
	if x.Complete > 0 && !c.Barrier {
		c.Latency = b.ticks(x.Complete - x.Turn)
	}
	if x.Second.To > x.Second.From {
		c.Second, c.SecondHold = int(pc.Second.Subsystem), b.ticks(x.Second.To-x.Second.From)
	}
	at := int64(len(b.out.Classes))
	b.classes[x.Instr] = at
	b.out.Classes = append(b.out.Classes, c)
	return at
}

// line is a line of the kernel's file, 0 for another one.
func (b *timelineBuilder) line(pos idg.Pos) int {
	if pos.File != b.graph.Source.File {
		return 0
	}
	return pos.Line
}

// waited is how many issues before x in its warp the one was that x became ready after.
func (b *timelineBuilder) waited(l *life, x *simulate.Issue) int64 {
	from, kinds := l.flat.Preds(x.Node)
	var last simulate.Tick
	found := int64(0)
	for i, v := range from {
		at, ok := l.issues[v]
		if !ok {
			continue
		}
		u := &b.profile.Issues[at]
		done := u.Complete
		if kinds[i] == idg.Order {
			done = u.Released()
		}
		if found == 0 || done > last {
			last, found = done, int64(len(l.issues))-l.count[v]
		}
	}
	return found
}

// addLives adds the lives of warps, with an end where all of a warp's instructions are recorded.
func (b *timelineBuilder) addLives() {
	for _, l := range b.order {
		if l.open || len(l.issues) < l.flat.Len() {
			l.at[4] = 0
		}
		b.out.Lives = append(b.out.Lives, l.at)
	}
}
