package unroll

import (
	"maps"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll/trace"
)

// A rolled loop that has come into a steady state does the same in each period of
// some iterations, but for the contents of counters and addresses, which drift.
// Once that is proved (snapshot.go for what iterations hand on to each other,
// drift.go for contents) the periods up to where something changes are not
// executed: their number is noted in the trace (trace/skip.go), and the counters are set
// to what they would have become.
//
// A pass is what the loop executes from one loop instruction to the next: an
// iteration, or as many as the unroll factor says.
//
// The loops of a nest are followed at the same time. A period of an outer loop may
// contain periods of inner ones that are skipped, if these are as many in
// each.

// steady is what one resolution knows about loops in a steady state.
type steady struct {
	learned map[lower.LoopID]int // index of the period that was found last
	vain    map[lower.LoopID]int // how many executions in a row have been compared without success
	tries   []*watch             // of which the state is being compared, outer loops first
}

// matchedLoad is a load that was found again because of the stores since.
type matchedLoad struct {
	class int // in memory.classes
	seq   int
}

// found takes notice of a load of an alias class that need not be repeated.
func (s *steady) found(class, seq int) {
	if s == nil {
		return
	}
	for _, w := range s.tries {
		w.matched = append(w.matched, matchedLoad{class, seq})
	}
}

// built takes notice of a lazy value of which the instructions are emitted.
func (s *steady) built(v *value) {
	if s == nil {
		return
	}
	for _, w := range s.tries {
		w.touched = w.touched || v.id <= w.last.id
	}
}

// periods are the numbers of passes that are tried as a period: those with which
// access patterns (contextPeriod) and the records of accesses (maxRecords) recur,
// and longer ones for addresses that stay within a range of memory.
var periods = [...]int{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024,
	2048, 4096}

const (
	// A loop within a rolled loop is executed as it is while that one may turn out
	// to be steady, if skipping would save little: if it has few instructions, or
	// no more than innerInstructions in less than innerPeriods periods; and no more
	// than outerInstructions in the outer one's passes so far.
	fewInstructions   = 1 << 9
	innerPeriods      = 2 * (2*trace.SteadyPeriods + 1)
	innerInstructions = 1 << 17
	outerInstructions = 1 << 19
	// vainTries is how many executions of a loop may be compared in vain before only
	// some are: the 8th, 16th and so on.
	vainTries = 4
	// fewestPasses are needed to compare some and leave some behind.
	fewestPasses = 2*trace.SteadyPeriods + 3
	// watchedPasses is how many passes of a loop are looked at before it is taken
	// to have no steady state.
	watchedPasses = 1 << 16
	// maxCounted bounds the instructions that are counted, of which the unused ones
	// are not executed.
	maxCounted = 64 * idg.MaxExecuted
)

// watch follows the passes of one execution of a rolled loop.
type watch struct {
	step    int64 // iterations of a pass
	passes  []pass
	alike   [len(periods)]int     // over how many passes each period has held
	next    int                   // index of the period to be tried next
	started int64                 // passes seen in all
	off     bool                  // no steady state is expected
	skipped bool                  // some passes have been
	vain    bool                  // a comparison has failed
	alone   map[lower.LoopID]bool // loops within that are not left to this one

	// While the state is being compared:
	period      int // index of the one that is being tried
	due         int // pass before which the state is compared next
	first, last *snapshot
	proof       *proof // nil = contents are not followed yet
	waits       int    // periods since the first proof until the trace has become regular
	// Since the last snapshot:
	log     *putLog
	matched []matchedLoad // loads that were found again
	touched bool          // a lazy value from before has been built
}

// pass is where a pass begins.
type pass struct {
	trace.Bookmark
	items int // of the tables that passes hand on to each other
	sign  uint64
}

// mayBeSteady reports whether a loop is watched: whether all of the resolver's
// state at the beginning of a pass is what a snapshot has.
func (r *resolver) mayBeSteady(l *lower.Loop) bool {
	_, exact := r.opt.Context.(ExactContext)
	return r.steady != nil && exact && !r.st.refused[l.ID] && len(r.maybe) == 0 && r.memory.watches == 0 &&
		r.silent == 0
}

// beginPass takes notice of a pass that begins with iteration i, and returns the
// iteration that is executed next: a later one if passes are skipped.
func (r *resolver) beginPass(a *activeLoop, active laneMask, i int64) int64 {
	p, w := &a.plan, a.watch
	step := int64(1)
	if i < p.main() {
		_, step = p.pass(i)
	}
	if w == nil || w.step != step {
		r.endWatch(a)
		w = &watch{step: step, off: !r.mayBeSteady(a.l) || a.passesLeft(i, step) < fewestPasses ||
			r.steady.inVain(a.l.ID)}
		if r.steady != nil {
			w.next = r.steady.learned[a.l.ID]
		}
		a.watch = w
	}
	if !w.off && (len(w.passes) > watchedPasses || a.passesLeft(i, step) < int64(periods[w.next])) {
		r.endTry(w, false)
		w.off = true
	}
	if w.off {
		if p.trips > int64(r.opt.MaxInstructions)*maxTripsPerInstruction &&
			p.trips-i > int64(r.opt.MaxInstructions)*maxTripsPerInstruction {
			r.fail(r.tooManyTrips(a.l, p.trips))
		}
		return i
	}
	w.begin(r, a.level)
	if w.first == nil {
		r.tryPeriod(a, active, i)
		return i
	}
	if w.proof != nil && w.proof.limit <= 0 {
		r.endTry(w, w.proof.failed)
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
	case w.proof == nil:
		m := matcher{r: r, a: a, from: w.last, to: now}
		if !m.match() {
			r.endTry(w, true)
			return i
		}
		r.prove(a, &m)
		return i
	}
	return r.conclude(a, now, i)
}

// prove begins a proof where two states have been found to match.
func (r *resolver) prove(a *activeLoop, m *matcher) {
	w := a.watch
	if w.proof != nil {
		w.proof.over = true
	}
	m.proof = &proof{lanes: r.warpMask, limit: unlimited}
	m.assume()
	w.proof = m.proof
	w.last, w.due = m.to, w.due+periods[w.period]
	r.startLog(a)
}

// passesLeft is how many passes the loop has left at most, from iteration i on. A loop
// that is not counted goes on by its condition, but ends with the number of iterations that
// was given or assumed where that is not known.
func (a *activeLoop) passesLeft(i, step int64) int64 {
	p := &a.plan
	switch {
	case !p.counted && i < p.trips:
		return (p.trips - i) / step
	case i < p.main() && a.apart.trips != nil:
		return (a.apart.until - i) / step
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
	w.passes = append(w.passes, pass{Bookmark: r.trace.Here(), items: r.numbering.items(level)})
	if n == 0 {
		return
	}
	before := &w.passes[n-1]
	before.sign = r.trace.Sign(before.Bookmark, r.trace.Here())
	for k, period := range periods {
		if n > period && w.passes[n-1-period].sign == before.sign {
			w.alike[k]++
		} else {
			w.alike[k] = 0
		}
	}
}

// tryPeriod begins to compare the state, if some period has held for long enough.
func (r *resolver) tryPeriod(a *activeLoop, active laneMask, i int64) {
	w := a.watch
	for k := w.next; k < len(periods); k++ {
		period := periods[k]
		if k > w.next && period%periods[w.next] != 0 || w.alike[k] < (trace.SteadyPeriods-4)*period {
			continue
		}
		if a.passesLeft(i, w.step)/int64(period) < 2*trace.SteadyPeriods {
			w.off = true
			return
		}
		if r.leftToOuter(a, int64(period)) {
			return
		}
		w.period, w.due = k, len(w.passes)-1+period
		w.first = r.snapshot(a, active)
		w.last = w.first
		r.steady.tries = append(r.steady.tries, w)
		r.startLog(a)
		return
	}
}

// leftToOuter reports whether the loop around is expected to be skipped, with this
// one in it executed as it is.
func (r *resolver) leftToOuter(a *activeLoop, period int64) bool {
	n := len(r.loops)
	if n < 2 || !r.loops[n-2].rolled || a.plan.trips < 0 || a.plan.trips > innerInstructions ||
		len(a.watch.passes) < 2 {
		return false
	}
	last := a.watch.passes[len(a.watch.passes)-2:]
	all := a.plan.trips / a.watch.step
	inner := int64(last[1].Node-last[0].Node) * all
	if inner >= innerInstructions || inner >= fewInstructions && all/period >= innerPeriods {
		return false
	}
	outer := r.loops[n-2].watch
	if outer == nil {
		return true
	}
	if !outer.skipped && (outer.off || (1+outer.started)*inner >= outerInstructions) && !outer.alone[a.l.ID] {
		if outer.alone == nil {
			outer.alone = map[lower.LoopID]bool{}
		}
		outer.alone[a.l.ID] = true // behind what is skipped as before
	}
	return !outer.alone[a.l.ID]
}

// startLog begins to note what is not seen in the next snapshot.
func (r *resolver) startLog(a *activeLoop) {
	w := a.watch
	w.log, w.matched, w.touched = &putLog{level: a.level}, nil, false
	r.listen()
}

// listen lets those know of what is executed whose state is being compared.
func (r *resolver) listen() {
	r.numbering.logs, r.proofs = r.numbering.logs[:0], r.proofs[:0]
	for _, n := range r.neighbours {
		r.proofs = append(r.proofs, n.proof)
	}
	if r.steady != nil {
		for _, w := range r.steady.tries {
			r.numbering.logs = append(r.numbering.logs, w.log)
			if w.proof != nil {
				r.proofs = append(r.proofs, w.proof)
			}
		}
	}
	if r.addresses != nil {
		r.addresses.proofs = r.proofs
	}
}

// inVain reports whether a loop is not watched this time, because that has been in
// vain.
func (s *steady) inVain(id lower.LoopID) bool {
	n := s.vain[id]
	if n < vainTries || n&(n-1) == 0 {
		return false
	}
	s.vain[id]++
	return true
}

// endWatch ends the watch of a loop, if there is one.
func (r *resolver) endWatch(a *activeLoop) {
	w := a.watch
	if w == nil {
		return
	}
	r.endTry(w, false)
	switch {
	case w.skipped:
		delete(r.steady.vain, a.l.ID)
	case w.vain:
		r.steady.vain[a.l.ID]++
	}
	a.watch = nil
}

// endTry stops the comparison. After a failure a multiple of the period is tried,
// else the same again: something is about to change.
func (r *resolver) endTry(w *watch, failed bool) {
	if w.first == nil {
		return
	}
	w.first, w.last, w.log, w.matched, w.waits = nil, nil, nil, nil, 0
	if w.proof != nil {
		w.proof.over = true
		w.proof = nil
	}
	r.steady.tries = r.steady.tries[:slices.Index(r.steady.tries, w)] // loops within have ended
	r.listen()
	if !failed {
		*w = watch{step: w.step, next: w.period, started: w.started, skipped: w.skipped, vain: w.vain, alone: w.alone}
		return
	}
	w.vain = true
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
	w, proof := a.watch, a.watch.proof
	period := periods[w.period]
	m := matcher{r: r, a: a, from: w.last, to: now, proof: proof}
	if proof.failed || !m.match() || !m.keeps() {
		r.endTry(w, true)
		return i
	}
	passes := len(w.passes)
	s := r.trace.Repetition(w.last.Bookmark, now.Bookmark)
	s.Loop = a.l.ID
	window := w.passes[max(0, passes-1-trace.SteadyPeriods*period):]
	if passes-1 < trace.SteadyPeriods*period || window[0].items != window[len(window)-1].items ||
		now.Node-window[0].Node != trace.SteadyPeriods*s.Length || !r.trace.Recurs(&s) {
		if w.waits++; w.waits > trace.SteadyPeriods {
			r.endTry(w, true)
		} else {
			r.prove(a, &m)
		}
		return i
	}
	left, behind := a.passesLeft(i, w.step)/int64(period), m.behind()
	copies := min(proof.limit, left) - behind
	if copies < 1 || !w.last.decisions.sameBut(&now.decisions) {
		r.endTry(w, false)
		w.off = left-3 <= behind
		return i
	}
	if proof.limit == unlimited && a.plan.trips < 0 {
		r.fail(diag.Errorf(a.l.Pos, "ENDLESS", "this loop never ends: every %d iterations it does the same",
			int64(period)*w.step).
			WithNote("if that is intended, give the number of iterations with --trip %d=N", a.l.Pos.Line))
		return i
	}
	if copies > (maxCounted-r.trace.Skipped)/s.Each {
		r.fail(r.tooManyExecuted())
		return i
	}
	s.Copies = copies
	m.advance(copies)
	r.decisions.advance(&w.last.decisions, &now.decisions, copies)
	r.addresses.skip(&s, w.last, proof)
	r.trace.AddSkip(s)
	r.steady.learned[a.l.ID] = w.period
	w.skipped = true
	r.endTry(w, false)
	w.off = left-copies-3 <= behind // no more would be skipped
	return i + copies*int64(period)*w.step
}

func (r *resolver) tooManyExecuted() error {
	return diag.Errorf(r.outermost(), "TOO-LARGE",
		"one warp of kernel %s executes more than %d instructions, those that are counted only included", r.k.Name,
		int64(idg.MaxExecuted)).
		WithNote("give smaller trip counts (--trip LINE=N, --arg NAME=VALUE) or a smaller launch")
}

func (r *resolver) tooManyTrips(l *lower.Loop, trips int64) error {
	return diag.Errorf(l.Pos, "TOO-LARGE", "this loop has %d iterations; one warp may execute at most %d instructions",
		trips, r.opt.MaxInstructions).
		WithNote("give smaller argument values, or --trip %d=N", l.Pos.Line)
}

// copyOf is a copy of a map, nil for an empty one.
func copyOf[K comparable, V any](m map[K]V) map[K]V {
	if len(m) == 0 {
		return nil
	}
	return maps.Clone(m)
}

// settled reports whether the finished trace is as regular where iterations are
// skipped as it was when it was recorded. If not, its loops are not skipped when
// the warp is resolved again.
func (r *resolver) settled(live []bool) bool {
	loops := r.trace.Irregular(live, r.opt.Barrier == WaitComplete)
	for _, l := range loops {
		r.st.refused[l] = true
	}
	return len(loops) == 0
}
