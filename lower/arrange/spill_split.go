package arrange

import (
	"cmp"
	"slices"

	"gpupipe/lower/machine"
)

// Live ranges are split around loops (LLVM, RegAllocGreedy.cpp: tryRegionSplit; P. Bergner et al., Spill Code
// Minimization via Interference Region Spilling, 1997). What is in memory around a loop is in a register in it where
// there is room: it is loaded in front and stored behind. LLVM also does the opposite where there is none: what is in a
// register around a loop is in memory in it, so that what is in memory around it has that register.

// stay is a loop that accesses a register.
type stay struct {
	loop    *loopSteps
	written bool
	away    bool // it is in memory there
	accessed
}

// loopSteps is a loop with its steps, up to the one behind them.
type loopSteps struct {
	node     *machine.Loop
	from, to int32
}

// settle finds the outermost loops in which nothing has to be spilled, or no more, and notes what accesses registers
// that are not spilled yet around them.
func (p *spiller) settle() {
	more := p.regs == nil
	for k := range p.l.loops {
		g := &p.l.loops[k]
		if !p.fits[k] && g.from < g.to && (p.apart || p.crowded(g) == 0) && !jumpsOut(g.node) {
			p.fits[k], more = true, true
		}
	}
	if !more {
		return
	}
	clear(p.within)
	for k, fits := range p.fits { // an outer loop comes behind those in it
		if g := &p.l.loops[k]; fits {
			for i := g.from; i < g.to; i++ {
				p.within[i] = g
			}
		}
	}
	old := p.regs
	p.regs = make([]spillable, len(p.l.code.Regs))
	for i := range p.l.steps {
		p.accesses(int32(i))
	}
	for _, r := range p.chosen {
		p.regs[r-1] = old[r-1]
	}
}

// left reports whether a jump in a loop goes out of one around it.
func jumpsOut(n *machine.Loop) bool {
	inside := map[any]bool{n.From: true}
	out := false
	n.Body.Each(func(m machine.Node) {
		switch m := m.(type) {
		case *machine.Loop:
			inside[m.From] = true
		case *machine.Region:
			inside[m.From] = true
		case *machine.Jump:
			out = out || !inside[m.Target]
		}
	})
	return out
}

// crowded is in how many steps of a loop too many live.
func (p *spiller) crowded(g *loopSteps) int { return p.excess.before(g.to) - p.excess.before(g.from) }

// stays notes an access of a register in a loop.
func (v *spillable) stays(g *loopSteps, step int32, write bool, weight float64) {
	if n := len(v.stay); n == 0 || v.stay[n-1].loop != g {
		v.stay = append(v.stay, stay{loop: g})
	}
	s := &v.stay[len(v.stay)-1]
	s.written = s.written || write
	s.add(step, write, weight)
}

// in is what is known of a register in a loop, nil where that does not access it.
func (v *spillable) in(g *loopSteps) *stay {
	for i := range v.stay {
		if v.stay[i].loop == g {
			return &v.stay[i]
		}
	}
	return nil
}

// away reports whether a register is in memory in a loop.
func (v *spillable) away() bool {
	return slices.ContainsFunc(v.stay, func(s stay) bool { return s.away })
}

// empty gives registers up in loops in which too many live: those of what only lives through them, or in them alone.
func (p *spiller) empty() {
	for k := range p.l.loops {
		g := &p.l.loops[k]
		if g.from == g.to || p.within[g.from] != g {
			continue
		}
		var active []machine.Reg
		for i := range p.regs {
			r := machine.Reg(i + 1)
			if p.l.code.Reg(r).Class == p.class && !p.short[r] && (p.lives(r, g.from) || p.regs[i].in(g) != nil) {
				active = append(active, r)
			}
		}
		for i := g.from; i < g.to; i++ {
			p.relieve(active, i)
		}
	}
}

// leave takes a register off the pressure of a loop.
func (p *spiller) leave(r machine.Reg, s *stay) {
	if s.away = true; !slices.Contains(p.away, r) {
		p.away = append(p.away, r)
	}
	for k := range p.l.code.Reg(r).Words {
		for _, v := range p.live[int(p.l.base[r-1])+k] {
			for i := max(v.from/2, s.loop.from); i < min((v.to+1)/2, s.loop.to); i++ {
				p.raise(i, -1)
			}
		}
	}
	for _, i := range s.accesses {
		p.raise(i, p.wordsAt(r, i))
	}
}

// crossings is what loads and stores around the loops that access a register cost.
func (p *spiller) crossings(r machine.Reg) float64 {
	cost := 0.0
	for i := range p.regs[r-1].stay {
		cost += p.crossing(r, &p.regs[r-1].stay[i])
	}
	return cost
}

func (p *spiller) crossing(r machine.Reg, s *stay) float64 {
	weight, cost := weightIn(p.l.steps[s.loop.from].depth-1), 0.0
	if p.lives(r, s.loop.from) {
		cost += weight
	}
	if s.written && p.lives(r, s.loop.to) {
		cost += weight
	}
	return cost
}

// lives reports whether a register lives in front of a step.
func (p *spiller) lives(r machine.Reg, step int32) bool { return p.covers(r, 2*step, 2*step+1) }

// kept reports whether a register that is spilled has none of the steps of the loop around a step less.
func (p *spiller) kept(r machine.Reg, step int32) bool {
	return p.within[step] != nil && p.regs[r-1].in(p.within[step]) != nil
}

// loop gives what is in memory around a loop, or in it alone, a register of its own in the loop. Registers become free
// first.
func (w *rewriter) loop(n *machine.Loop) {
	var loads []machine.Node
	none := &machine.Instr{}
	w.stays(w.away, n, true, func(r, in machine.Reg, words int, s *stay) {
		w.regs[in-1] = spillable{whole: r, accessed: accessed{accesses: s.accesses}, remake: w.regs[r-1].remake,
			chosen: true}
		w.slots[in] = w.slot(r)
		if w.regs[r-1].remake == nil && w.lives(r, s.loop.from) {
			w.before = append(w.before, w.store(r, in, 0, words, none))
		}
		if w.lives(r, s.loop.to) {
			loads = append(loads, w.load(r, in, 0, words, none))
		}
	})
	w.stays(w.chosen, n, false, func(r, in machine.Reg, words int, s *stay) {
		if w.lives(r, s.loop.from) {
			w.before = append(w.before, w.load(in, r, 0, words, none))
		}
		if s.written && w.regs[r-1].remake == nil && w.lives(r, s.loop.to) {
			w.after = append(w.after, w.store(in, r, 0, words, none))
		}
	})
	w.after = append(w.after, loads...)
}

// stays renames those of registers in a loop that are in memory there, or not.
func (w *rewriter) stays(list []machine.Reg, n *machine.Loop, away bool,
	cross func(r, in machine.Reg, words int, s *stay)) {
	for _, r := range list {
		for _, s := range w.regs[r-1].stay {
			if s.loop.node == n && s.away == away {
				in := w.register(*w.l.code.Reg(r))
				cross(r, in, w.l.code.Reg(r).Words, &s)
				rename(n, r, in)
			}
		}
	}
}

// rename replaces a register in a loop.
func rename(n *machine.Loop, r, by machine.Reg) {
	guard := func(g *machine.Guard) {
		if g.Reg == r {
			g.Reg = by
		}
	}
	instr := func(list ...*machine.Instr) {
		for _, in := range list {
			if in == nil {
				continue
			}
			guard(&in.Guard)
			for i := range in.Uses {
				if o := &in.Uses[i]; o.Kind == machine.InReg && o.Reg == r {
					o.Reg = by
				}
			}
			for i := range in.Defs {
				if in.Defs[i] == r {
					in.Defs[i] = by
				}
			}
		}
	}
	n.Body.Each(func(m machine.Node) {
		switch m := m.(type) {
		case *machine.Instr:
			instr(m)
		case *machine.If:
			guard(&m.Cond)
			instr(m.Enter, m.Branch, m.Skip, m.Leave)
		case *machine.Loop:
			instr(m.Enter, m.Leave)
		case *machine.Region:
			instr(m.Enter, m.Leave)
		case *machine.Jump:
			guard(&m.Guard)
			instr(m.Branch)
		}
	})
}

// leaveLoops spills what only lives through innermost loops that load from device memory and for which there are not
// enough registers otherwise, in the order that does not save any: a store in front of the loop and a load behind it
// cost less than loads that come one by one in each iteration. (ptxas 11.8: of 28 values that two loops with twelve
// sums and loads leave alone 24 are in memory with 40 registers, and nine loads are on their way in the loops.)
func (s *scheduler) leaveLoops(limit int, short map[machine.Reg]bool) *scheduler {
	p := newSpiller(s.l, machine.Vector, limit, short)
	for k := range s.l.loops {
		g := &s.l.loops[k]
		if k > 0 && g.from < g.to && s.l.loops[k-1].from >= g.from && s.l.loops[k-1].to <= g.to {
			continue // not an innermost one
		}
		words := s.wanting(g, limit)
		for _, r := range p.passing(g) {
			if words <= 0 {
				break
			}
			words -= s.l.code.Reg(r).Words
			p.spill(r)
			p.settle()
		}
	}
	if len(p.chosen) == 0 {
		return s
	}
	p.rewrite()
	return newScheduler(s.l.code)
}

// wanting is how many registers a loop has too few in the order that does not save any.
func (s *scheduler) wanting(g *loopSteps, limit int) int {
	n := 0
	for i, b := range s.blocks {
		if at := int32(s.l.blocks[i].start); at >= g.from && at < g.to {
			if b.waits() {
				n = max(n, b.unlimited(s.limits(limit)).peak[machine.Vector]-limit)
			}
		}
	}
	return n
}

// waits reports whether a block loads from device memory.
func (b *blockSchedule) waits() bool {
	for i := range b.instrs {
		if b.loaded(int32(i)) > 0 && b.far(int32(i)) {
			return true
		}
	}
	return false
}

// passing are the registers that live through a loop which does not access them, those with the fewest accesses
// elsewhere first.
func (p *spiller) passing(g *loopSteps) (list []machine.Reg) {
	accessed := map[machine.Reg]bool{}
	for i := g.from; i < g.to; i++ {
		for _, a := range p.l.of(int(i)) {
			accessed[p.l.owner[a.word]] = true
		}
	}
	for i := range p.regs {
		r := machine.Reg(i + 1)
		if p.l.code.Reg(r).Class == p.class && !p.regs[i].chosen && !accessed[r] && p.lives(r, g.from) {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b machine.Reg) int {
		return cmp.Compare(p.regs[a-1].weight, p.regs[b-1].weight)
	})
	return list
}
