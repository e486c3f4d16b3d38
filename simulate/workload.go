package simulate

import (
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// classID indexes workload.classes. It is an idg.InstrID less one.
type classID uint32

// class is an instruction class with its parameters in ticks.
type class struct {
	subsystem latencies.SubsystemID
	// cpi is λ on the compute unit. hold is the λ of one sub-core's share of the
	// subsystem: n times as much where the subsystem is partitioned.
	cpi, hold, latency Tick
	barrier            bool
	store              bool // complete, for the end of its warp, when hold has passed
}

// lifetime is the time from an instruction's issue until it no longer keeps
// its warp alive.
func (c *class) lifetime() Tick {
	if c.store {
		return c.hold
	}
	return c.latency
}

// program is an idg.Program with its edges turned round, so that what ends can
// release what waits.
type program struct {
	source   *idg.Program
	class    []classID    // by node
	preds    []uint32     // number of dependences, by node
	done     successors   // satisfied when the node completes
	passed   successors   // satisfied when the node's λ has passed
	roots    []idg.NodeID // nodes without dependences
	barriers []idg.NodeID
	warps    int64 // of a group

	ordered *orderedProgram // translated for the fast engine, when it was
	flow    *flowProgram
}

func (p *program) len() int { return len(p.class) }

// successors is a compressed sparse row per node.
type successors struct {
	off []uint32
	to  []idg.NodeID
}

func (s *successors) of(v idg.NodeID) []idg.NodeID { return s.to[s.off[v]:s.off[v+1]] }

// workload is a graph prepared for the simulator.
type workload struct {
	time     timebase
	classes  []class
	programs []*program
	byWarp   []*program // of a group
	barriers int        // the most that a warp executes
	perGroup int64      // warp instructions of a group
	graph    *idg.Graph
	mapping  *latencies.Mapping
	critical *criticalPath // when it was computed
}

// What is resident at once is bounded.
const (
	maxPlaces = 1 << 16 // warps; GPUs have up to 64
	maxStates = 1 << 28 // warps × instructions: 1 GiB at 4 bytes each
)

// newWorkload translates a graph for a machine.
func newWorkload(g *idg.Graph, m *latencies.Mapping, hw *hardware) (*workload, error) {
	w := &workload{graph: g, mapping: m}
	if len(m.Entries) != len(g.Instrs()) {
		return nil, diag.Errorf(diag.Pos{}, "LATENCY", "the mapping has %d entries for the graph's %d instruction classes", len(m.Entries), len(g.Instrs()))
	}
	if err := w.setTimes(hw); err != nil {
		return nil, err
	}
	if err := w.addPrograms(g); err != nil {
		return nil, err
	}
	if w.perGroup == 0 {
		return nil, diag.Errorf(diag.Pos{}, "EMPTY", "the graph has no instructions: there is nothing to simulate")
	}
	return w, nil
}

// addPrograms finds the program of every warp of a group. A warp that no program
// lists executes that of the nearest lower warp that is listed (idg.Graph).
func (w *workload) addPrograms(g *idg.Graph) error {
	warps := g.Launch.WarpsPerGroup()
	if warps < 1 || warps > maxPlaces {
		return diag.Errorf(diag.Pos{}, "TOO_LARGE", "a work group has %d warps; at most %d can be simulated", warps, maxPlaces)
	}
	w.byWarp = make([]*program, warps)
	for _, src := range g.Programs() {
		p := w.newProgram(src)
		w.programs = append(w.programs, p)
		w.barriers = max(w.barriers, len(p.barriers))
		for _, i := range src.Warps {
			if int64(i) >= warps || w.byWarp[i] != nil {
				return diag.Errorf(diag.Pos{}, "GRAPH", "warp %d of the graph is out of range or has two programs", i)
			}
			w.byWarp[i] = p
		}
	}
	for i, p := range w.byWarp {
		if p == nil && i == 0 {
			return diag.Errorf(diag.Pos{}, "GRAPH", "the graph has no program for warp 0 of a group")
		}
		if p == nil {
			p = w.byWarp[i-1]
			w.byWarp[i] = p
		}
		p.warps++
		w.perGroup += int64(p.len())
	}
	return nil
}

// places is how many warps m groups have.
func (w *workload) places(m int64) int64 { return m * int64(len(w.byWarp)) }

// checkResident reports whether m groups are more than can be simulated at once.
func (w *workload) checkResident(m int64) error {
	if int64(len(w.byWarp)) > maxPlaces/m || w.perGroup > maxStates/m {
		return diag.Errorf(diag.Pos{}, "TOO_LARGE", "%d groups at once, of %d warps and %d instructions each, are more than can be simulated: at most %d warps and %d instructions",
			m, len(w.byWarp), w.perGroup, maxPlaces, maxStates).
			WithNote("simulate fewer at once (--concurrent)")
	}
	return nil
}

// setTimes finds the timebase and the classes' parameters in it.
func (w *workload) setTimes(hw *hardware) error {
	entries := w.mapping.Entries
	spans := hw.spans()
	for i := range entries {
		e := &entries[i]
		in := &w.graph.Instrs()[i]
		if e.Timing.CPI.IsZero() || e.Timing.Latency.IsZero() {
			return diag.Errorf(in.Pos, "LATENCY", "%s has λ = %v and Λ = %v; both must be above 0", in.Op, e.Timing.CPI, e.Timing.Latency)
		}
		if int(e.Subsystem) >= len(w.mapping.Subsystems) {
			return diag.Errorf(in.Pos, "LATENCY", "%s is mapped to subsystem %d of %d", in.Op, e.Subsystem, len(w.mapping.Subsystems))
		}
		spans = append(spans, e.Timing.CPI, e.Timing.Latency)
	}
	var err error
	if w.time, err = newTimebase(spans); err != nil {
		return err
	}
	if err := hw.setTimes(w.time); err != nil {
		return err
	}
	for i := range entries {
		e := &entries[i]
		in := &w.graph.Instrs()[i]
		c := class{subsystem: e.Subsystem, barrier: isBarrier(in.Op), store: strings.HasPrefix(in.Op, "st.")}
		if c.cpi, err = w.time.ticks(e.Timing.CPI); err != nil {
			return err
		}
		if c.latency, err = w.time.ticks(e.Timing.Latency); err != nil {
			return err
		}
		c.hold = c.cpi
		if hw.partitioned[e.Subsystem] {
			if c.hold > maxSpan/Tick(hw.partitions) {
				return diag.Errorf(in.Pos, "TIME", "λ = %v of %s is too long", e.Timing.CPI, in.Op)
			}
			c.hold *= Tick(hw.partitions)
		}
		w.classes = append(w.classes, c)
	}
	return nil
}

// isBarrier reports whether an op makes the warps of a group wait for each other.
func isBarrier(op string) bool { return op == "barrier" || strings.HasPrefix(op, "barrier.") }

func (w *workload) newProgram(src *idg.Program) *program {
	n := src.Len()
	p := &program{source: src, class: make([]classID, n), preds: make([]uint32, n)}
	p.done.off, p.passed.off = make([]uint32, n+1), make([]uint32, n+1)
	for v := range idg.NodeID(n) {
		p.class[v] = classID(src.Instr(v) - 1)
		if w.classes[p.class[v]].barrier {
			p.barriers = append(p.barriers, v)
		}
		from, kind := src.Preds(v)
		p.preds[v] = uint32(len(from))
		if len(from) == 0 {
			p.roots = append(p.roots, v)
		}
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

func (p *program) successorsBy(k idg.EdgeKind) *successors {
	if k == idg.Order {
		return &p.passed
	}
	return &p.done
}
