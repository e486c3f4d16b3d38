// Package loops holds the passes over loops and over the addresses that they step through. Three analyses serve them:
// sums of products of values (affine.go), induction variables (induction.go) and trip counts (tripcount.go), as LLVM's
// scalar evolution has them.
package loops

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/ranges"
	"gpupipe/lower/profile"
)

// Induction variables and exits of loops, as LLVM's scalar evolution finds them: an analysis, which changes
// nothing. A parameter of a loop is a basic induction variable where every continue passes it plus what the loop
// does not change; sums of such variables are affine in the number of the iteration.

// analyser finds them, for one loop of a kernel after the other.
type analyser struct {
	f     *ir.Func
	sums  *sums
	stamp []uint32 // by value: the last epoch in which it was found inside the loop
	epoch uint32
}

// newAnalyser reads a kernel. What changes afterwards is read again with the loop that it stands in.
func newAnalyser(f *ir.Func, c *profile.Context) *analyser {
	a := &analyser{f: f, sums: newSums(f, c)}
	a.sums.visit(f.Body)
	return a
}

// counted is what is known of a loop.
type counted struct {
	*analyser
	loop      *ir.Instr
	body      *ir.Block
	variables []variable // by parameter
	exits     []*exit    // that every iteration passes, in order
	leaves    []*ir.Instr
	continues []*ir.Instr
}

// variable is a parameter of a loop.
type variable struct {
	start *sum
	step  *sum // nil: not an induction variable; 0: the loop does not change it
}

// exit is a test that every iteration comes to, unless it has left the loop before.
type exit struct {
	at    *ir.Instr // OpIf in the loop's block
	index int       // there
	side  int       // the block that leaves the loop
	// tests: the loop goes on while all of them hold
	tests []test
	trips trips
	part  int64 // the smallest constant count of one of several tests, below 0 where none has one
}

// test is a comparison, or any other condition, with the value for which the loop goes on.
type test struct {
	value *ir.Value
	want  bool
}

// analyse reads a loop. The result is valid until the loop changes.
func (a *analyser) analyse(loop *ir.Instr) *counted {
	l := &counted{analyser: a, loop: loop, body: loop.Blocks[0]}
	a.mark(loop)
	a.sums.visit(l.body)
	l.leaves, l.continues = loop.Exits()
	l.findVariables()
	l.findExits()
	l.reach()
	return l
}

// mark notes which values a loop defines.
func (a *analyser) mark(loop *ir.Instr) {
	a.epoch++
	if n := a.f.NumValues(); n > len(a.stamp) {
		a.stamp = append(a.stamp, make([]uint32, n+n/2-len(a.stamp))...)
	}
	set := func(list []*ir.Value) {
		for _, v := range list {
			a.stamp[v.ID] = a.epoch
		}
	}
	set(loop.Blocks[0].Params)
	loop.Blocks[0].Walk(func(in *ir.Instr) {
		set(in.Results)
		for _, b := range in.Blocks {
			set(b.Params)
		}
	})
}

// inside reports whether the loop that was analysed last defines a value.
func (a *analyser) inside(v *ir.Value) bool {
	return int(v.ID) < len(a.stamp) && a.stamp[v.ID] == a.epoch
}

// invariant reports whether a loop does not change a sum.
func (l *counted) invariant(s *sum) bool { return !s.has(l.inside) }

func (l *counted) findVariables() {
	l.variables = make([]variable, len(l.body.Params))
	for i, p := range l.body.Params {
		if !p.Type.IsInteger() && p.Type != lower.Ptr {
			continue
		}
		v := variable{start: l.sums.find(l.loop.Args[i])}
		for _, c := range l.continues {
			step := l.sums.find(c.Args[i]).plus(atom(p), -1, p.Type)
			if step == nil || !l.invariant(step) || v.step != nil && !v.step.equal(step) {
				v.step = nil
				break
			}
			v.step = step
		}
		l.variables[i] = v
		if r := l.sums.interval(v.start); v.step != nil && v.step.isConst() && v.step.c > 0 && p.Type.IsSigned() &&
			r.Known && r.Lo >= 0 {
			l.sums.Bounds[p] = ranges.Interval{Lo: r.Lo, Hi: ranges.Largest(p.Type), Known: true}
		}
	}
}

// reach finds the ranges of counters of a loop with a constant number of iterations (ScalarEvolution::getRange).
func (l *counted) reach() {
	for _, e := range l.exits {
		if e.trips.kind != tripsConstant {
			continue
		}
		for i, p := range l.body.Params {
			v := &l.variables[i]
			if v.step == nil || !v.step.isConst() || p.Type == lower.Ptr {
				continue
			}
			r := l.sums.interval(v.start)
			last := r.Plus(ranges.Exactly(v.step.c).Times(ranges.Exactly(e.trips.n)))
			if r = r.Or(last); r.Known && r.Lo >= ranges.Smallest(p.Type) && r.Hi <= ranges.Largest(p.Type) {
				l.sums.Reach[p] = r
			}
		}
	}
}

// equal reports whether two sums have the same terms.
func (a *sum) equal(b *sum) bool {
	d := a.plus(b, -1, a.typ)
	return d != nil && d.isConst() && d.c == 0
}

// evolve splits a sum into its value in the first iteration and what each iteration adds to it.
func (l *counted) evolve(s *sum) (start, step *sum, ok bool) {
	start, step = &sum{typ: s.typ, c: s.c, exact: s.exact}, &sum{typ: s.typ, exact: s.exact}
	for _, t := range s.terms {
		p := -1
		for i, v := range t.v {
			if v == nil || !l.inside(v) {
				continue
			}
			if p >= 0 || v.Kind != ir.BlockArg || v.Def != l.loop || l.variables[v.Index].step == nil {
				return nil, nil, false
			}
			p = i
		}
		rest := &sum{typ: s.typ, terms: []term{t}, exact: true}
		if p < 0 {
			if start = start.plus(rest, 1, s.typ); start == nil {
				return nil, nil, false
			}
			continue
		}
		v := l.variables[t.v[p].Index]
		rest = without(t, p, s.typ)
		from, by := rest.times(v.start), rest.times(v.step)
		if from == nil || by == nil {
			return nil, nil, false
		}
		if start = start.plus(from, 1, s.typ); start == nil {
			return nil, nil, false
		}
		if step = step.plus(by, 1, s.typ); step == nil {
			return nil, nil, false
		}
	}
	return start, step, true
}

// without is a term without one of its factors.
func without(t term, factor int, typ ir.Type) *sum {
	out := term{k: t.k}
	n := 0
	for i, v := range t.v {
		if i != factor && v != nil {
			out.v[n] = v
			n++
		}
	}
	if n == 0 {
		return &sum{typ: typ, c: t.k, exact: true}
	}
	return &sum{typ: typ, terms: []term{out}, exact: true}
}

// findExits finds the tests at the top level of the loop's block.
func (l *counted) findExits() {
	for i, in := range l.body.Instrs {
		if in.Op != lower.OpIf {
			continue
		}
		for side, b := range in.Blocks {
			if last := b.Last(); last.Op == lower.OpLeave && last.Target == l.loop {
				e := &exit{at: in, index: i, side: side}
				e.tests = conjuncts(nil, in.Args[0], side == 1, maxConjuncts)
				e.trips = l.count(e)
				l.exits = append(l.exits, e)
				break
			}
		}
	}
}

const maxConjuncts = 8

// conjuncts lists conditions that all hold where a condition has a value: those of a && b, and of !(a || b).
func conjuncts(list []test, v *ir.Value, want bool, depth int) []test {
	if v.Kind == ir.Result && depth > 0 {
		in := v.Def
		switch {
		case in.Op == lower.And && in.Type == lower.Pred && want, in.Op == lower.Or && in.Type == lower.Pred && !want:
			return conjuncts(conjuncts(list, in.Args[0], want, depth-1), in.Args[1], want, depth-1)
		case in.Op == lower.Not && in.Type == lower.Pred:
			return conjuncts(list, in.Args[0], !want, depth-1)
		case in.Op == lower.OpIf:
			for side, b := range in.Blocks {
				if last := b.Last(); last.Op == lower.OpYield && last.Args[v.Index].IsConst() &&
					(last.Args[v.Index].Bits != 0) != want {
					other := in.Blocks[1-side].Last()
					if other.Op == lower.OpYield {
						list = conjuncts(list, in.Args[0], side == 1, depth-1)
						return conjuncts(list, other.Args[v.Index], want, depth-1)
					}
				}
			}
		}
	}
	return append(list, test{v, want})
}

// atBottom reports whether nothing but the next iteration follows an exit.
func (l *counted) atBottom(e *exit) bool {
	return e.index >= len(l.body.Instrs)-2 && l.body.Last().Op == lower.OpContinue ||
		e.index == len(l.body.Instrs)-1
}

// latch is the exit at the bottom, nil where the loop has none.
func (l *counted) latch() *exit {
	if n := len(l.exits); n > 0 && l.atBottom(l.exits[n-1]) {
		return l.exits[n-1]
	}
	return nil
}
