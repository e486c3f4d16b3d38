package simulate

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// stepper is the oracle of the simulator: the definition in doc.go written down
// a second time, from the graph itself. Time advances by one tick, everything is
// scanned at each, and nothing is remembered but when each instruction was
// issued. It shares no code with the simulator.
type stepper struct {
	g   *idg.Graph
	m   *latencies.Mapping
	cfg Config // complete

	unit                               int64 // ticks per cycle
	valve, interval, replacement, pace int64 // ticks
	nextStart                          int64
	byWarp                             []*idg.Flat
	words                              [][]uint8 // by warp, node; nil = reads of registers are not limited
	perWord                            int64     // ticks of a sub-core's ports

	t       int64
	slots   []*steppedGroup // nil = free
	startAt []int64         // of the next group in a free slot; -1 = none
	given   int64           // groups that have a slot, or are on their way to one
	started int64
	ended   int64
	pipes   map[[2]int]int64   // (sub-core or -1, subsystem) → free from
	begun   map[[2]int]int64   // likewise → the last turn
	turns   map[[2]int][]int64 // (sub-core, subsystem) → of all that it issued there
	cores   []steppedCore
	turn    int
	log     []steppedIssue

	inFlight []int64 // accesses of device memory as issued → when each ends
}

type steppedGroup struct {
	age   int64
	slot  int
	start int64
	warps [][]int64 // by warp, node: when issued, or -1
	turns [][]int64 // by warp, node: when its subsystem begins with it
	waits [][]int64 // by warp, node: what the load of device memory adds to Λ
	last  map[int]int
}

type steppedCore struct {
	valve int64
	reads []int64 // of instructions that it issued: until when these read registers
	last  int     // place
	age   int64   // -1: nothing issued
}

type steppedIssue struct {
	group            int64
	warp, place      int
	core             int
	node             idg.NodeID
	ready, issued    int64
	turn             int64
	second           [2]int64 // from its second subsystem's turn until that is free
	passed, complete int64    // complete is filled in at the end
	of               *steppedGroup
}

func newStepper(t testing.TB, g *idg.Graph, m *latencies.Mapping, cfg Config) *stepper {
	s := &stepper{g: g, m: m, cfg: cfg, unit: 1, pipes: map[[2]int]int64{}, begun: map[[2]int]int64{},
		turns: map[[2]int][]int64{}}
	d := m.Device
	n := int64(max(d.Partitions, 1))
	perIssue := func() (num, den int64) { // n / limit
		if d.IssueLimit.IsZero() {
			return 0, 1
		}
		return n * d.IssueLimit.Den(), d.IssueLimit.Num()
	}
	fits := func(unit int64) bool {
		for _, e := range m.Entries {
			if unit%e.Timing.CPI.Den() != 0 || unit%e.Second.CPI.Den() != 0 || unit%e.Timing.Latency.Den() != 0 {
				return false
			}
		}
		if c := d.Memory.Contention; c != nil && unit%c.Queueing.Den() != 0 {
			return false
		}
		if s.words != nil && unit*d.RegisterReads.Den()%d.RegisterReads.Num() != 0 {
			return false
		}
		num, den := perIssue()
		return num*unit%den == 0 && unit%d.IssueInterval.Den() == 0 && unit%d.GroupReplacement.Den() == 0 &&
			unit%d.GroupStart.Den() == 0
	}
	s.expand(t)
	if most, r := s.mostWords(), d.RegisterReads; !r.IsZero() {
		// Instructions that read no more than the ports give from one issue to the next never
		// wait, and the times of what has to be rounded are in a unit without them.
		if num, den := perIssue(); most*r.Den()*den <= num*r.Num() {
			s.words = nil
		}
	}
	for !fits(s.unit) {
		s.unit++
	}
	num, den := perIssue()
	s.valve, s.interval, s.replacement = num*s.unit/den, s.ticks(d.IssueInterval), s.ticks(d.GroupReplacement)
	s.pace = s.ticks(d.GroupStart) * int64(d.ComputeUnits)
	if s.words != nil {
		s.perWord = s.unit * d.RegisterReads.Den() / d.RegisterReads.Num()
	}
	s.slots = make([]*steppedGroup, min(cfg.Concurrent, cfg.Groups))
	for slot := range s.slots {
		s.startAt = append(s.startAt, int64(slot)*s.pace)
	}
	s.nextStart = int64(len(s.slots)) * s.pace
	s.given = int64(len(s.slots))
	for range n {
		s.cores = append(s.cores, steppedCore{age: -1})
	}
	return s
}

// expand finds what each warp executes, and the words of registers that it reads.
func (s *stepper) expand(t testing.TB) {
	n := s.g.Launch.WarpsPerGroup()
	s.byWarp = make([]*idg.Flat, n)
	if !s.m.Device.RegisterReads.IsZero() {
		s.words = make([][]uint8, n)
	}
	words := s.g.RegisterReads()
	for i, p := range s.g.Programs() {
		flat, err := p.Expanded(maxStates)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range p.Warps {
			s.byWarp[w] = flat
			if s.words != nil {
				for v := range p.Order() {
					s.words[w] = append(s.words[w], words[i][v])
				}
			}
		}
	}
}

// mostWords is the most words that an instruction reads.
func (s *stepper) mostWords() int64 {
	most := uint8(0)
	for _, words := range s.words {
		most = max(most, slices.Max(append(words, 0)))
	}
	return int64(most)
}

func (s *stepper) ticks(c latencies.Cycles) int64 { return c.Num() * s.unit / c.Den() }

func (s *stepper) entry(w int, v idg.NodeID) *latencies.Entry { return s.m.Entry(s.byWarp[w].Instr(v)) }
func (s *stepper) op(w int, v idg.NodeID) string              { return s.g.Instr(s.byWarp[w].Instr(v)).Op }

// steppedCharge is what an instruction takes of a subsystem.
type steppedCharge struct {
	subsystem int
	pipe      [2]int
	hold      int64 // λ, or the share of it that a sub-core sees
}

// charges are what v of a warp takes on a sub-core.
func (s *stepper) charges(core, w int, v idg.NodeID) []steppedCharge {
	var list []steppedCharge
	e := s.entry(w, v)
	add := func(id latencies.SubsystemID, λ latencies.Cycles) {
		c := steppedCharge{int(id), [2]int{-1, int(id)}, s.ticks(λ)}
		if s.m.Device.Subsystems[id].Partitioned {
			c.pipe[0] = core
			c.hold *= int64(len(s.cores))
		}
		list = append(list, c)
	}
	add(e.Subsystem, e.Timing.CPI)
	if !e.Second.CPI.IsZero() {
		add(e.Second.Subsystem, e.Second.CPI)
	}
	return list
}

// hold is when the λ of v have passed, from its turn on.
func (s *stepper) hold(w int, v idg.NodeID) int64 {
	longest := int64(0)
	for _, c := range s.charges(0, w, v) {
		longest = max(longest, c.hold)
	}
	return longest
}

const unknown = int64(1) << 62

// completes is when v of a warp completes, unknown if that is not decided yet.
func (s *stepper) completes(g *steppedGroup, w int, v idg.NodeID) int64 {
	issued := g.warps[w][v]
	if issued < 0 {
		return unknown
	}
	Λ := s.ticks(s.entry(w, v).Timing.Latency)
	if s.op(w, v) != "barrier" {
		return g.turns[w][v] + Λ + g.waits[w][v]
	}
	k := 0
	for u := range v {
		if s.op(w, u) == "barrier" {
			k++
		}
	}
	last := int64(0)
	for other := range g.warps {
		last = max(last, s.arrives(g, other, k))
	}
	return min(last+Λ, unknown)
}

// arrives is when a warp arrives at the k-th barrier (from 0) of its group.
func (s *stepper) arrives(g *steppedGroup, w, k int) int64 {
	for v, issued := range g.warps[w] {
		if s.op(w, idg.NodeID(v)) != "barrier" {
			continue
		}
		if k == 0 {
			if issued < 0 {
				return unknown
			}
			return issued
		}
		k--
	}
	return s.warpEnds(g, w)
}

// wait is what the load of device memory adds to the latency of v, issued now, whose turn comes then: the
// largest w with w(w + Λ - s) ≤ s·b, where s is how long c takes for the bytes that are
// in flight. It notes until when v is in flight.
func (s *stepper) wait(w int, v idg.NodeID, turn int64) int64 {
	c := s.m.Device.Memory.Contention
	moves := func(op string) int64 {
		if op == "ld.global" || op == "st.global" {
			return 32 * 4
		}
		return 0
	}
	if c == nil || moves(s.op(w, v)) == 0 {
		return 0
	}
	inFlight := int64(1)
	for _, ends := range s.inFlight {
		if ends > s.t {
			inFlight++
		}
	}
	// The fixture has one compute unit of 10^9 cycles per second: c bytes per cycle.
	bytes := 128 * inFlight
	span := int64(math.Floor(float64(bytes)*float64(s.unit)/c.Capacity.Float() + 1e-9))
	latency, b := s.ticks(s.entry(w, v).Timing.Latency), s.ticks(c.Queueing)
	wait := int64(0)
	for wait < 64*b && (wait+1)*(wait+1+latency-span) <= span*b {
		wait++
	}
	s.inFlight = append(s.inFlight, turn+latency+wait)
	return wait
}

// lives is until when v keeps its warp alive.
func (s *stepper) lives(g *steppedGroup, w int, v idg.NodeID) int64 {
	if op := s.op(w, v); len(op) > 3 && op[:3] == "st." && g.warps[w][v] >= 0 {
		return g.turns[w][v] + s.hold(w, v)
	}
	return s.completes(g, w, v)
}

func (s *stepper) warpEnds(g *steppedGroup, w int) int64 {
	if slices.Contains(g.warps[w], -1) {
		return unknown
	}
	end := g.start
	for v := range g.warps[w] {
		end = max(end, s.lives(g, w, idg.NodeID(v)))
	}
	return end
}

// readyAt is when v of a warp became ready, unknown if it is not yet.
func (s *stepper) readyAt(g *steppedGroup, w int, v idg.NodeID) int64 {
	at := g.start
	from, kind := s.byWarp[w].Preds(v)
	for i, u := range from {
		switch {
		case kind[i] != idg.Order:
			at = max(at, s.completes(g, w, u))
		case g.warps[w][u] < 0:
			return unknown
		default:
			at = max(at, g.warps[w][u]+s.hold(w, u))
		}
	}
	for _, issued := range g.warps[w][:s.blockOf(w, v)] {
		if issued < 0 {
			return unknown
		}
		at = max(at, issued)
	}
	return at
}

// blockOf is the first instruction of the block of v: what precedes it must have
// issued before v.
func (s *stepper) blockOf(w int, v idg.NodeID) idg.NodeID {
	switch s.cfg.Issue {
	case Dataflow:
		return 0
	case InOrder:
		return v
	}
	for v > 0 && !slices.Contains([]string{"barrier", "branch", "loop"}, s.op(w, v-1)) {
		v--
	}
	return v
}

// run steps until all groups have ended and returns the end, or -1 when that
// takes more than limit ticks.
func (s *stepper) run(limit int64) int64 {
	for ; s.t <= limit; s.t++ {
		s.endGroups()
		if s.ended == s.cfg.Groups {
			for i := range s.log {
				is := &s.log[i]
				is.complete = s.lives(is.of, is.warp, is.node)
			}
			return s.t
		}
		s.startGroups()
		first := s.turn
		for i := range s.cores {
			c := (first + i) % len(s.cores)
			for s.cores[c].valve <= s.t && s.issueOne(c) {
			}
		}
	}
	return -1
}

func (s *stepper) endGroups() {
	for slot, g := range s.slots {
		if g == nil {
			continue
		}
		end := int64(0)
		for w := range g.warps {
			end = max(end, s.warpEnds(g, w))
		}
		if end > s.t {
			continue
		}
		s.slots[slot], s.startAt[slot] = nil, -1
		s.ended++
		if s.given < s.cfg.Groups {
			s.given++
			s.startAt[slot] = max(s.t+s.replacement, s.nextStart)
			s.nextStart = max(s.nextStart, s.startAt[slot]-int64(len(s.slots)-1)*s.pace) + s.pace
		}
	}
}

func (s *stepper) startGroups() {
	for slot := range s.slots {
		if s.slots[slot] != nil || s.startAt[slot] != s.t {
			continue
		}
		g := &steppedGroup{age: s.started, slot: slot, start: s.t, last: map[int]int{}}
		for _, p := range s.byWarp {
			g.warps = append(g.warps, slices.Repeat([]int64{-1}, p.Len()))
			g.turns = append(g.turns, make([]int64, p.Len()))
			g.waits = append(g.waits, make([]int64, p.Len()))
		}
		s.slots[slot] = g
		s.started++
	}
}

// allows reports whether the issue interval allows a warp that issued at these
// times to issue now.
func (s *stepper) allows(issued []int64) bool {
	for _, at := range issued {
		if at >= 0 && at+s.interval > s.t {
			return false
		}
	}
	return true
}

// accepts reports whether a subsystem is free, or with second none waits in front of it, or the sub-core's
// queue in front of it has a place.
func (s *stepper) accepts(core int, pipe [2]int, second bool) bool {
	places := s.m.Device.Subsystems[pipe[1]].Queue
	if places == 0 && second {
		return s.begun[pipe] <= s.t
	} else if places == 0 {
		return s.pipes[pipe] <= s.t
	}
	waiting := 0
	for _, turn := range s.turns[[2]int{core, pipe[1]}] {
		if turn > s.t {
			waiting++
		}
	}
	return waiting < places
}

// leaves is when v of a warp, issued now, leaves the stage in front of the reads of
// registers: the first time at which all that have issued, which read one after the other, will have read
// within three cycles; or with the last read, its issue slot, if its own
// take longer.
func (s *stepper) leaves(core *steppedCore, w int, v idg.NodeID) int64 {
	if s.words == nil {
		return s.t
	}
	begin := s.t
	for _, r := range core.reads {
		begin = max(begin, r)
	}
	end := begin + int64(s.words[w][v])*s.perWord
	core.reads = append(core.reads, end)
	at, ahead := s.t, 3*s.unit
	if int64(s.words[w][v])*s.perWord > ahead {
		ahead = int64(s.entry(w, v).Slots()) * s.valve
	}
	for end > at+ahead {
		at++
	}
	return at
}

// issueOne issues the best instruction that a sub-core can issue now, if any.
func (s *stepper) issueOne(c int) bool {
	type candidate struct {
		g     *steppedGroup
		warp  int
		place int
		node  idg.NodeID
	}
	var all []candidate
	for _, g := range s.slots {
		if g == nil {
			continue
		}
		for w, issued := range g.warps {
			place := g.slot*len(s.byWarp) + w
			if place%len(s.cores) != c || !s.allows(issued) {
				continue
			}
			for v := range issued {
				if issued[v] >= 0 {
					continue
				}
				free := true
				for i, x := range s.charges(c, w, idg.NodeID(v)) {
					free = free && s.accepts(c, x.pipe, i == 1)
				}
				if free && s.readyAt(g, w, idg.NodeID(v)) <= s.t {
					all = append(all, candidate{g, w, place, idg.NodeID(v)})
				}
			}
		}
	}
	if len(all) == 0 {
		return false
	}
	core := &s.cores[c]
	places := len(s.slots) * len(s.byWarp)
	rank := func(x candidate) [3]int {
		switch s.cfg.Scheduler {
		case RoundRobin:
			if core.age < 0 {
				return [3]int{x.place}
			}
			return [3]int{(x.place - core.last - 1 + places) % places}
		case GreedyThenOldest, GreedyThenYoungest:
			if core.age == x.g.age && core.last == x.place {
				return [3]int{math.MinInt}
			}
			if s.cfg.Scheduler == GreedyThenYoungest {
				return [3]int{-int(x.g.age), -x.warp}
			}
		case GroupPrecedence:
			last, ok := x.g.last[c]
			if !ok {
				return [3]int{int(x.g.age), x.warp}
			}
			n := len(s.byWarp)
			return [3]int{int(x.g.age), (x.warp - last - 1 + n) % n}
		}
		return [3]int{int(x.g.age), x.warp}
	}
	best := slices.MinFunc(all, func(x, y candidate) int {
		a, b := rank(x), rank(y)
		return cmp.Or(slices.Compare(a[:], b[:]), cmp.Compare(x.node, y.node))
	})
	turn, shared := s.t, false
	var uses [2][2]int64
	for i, x := range s.charges(c, best.warp, best.node) {
		mine := max(s.t, s.pipes[x.pipe])
		turn = max(turn, mine)
		uses[i] = [2]int64{mine, mine + x.hold}
		s.pipes[x.pipe], s.begun[x.pipe] = mine+x.hold, mine
		if q := [2]int{c, x.subsystem}; s.m.Device.Subsystems[x.subsystem].Queue > 0 {
			s.turns[q] = append(s.turns[q], mine)
		}
		shared = shared || x.pipe[0] < 0
	}
	s.log = append(s.log, steppedIssue{
		group: best.g.age, warp: best.warp, place: best.place, core: c, node: best.node,
		ready: s.readyAt(best.g, best.warp, best.node), issued: s.t, turn: uses[0][0], passed: uses[0][1],
		second: uses[1], of: best.g,
	})
	best.g.warps[best.warp][best.node] = s.t
	best.g.turns[best.warp][best.node] = turn
	best.g.waits[best.warp][best.node] = s.wait(best.warp, best.node, turn)
	best.g.last[c] = best.warp
	core.valve, core.last, core.age = s.leaves(core, best.warp, best.node)+
		int64(s.entry(best.warp, best.node).Slots())*s.valve, best.place, best.g.age
	if shared {
		s.turn = (c + 1) % len(s.cores)
	}
	return true
}
