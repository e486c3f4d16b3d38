package simulate

import (
	"errors"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// classID indexes workload.classes: the instruction classes of all kinds of
// group, one kind after the other.
type classID uint32

// class is an instruction class with its parameters in ticks.
type class struct {
	charges []charge // one or two; instructions count for the first
	route   uint16   // of these: its place in workload.routes
	// hold is the λ that order dependences and the end of a store wait for: the longest of the charges.
	hold, latency Tick
	valve         Tick // from its issue until its sub-core can issue the next instruction
	slots         int  // issue slots that it takes
	barrier       bool
	store         bool // complete, for the end of its warp, when hold has passed
	queued        bool // may wait for its turn after its issue: in a queue, or for the second of two subsystems
	paired        bool // takes two subsystems, or one that others take together with another
	// bytes is what it moves to or from device memory, if latency is more under
	// load; else 0. Its completions are then, and if it is queued, not in the order of issue with those of
	// others, so they have a queue of events of their own: that of this number, above 0.
	bytes    int64
	queue    uint32
	queueing Tick // b: what a load of half the capacity adds to latency

	kind   int // of group
	source *idg.Instr
	entry  *latencies.Entry
	timing latencies.Timing
}

// lifetime is the time from an instruction's issue until it no longer keeps
// its warp alive, apart from what the load of device memory adds to latency.
func (c *class) lifetime() Tick {
	if c.store {
		return c.hold
	}
	return c.latency
}

// line is the source line of a class.
func (c *class) line() idg.Pos {
	pos := c.source.Pos
	pos.Column = 0
	return pos
}

// program is what a warp executes, in the form that an engine needs.
type program struct {
	source       *idg.Program
	first        classID // of the classes of its graph
	warps        int64   // of a group
	tally        []int64 // by class of its graph: the instructions that a warp executes
	words        []uint8 // by stored instruction: see hardware.limitReads; nil = no limit
	barrierCount int64

	// One of them:
	*flatProgram                 // for the reference engine
	flow         *flowProgram    // for dataflow issue, also block by block
	ordered      *orderedProgram // for in-order issue
}

// classesUsed are the classes of the instructions that a warp executes.
func (p *program) classesUsed() []classID {
	var used []classID
	for c, n := range p.tally {
		if n > 0 {
			used = append(used, p.first+classID(c))
		}
	}
	return used
}

// flatProgram is a program with repetitions expanded and its edges turned round,
// so that what ends can release what waits.
type flatProgram struct {
	source   *idg.Flat
	class    []classID  // by node
	words    []uint8    // by node, if the registers' ports are limited
	preds    []uint32   // number of dependences, by node
	done     successors // satisfied when the node completes
	passed   successors // satisfied when the node's λ has passed
	barriers []idg.NodeID
}

func (p *flatProgram) len() int { return len(p.class) }

// successors is a compressed sparse row per node.
type successors struct {
	off []uint32
	to  []idg.NodeID
}

func (s *successors) of(v idg.NodeID) []idg.NodeID { return s.to[s.off[v]:s.off[v+1]] }

// workload is a launch prepared for the simulator.
type workload struct {
	time       timebase
	looked     int64                   // instructions, for critical paths
	subsystems []string                // names by latencies.SubsystemID
	used       []latencies.SubsystemID // those that a class goes to
	routes     []route                 // what classes take: see addRoutes
	classes    []class
	events     []eventRank // by classID
	kinds      []kind
	perSlot    int   // W: warps of a group
	barriers   int64 // the most that a warp executes
	mostIssues int64 // warp instructions of the longest group
	load       loadModel
	valve      Tick  // the longest of the classes
	walkedFrom int64 // instructions that a loop must execute to be walked by dataflow
	expanded   bool  // dataflow walks no loop

	mostExpanded int64 // instructions of a program whose repetitions are expanded
	mostRing     int64 // instructions that a warp remembers
}

// What is resident at once is bounded.
const (
	maxPlaces = 1 << 16 // warps; GPUs have up to 64
	maxStates = 1 << 28 // warps × instructions: 1 GiB at 4 bytes each
)

// newWorkload translates the graphs of a launch for a machine.
func newWorkload(l *Launch, hw *hardware, cfg Config) (*workload, error) {
	kinds := l.kinds
	w := &workload{subsystems: slices.Clone(kinds[0].Mapping.Subsystems), walkedFrom: walkedFrom,
		mostExpanded: idg.MaxExpanded, mostRing: maxRing}
	if cfg.walkedFrom > 0 {
		w.walkedFrom = cfg.walkedFrom
	}
	first := kinds[0].Graph.Launch
	for i, k := range kinds {
		if len(k.Mapping.Entries) != len(k.Graph.Instrs()) {
			return nil, diag.Errorf(diag.Pos{}, "LATENCY",
				"the mapping has %d entries for the graph's %d instruction classes", len(k.Mapping.Entries),
				len(k.Graph.Instrs()))
		}
		if l := k.Graph.Launch; l.Local != first.Local || l.WarpSize != first.WarpSize {
			return nil, diag.Errorf(diag.Pos{}, "GRAPH", "groups of kind %d have %v work items and warps of %d, "+
				"those of kind 0 %v and %d; all groups of a launch are equally large",
				i, l.Local, l.WarpSize, first.Local, first.WarpSize)
		}
		if k.Count < 1 {
			return nil, configError("the number of groups of kind %d must be at least 1, it is %d", i, k.Count)
		}
	}
	words, err := hw.limitReads(l)
	if err != nil {
		return nil, err
	}
	if err := w.setTimes(kinds, hw, cfg); err != nil {
		return nil, err
	}
	from := classID(0)
	for i, k := range kinds {
		if err := w.addKind(k, from); err != nil {
			return nil, err
		}
		if words != nil {
			if err := w.kinds[i].setWords(words[i]); err != nil {
				return nil, err
			}
		}
		from += classID(len(k.Mapping.Entries))
	}
	if w.mostIssues == 0 {
		return nil, diag.Errorf(diag.Pos{}, "EMPTY", "the graph has no instructions: there is nothing to simulate")
	}
	return w, nil
}

// translate prepares the programs for an engine that holds m groups at once.
func (w *workload) translate(e Engine, mode IssueMode, hw *hardware, m int64) error {
	w.expanded = mode == Dataflow
	for i := range w.kinds {
		for _, p := range w.kinds[i].programs {
			var err error
			switch {
			case e == EngineReference:
				err = w.flatten(p)
			case mode == InOrder:
				p.ordered, err = w.order(p, hw)
			default:
				p.flow, err = w.flow(p, mode, hw, m)
				w.expanded = w.expanded && err == nil && p.flow.window == 0
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// hasLoops reports whether a program has repetitions.
func (w *workload) hasLoops() bool {
	for i := range w.kinds {
		for _, p := range w.kinds[i].programs {
			if len(p.source.Repeats()) > 0 {
				return true
			}
		}
	}
	return false
}

// foldedNote says how a graph of long loops can be simulated.
const foldedNote = "with --issue in-order or blocks, and mostly with dataflow, loops are simulated as they are " +
	"stored, without a profile"

// freeNote says why a program is expanded although loops need not be.
const freeNote = "its loops are expanded because an instruction behind a barrier does not wait for it"

// flatten expands a program's repetitions.
func (w *workload) flatten(p *program) error {
	if p.flatProgram != nil {
		return nil
	}
	flat, err := w.expand(p, foldedNote)
	if err != nil {
		return err
	}
	p.flatProgram = w.newFlatProgram(flat, p.first)
	p.flatProgram.words = p.wordsOf(&expanded{flat: flat})
	return nil
}

// expand is the program with its repetitions expanded. The note goes with the
// error of one that is too long.
func (w *workload) expand(p *program, note string) (*idg.Flat, error) {
	flat, err := p.source.Expanded(w.mostExpanded)
	var e *diag.Error
	if errors.As(err, &e) {
		e.WithNote("%s", note)
	}
	return flat, err
}

// places is how many warps m groups have.
func (w *workload) places(m int64) int64 { return m * int64(w.perSlot) }

// checkResident reports whether m groups are more than can be simulated at once.
// Folded says that repetitions are not expanded.
func (w *workload) checkResident(m int64, folded bool) error {
	if int64(w.perSlot) > maxPlaces/m || !folded && w.mostIssues > maxStates/m {
		e := diag.Errorf(diag.Pos{}, "TOO-LARGE", "%d groups at once, of %d warps and %d instructions each, are more "+
			"than can be simulated: at most %d warps and %d instructions",
			m, w.perSlot, w.mostIssues, maxPlaces, maxStates)
		if !folded && w.hasLoops() {
			return e.WithNote(foldedNote)
		}
		return e.WithNote("simulate fewer at once (--concurrent)")
	}
	return nil
}

// setTimes finds the timebase and the classes' parameters in it.
func (w *workload) setTimes(kinds []GroupKind, hw *hardware, cfg Config) error {
	spans := hw.spans()
	for _, k := range kinds {
		for i := range k.Mapping.Entries {
			e := &k.Mapping.Entries[i]
			in := &k.Graph.Instrs()[i]
			if e.Timing.CPI.IsZero() || e.Timing.Latency.IsZero() {
				return diag.Errorf(in.Pos, "LATENCY", "%s has λ = %v and Λ = %v; both must be above 0", in.Op,
					e.Timing.CPI, e.Timing.Latency)
			}
			if int(e.Subsystem) >= len(k.Mapping.Subsystems) {
				return diag.Errorf(in.Pos, "LATENCY", "%s is mapped to subsystem %d of %d", in.Op, e.Subsystem,
					len(k.Mapping.Subsystems))
			}
			spans = append(spans, e.Timing.CPI, e.Timing.Latency)
			if e.Second.CPI.IsZero() {
				continue
			}
			if int(e.Second.Subsystem) >= len(k.Mapping.Subsystems) || e.Second.Subsystem == e.Subsystem {
				return diag.Errorf(in.Pos, "LATENCY",
					"%s is mapped to the subsystems %d and %d of %d; there must be two", in.Op, e.Subsystem,
					e.Second.Subsystem, len(k.Mapping.Subsystems))
			}
			spans = append(spans, e.Second.CPI)
		}
	}
	device := kinds[0].Mapping.Device
	queueing := queueing(device, cfg)
	var err error
	if w.time, err = newTimebase(append(spans, queueing)); err != nil {
		return err
	}
	if err := hw.setTimes(w.time); err != nil {
		return err
	}
	for n, k := range kinds {
		for i := range k.Mapping.Entries {
			c, err := w.newClass(k, i, hw)
			if err != nil {
				return err
			}
			c.kind = n
			if !queueing.IsZero() {
				if err := c.setLoad(w.time, k.Graph, i, &k.Mapping.Entries[i], device, queueing); err != nil {
					return err
				}
			}
			if c.bytes > 0 || c.queued && !c.barrier {
				c.queue = uint32(len(w.classes) + 1)
			}
			w.valve = max(w.valve, c.valve)
			w.classes = append(w.classes, c)
		}
	}
	w.addRoutes()
	w.rankEvents()
	w.load, err = newLoadModel(w.time, w.classes, queueing, device, kinds[0].Mapping.UnitsAtWork)
	return err
}

// newClass is the i-th class of a kind.
func (w *workload) newClass(k GroupKind, i int, hw *hardware) (class, error) {
	e := &k.Mapping.Entries[i]
	in := &k.Graph.Instrs()[i]
	c := class{barrier: in.IsBarrier(), store: in.IsStore(), source: in, entry: e, timing: e.Timing, slots: e.Slots()}
	if c.slots < 0 || hw.valveTicks > 0 && Tick(c.slots) > maxSpan/hw.valveTicks {
		return c, diag.Errorf(in.Pos, "LATENCY", "%s takes %d issue slots", in.Op, c.slots)
	}
	c.valve = Tick(c.slots) * hw.valveTicks
	var err error
	if c.latency, err = w.time.ticks(e.Timing.Latency); err != nil {
		return c, err
	}
	for _, x := range e.Charges() {
		charge, err := w.newCharge(in, k.Mapping.Subsystems[x.Subsystem], x.CPI, hw)
		if err != nil {
			return c, err
		}
		c.charges = append(c.charges, charge)
		c.hold = max(c.hold, charge.hold)
		c.queued = c.queued || hw.queueOf(charge.subsystem) > 0
	}
	c.queued = c.queued || len(c.charges) > 1
	return c, nil
}

// subsystem finds or adds a subsystem. Those of the device come first in every
// mapping.
func (w *workload) subsystem(name string) latencies.SubsystemID {
	i := slices.Index(w.subsystems, name)
	if i < 0 {
		i = len(w.subsystems)
		w.subsystems = append(w.subsystems, name)
	}
	return latencies.SubsystemID(i)
}

func (w *workload) newFlatProgram(src *idg.Flat, first classID) *flatProgram {
	n := src.Len()
	p := &flatProgram{source: src, class: make([]classID, n), preds: make([]uint32, n)}
	p.done.off, p.passed.off = make([]uint32, n+1), make([]uint32, n+1)
	for v := range idg.NodeID(n) {
		p.class[v] = first + classID(src.Instr(v)-1)
		if w.classes[p.class[v]].barrier {
			p.barriers = append(p.barriers, v)
		}
		from, kind := src.Preds(v)
		p.preds[v] = uint32(len(from))
		for i, u := range from {
			p.successorsBy(kind[i]).off[u+1]++
		}
	}
	for _, s := range []*successors{&p.done, &p.passed} {
		for v := range n {
			s.off[v+1] += s.off[v]
		}
		s.to = make([]idg.NodeID, s.off[n])
	}
	next := [2][]uint32{slices.Clone(p.done.off), slices.Clone(p.passed.off)}
	for v := range idg.NodeID(n) {
		from, kind := src.Preds(v)
		for i, u := range from {
			at := &next[0][u]
			if kind[i] == idg.Order {
				at = &next[1][u]
			}
			p.successorsBy(kind[i]).to[*at] = v
			*at++
		}
	}
	return p
}

func (p *flatProgram) successorsBy(k idg.EdgeKind) *successors {
	if k == idg.Order {
		return &p.passed
	}
	return &p.done
}
