package loops

import (
	"fmt"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// Unroll copies the bodies of loops (loop-unroll): as a pragma or the user asks, else by the cost rule of the
// profile on the code as it is here. Inner loops come before outer ones, which are judged by what has become of
// them. It runs twice: loops of which the trip count depends on the counter of a loop that the first run unrolled
// whole have a constant one in the second.
func Unroll(f *ir.Func, c *profile.Context) { unroll(f, c, false) }

// UnrollAgain is the second run.
func UnrollAgain(f *ir.Func, c *profile.Context) { unroll(f, c, true) }

func unroll(f *ir.Func, c *profile.Context, again bool) {
	u := &unroller{f: f, c: c, again: again, analyser: newAnalyser(f, c)}
	u.room = most - size(f.Body)
	u.block(f.Body)
}

// most is how many instructions copies of loops make of a kernel: whatever a pragma asks for, a compiler stops
// somewhere (LLVM's PragmaUnrollThreshold is 16 Ki for each loop). It is well above what device code is compiled to.
const most = 1 << 20

// size is how many instructions a block has.
func size(b *ir.Block) int64 {
	n := int64(0)
	b.Walk(func(*ir.Instr) { n++ })
	return n
}

// bound leaves a loop rolled of which the copies would be too many, and takes those that are made from what is left.
func (u *unroller) bound(l *counted, p *plan) {
	if p.shape == rolled {
		return
	}
	body := size(l.body)
	if p.copies > u.room/max(1, body) {
		*p = plan{size: p.size,
			rule: fmt.Sprintf("%s, but a kernel of more than %d instructions is not made: %d copies of %d",
				p.rule, most, p.copies, body)}
		return
	}
	u.room -= p.copies * body
}

type unroller struct {
	*analyser
	f     *ir.Func
	c     *profile.Context
	again bool
	subst ir.Replacements // what stands for the results of loops that are gone
	room  int64           // instructions that copies may still make
}

// block unrolls the loops of a block.
func (u *unroller) block(b *ir.Block) {
	out := b.Anew()
	for _, in := range b.Instrs {
		u.subst.Operands(in)
		if in.Op == lower.OpLoop {
			u.analyse(in) // loops within may be bounded by its counters
		}
		for _, inner := range in.Blocks {
			u.block(inner)
		}
		if in.Op == lower.OpLoop {
			u.loop(out, in)
			if last := out.Last(); last != nil && last.IsTerminator() {
				break
			}
			continue
		}
		u.sums.instr(in)
		out.Append(in)
	}
	b.Take(out)
}

// plan is what is to become of a loop.
type plan struct {
	shape  shape
	copies int64
	exit   *exit // whole: of which the trip count tells the number of iterations
	rule   string
	size   int64
	close  bool // as of ir.LoopChoice
}

type shape uint8

const (
	rolled    shape = iota
	whole           // iterations 0 to exit.trips.n, or to copies - 1 of a loop with an upper bound
	byFactor        // a loop of copies, in which exits are left out that are known not to be taken
	byRuntime       // the same with a loop for what is left over
)

// loop unrolls a loop, and appends what becomes of it.
func (u *unroller) loop(out *ir.Block, loop *ir.Instr) {
	l := u.analyse(loop)
	p := u.choose(l)
	u.bound(l, &p)
	u.note(l, &p)
	switch p.shape {
	case rolled:
		out.Append(loop)
	case whole:
		u.whole(out, l, p.exit, p.copies-1)
	case byFactor:
		n := u.byFactor(out, l, loop.Args, p.copies, factorDecide(l, p.copies))
		transplant(n, loop)
		u.unrolled(n, p.copies)
		if p.size > 0 { // by the rule: the second run looks at it again
			n.Loop.Decision = partly
		}
	case byRuntime:
		u.runtime(out, l, p.copies)
	}
}

// factorDecide says what is known of exits in a loop of several copies, of which copy j is the iterations j, j +
// factor, and so on: an exit with a constant trip count is taken in one copy only, the latch of a loop with a
// multiple of a number of iterations in every such one (BreakoutTrip, TripMultiple).
func factorDecide(l *counted, factor int64) func(*exit, int64) verdict {
	latch := l.latch()
	return func(e *exit, j int64) verdict {
		switch {
		case e.trips.kind == tripsConstant && j != e.trips.n%factor:
			return stays
		case e == latch && e.trips.kind == tripsSymbolic && (j+1)%gcd(e.trips.multiple(), factor) != 0:
			return stays
		}
		return mayLeave
	}
}

// unrolled notes how many copies of the source's body a loop has now: it is left alone from now on.
func (u *unroller) unrolled(n *ir.Instr, factor int64) {
	n.Loop.Copies = max(1, n.Loop.Copies) * int(factor)
	n.Loop.Decision = once
}

// What LoopInfo.Decision says of a loop that has been unrolled.
const (
	once   = "unrolled"
	partly = "unrolled partly"
)

// note records a decision, in the place of one about the same loop that left it rolled.
func (u *unroller) note(l *counted, p *plan) {
	c := ir.LoopChoice{Source: l.loop.Source, Pos: l.loop.Pos, Trips: l.describe(), Copies: max(1, p.copies),
		Whole: p.shape == whole, Rule: p.rule, Size: p.size, Close: p.close}
	for i := range u.f.Choices {
		old := &u.f.Choices[i]
		switch {
		case old.Source != c.Source:
		case old.Copies == 1 && !old.Whole: // the second run sees what the first made simpler
			*old = c
			return
		case *old == c, p.shape == rolled:
			return
		}
	}
	u.f.Choices = append(u.f.Choices, c)
}

// describe says how many iterations a loop has.
func (l *counted) describe() string {
	most := int64(-1)
	for _, e := range l.exits {
		switch {
		case e.trips.kind == tripsConstant && len(l.leaves) == 1:
			return fmt.Sprint(l.times(e))
		case e.trips.most >= 0 && (most < 0 || e.trips.most < most):
			most = l.timesOf(e, e.trips.most)
		}
	}
	switch {
	case most >= 0:
		return fmt.Sprintf("at most %d", most)
	case len(l.leaves) == 1 && len(l.exits) == 1 && l.exits[0].trips.kind == tripsSymbolic:
		return "known when it begins"
	}
	return ""
}

// times is how often the body is executed that an exit with a constant trip count leaves, if no other does.
func (l *counted) times(e *exit) int64 { return l.timesOf(e, e.trips.n) }

func (l *counted) timesOf(e *exit, n int64) int64 {
	if l.atBottom(e) {
		return n + 1
	}
	return n
}
