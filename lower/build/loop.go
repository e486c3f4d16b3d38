package build

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// loop builds a loop: the variables that it assigns are its parameters and results. Where a continue has
// something to do before the next iteration, it leaves a region around the body.
func (b *builder) loop(s *lower.Loop) {
	vars := b.assigned(s.Cond, s.Body, s.Post)
	in := b.control(lower.OpLoop, s.Pos)
	in.Source, in.Args = int(s.ID), b.values(vars)
	in.Loop = &ir.LoopInfo{Kind: s.Kind, Pragma: s.Pragma, BoundText: s.BoundText}
	t := &target{leave: in, vars: vars}
	b.targets[s.Label] = t
	mark := len(b.changed)
	b.into(in.NewBlock(), func() {
		for _, r := range vars {
			info := b.k.Reg(r)
			b.set(r, b.f.AddParam(in, info.Type, info.Name))
		}
		if s.Kind != "do" {
			b.test(s, t)
		}
		outer := b.step
		b.step = stepInBody(s)
		b.body(s, t)
		b.step = outer
		b.counts(s, func() { b.stmts(s.Post) })
		if s.Kind == "do" {
			b.test(s, t)
		}
		b.jump(lower.OpContinue, in, b.values(vars), s.Pos)
	})
	b.back(mark)
	b.results(in, vars)
}

// test leaves the loop where its condition does not hold.
func (b *builder) test(s *lower.Loop, t *target) {
	b.counts(s, func() { b.stmts(s.Cond) })
	if s.CondValue.Kind == 0 || ended(b.block) {
		return
	}
	in := b.control(lower.OpIf, s.Pos)
	in.Args, in.Kind = []*ir.Value{b.operand(s.CondValue)}, "loop"
	in.Counting = s.Counter != 0
	b.into(in.NewBlock(), func() { b.jump(lower.OpYield, nil, nil, s.Pos) })
	b.into(in.NewBlock(), func() { b.jump(lower.OpLeave, t.leave, b.values(t.vars), s.Pos) })
}

// counts builds what counts the iterations of a loop, if it has a counter.
func (b *builder) counts(s *lower.Loop, build func()) {
	outer := b.counting
	b.counting = s.Counter != 0
	build()
	b.counting = outer
}

// stepInBody is the step of a counter at the end of the body, as while loops have it, nil where there is none.
func stepInBody(s *lower.Loop) *lower.Instr {
	if n := len(s.Body); n > 0 && s.Counter != 0 {
		if in, ok := s.Body[n-1].(*lower.Instr); ok && len(in.Dsts) == 1 && in.Dsts[0] == s.Counter {
			return in
		}
	}
	return nil
}

// body builds that of a loop.
func (b *builder) body(s *lower.Loop, t *target) {
	if !continues(s) {
		b.stmts(s.Body)
		return
	}
	if len(s.Post) == 0 && s.Kind != "do" {
		b.stmts(s.Body)
		return
	}
	vars := b.assigned(s.Body)
	in := b.control(lower.OpRegion, s.Pos)
	in.Fn = "body"
	t.next = &target{leave: in, vars: vars}
	b.inside(in, vars, func() { b.stmts(s.Body) })
	t.next = nil
}

// continues reports whether a loop's body continues it.
func continues(s *lower.Loop) bool {
	found := false
	lower.Walk(s.Body, func(st lower.Stmt) {
		if c, ok := st.(*lower.Continue); ok && c.Label == s.Label {
			found = true
		}
	})
	return found
}
