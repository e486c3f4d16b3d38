package simulate

import (
	"fmt"

	"gpupipe/idg"
)

// Sampling within loops
//
// A long loop repeats itself as a launch of many groups does, and where the unit's
// states do not recur exactly it is simulated to its end. With Config.Precision
// iterations are left out instead once the time per instruction has converged, where
// loops are executed as they are stored (setup.folded): by the fast engine alone.
//
// Some warp is the pilot: a mark is made whenever it begins another iteration of its
// loop, which is of those around an instruction the one with the most iterations. Of
// the marks since groups or warps last began or ended the later half is measured, and
// a bound of the error is formed from it as from waves of groups (sample.go). If it is
// within the precision, the unit becomes later by what the instructions left out take
// at the measured rate, but else stays what it is, and every warp has as many
// iterations less to go as it would have executed at its own rate, up to where the
// first of them begins its last one: with some schedulers warps go on at different
// rates. So the ends of loops are simulated, and what comes behind them. Nothing is
// left out unless
//
//   - every warp has executed at least leastTurns iterations in the measured time and
//     nothing else; or nothing at all, if the others go on at one rate: it waits for
//     them. Where a scheduler serves some more than others, one that was not served
//     may be the next to be;
//   - warps that meet at barriers in their loops do so equally often in an iteration:
//     these go ahead by the same number of iterations;
//   - it is at least as much as was simulated to find out.
//
// Therefore a loop of fewer than longLoop iterations is never cut.
//
// To what is bounded as for waves two errors are added. Where warps go on at
// different rates, these have an error of their own (leap.uneven). And a unit may fall
// into another pattern of phases later on: what was left out may have hidden that, and
// what follows begins in other phases than it would have had. Neither shows in what
// was measured, nor does it get less in longer loops: with a greedy scheduler even the
// exact time per iteration varies by percents between launches that differ in their
// number of iterations only. So phaseShift is added, which covers it mostly, not always
// (TestLoopSampling; docs/evidence/performance.md has the errors). To a precision below that
// loops are not sampled.

const (
	loopMarks  = 256           // marks at which to look first, and the most that are kept
	longLoop   = 2 * loopMarks // as many must be left as were looked at
	leastTurns = sampleBatches
	phaseShift = 0.02

	// callsPerSearch is how many iterations of any loops begin from one search for a
	// pilot to the next, so that searching costs nothing where loops are short.
	callsPerSearch = 64
)

// loopPlan says whether loops are sampled; the zero value is no.
type loopPlan struct {
	precision float64
}

// planLoops decides that for a run.
func (s *setup) planLoops() loopPlan {
	c := &s.cfg
	switch {
	case c.Full || !s.folded() || c.Issue == Dataflow || !s.work.findLongLoops():
	case c.Precision > phaseShift && newSampler(c.Precision, s.extent, s.work).precision > 0:
		return loopPlan{precision: (c.Precision + phaseShift) / 2} // the rest is for waves
	case c.Precision > phaseShift:
		return loopPlan{precision: c.Precision}
	}
	return loopPlan{}
}

// countedLoop is what is known of a repetition that is sampled.
type countedLoop struct {
	index            int   // of the repetition
	length, barriers int64 // instructions and barriers of an execution of its body
}

// findLongLoops finds, for every repetition of the programs, the one whose
// iterations are counted when a warp is in it: of itself and those around it the one
// with the most, if these are enough. It reports whether there is one.
func (w *workload) findLongLoops() bool {
	found := false
	for i := range w.kinds {
		for _, p := range w.kinds[i].programs {
			l := newLayout(p.source)
			p.counted = make([]*countedLoop, len(l.loops))
			if len(l.loops) == 0 {
				continue
			}
			p.bodies = l.addUp(l.numbers, func(uint32) int64 { return 1 })
			barriers := l.addUp(make([]int64, len(l.numbers)), func(s uint32) int64 {
				if w.classes[p.first+classID(p.source.StaticInstr(idg.StaticID(s))-1)].barrier {
					return 1
				}
				return 0
			})
			most := make([]int64, len(l.loops))
			for r := range l.loops { // inner ones come later
				if up := l.loops[r].parent; up != 0 {
					p.counted[r], most[r] = p.counted[up-1], most[up-1]
				}
				if n := l.loops[r].count; n >= longLoop && n > most[r] {
					p.counted[r], most[r] = &countedLoop{r, p.bodies[r], barriers[r]}, n
					found = true
				}
			}
		}
	}
	return found
}

// progress is how far the warp at a place is.
type progress struct {
	live   bool
	loop   *countedLoop // nil = none
	left   int64        // iterations of it, the current one included
	number uint32       // instructions issued or skipped, modulo 2^32, from anywhere
}

// loopSampler leaves out iterations.
type loopSampler struct {
	loopPlan
	places int
	memory Tick // how long the unit remembers

	// Since groups or warps last began or ended:
	began  epoch
	start  mark
	where  []progress // then, or when a pilot was looked for
	pilot  int        // place; -1 = not found yet
	calls  uint       // while it was not
	last   progress   // of the pilot
	stride int64      // its iterations from mark to mark
	marks  []mark
	ways   []progress // by mark × places + place
	next   int        // marks at which to look again
	kept   counts     // at the last look

	skipped []uint32 // by place: instructions skipped exactly, modulo 2^32
	leftOut int64    // instructions
	lost    float64  // bound of the error of the time left out, in ticks
}

// epoch is what changes when groups or warps begin or end.
type epoch struct{ given, ended, warps int64 }

func newLoopSampler(p loopPlan, places int, w *workload) *loopSampler {
	if p.precision == 0 {
		return nil
	}
	return &loopSampler{loopPlan: p, places: places, memory: w.memory(), began: epoch{given: -1},
		skipped: make([]uint32, places)}
}

// bound is the relative error of what has been sampled when a run has taken so
// long.
func (s *loopSampler) bound(now Tick) float64 {
	if s == nil || s.leftOut == 0 {
		return 0
	}
	return s.lost/float64(now) + phaseShift
}

// again begins to measure anew.
func (s *loopSampler) again(e epoch, now mark, where []progress) {
	s.began, s.start, s.where = e, now, where
	s.pilot, s.stride, s.marks, s.ways, s.next = -1, 1, s.marks[:0], s.ways[:0], loopMarks
}

// findPilot takes the first warp that has begun another iteration since it was
// looked for.
func (s *loopSampler) findPilot(where []progress) {
	for place := range where {
		if a, b := &s.where[place], &where[place]; b.loop != nil && b.loop == a.loop && b.left < a.left {
			s.pilot, s.last = place, *b
			return
		}
	}
	copy(s.where, where)
}

// thin keeps every second mark, the last one included.
func (s *loopSampler) thin() {
	n := len(s.marks) / 2
	for i := range n {
		s.marks[i] = s.marks[2*i+1]
		copy(s.ways[i*s.places:][:s.places], s.ways[(2*i+1)*s.places:])
	}
	s.marks, s.ways = s.marks[:n], s.ways[:n*s.places]
	s.stride *= 2
}

// leap is what to leave out now, at the last mark; false if that is nothing.
func (s *loopSampler) leap(perSlot int) (leap, bool) {
	to := len(s.marks) - 1
	from := to / 2
	a, b := s.marks[from], s.marks[to]
	if a.at-s.start.at < s.memory || b.at-a.at < s.memory || b.issued-a.issued > 1<<31 {
		return leap{}, false
	}
	at := func(mark int) []progress { return s.ways[mark*s.places:][:s.places] }
	l, ok := s.ahead(at(from), at(to), perSlot)
	if !ok {
		return l, false
	}
	for place, k := range l.turns {
		if k > 0 {
			l.issues += k * l.loops[place].length
		}
	}
	if l.issues < b.issued-s.start.issued {
		return l, false // nothing to gain
	}
	if l.time, ok = scale(b.at-a.at, l.issues, b.issued-a.issued); !ok {
		l.time = maxTime // the run is refused
	}
	r := newRates(s.marks, from, to, 1)
	l.lost = (r.half+r.trend+l.uneven(at(from), at((from+to)/2), at(to)))*float64(l.time) + r.phase
	return l, l.lost <= (s.precision-phaseShift)*float64(b.at-s.start.at+l.time)
}

// note says what was left out of a run of so many instructions.
func (s *loopSampler) note(issues int64, bound float64) string {
	return fmt.Sprintf("%.3g%% of the instructions are iterations of long loops that were not simulated but "+
		"extrapolated, from the instruction rate of those before them once it had converged: cycles within %s "+
		"(asked for: %s)",
		100*float64(s.leftOut)/float64(issues), ErrorText(bound), ErrorText(s.precision))
}
