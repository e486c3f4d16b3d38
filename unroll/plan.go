package unroll

import (
	"fmt"
	"slices"

	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/factor"
)

// plan is what is done with one execution of a loop.
type plan struct {
	trips    int64 // iterations: exact, given or assumed; with lanes that differ the most
	constant bool  // known to the compiler
	counted  bool  // a loop instruction stands for increment, compare and branch
	given    bool  // by --trip: the condition is not asked
	assumed  bool
	origin   string

	factor int64 // copies of the body in the rolled part
	full   bool  // no rolled part
	again  int64 // passes of factor copies that are made one while there are so many; 0 or 1: none
	peel   bool  // the iterations left over by factor are straight code outside the loop
	reason string

	endless bool     // the condition never fails: only a break or return ends the loop
	varies  bool     // the trip count differs between lanes
	exited  laneMask // lanes that ended the loop through its condition
}

// main is the number of iterations in whole groups of factor copies.
func (p *plan) main() int64 {
	if p.trips < 0 || !p.counted {
		return 1<<62 - 1<<62%p.factor
	}
	return p.trips / p.factor * p.factor
}

// pass returns where the pass of whole groups begins that iteration i, before main, lies in, and
// how many iterations it has: factor, or a multiple while so many are left.
func (p *plan) pass(i int64) (start, length int64) {
	main := p.main()
	for length = p.factor * max(1, p.again); ; length /= 2 {
		end := start + (main-start)/length*length
		if i < end || length <= p.factor {
			return i - (i-start)%length, length
		}
		start = end
	}
}

// joinsPasses reports whether there are whole passes, and code that executes some of them as one.
func (p *plan) joinsPasses() bool { return p.again > 1 && p.main() > 0 }

// startsGroup reports whether iteration i starts a new pass of the rolled part.
func (p *plan) startsGroup(i int64) bool {
	switch {
	case p.factor <= 1:
		return true
	case i < p.main():
		start, _ := p.pass(i)
		return i == start
	case p.constant:
		return i == p.main()
	}
	return true // remainder loop
}

// endsGroup reports whether the loop instruction follows iteration i.
func (p *plan) endsGroup(i int64) bool {
	switch {
	case p.factor <= 1:
		return true
	case i < p.main():
		start, length := p.pass(i)
		return i == start+length-1
	}
	return !p.constant
}

// peels reports whether the iterations from i on are straight code outside the
// loop. Otherwise they are the first copies of a last pass, which the loop
// leaves half-way.
func (p *plan) peels(i int64) bool {
	return p.peel && p.factor > 1 && i == p.main()
}

// planLoop decides about one execution of a loop by the lanes of m, and returns the trip
// counts of lanes that differ.
func (r *resolver) planLoop(l *lower.Loop, m laneMask) (p plan, lanes []int64) {
	p = plan{trips: -1, factor: 1}
	counts := counted{trips: -1}
	if l.Induction != nil {
		p.counted = true
		r.mask = m
		counts = r.countTrips(l, m)
	}
	p.trips, p.constant, p.origin = counts.trips, counts.constant, counts.from.String()
	n, chosen := r.decisions.tripChoice(l.Pos, r.opt.Trips)
	if l.CondValue.Kind == 0 {
		p.trips = arithmetic.Endless
	}
	if p.trips == arithmetic.Endless {
		if !l.HasBreak && !chosen {
			r.fail(diag.Errorf(l.Pos, "ENDLESS", "this loop never ends: %s", whyEndless(l)).
				WithNote("if that is intended, give the number of iterations with --trip %d=N", l.Pos.Line))
			return p, nil
		}
		p.trips, p.constant, p.endless = -1, false, true
	}
	if chosen {
		switch {
		case p.constant && n != p.trips:
			r.decisions.diagnostics.Add(diag.Warningf(l.Pos, "TRIP",
				"--trip %d=%d is ignored: the trip count is the constant %d", l.Pos.Line, n, p.trips))
		case !p.constant:
			p.trips, p.given, p.origin = n, true, "--trip"
		}
	}
	if p.trips < 0 && (l.Induction != nil && !p.endless || r.conditionUnknown(l, m)) {
		p.trips, p.assumed, p.origin = r.opt.AssumeTrips, true, "assumed"
		r.noteAssumed(l, &p)
	}
	p.varies = counts.varies
	r.chooseFactor(l, &p)
	if p.trips > maxTrips || (p.full || r.steady == nil) && p.trips > (r.maxWork-r.work)/leastWork(l) {
		r.fail(r.tooManyTrips(l, p.trips))
		return p, nil
	}
	p.peel = p.constant && r.unroller.Peels(l, p.trips%p.factor)
	if p.again > 1 {
		p.reason += fmt.Sprintf("; a later stage merges %d iterations", p.again)
	}
	return p, counts.lanes
}

// leastWork is what an iteration takes at least.
func leastWork(l *lower.Loop) int64 {
	if l.HasBreak {
		return operationWork
	}
	n := int64(1)
	for _, s := range l.Body {
		if _, ok := s.(*lower.Instr); ok {
			n++
		}
	}
	return n * operationWork
}

func whyEndless(l *lower.Loop) string {
	if l.CondValue.Kind == 0 {
		return "it has no condition and nothing leaves it"
	}
	return "its condition (" + l.BoundText + ") stays true"
}

// conditionUnknown reports whether the loop's condition, as far as it has been
// evaluated, is not known.
func (r *resolver) conditionUnknown(l *lower.Loop, m laneMask) bool {
	if l.Kind == "do" || l.CondValue.Kind == 0 {
		return false
	}
	_, unknown := r.trueLanes(r.operand(l.CondValue), m)
	return unknown != 0
}

// chooseFactor has the pragma, --unroll or the compiler's habits decide.
func (r *resolver) chooseFactor(l *lower.Loop, p *plan) {
	r.decisions.unrollChoice(l.Pos, r.opt.Unrolls) // it is followed now
	t := factor.Trips{Count: p.trips, Constant: p.constant, Counted: p.counted, Assumed: p.assumed, Varies: p.varies}
	c := r.unroller.Choose(l, t, r.rolledAround())
	p.factor, p.full, p.reason = c.Factor, c.Full, c.Reason
	if c.Warning != "" {
		r.decisions.loop(l.ID).warn = c.Warning
	}
	p.again = r.unroller.Passes(l, t, c)
}

// rolledAround is the innermost loop being executed that is not unrolled fully, or nil.
func (r *resolver) rolledAround() *lower.Loop {
	for _, a := range slices.Backward(r.loops) {
		if !a.plan.full {
			return a.l
		}
	}
	return nil
}
