package build

import (
	"slices"

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
	var header []*ir.Instr
	b.into(in.NewBlock(), func() {
		for _, r := range vars {
			info := b.k.Reg(r)
			b.set(r, b.f.AddParam(in, info.Type, info.Name))
		}
		var test *ir.Instr
		if s.Kind != "do" {
			test = b.test(s, t, &header)
		}
		b.body(s, t)
		steps := []*ir.Instr{lastOf(b.block)}
		if len(s.Post) > 0 {
			steps = nil
		}
		n := len(header)
		b.inHeader(&header, s.Post)
		steps = append(steps, header[n:]...)
		if s.Kind == "do" {
			test = b.test(s, t, &header)
		}
		b.jump(lower.OpContinue, in, b.values(vars), s.Pos)
		if test != nil {
			markCounting(in, test, header, steps)
		}
	})
	b.back(mark)
	b.results(in, vars)
}

// inHeader builds what tests or steps the counter of a loop, if it has one.
func (b *builder) inHeader(list *[]*ir.Instr, block lower.Block) {
	outer := b.header
	b.header = list
	b.stmts(block)
	b.header = outer
}

// test leaves the loop where its condition does not hold.
func (b *builder) test(s *lower.Loop, t *target, header *[]*ir.Instr) *ir.Instr {
	b.inHeader(header, s.Cond)
	if s.CondValue.Kind == 0 || ended(b.block) {
		return nil
	}
	in := b.control(lower.OpIf, s.Pos)
	in.Args, in.Kind = []*ir.Value{b.operand(s.CondValue)}, "loop"
	b.into(in.NewBlock(), func() { b.jump(lower.OpYield, nil, nil, s.Pos) })
	b.into(in.NewBlock(), func() { b.jump(lower.OpLeave, t.leave, b.values(t.vars), s.Pos) })
	return in
}

// markCounting marks the test and the step, which is one of some operations, of a loop that counts.
func markCounting(loop, test *ir.Instr, header, steps []*ir.Instr) {
	step := countingOf(loop).step(test.Args[0])
	if step == nil || !slices.Contains(steps, step) {
		return
	}
	for _, in := range append(header, test, step) {
		in.Counting = true
	}
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
