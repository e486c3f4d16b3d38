package loops

import (
	"fmt"
	"strings"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// choose decides about a loop: the user, its pragma, or the profile's rule.
func (u *unroller) choose(l *counted) plan {
	info := l.loop.Loop
	switch {
	case len(l.continues) == 0:
		return plan{rule: "executed once"}
	case info.Decision == partly && u.again:
		return u.wholeAgain(l)
	case info.Decision != "":
		return u.runsOnce(l)
	}
	if n, ok := u.c.Unroll[l.loop.Source]; ok {
		return u.asked(l, int64(n), "--unroll")
	}
	if p := info.Pragma; p != nil {
		switch {
		case p.Kind == lower.UnrollFactor:
			return u.asked(l, p.Factor, "pragma")
		case p.Kind == lower.UnrollFull:
			return u.full(l, p)
		case !u.rule().IgnoresWord || !strings.Contains(p.Text, "nounroll"):
			return plan{rule: "pragma"}
		}
	}
	return u.ruled(l, "no pragma", false)
}

func (u *unroller) rule() *profile.UnrollRule { return &u.c.Profile.Unroll }

// exact is the exit of which the constant trip count is that of the loop, if no other exit is taken before, nil
// where there is none. Where every exit counts, each test of a condition is one.
func (u *unroller) exact(l *counted) *exit {
	var best *exit
	for _, e := range l.exits {
		if !u.rule().Latch && e.trips.kind != tripsConstant && e.part >= 0 {
			part := *e
			part.trips = constantTrips(e.part)
			e = &part
		}
		if e.trips.kind == tripsConstant && (best == nil || e.trips.n < best.trips.n) &&
			(!u.rule().Latch || l.atBottom(e) || len(l.leaves) == 1) {
			best = e
		}
	}
	return best
}

// bounded is the exit with the smallest upper bound, nil where none has one.
func (l *counted) bounded() *exit {
	var best *exit
	for _, e := range l.exits {
		if e.trips.most >= 0 && (best == nil || e.trips.most < best.trips.most) {
			best = e
		}
	}
	return best
}

// runsOnce takes away a loop that has been unrolled before and turned out to have one iteration.
func (u *unroller) runsOnce(l *counted) plan {
	if e := u.exact(l); e != nil && e.trips.n == 0 && l.atBottom(e) {
		return plan{shape: whole, copies: 1, exit: e, rule: "one iteration"}
	}
	return plan{rule: "unrolled before"}
}

// wholeAgain looks at what the first run unrolled partly.
func (u *unroller) wholeAgain(l *counted) plan {
	if e := u.exact(l); e != nil {
		s := u.measure(l)
		if n := e.trips.n + 1; u.fits(l, s, n, u.rule().Full) {
			return plan{shape: whole, copies: e.trips.n + 1, exit: e, size: s.body(&u.rule().Costs),
				rule: fmt.Sprintf("no pragma: %d copies fit after unrolling by %d", n, l.loop.Loop.Copies)}
		}
	}
	return plan{rule: "unrolled before"}
}

// asked unrolls by a factor.
func (u *unroller) asked(l *counted, factor int64, rule string) plan {
	if factor <= 1 {
		return plan{rule: rule}
	}
	if e := u.exact(l); e != nil {
		if n := l.times(e); factor >= n {
			if factor > n {
				rule = fmt.Sprintf("%s: %d covers all %d iterations", rule, factor, n)
			}
			return plan{shape: whole, copies: e.trips.n + 1, exit: e, rule: rule}
		}
		return plan{shape: byFactor, copies: factor, rule: rule}
	}
	switch {
	case u.c.Source: // what a copy tests is part of the loop
		return plan{shape: byFactor, copies: factor, rule: rule}
	case u.countable(l):
		return plan{shape: byRuntime, copies: factor, rule: rule}
	}
	return plan{shape: byFactor, copies: factor,
		rule: rule + ": the number of iterations is not known before the loop, so that copies keep their exits"}
}

// full unrolls for a pragma without a number.
func (u *unroller) full(l *counted, p *lower.Pragma) plan {
	r := u.rule()
	if r.PragmaFull > 0 && !strings.Contains(p.Text, "full") {
		return u.ruled(l, "pragma", true)
	}
	if e := u.exact(l); e != nil {
		return plan{shape: whole, copies: e.trips.n + 1, exit: e, rule: "pragma"}
	}
	if e := l.bounded(); e != nil && l.timesOf(e, e.trips.most) <= r.PragmaUpper {
		return plan{shape: whole, copies: e.trips.most + 1, exit: e,
			rule: fmt.Sprintf("pragma: at most %d iterations", l.timesOf(e, e.trips.most))}
	}
	return u.ruledRuntime(l, u.measure(l), "pragma", true)
}

// ruled decides by the profile's rule.
func (u *unroller) ruled(l *counted, why string, pragma bool) plan {
	r := u.rule()
	if r.Full == 0 {
		return plan{rule: why}
	}
	s := u.measure(l)
	full, partial := r.Full, r.Partial
	e := u.exact(l)
	if pragma && e != nil {
		full, partial = max(full, r.PragmaFull), max(partial, r.PragmaFull)
	}
	if e == nil {
		return u.ruledRuntime(l, s, why, pragma)
	}
	if r.RuntimeLast && !u.again && s.nested && !pragma {
		return plan{rule: why, size: s.body(&r.Costs)}
	}
	n := e.trips.n + 1 // executions of the exit, of which the last may be a part of an iteration
	close := isClose(s.copied(&r.Costs, n), full)
	if u.fits(l, s, n, full) {
		return plan{shape: whole, copies: e.trips.n + 1, exit: e, size: s.body(&r.Costs), close: close,
			rule: fmt.Sprintf("%s: %d iterations of size %d fit", why, n, s.body(&r.Costs))}
	}
	p := plan{size: s.body(&r.Costs), close: close,
		rule: fmt.Sprintf("%s: the size %d is too large", why, s.body(&r.Costs))}
	if r.WholeFirst != u.again && !pragma {
		return p
	}
	if r.Innermost && s.nested && !pragma {
		p.rule = why + ": a loop with loops within is unrolled whole or not at all"
		return p
	}
	if k := u.part(s, n, partial); k > 1 {
		p.shape, p.copies = byFactor, k
		p.rule = fmt.Sprintf("%s: %d copies of size %d fit", why, k, s.body(&r.Costs))
	}
	return p
}

// fits reports whether a number of iterations is unrolled whole: as they are, or by what remains when the counter
// is a constant in each copy, for a size that is larger by what that saves (shouldFullUnroll).
func (u *unroller) fits(l *counted, s *loopSize, n, full int64) bool {
	r := u.rule()
	if s.private && r.Private > 0 {
		full = max(full, r.Private)
	}
	if n >= 1<<24 {
		return false
	}
	if s.copied(&r.Costs, n) < full {
		return true
	}
	if s.nested || n > max(r.Analysed, r.AnalysedInner) {
		return false
	}
	rolled, unrolled := u.unrolledCost(l, n)
	return unrolled < full*min(r.Boost, 100*rolled/max(1, unrolled))/100
}

// isClose reports whether a size is within 5% of its limit.
func isClose(size, limit int64) bool { return 20*max(size-limit, limit-size) <= limit }

// part is how many copies of the body are made where not all fit (shouldPartialUnroll).
func (u *unroller) part(s *loopSize, n, most int64) int64 {
	r := u.rule()
	c := &r.Costs
	k := (max(most, c.BackEdge+1) - c.BackEdge) / max(1, s.body(c))
	k = min(k, n-1)
	if r.Powers {
		for k&(k-1) != 0 {
			k &= k - 1
		}
		for k > 1 && n%k != 0 {
			k /= 2
		}
	} else {
		for k > 1 && n%k != 0 {
			k--
		}
	}
	if k <= 1 && !(r.Convergent && s.barrier) {
		for k = r.Runtime; k > 1 && s.copied(c, k) > most; {
			k /= 2
		}
	}
	return max(1, k)
}

// ruledRuntime decides about a loop of which the number of iterations is not constant.
func (u *unroller) ruledRuntime(l *counted, s *loopSize, why string, pragma bool) plan {
	r := u.rule()
	p := plan{size: s.body(&r.Costs)}
	ok := u.countable(l)
	bound := l.bounded()
	if n := l.reaches(); ok && s.private && r.PrivateUpper && n >= 0 && u.fits(l, s, n+1, r.Private) {
		return plan{shape: whole, copies: n + 1, exit: l.latch(), size: p.size,
			rule: fmt.Sprintf("%s: at most %d iterations of size %d fit", why, l.timesOf(l.latch(), n), p.size)}
	}
	if bound != nil && s.private && r.PrivateUpper && u.fits(l, s, bound.trips.most+1, r.Private) {
		return plan{shape: whole, copies: bound.trips.most + 1, exit: bound, size: p.size,
			rule: fmt.Sprintf("%s: at most %d iterations of size %d fit", why, l.timesOf(bound, bound.trips.most),
				p.size)}
	}
	switch {
	case !ok && (len(l.leaves) > 1 || l.loop.Escapes()):
		p.rule = why + ": several exits, and no constant number of iterations"
	case !ok:
		p.rule = why + ": the number of iterations is not known before the loop"
	case r.Count > 0 && countCost(&r.Costs, &l.latch().trips) > r.Count:
		p.rule = why + ": the number of iterations is expensive to compute"
	case r.Runtime == 0 && !(pragma && r.PragmaRuntime):
		p.rule = why + ": the compiler leaves loops rolled of which the number of iterations is computed"
	case bound != nil && l.timesOf(bound, bound.trips.most) <= r.Upper && !pragma:
		p.rule = fmt.Sprintf("%s: no more than %d iterations", why, l.timesOf(bound, bound.trips.most))
	case r.Convergent && s.barrier:
		p.rule = why + ": iterations may be left over of a loop with a barrier or an operation among lanes"
	case r.Innermost && s.nested:
		p.rule = why + ": loops within stay"
	case (r.WholeFirst || r.RuntimeLast) && !u.again && !pragma:
		p.rule = why
	case r.RuntimeBody > 0 && s.body(&r.Costs) > r.RuntimeBody:
		p.close = isClose(s.body(&r.Costs), r.RuntimeBody)
		p.rule = fmt.Sprintf("%s: the size %d is too large", why, s.body(&r.Costs))
	default:
		k := max(r.Runtime, 8)
		if r.Runtime > 0 {
			k = r.Runtime
		}
		for k > 1 && s.copied(&r.Costs, k) > r.Partial {
			k /= 2
		}
		p.close = r.RuntimeBody > 0 && isClose(s.body(&r.Costs), r.RuntimeBody) || isClose(s.copied(&r.Costs, k),
			r.Partial)
		p.rule = fmt.Sprintf("%s: the size %d is too large", why, s.body(&r.Costs))
		if k > 1 {
			p.shape, p.copies = byRuntime, k
			p.rule = fmt.Sprintf("%s: %d copies of size %d and the rest", why, k, s.body(&r.Costs))
		}
	}
	return p
}

// reaches is an upper bound of a loop's count by the ranges of the counters of loops around, below 0 where none is
// known.
func (l *counted) reaches() int64 {
	e := l.latch()
	if e == nil || e.trips.kind != tripsSymbolic {
		return -1
	}
	l.sums.Far = true
	defer func() { l.sums.Far = false }()
	return l.most(&e.trips)
}

// countable reports whether a loop can be unrolled with a loop for the iterations left over: its latch is the only
// exit, returns included (LLVM's LoopUnrollRuntime.cpp, canProfitablyUnrollMultiExitLoop: others only deoptimise).
func (u *unroller) countable(l *counted) bool {
	e := l.latch()
	return l.computable(e) && len(l.leaves) == 1 && len(l.exits) == 1 && len(l.continues) == 1 &&
		len(e.at.Blocks[e.side].Instrs) == 1 && !l.loop.Escapes()
}

// unrolledCost follows a loop's iterations (analyzeLoopUnrollCost): the size of what is executed of it as it is,
// and of what is left of that when the counter is a constant.
func (u *unroller) unrolledCost(l *counted, n int64) (rolled, unrolled int64) {
	a := &costAnalysis{l: l, z: newSizer(l, &u.rule().Costs), bits: map[*ir.Value]uint64{},
		feeds: map[*ir.Value]bool{}}
	l.body.Walk(func(in *ir.Instr) {
		for _, v := range in.Args {
			if in.Op != lower.OpIf {
				a.feeds[v] = true
			}
		}
	})
	for i, p := range l.body.Params {
		if v := l.loop.Args[i]; v.IsConst() {
			a.bits[p] = v.Bits
		}
	}
	for range n {
		clear(a.z.extended)
		a.block(l.body)
		a.next()
	}
	return a.rolled, a.unrolled
}

// costAnalysis executes iterations as far as constants go.
type costAnalysis struct {
	l                *counted
	z                *sizer
	bits             map[*ir.Value]uint64 // of what is a constant in this iteration
	feeds            map[*ir.Value]bool   // more than conditions
	rolled, unrolled int64
}

func (a *costAnalysis) block(b *ir.Block) {
	for _, in := range b.Instrs {
		size := a.z.instr(in)
		a.rolled += size
		if in.Nests() {
			a.rolled++
		}
		if bits, ok := a.constant(in); ok {
			a.bits[in.Results[0]] = bits
			continue
		}
		if len(in.Results) > 0 {
			delete(a.bits, in.Results[0])
		}
		if len(in.Results) != 1 || !in.Op.IsComparison() || a.feeds[in.Results[0]] {
			a.unrolled += size
			if in.Op == lower.PtrAdd {
				if _, ok := a.known(in.Args[1]); ok {
					a.unrolled -= a.z.extension // of a constant
				}
			}
		}
		if in.Op == lower.OpIf {
			if bits, ok := a.known(in.Args[0]); ok {
				a.block(in.Blocks[1-bits&1])
				continue
			}
		}
		for _, inner := range in.Blocks {
			a.block(inner)
		}
	}
}

func (a *costAnalysis) known(v *ir.Value) (uint64, bool) {
	if v.IsConst() {
		return v.Bits, true
	}
	bits, ok := a.bits[v]
	return bits, ok
}

// constant is what an operation gives where its operands are constants.
func (a *costAnalysis) constant(in *ir.Instr) (uint64, bool) {
	if in.Op > lower.Bitcast || len(in.Results) != 1 || len(in.Args) > 3 {
		return 0, false
	}
	var args [3]uint64
	for i, v := range in.Args {
		bits, ok := a.known(v)
		if !ok {
			return 0, false
		}
		args[i] = bits
	}
	return foldBits(in, args[:len(in.Args)])
}

// next steps the loop's parameters.
func (a *costAnalysis) next() {
	c := a.l.continues[0]
	next := map[*ir.Value]uint64{}
	for i, p := range a.l.body.Params {
		if bits, ok := a.known(c.Args[i]); ok {
			next[p] = bits
		}
	}
	for _, p := range a.l.body.Params {
		delete(a.bits, p)
	}
	for p, bits := range next { // into a map
		a.bits[p] = bits
	}
}
