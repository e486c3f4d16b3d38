package simulate

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// WarpID names a place for a warp on the compute unit: the warp i of the group
// in slot s has place s·W + i. A group that replaces another takes its slot.
type WarpID uint32

// warp is the state of the warp at a place.
type warp struct {
	program *program
	group   *group
	core    *core
	waits   []uint32 // by node: dependences not yet satisfied
	ready   int      // instructions in the ready lists
	left    int      // instructions that keep the warp alive
	// Only what stands before blockEnd may issue: the instructions of a block, of
	// which so many have not issued, and those before it, which all have. A block is a
	// program, an instruction or a basic block: see IssueMode.endsBlock.
	blockEnd idg.NodeID
	unissued int
	allowed  Tick          // issue interval: may issue from here on
	since    Tick          // when ready last became 0 or an instruction issued
	started  Tick          // when its group started
	record   *warpRecorder // nil unless profiled
}

// group is the state of the work group in a slot.
type group struct {
	slot    int
	age     int64    // groups that started before it
	live    int      // warps not finished
	arrived []int    // by barrier: warps that wait for the others
	kind    int      // of it
	last    []WarpID // by sub-core: the group's warp that issued last, for GroupPrecedence
}

// core is a sub-core: a scheduler with its issue valve and its way to the
// subsystems.
type core struct {
	index   int
	ports   []port // by subsystem
	ways    []way  // by workload.routes
	valve   Tick   // free from here on
	reading Tick   // its registers' ports are free from here on
	wake    Tick   // nothing can issue before this
	last    WarpID // the warp that issued last
	age     int64  // age of the group that last belonged to then; -1 = nothing issued yet
}

// port is one sub-core's way to a subsystem.
type port struct {
	pipe  *pipe
	queue queue
}

// way is the ports that instructions take at once: one, or two.
type way struct {
	ports []*port
	ready bitset // warps of the sub-core with an instruction ready for them
	warps int    // how many those are
}

// pipe accepts one instruction per λ: a subsystem, or a sub-core's share of it.
type pipe struct {
	free   Tick // from here on
	begun  Tick // the last turn
	shared bool // by several sub-cores
}

// opens is when an instruction can issue there: when it can at the first port, and there is room in front of
// the second.
func (y *way) opens() Tick {
	at := y.ports[0].opens()
	for _, p := range y.ports[1:] {
		at = max(at, p.hasRoom())
	}
	return at
}

// take gives an instruction that is issued now its charges, and returns the turns.
func (y *way) take(now Tick, charges []charge) [2]Tick {
	var turns [2]Tick
	for i, p := range y.ports {
		turns[i] = p.take(now, charges[i].hold)
	}
	return turns
}

// isShared reports whether sub-cores share any of the subsystems.
func (y *way) isShared() bool {
	return slices.ContainsFunc(y.ports, func(p *port) bool { return p.pipe.shared })
}

// opens is when an instruction can issue there: when the subsystem is free, or
// when there is a place in the queue.
func (p *port) opens() Tick {
	if len(p.queue.turns) > 0 {
		return p.queue.opens()
	}
	return p.pipe.free
}

// hasRoom is when there is room for an instruction in front of the subsystem: a place in the
// queue, or none that waits.
func (p *port) hasRoom() Tick {
	if len(p.queue.turns) > 0 {
		return p.queue.opens()
	}
	return p.pipe.begun
}

// take gives an instruction that is issued now its turn, which it returns.
func (p *port) take(now, hold Tick) Tick {
	turn := max(now, p.pipe.free)
	p.pipe.free, p.pipe.begun = turn+hold, turn
	if len(p.queue.turns) > 0 {
		p.queue.add(turn)
	}
	return turn
}

// unit is a compute unit while it runs.
type unit struct {
	*workload
	hw      *hardware
	mode    IssueMode
	pick    pick
	perSlot int // W: warps per group
	dealer  dealer
	load    load

	now      Tick
	events   calendar
	complete []queueID // by class
	passed   []queueID // by class
	stored   []queueID // by class: the end of a store
	allowed  queueID
	replace  queueID

	warps      []warp
	ready      []readyList // by place × routes + route
	blocked    bool        // there is an issue interval
	mayIssue   bitset      // with an issue interval: places that may issue
	candidates candidates
	groups     []group  // by slot
	resident   []*group // by age
	finished   []int    // slots of the groups that finished now
	cores      []core
	pipes      []*pipe
	turn       int // the sub-core that issues first

	nextStart Tick // the pace allows the next group to start

	toStart int64 // groups not yet started
	coming  int64 // of them, those on their way to a slot
	started int64
	ended   int64 // groups
	end     Tick  // of the last group that ended

	stats    tally
	measured bool
	sampler  sampler
	limit    int64     // issues
	marks    []mark    // at the end of each group, in order; only if measured
	recorder *recorder // nil unless profiled
}

// newUnit returns a unit that is to run n groups, m at once.
func newUnit(w *workload, hw *hardware, cfg Config, n, m int64) *unit {
	places := w.places(m)
	u := &unit{
		workload: w, hw: hw, mode: cfg.Issue, pick: pickers[cfg.Scheduler], perSlot: w.perSlot, dealer: w.newDealer(),
		load: newLoad(w.load), toStart: n,
		blocked: hw.intervalTicks > 0, mayIssue: newBitset(int(places)),
		ready:  make([]readyList, places*int64(len(w.routes))),
		warps:  make([]warp, places),
		groups: make([]group, m),
		stats:  newTally(len(w.classes)),
	}
	for i := range w.classes {
		done, passed := w.classes[i].events()
		u.complete = append(u.complete, u.events.queue(done))
		u.passed = append(u.passed, u.events.queue(passed))
		u.stored = append(u.stored, u.events.queue(w.classes[i].end()))
	}
	u.allowed = u.events.queue(queueKey{eventAllowed, hw.intervalTicks, 0})
	u.replace = u.events.queue(queueKey{eventReplace, 0, 0})
	if u.blocked {
		u.candidates.mask = u.mayIssue
	}
	u.addCores()
	for s := range u.groups {
		g := &u.groups[s]
		*g = group{slot: s, arrived: make([]int, w.barriers), last: make([]WarpID, hw.partitions)}
		for i := range u.perSlot {
			place := s*u.perSlot + i
			u.warps[place] = warp{group: g, core: &u.cores[place%hw.partitions]}
		}
	}
	return u
}

// addCores makes the sub-cores and their subsystems.
func (u *unit) addCores() {
	u.cores = make([]core, u.hw.partitions)
	shared := make([]*pipe, len(u.subsystems))
	for i := range u.cores {
		c := &u.cores[i]
		c.index, c.age = i, -1
		for s := range shared {
			p := shared[s]
			if p == nil || u.hw.isPartitioned(latencies.SubsystemID(s)) {
				p = &pipe{shared: u.hw.isShared(latencies.SubsystemID(s))}
				shared[s] = p
				u.pipes = append(u.pipes, p)
			}
			c.ports = append(c.ports, port{pipe: p, queue: newQueue(u.hw, latencies.SubsystemID(s))})
		}
		for _, r := range u.routes {
			y := way{ports: []*port{&c.ports[u.used[r.first]]}, ready: newBitset(len(u.warps))}
			if r.isPair() {
				y.ports = append(y.ports, &c.ports[u.used[r.second]])
			}
			c.ways = append(c.ways, y)
		}
	}
}

// start puts the next group into a slot.
func (u *unit) start(slot int) {
	g := &u.groups[slot]
	g.age = u.started
	g.kind = u.dealer.next()
	g.live = u.perSlot
	clear(g.arrived)
	for i := range g.last {
		g.last[i] = WarpID((slot+1)*u.perSlot - 1) // so that the first warp comes next
	}
	u.resident = append(u.resident, g)
	u.started++
	u.toStart--
	for i := range u.perSlot {
		u.startWarp(WarpID(slot*u.perSlot + i))
	}
}

func (u *unit) startWarp(id WarpID) {
	w := &u.warps[id]
	p := u.kinds[w.group.kind].byWarp[int(id)%u.perSlot]
	w.program = p
	w.waits = append(w.waits[:0], p.preds...)
	w.ready, w.left = 0, p.len()
	w.allowed, w.since, w.started = u.now, u.now, u.now
	u.mayIssue.add(int(id))
	if u.recorder != nil {
		w.record = u.recorder.start(p.len())
	}
	if p.len() == 0 {
		u.endWarp(w)
		return
	}
	u.startBlock(id, w, 0)
}

// startBlock lets a warp issue from the block that begins at v, if the program
// goes on there.
func (u *unit) startBlock(id WarpID, w *warp, v idg.NodeID) {
	p, first := w.program, v
	for int(v) < p.len() {
		v++
		if endsBlock(u.mode, &u.classes[p.class[v-1]]) {
			break
		}
	}
	w.blockEnd, w.unissued = v, int(v-first)
	for v := first; v < w.blockEnd; v++ {
		if w.waits[v] == 0 {
			u.makeReady(id, w, v, p.class[v])
		}
	}
}

// endWarp notes that the warp has finished, which the barriers that it does not
// execute count as its arrival.
func (u *unit) endWarp(w *warp) {
	g := w.group
	for k := len(w.program.barriers); k < int(u.barriers); k++ {
		u.arrive(g, k)
	}
	u.stats.resident.add(u.now - w.started)
	u.stats.warps++
	g.live--
	if g.live == 0 {
		u.finished = append(u.finished, g.slot)
	}
}

// arrive counts a warp at the k-th barrier of its group. The last one releases
// the others.
func (u *unit) arrive(g *group, k int) {
	g.arrived[k]++
	if g.arrived[k] < u.perSlot {
		return
	}
	for i := range u.perSlot {
		id := WarpID(g.slot*u.perSlot + i)
		w := &u.warps[id]
		if k >= len(w.program.barriers) {
			continue
		}
		v := w.program.barriers[k]
		class := w.program.class[v]
		u.events.push(u.complete[class], u.now, id, v)
		if w.record != nil {
			u.recorder.release(w, v, u.now+u.classes[class].latency)
		}
	}
}

// replaceFinished starts new groups in the slots that became free now, in
// ascending order, or lets the replacement time begin.
func (u *unit) replaceFinished() {
	if len(u.finished) == 0 {
		return
	}
	slices.Sort(u.finished)
	for _, slot := range u.finished {
		i := slices.Index(u.resident, &u.groups[slot])
		u.resident = slices.Delete(u.resident, i, i+1)
		u.ended++
		u.end = u.now
		if u.measured {
			u.marks = append(u.marks, mark{u.now, u.stats.issued})
		}
		if u.sampler.precision > 0 {
			u.sample()
		}
	}
	free := u.finished
	u.finished = u.finished[:0]
	for _, slot := range free {
		if u.toStart > u.pending() {
			u.admit(slot, u.hw.replacementTicks)
		}
	}
}

// admit gives a slot to the next group, which starts no earlier than so long from now, nor
// than the pace of the GPU allows: see hardware.startAt.
func (u *unit) admit(slot int, after Tick) {
	var at Tick
	at, u.nextStart = u.hw.startAt(u.now+after, u.nextStart, len(u.groups))
	if at == u.now {
		u.start(slot)
	} else {
		u.coming++
		u.events.pushAt(u.replace, at, WarpID(slot*u.perSlot), 0)
	}
}

// sample leaves out the groups that sampling need not simulate.
func (u *unit) sample() {
	if u.sampler.converged {
		return
	}
	quota := u.sampler.look(u.marks, u.started+u.pending())
	u.toStart = quota - u.started
}

// pending is how many groups are on their way to a slot.
func (u *unit) pending() int64 { return u.coming }
