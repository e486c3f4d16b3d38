package machine

import "math"

// stay is a loop in which a register that is in memory around it is in a register: it is loaded in front of the loop
// and stored behind it (splitting of live ranges around regions, LLVM's SplitKit; P. Bergner et al., Spill Code
// Minimization via Interference Region Spilling, 1997).
type stay struct {
	loop    *loopSteps
	written bool
}

// loopSteps is a loop with its steps, up to the one behind them.
type loopSteps struct {
	node     *Loop
	from, to int32
}

// settle finds the outermost loops in which nothing has to be spilled, or no more, and notes what registers that are
// not spilled yet are accessed by around them.
func (p *spiller) settle() {
	more := p.regs == nil
	for k := range p.l.loops {
		g := &p.l.loops[k]
		if !p.fits[k] && g.from < g.to && p.excess.before(g.to) == p.excess.before(g.from) && !g.node.left() {
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
func (n *Loop) left() bool {
	inside := map[any]bool{n.From: true}
	out := false
	n.Body.Each(func(m Node) {
		switch m := m.(type) {
		case *Loop:
			inside[m.From] = true
		case *Region:
			inside[m.From] = true
		case *Jump:
			out = out || !inside[m.Target]
		}
	})
	return out
}

// stays notes an access of a register in a loop where it can stay.
func (v *spillable) stays(g *loopSteps, write bool) {
	if n := len(v.stay); n == 0 || v.stay[n-1].loop != g {
		v.stay = append(v.stay, stay{loop: g})
	}
	s := &v.stay[len(v.stay)-1]
	s.written = s.written || write
}

// crossings is what loads and stores around loops cost.
func (p *spiller) crossings(r Reg) float64 {
	cost := 0.0
	for _, s := range p.regs[r-1].stay {
		weight := math.Pow(loopWeight, float64(min(p.l.steps[s.loop.from].depth-1, deepestLoop)))
		if p.lives(r, s.loop.from) {
			cost += weight
		}
		if s.written && p.lives(r, s.loop.to) {
			cost += weight
		}
	}
	return cost
}

// lives reports whether a register lives in front of a step.
func (p *spiller) lives(r Reg, step int32) bool {
	for k := range p.l.code.Reg(r).Words {
		for _, s := range p.live[int(p.l.base[r-1])+k] {
			if s.from <= 2*step && 2*step < s.to {
				return true
			}
		}
	}
	return false
}

// kept reports whether a register is in a register in the loop around a step.
func (p *spiller) kept(r Reg, step int32) bool {
	g := p.within[step]
	if g == nil {
		return false
	}
	for _, s := range p.regs[r-1].stay {
		if s.loop == g {
			return true
		}
	}
	return false
}

// loop gives the registers that stay in a loop one of their own there, which is loaded in front and stored behind.
func (w *rewriter) loop(n *Loop) {
	for _, r := range w.chosen {
		for _, s := range w.regs[r-1].stay {
			if s.loop.node != n {
				continue
			}
			words := w.l.code.Reg(r).Words
			temp := w.register(*w.l.code.Reg(r))
			if w.lives(r, s.loop.from) {
				w.before = append(w.before, w.load(temp, r, 0, words, n.Enter))
			}
			n.rename(r, temp)
			if s.written && w.regs[r-1].remake == nil && w.lives(r, s.loop.to) {
				w.after = append(w.after, w.store(temp, r, 0, words, &Instr{}))
			}
		}
	}
}

// rename replaces a register in a loop.
func (n *Loop) rename(r, by Reg) {
	guard := func(g *Guard) {
		if g.Reg == r {
			g.Reg = by
		}
	}
	instr := func(list ...*Instr) {
		for _, in := range list {
			if in == nil {
				continue
			}
			guard(&in.Guard)
			for i := range in.Uses {
				if o := &in.Uses[i]; o.Kind == InReg && o.Reg == r {
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
	n.Body.Each(func(m Node) {
		switch m := m.(type) {
		case *Instr:
			instr(m)
		case *If:
			guard(&m.Cond)
			instr(m.Enter, m.Branch, m.Skip, m.Leave)
		case *Loop:
			instr(m.Enter, m.Leave)
		case *Region:
			instr(m.Enter, m.Leave)
		case *Jump:
			guard(&m.Guard)
			instr(m.Branch)
		}
	})
}
