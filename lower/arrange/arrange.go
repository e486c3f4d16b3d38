// Package arrange gives selected code (package isel) its final form, [Code]: it orders the instructions of each basic
// block (depend.go, schedule.go), gives them registers (liveness.go, allocate.go) for the best residency that they fit
// in (budgets.go), and stores in memory what has none (spill.go).
package arrange

import (
	"crypto/sha256"

	"gpupipe/lower/machine"
)

// Code gives selected code its final form: it orders the instructions, gives registers, stores in memory what
// has none, and fills c.Resources. Ordering and allocation belong together: the order uses as many registers as
// there are, and how many there are is chosen so that the code fits (budgets). A form that is known is taken; known may
// be nil.
func Code(c *machine.Code, o *machine.Options, known *Forms) error {
	t := c.Target
	if t.MaxRegisters == 0 { // a virtual machine: in program order, with as many registers as there are
		allocate(c, noBudget).count()
		return nil
	}
	if t.Has("max occupancy") {
		return arrangeWaves(c, o)
	}
	s := newScheduler(c)
	var key [sha256.Size]byte
	if known != nil {
		if key = s.key(o); known.apply(s.l, key) {
			return nil
		}
	}
	s = s.keeping(machine.Predicate, t.Predicates).keeping(machine.Uniform, t.UniformRegisters)
	budgets := budgets(c, o)
	var a *allocation
	for i, budget := range budgets {
		if i == len(budgets)-1 {
			if a = s.within(budget); a == nil {
				a = s.spilling(budget)
			}
			break
		}
		limit := budget - t.Counted - t.Reserved
		if s.needs(limit) > limit {
			if a = s.remaking(budget); a != nil {
				break
			}
			continue
		}
		if a = s.within(budget); a != nil {
			break
		}
	}
	if most := filled(t, o) - t.Counted; a.budget < most && c.Resources.SpillBytes == 0 {
		a = s.filling(a.budget, most)
	}
	a.count()
	c.Resources.Registers = min(c.Resources.Registers, hardLimit(t, o))
	if known != nil {
		known.keep(key, s, a.l)
	}
	return nil
}

// arrangeWaves orders first, and looks only then for registers, as LLVM does; what has none is spilled.
func arrangeWaves(c *machine.Code, o *machine.Options) error {
	t := c.Target
	hard := hardLimit(t, o)
	arrangeOccupancy(c, o)
	a := allocate(c, hard-t.Counted)
	if a.files[machine.Uniform].used > t.UniformRegisters {
		newScheduler(c).keeping(machine.Predicate, t.Predicates).keeping(machine.Uniform, t.UniformRegisters)
		arrangeOccupancy(c, o)
		a = allocate(c, hard-t.Counted)
	}
	if a.files[machine.Vector].used > hard-t.Counted {
		a = newScheduler(c).spilling(hard)
	}
	a.count()
	r := &c.Resources
	r.Waves = min(wavesFor(t, o, r.LocalBytes), wavesWith(t, pressure{int32(r.Registers), int32(r.UniformRegisters)}))
	return nil
}

// gaps is how often the limit of a small file is lowered by how many registers, for those that lie in gaps.
var gaps = struct{ rounds, step int }{3, 4}

// keeping sees to it that no more registers of a small file are used than there are: by the order of instructions,
// else by moving some of them into vector registers and back.
func (s *scheduler) keeping(class machine.Class, limit int) *scheduler {
	c := s.l.code
	if limit == 0 || c.Target.Spills.Keep[class] == [2]string{} {
		return s
	}
	short := map[machine.Reg]bool{}
	for round := range s.rounds() {
		if s.most(class) <= limit/2 {
			break
		}
		s.run(c.Target.MaxRegisters)
		l := linearise(c)
		a := newAllocation(l, l.liveness(), noBudget)
		if !c.Target.Has("scalar unit") { // where files of classes have nothing in common
			a.only = class
		}
		if a.run(); a.files[class].used <= limit {
			break
		}
		if round < gaps.rounds && limit > 2*gaps.rounds*gaps.step {
			s.less[class] += gaps.step
			s.forget()
			continue
		}
		p := newSpiller(l, class, limit-min(round, limit/2), short)
		if p.choose() {
			less, removals := s.less, append(s.removals, removal{moved(s.l, l), class, p.limit, p.chosen})
			p.rewrite()
			s = newScheduler(c)
			s.less, s.removals = less, removals
		} else if round >= limit/2 {
			break // nothing changes any more
		}
	}
	return s
}

// forget drops the orders that were found with other limits.
func (s *scheduler) forget() {
	for _, b := range s.blocks {
		if !b.alone {
			b.free, b.sparing = nil, nil
		}
	}
}

// noBudget is a number of registers that no code has.
const noBudget = 1 << 20

// tighter is how often the order is held back where registers that lie together do not fit into the budget: words
// of wide registers leave gaps.
const tighter = 3

// within orders and allocates with so many registers, as reported; nil: it does not fit.
func (s *scheduler) within(budget int) *allocation {
	t := s.l.code.Target
	words := budget - t.Counted
	limit := words - t.Reserved
	for range tighter {
		if s.run(limit) > words-t.Reserved {
			return nil
		}
		a := allocate(s.l.code, words)
		if a.files[machine.Vector].used <= words {
			return a
		}
		limit = min(limit, s.peak[machine.Vector]) - max(2, a.files[machine.Vector].used-words)
	}
	return nil
}

// filling lets loads of device memory of ordered code come as early as the registers of a larger budget let them, and
// allocates; where they do not fit, as before.
func (s *scheduler) filling(budget, most int) *allocation {
	c := s.l.code
	f := newScheduler(c)
	f.less = s.less
	limits := f.limits(most - c.Target.Reserved)
	for range tighter {
		live := 0
		for _, b := range f.blocks {
			if b.alone {
				continue
			}
			a := b.inOrder(b.written(), limits)
			if h := b.hoist(a, limits, b.far); h.over(limits) == 0 {
				a = h
			}
			b.apply(a)
			live = max(live, a.peak[machine.Vector])
		}
		a := allocate(c, min(most, max(budget, live+c.Target.Reserved)))
		if a.files[machine.Vector].used <= most {
			return a
		}
		limits[machine.Vector] -= max(2, a.files[machine.Vector].used-most)
	}
	for _, b := range f.blocks {
		if !b.alone {
			b.apply(b.inOrder(b.written(), limits))
		}
	}
	return allocate(c, budget)
}

// allocate gives registers, with more and more attention to gaps and less to banks until they suffice.
func allocate(c *machine.Code, words int) *allocation {
	l := linearise(c)
	live := l.liveness()
	with := func(banks int, o ordering) *allocation {
		a := newAllocation(l, live, words)
		a.banks, a.ordering = banks, o
		a.run()
		return a
	}
	orders := [...]ordering{byWidth, byReach, byStart}
	if c.Target.Has("max occupancy") { // LLVM's order
		orders = [...]ordering{byReach, byWidth, byStart}
	}
	a := with(c.Target.Banks, orders[0])
	if a.files[machine.Vector].used > words && c.Target.Banks > 1 {
		a = with(1, orders[0])
	}
	best, least := orders[0], a.files[machine.Vector].used
	for _, o := range orders[1:] {
		if least <= words {
			break
		}
		if a = with(1, o); a.files[machine.Vector].used < least {
			best, least = o, a.files[machine.Vector].used
		}
	}
	if a.ordering != best {
		a = with(1, best)
	}
	return a
}

// rounds is how often registers are chosen to be spilled until the rest fits.
const rounds = 16

// roundsWork bounds the instructions that all rounds look at together, fewest the rounds that it leaves: of a kernel of
// some hundred thousand instructions each takes seconds, and the first ones do nearly all.
const roundsWork, fewest = 1 << 19, 3

func (s *scheduler) rounds() int { return max(fewest, min(rounds, roundsWork/(len(s.l.steps)+1))) }

// spilling does the same with registers that are in memory for a part of the time. Each round leaves one register
// more to those that lie in gaps. LLVM spills in the order that it has chosen before.
func (s *scheduler) spilling(budget int) *allocation {
	c := s.l.code
	ordered := c.Target.Has("max occupancy")
	words := budget - c.Target.Counted
	most := words - c.Target.Reserved
	short := map[machine.Reg]bool{}
	if !ordered && len(s.l.loops) > 0 {
		s = s.leaveLoops(most, short)
	}
	for round := range s.rounds() {
		limit := max(most-round, most/2)
		if (ordered || s.run(limit) <= most) && round > 0 {
			if a := allocate(c, words); a.files[machine.Vector].used <= words {
				return a
			}
		}
		p := newSpiller(linearise(c), machine.Vector, limit, short)
		if p.choose() {
			p.rewrite()
			s = newScheduler(c)
		}
	}
	return allocate(c, words)
}
