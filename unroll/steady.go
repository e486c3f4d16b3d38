package unroll

import (
	"maps"

	"gpupipe/internal/diag"
	"gpupipe/lower"
)

// A rolled loop that has come into a steady state does the same in each period of
// some iterations, but for the contents of counters and addresses, which drift.
// Once that is proved (snapshot.go for what iterations hand on to each other,
// drift.go for contents) the periods up to where something changes are not
// executed: their number is noted in the trace (skip.go), and the counters are set
// to what they would have become.
//
// A pass is what the loop executes from one loop instruction to the next: an
// iteration, or as many as the unroll factor says.

// steady is what one resolution knows about loops in a steady state.
type steady struct {
	learned map[lower.LoopID]int // index of the period that was found last
	current *watch               // of which the state is being compared, nil if none
	matched []matchedLoad        // loads that were found again meanwhile
	touched bool                 // a lazy value from before has been built
}

// matchedLoad is a load that was found again because of the stores since.
type matchedLoad struct {
	class int // in memory.classes
	seq   int
}

// found takes notice of a load of an alias class that need not be repeated.
func (s *steady) found(class, seq int) {
	if s != nil && s.current != nil {
		s.matched = append(s.matched, matchedLoad{class, seq})
	}
}

// built takes notice of a lazy value of which the instructions are emitted.
func (s *steady) built(v *value) {
	if s != nil && s.current != nil && v.id <= s.current.last.id {
		s.touched = true
	}
}

// periods are the numbers of passes that are tried as a period: those with which
// access patterns (contextPeriod) and the records of accesses (maxRecords) recur,
// and longer ones for addresses that stay within a range of memory.
var periods = [...]int{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096}

const (
	// steadyPeriods must be alike in the trace before and after what is skipped:
	// nothing that an instruction waits for, or that the passes over the
	// finished trace look at, is farther away.
	steadyPeriods = 6
	// A loop within a rolled loop is executed as it is while that one may turn out
	// to be steady, which saves more: if it leaves no more than innerInstructions,
	// and outerInstructions in the outer one's passes so far.
	innerInstructions = 1 << 17
	outerInstructions = 1 << 22
	// fewestPasses are needed to compare some and leave some behind.
	fewestPasses = 2*steadyPeriods + 3
	// watchedPasses is how many passes of a loop are looked at before it is taken
	// to have no steady state.
	watchedPasses = 1 << 16
	// maxExecuted bounds the instructions that are counted.
	maxExecuted = 1 << 50
)

// watch follows the passes of one execution of a rolled loop.
type watch struct {
	step    int64 // iterations of a pass
	passes  []pass
	alike   [len(periods)]int // over how many passes each period has held
	next    int               // index of the period to be tried next
	started int64             // passes seen in all
	off     bool              // no steady state is expected

	period      int // index of the one that is being tried
	due         int // pass before which the state is compared next
	first, last *snapshot
}

// pass is where a pass begins.
type pass struct {
	node, mark int // lengths of the trace and of its marks
	items      int // of the tables that passes hand on to each other
	sign       uint64
}

// mayBeSteady reports whether a loop is watched: whether all of the resolver's
// state at the beginning of a pass is what a snapshot has.
func (r *resolver) mayBeSteady(l *lower.Loop) bool {
	_, exact := r.opt.Context.(ExactContext)
	return r.steady != nil && exact && !r.st.refused[l.ID] && len(r.maybe) == 0 && r.memory.watches == 0 && r.silent == 0
}

// beginPass takes notice of a pass that begins with iteration i, and returns the
// iteration that is executed next: a later one if passes are skipped.
func (r *resolver) beginPass(a *activeLoop, active laneMask, i int64) int64 {
	p, w := &a.plan, a.watch
	step := int64(1)
	if i < p.main() {
		step = p.factor
	}
	if w == nil || w.step != step {
		if w != nil {
			r.endTry(w, false)
		}
		w = &watch{step: step, off: !r.mayBeSteady(a.l) || a.passesLeft(i, step) < fewestPasses}
		if r.steady != nil {
			w.next = r.steady.learned[a.l.ID]
		}
		a.watch = w
	}
	if r.steady != nil && r.steady.current != nil && r.steady.current != w {
		return i // a loop around this one is being compared
	}
	if !w.off && (len(w.passes) > watchedPasses || a.passesLeft(i, step) < int64(periods[w.next])) {
		r.endTry(w, false)
		w.off = true
	}
	if w.off {
		if p.trips > int64(r.opt.MaxInstructions)*maxTripsPerInstruction && p.trips-i > int64(r.opt.MaxInstructions)*maxTripsPerInstruction {
			r.fail(r.tooManyTrips(a.l, p.trips))
		}
		return i
	}
	w.begin(r, a.level)
	if w.first == nil {
		r.tryPeriod(a, active, i)
		return i
	}
	if r.proof != nil && r.proof.limit <= 0 {
		r.endTry(w, r.proof.failed)
		return i
	}
	if len(w.passes)-1 < w.due {
		return i
	}
	now := r.snapshot(a, active)
	switch {
	case w.last == w.first:
		w.last, w.due = now, w.due+periods[w.period]
		r.startLog(a)
		return i
	case r.proof == nil:
		proof := &proof{lanes: r.warpMask, limit: unlimited}
		m := matcher{r: r, a: a, from: w.last, to: now, proof: proof}
		if !m.match() {
			r.endTry(w, true)
			return i
		}
		m.assume()
		r.proof = proof
		r.addresses.follow(true)
		w.last, w.due = now, w.due+periods[w.period]
		r.startLog(a)
		return i
	}
	return r.conclude(a, now, i)
}

// passesLeft is how many passes the loop has left at most, from iteration i on.
func (a *activeLoop) passesLeft(i, step int64) int64 {
	p := &a.plan
	switch {
	case i < p.main():
		return (p.main() - i) / step
	case p.trips >= 0:
		return p.trips - i
	}
	return unlimited
}

// begin notes where a pass begins and for how long the periods have held.
func (w *watch) begin(r *resolver, level int32) {
	w.started++
	n := len(w.passes)
	w.passes = append(w.passes, pass{node: r.trace.length, mark: len(r.trace.marks), items: r.numbering.items(level)})
	if n == 0 {
		return
	}
	before := &w.passes[n-1]
	before.sign = r.trace.sign(before.node, r.trace.length)
	for k, period := range periods {
		if n > period && w.passes[n-1-period].sign == before.sign {
			w.alike[k]++
		} else {
			w.alike[k] = 0
		}
	}
}

// sign is a hash of what nodes from index i to end-1 are.
func (t *trace) sign(i, end int) uint64 {
	const golden = 0x9e3779b97f4a7c15
	h := uint64(end - i)
	for ; i < end; i++ {
		n := t.at(i)
		h = (h ^ h>>29 ^ uint64(n.kind)<<32 ^ uint64(n.access)<<8 ^ uint64(n.lanes)) * golden
		h = (h ^ h>>31 ^ uint64(n.depLen)<<16 ^ uint64(n.orderLen)) * golden
	}
	return h
}

// tryPeriod begins to compare the state, if some period has held for long enough.
func (r *resolver) tryPeriod(a *activeLoop, active laneMask, i int64) {
	w := a.watch
	if r.leftToOuter(a) {
		return
	}
	for k := w.next; k < len(periods); k++ {
		period := periods[k]
		if k > w.next && period%periods[w.next] != 0 || w.alike[k] < (steadyPeriods-4)*period {
			continue
		}
		if a.passesLeft(i, w.step)/int64(period) < 2*steadyPeriods {
			w.off = true
			return
		}
		w.period, w.due = k, len(w.passes)-1+period
		r.steady.current = w
		w.first = r.snapshot(a, active)
		w.last = w.first
		r.startLog(a)
		return
	}
}

// leftToOuter reports whether the loop around is expected to be skipped, with this
// one in it.
func (r *resolver) leftToOuter(a *activeLoop) bool {
	n := len(r.loops)
	if n < 2 || !r.loops[n-2].rolled || a.plan.trips < 0 || a.plan.trips > innerInstructions || len(a.watch.passes) < 2 {
		return false
	}
	passes := int64(1)
	if outer := r.loops[n-2].watch; outer != nil {
		if outer.off {
			return false
		}
		passes += outer.started
	}
	last := a.watch.passes[len(a.watch.passes)-2:]
	inner := int64(last[1].node-last[0].node) * a.plan.trips / a.watch.step
	return inner < innerInstructions && passes*inner < outerInstructions
}

func (r *resolver) startLog(a *activeLoop) {
	r.numbering.log = &putLog{level: a.level}
	r.steady.matched, r.steady.touched = nil, false
}

// endTry stops the comparison. After a failure a multiple of the period is tried,
// else the same again: something is about to change.
func (r *resolver) endTry(w *watch, failed bool) {
	if w.first == nil {
		return
	}
	w.first, w.last = nil, nil
	r.proof, r.numbering.log, r.steady.current = nil, nil, nil
	r.addresses.follow(false)
	if !failed {
		*w = watch{step: w.step, next: w.period, started: w.started}
		return
	}
	for k := w.period + 1; k < len(periods); k++ {
		if periods[k]%periods[w.period] == 0 {
			w.next = k
			return
		}
	}
	w.off = true
}

// conclude compares the state behind the period of a proof with that before it,
// and skips the periods for which the proof holds. It returns the iteration that
// comes next.
func (r *resolver) conclude(a *activeLoop, now *snapshot, i int64) int64 {
	w, proof := a.watch, r.proof
	period := periods[w.period]
	m := matcher{r: r, a: a, from: w.last, to: now, proof: proof}
	s := skip{
		at: now.node, length: now.node - w.last.node, marks: w.last.mark, marksEnd: now.mark, loop: a.l.ID,
	}
	passes := len(w.passes)
	window := w.passes[max(0, passes-1-steadyPeriods*period):]
	alike := passes-1 >= steadyPeriods*period && window[0].items == window[len(window)-1].items && m.match() && m.keeps() &&
		now.node-window[0].node == steadyPeriods*s.length && r.trace.regular(&s, nil) && r.trace.startsPass(&s)
	if !alike || proof.failed {
		r.endTry(w, true)
		return i
	}
	copies := min(proof.limit, a.passesLeft(i, w.step)/int64(period)) - steadyPeriods - 1
	copies = min(copies, (maxExecuted-r.trace.skipped())/int64(s.length))
	if copies < 1 || !w.last.decisions.sameBut(&now.decisions) {
		r.endTry(w, false)
		return i
	}
	s.copies = copies
	m.advance(copies)
	r.decisions.advance(&w.last.decisions, &now.decisions, copies)
	r.addresses.skip(&s, w.last.touches)
	r.trace.skips = append(r.trace.skips, s)
	r.steady.learned[a.l.ID] = w.period
	r.endTry(w, false)
	return i + copies*int64(period)*w.step
}

func (r *resolver) tooManyTrips(l *lower.Loop, trips int64) error {
	return diag.Errorf(l.Pos, "TOO-LARGE", "this loop has %d iterations; one warp may execute at most %d instructions", trips, r.opt.MaxInstructions).
		WithNote("give smaller argument values, or --trip %d=N", l.Pos.Line)
}

// counts is a copy of what has been decided, with what is only counted.
type counts struct {
	loops       []loopDecision
	branches    []branchDecision
	diagnostics int
	noted       int
	used        int
}

func (d *decisions) counts() counts {
	return counts{append([]loopDecision(nil), d.loops...), append([]branchDecision(nil), d.branches...), len(d.diagnostics), len(d.noted), len(d.used)}
}

// counters are the parts of a decision that are only counted.
func (l *loopDecision) counters() []*int64 { return []*int64{&l.iterations, &l.Executed} }

func (b *branchDecision) counters() []*int64 {
	return []*int64{&b.executed, &b.divergence.Executions, &b.divergence.Diverged, &b.divergence.Lanes}
}

// sameBut reports whether two states differ in counts only.
func (c *counts) sameBut(o *counts) bool {
	if c.diagnostics != o.diagnostics || c.noted != o.noted || c.used != o.used {
		return false
	}
	for i := range c.loops {
		x, y := c.loops[i], o.loops[i]
		for _, p := range append(x.counters(), y.counters()...) {
			*p = 0
		}
		x.plans, y.plans = min(x.plans, 2), min(y.plans, 2)
		if x != y {
			return false
		}
	}
	for i := range c.branches {
		x, y := c.branches[i], o.branches[i]
		for _, p := range append(x.counters(), y.counters()...) {
			*p = 0
		}
		if x != y {
			return false
		}
	}
	return true
}

// advance adds so many times what was counted between two states.
func (d *decisions) advance(from, to *counts, times int64) {
	add := func(now, x, y []*int64) {
		for k := range now {
			*now[k] += times * (*y[k] - *x[k])
		}
	}
	for i := range d.loops {
		add(d.loops[i].counters(), from.loops[i].counters(), to.loops[i].counters())
	}
	for i := range d.branches {
		add(d.branches[i].counters(), from.branches[i].counters(), to.branches[i].counters())
	}
}

// copyOf is a copy of a map, nil for an empty one.
func copyOf[K comparable, V any](m map[K]V) map[K]V {
	if len(m) == 0 {
		return nil
	}
	return maps.Clone(m)
}
