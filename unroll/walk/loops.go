package walk

import (
	"gpupipe/idg"
	"gpupipe/lower/ir"
)

// loopCount is what a warp executes of a loop of the source. The parts that it was unrolled into execute the iterations
// of one execution together.
type loopCount struct {
	executions, iterations int64
	around                 uint64 // the iteration of the code in which it was entered last
	now                    int64  // iterations of the current execution
	first                  int64  // of the first one
	open                   bool   // one is going on
	varies                 bool   // executions have different numbers
	parted                 bool   // lanes have
	from                   origin // of what decides the number
	given, assumed         bool   // by --trip; nothing tells it
}

// enters begins an execution of a loop of the source.
func (w *warp) enters(source int) *loopCount {
	l := &w.loops[source]
	w.closes(l)
	l.open, l.now, l.around = true, 0, w.iteration()
	l.executions++
	return l
}

// closes ends an execution.
func (w *warp) closes(l *loopCount) {
	if !l.open {
		return
	}
	l.open = false
	switch {
	case l.executions == 1:
		l.first = l.now
	case l.now != l.first:
		l.varies = true
	}
}

// part is the execution that a part of a loop belongs to.
func (w *warp) part(p ir.Part) *loopCount {
	l := &w.loops[p.Loop]
	if !p.More || !l.open || l.around != w.iteration() {
		return w.enters(p.Loop)
	}
	return l
}

// executes counts iterations of a loop of the source.
func (w *warp) executes(source int, n int64) {
	l := &w.loops[source]
	l.now += n
	l.iterations += n
	if l.now > maxTrips {
		w.fail(w.c.tooManyTrips(w.c.loopPos[source], l.now))
	}
}

// left is how many iterations at a time a part of a loop still executes, whose number is not known: of those that the
// user gives (--trip), else of as many as are assumed; ahead of them are counted already.
func (w *warp) left(source int, p ir.Part, ahead int64) int64 {
	l := &w.loops[source]
	n, given := w.trips(source)
	l.given, l.assumed = l.given || given, l.assumed || !given
	if !given {
		w.assumesTrips(source, n)
	}
	if n > maxTrips {
		w.fail(w.c.tooManyTrips(w.c.loopPos[source], n))
	}
	if n -= l.now + ahead; p.Multiple > 0 {
		n %= int64(p.Multiple)
	}
	return max(n, 0) / max(p.Copies, 1)
}

// trips is how many iterations a loop has of which that is not known.
func (w *warp) trips(source int) (n int64, given bool) {
	_, constant := w.c.constant[source]
	if pos, ok := w.c.loopPos[source]; ok && !constant {
		for _, t := range w.launch.Trips {
			if t.At.Matches(pos) {
				return t.Trips, true
			}
		}
	}
	return w.launch.AssumeTrips, false
}

// partOf is a loop as a part of one of the source.
func partOf(loop *ir.Instr) ir.Part {
	if loop.Part.Loop != 0 {
		return loop.Part
	}
	return ir.Part{Loop: loop.Source, Copies: copiesOf(loop)}
}

// plus adds what happened in repetitions.
func (l *loopCount) plus(before *loopCount, times int64) {
	l.executions += (l.executions - before.executions) * times
	l.iterations += (l.iterations - before.iterations) * times
}

// origin says where the number of iterations came from.
func (l *loopCount) origin() string {
	switch {
	case l.varies:
		return "varies"
	case l.given:
		return "--trip"
	case l.assumed:
		return "assumed"
	case l.parted:
		return l.from.String() + ", differs between lanes"
	}
	return l.from.String()
}

// loopList is what the compiler and the walk made of the source's loops.
func (s *static) loopList(warps []*warp) []idg.Loop {
	if s.kernel == nil {
		return nil
	}
	list := make([]idg.Loop, len(s.kernel.Loops))
	for i, l := range s.kernel.Loops {
		h := &list[i]
		*h = idg.Loop{Pos: l.Pos, Kind: l.Kind, Depth: l.Depth, Trips: -1, Factor: 1, Origin: "not reached"}
		if l.Pragma != nil {
			h.Pragma = l.Pragma.Text
		}
		for _, w := range warps {
			c := &w.loops[i+1]
			switch w.closes(c); {
			case c.executions == 0:
			case h.Executed == 0:
				h.Executed, h.Trips, h.Origin = c.executions, c.first, c.origin()
				if c.varies {
					h.Trips = -1
				}
			case h.Trips != c.first && h.Origin != "varies":
				h.Trips, h.Origin = -1, "differs between warps"
			}
		}
		s.compiled(h, i+1)
		if h.Executed == 0 && h.Full {
			s.reached(list, i)
		}
		if !h.Full && h.Factor > 1 && h.Trips >= 0 {
			h.Remainder = h.Trips % h.Factor
		}
	}
	return list
}

// compiled enters what the compiler made of a loop.
func (s *static) compiled(h *idg.Loop, source int) {
	for _, x := range s.code.Func.Choices {
		if x.Source == source {
			h.Factor, h.Full, h.Reason = max(1, x.Copies), x.Whole, x.Rule
		}
	}
	n, ok := s.constant[source]
	if !ok || !h.Full && h.Executed == 0 {
		return
	}
	if h.Trips, h.Origin = n, "constant"; h.Full {
		h.Factor = n
	}
}

// reached says how often a loop was entered of which nothing is left but copies: once in each iteration of the loop
// around it.
func (s *static) reached(list []idg.Loop, i int) {
	h := &list[i]
	h.Executed = 1
	for j := i - 1; j >= 0; j-- {
		if around := &list[j]; around.Depth < h.Depth {
			if h.Executed = around.Executed; around.Trips >= 0 {
				h.Executed *= around.Trips
			}
			break
		}
	}
	switch {
	case h.Executed == 0:
		h.Trips, h.Origin = -1, "not reached"
	case h.Trips < 0:
		h.Origin = "varies"
	}
}
