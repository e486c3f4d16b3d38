package simulate

import (
	"context"
	"fmt"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// stepsPerCheck is how many points in time pass between two looks at the
// context.
const stepsPerCheck = 1 << 14

// The reference engine is the model of the package comment written down plainly:
// the fast engine must equal it in every number.

// runReference runs the groups of s.extent with the reference engine.
func (s *setup) runReference(ctx context.Context) (*outcome, error) {
	u := newUnit(s.work, s.hw, s.cfg, s.extent.simulated, s.extent.concurrent)
	u.sampler = newSampler(s.cfg.Precision, s.extent, s.work)
	u.measured = s.extent.measured > 0 || u.sampler.precision > 0
	u.limit = s.cfg.MaxEvents
	if s.cfg.Profile {
		u.recorder = &recorder{most: MaxProfile}
	}
	err := u.run(ctx)
	s.simulated(u.stats.issued)
	if err != nil {
		return nil, err
	}
	return u.outcome(), nil
}

// run simulates until all groups have ended.
func (u *unit) run(ctx context.Context) error {
	for slot := range u.groups {
		u.admit(slot, 0)
	}
	for steps := 0; ; steps++ {
		if steps%stepsPerCheck == 0 {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("simulation stopped at cycle %.0f: %w", u.time.float(u.now), err)
			}
			if u.stats.issued > u.limit {
				return tooManyIssues(u.limit)
			}
		}
		next := u.events.next()
		for i := range u.cores {
			next = min(next, u.cores[i].wake)
		}
		if next == never {
			break
		}
		if next > maxTime {
			return diag.Errorf(diag.Pos{}, "TIME", "the run takes more than %v cycles", u.time.cycles(maxTime))
		}
		u.now = next
		u.endEvents()
		u.replaceFinished()
		u.issueAll()
		if r := u.recorder; r != nil && r.stop && r.truncated {
			u.end = u.now
			return nil
		}
	}
	if len(u.resident) != 0 || u.toStart != 0 {
		return fmt.Errorf("simulate: internal error: %d groups are stuck at cycle %.0f, %d did not start; please "+
			"report this", len(u.resident), u.time.float(u.now), u.toStart)
	}
	return nil
}

// endEvents handles everything that ends now.
func (u *unit) endEvents() {
	for u.events.next() == u.now {
		kind, e := u.events.pop()
		w := &u.warps[e.warp]
		switch kind {
		case eventComplete, eventRelease:
			class := w.program.class[e.node]
			for _, v := range w.program.done.of(e.node) {
				u.satisfy(e.warp, w, v, class)
			}
			if !u.classes[class].store {
				u.endInstr(w, class)
			}
		case eventPassed:
			class := w.program.class[e.node]
			for _, v := range w.program.passed.of(e.node) {
				u.satisfy(e.warp, w, v, class)
			}
			if c := &u.classes[class]; c.store && !c.queued {
				u.endInstr(w, class)
			}
		case eventStored:
			u.endInstr(w, w.program.class[e.node])
		case eventAllowed:
			// The event may be of a warp that has been replaced since.
			if w.allowed <= u.now {
				u.mayIssue.add(int(e.warp))
				w.core.wake = u.now
			}
		case eventReplace:
			u.coming--
			u.start(w.group.slot)
		}
	}
}

// satisfy takes one dependence off v; cause is the class of the instruction
// that it was on.
func (u *unit) satisfy(id WarpID, w *warp, v idg.NodeID, cause classID) {
	w.waits[v]--
	if w.waits[v] == 0 && v < w.blockEnd {
		u.makeReady(id, w, v, cause)
	}
}

func (u *unit) makeReady(id WarpID, w *warp, v idg.NodeID, cause classID) {
	if w.ready == 0 {
		u.stats.waited[cause].add(u.now - w.since)
		w.since = u.now
	}
	w.ready++
	r := int(u.classes[w.program.class[v]].route)
	y := &w.core.ways[r]
	l := &u.ready[int(id)*len(w.core.ways)+r]
	if len(*l) == 0 {
		y.ready.add(int(id))
		y.warps++
	}
	l.push(v)
	w.core.wake = u.now
	if w.record != nil {
		w.record.ready[v] = u.now
	}
}

// endInstr notes that an instruction no longer keeps its warp alive.
func (u *unit) endInstr(w *warp, class classID) {
	w.left--
	if w.left == 0 {
		u.stats.waited[class].add(u.now - w.since)
		u.endWarp(w)
	}
}

// issueAll lets every sub-core issue what it can now, in turn.
func (u *unit) issueAll() {
	first := u.turn
	for i := range u.cores {
		c := &u.cores[(first+i)%len(u.cores)]
		if c.wake > u.now {
			continue
		}
		for c.valve <= u.now && u.findCandidates(c) {
			place := u.pick(u, c)
			if place < 0 {
				break
			}
			u.issue(c, WarpID(place))
		}
		c.wake = u.nextWake(c)
	}
}

// findCandidates sets u.candidates for a sub-core. It returns false if there are
// none; if it returns true, the issue interval may still exclude them all.
func (u *unit) findCandidates(c *core) bool {
	sets := u.candidates.sets[:0]
	for i := range c.ways {
		if y := &c.ways[i]; y.warps > 0 && y.opens() <= u.now {
			sets = append(sets, y.ready)
		}
	}
	u.candidates.sets = sets
	return len(sets) > 0
}

// nextWake is the earliest time after now at which a subsystem or the valve
// that a ready instruction waits for is free. What else it may wait for is an
// event.
func (u *unit) nextWake(c *core) Tick {
	wake := never
	for i := range c.ways {
		if y := &c.ways[i]; y.warps > 0 {
			if t := max(y.opens(), c.valve); t > u.now {
				wake = min(wake, t)
			}
		}
	}
	return wake
}

// issue issues the first instruction of a warp, in program order, among those
// whose subsystem is free.
func (u *unit) issue(c *core, id WarpID) {
	w := &u.warps[id]
	lists := u.ready[int(id)*len(c.ways):][:len(c.ways)]
	r, first := -1, idg.NodeID(0)
	for i := range lists {
		if len(lists[i]) > 0 && c.ways[i].opens() <= u.now && (r < 0 || lists[i][0] < first) {
			r, first = i, lists[i][0]
		}
	}
	y := &c.ways[r]
	v := lists[r].pop()
	if len(lists[r]) == 0 {
		y.ready.remove(int(id))
		y.warps--
	}
	class := w.program.class[v]
	cl := &u.classes[class]
	turns := y.take(u.now, cl.charges)
	turn := max(turns[0], turns[1])
	if w.program.flatProgram.words == nil {
		c.valve = u.now + cl.valve
	} else {
		c.reading, c.valve = u.hw.read(c.reading, u.now, w.program.flatProgram.words[v], cl.valve)
	}
	c.last, c.age, w.group.last[c.index] = id, w.group.age, id
	if y.isShared() {
		u.turn = (c.index + 1) % len(u.cores)
	}
	u.stats.issued++
	u.stats.queued[class].add(u.now - w.since)
	w.since = u.now
	w.ready--
	done := turn + cl.latency
	if cl.bytes > 0 {
		done = turn + u.load.issue(u.now, turn, cl)
	}
	if w.record != nil {
		u.recorder.issue(u, id, v, turns, done)
	}
	u.schedule(id, w, v, class, cl, turn, done)
	if u.blocked {
		w.allowed = u.now + u.hw.intervalTicks
		u.mayIssue.remove(int(id))
		u.events.push(u.allowed, u.now, id, v)
	}
	if w.unissued--; w.unissued == 0 {
		u.startBlock(id, w, w.blockEnd)
	}
}

// schedule makes the events that follow from the issue of v, whose turn comes then and
// which completes at done unless it is a barrier.
func (u *unit) schedule(id WarpID, w *warp, v idg.NodeID, class classID, cl *class, turn, done Tick) {
	p := w.program
	switch {
	case cl.barrier:
		k, _ := slices.BinarySearch(p.barriers, v)
		u.arrive(w.group, k)
	case !cl.store || len(p.done.of(v)) > 0:
		u.events.pushAt(u.complete[class], done, id, v)
	}
	if cl.store && cl.queued {
		u.events.pushAt(u.stored[class], turn+cl.hold, id, v)
	}
	if cl.store && !cl.queued || len(p.passed.of(v)) > 0 {
		u.events.push(u.passed[class], u.now, id, v)
	}
}

// outcome reports a run that has ended.
func (u *unit) outcome() *outcome {
	o := &outcome{end: u.end, ended: u.ended, stats: u.stats, marks: u.marks, sampler: u.sampler,
		groups: u.dealer.given, load: u.load.loadUse, beyond: make([]Tick, len(u.subsystems))}
	for i := range u.cores {
		c := &u.cores[i]
		for s := range c.ports {
			o.beyond[s] += max(0, c.ports[s].pipe.free-u.end)
		}
		o.beyondSlots += min(max(0, c.valve-u.end), u.workload.valve)
		o.beyondReads += max(0, c.reading-u.end)
	}
	if u.recorder != nil {
		o.profile = u.profile()
	}
	return o
}
