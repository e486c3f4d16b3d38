package scalar

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// control simplifies a control operation. Loops and regions that are entered once have the code of their blocks in
// their place, and so has what a constant decides.
func (s *simplifier) control(in *ir.Instr) {
	switch in.Op {
	case lower.OpIf:
		if c := in.Args[0]; c.IsConst() {
			taken := 0
			if c.Bits == 0 {
				taken = 1
			}
			s.kill(in.Blocks[1-taken].Instrs)
			s.inline(in.Blocks[taken], in)
			return
		}
		s.sides(in)
	case lower.OpSwitch:
		if v := in.Args[0]; v.IsConst() {
			taken := len(in.Cases)
			for i, list := range in.Cases {
				if slices.Contains(list, v.Int()) {
					taken = i
				}
			}
			for i, b := range in.Blocks {
				if i != taken {
					s.kill(b.Instrs)
				}
			}
			s.inline(in.Blocks[taken], in)
			return
		}
		s.sides(in)
	case lower.OpLoop:
		s.loop(in)
	case lower.OpRegion:
		s.region(in)
	}
}

// sides simplifies an if or switch. Where only one block reaches its end, its code stands behind instead; so does that
// of the last block where none does.
func (s *simplifier) sides(in *ir.Instr) {
	for _, b := range in.Blocks {
		s.block(b, in)
	}
	var reached []*ir.Block
	for _, b := range in.Blocks {
		if b.Last().Op == lower.OpYield {
			reached = append(reached, b)
		}
	}
	switch len(reached) {
	case 0:
		in.Results = nil
		s.append(in)
		s.behind(in, in.Blocks[len(in.Blocks)-1])
		return
	case 1:
		s.append(in)
		s.behind(in, reached[0])
		in.Results = nil
		return
	}
	s.sameResults(in)
	if !slices.ContainsFunc(in.Blocks, func(b *ir.Block) bool { return len(b.Instrs) > 1 || !ir.Yields(b) }) &&
		len(in.Results) == 0 && !s.literal {
		return
	}
	s.append(in)
}

// behind moves the code of one block of an if or switch behind it.
func (s *simplifier) behind(in *ir.Instr, b *ir.Block) {
	last := b.Last()
	for _, j := range b.Instrs[:len(b.Instrs)-1] {
		s.append(j)
	}
	s.close(last, in)
	b.Instrs = nil
	b.Append(&ir.Instr{Op: lower.OpYield, Pos: in.Pos})
}

// sameResults replaces the results that are the same value at all exits. The values that exits pass to other results
// are those that the control operation may still be asked for.
func (s *simplifier) sameResults(in *ir.Instr) {
	if len(in.Results) == 0 {
		return
	}
	s.jumps.Leaves[in] = s.live(s.jumps.Leaves[in])
	exits := s.jumps.Exits(in)
	keep, all := make([]bool, len(in.Results)), true
	for i, r := range in.Results {
		v := s.passed(exits, i, r)
		keep[i] = v == nil || ir.Inside(v, in)
		if !keep[i] {
			s.repl.Put(r, v)
			all = false
		}
	}
	if all {
		return
	}
	in.Results = ir.Drop(in.Results, keep)
	for _, e := range exits {
		e.Args = ir.Pick(e.Args, keep)
	}
}

// passed is the value that all of some jumps pass as operand i, nil where they differ. An undefined one is whatever the
// others are.
func (s *simplifier) passed(list []*ir.Instr, i int, itself *ir.Value) *ir.Value {
	var same, undefined *ir.Value
	for _, e := range list {
		v := s.repl.Find(e.Args[i])
		switch {
		case v == itself || v == same:
		case v.Kind == ir.Undef:
			undefined = v
		case same == nil:
			same = v
		default:
			return nil
		}
	}
	if same == nil {
		return undefined
	}
	return same
}

// region simplifies a region. One that is not left early is its code.
func (s *simplifier) region(in *ir.Instr) {
	s.block(in.Blocks[0], in)
	s.finish(in)
}

// finish ends the simplification of a region of which the block is done.
func (s *simplifier) finish(in *ir.Instr) {
	b := in.Blocks[0]
	if last := b.Last(); last.Op == lower.OpLeave && last.Target == in {
		s.dead[last] = true
		last.Op, last.Target = lower.OpYield, nil
	}
	s.jumps.Leaves[in] = s.live(s.jumps.Leaves[in])
	if n := len(s.jumps.Leaves[in]); n > 0 && ir.Yields(b) && n == s.tails(b, in, false) {
		s.tails(b, in, true)
		s.jumps.Leaves[in] = nil
	}
	if len(s.jumps.Leaves[in]) > 0 {
		s.sameResults(in)
		s.append(in)
		return
	}
	last := b.Last()
	for _, j := range b.Instrs[:len(b.Instrs)-1] {
		s.append(j)
	}
	s.close(last, in)
}

// loop simplifies a loop. A parameter that does not change is its first value; a loop that is never continued is a
// region.
func (s *simplifier) loop(in *ir.Instr) {
	body := in.Blocks[0]
	s.jumps.Continues[in] = s.live(s.jumps.Continues[in])
	if len(s.jumps.Continues[in]) == 0 {
		s.asRegion(in)
		s.region(in)
		return
	}
	s.sameParams(in)
	if !s.literal {
		s.runsOnce(in)
	}
	s.block(body, in)
	s.jumps.Continues[in] = s.live(s.jumps.Continues[in])
	if len(s.jumps.Continues[in]) == 0 {
		s.asRegion(in)
		s.finish(in)
		return
	}
	s.sameParams(in)
	s.sameResults(in)
	s.append(in)
	s.jumps.Leaves[in] = s.live(s.jumps.Leaves[in])
	if len(s.jumps.Leaves[in]) == 0 {
		s.append(s.unreachable(s.to.Owner))
	}
}

// runsOnce decides the tests that leave a loop in its first iteration, where that follows from constants: it has no
// other iteration (LLVM's IndVarSimplify replaces the tests of loops whose backedge is taken 0 times).
func (s *simplifier) runsOnce(loop *ir.Instr) {
	list := loop.Blocks[0].Instrs
	for i, in := range list {
		if in.Op != lower.OpIf {
			continue
		}
		for side, b := range in.Blocks {
			last := b.Last()
			if last.Op != lower.OpLeave || last.Target != loop {
				continue
			}
			if bits, ok := s.first(in.Args[0], loop, 8); ok && (bits == 0) == (side == 1) {
				if in.Args[0] = s.f.Constant(lower.Pred, bits); i < len(list)-2 && in.Kind == "loop" { // in front
					s.notEntered = loop
				}
				return
			}
		}
	}
}

// first is a value in the first iteration of a loop, if that is a constant.
func (s *simplifier) first(v *ir.Value, loop *ir.Instr, depth int) (uint64, bool) {
	v = s.repl.Find(v)
	switch {
	case v.IsConst():
		return v.Bits, true
	case v.Kind == ir.BlockArg && v.Def == loop:
		v = s.repl.Find(loop.Args[v.Index])
		return v.Bits, v.IsConst()
	case v.Kind != ir.Result || depth == 0 || len(v.Def.Results) != 1 || !ir.Pure(v.Def):
		return 0, false
	}
	in := *v.Def
	in.Args = make([]*ir.Value, len(v.Def.Args))
	for i, a := range v.Def.Args {
		bits, ok := s.first(a, loop, depth-1)
		if !ok {
			return 0, false
		}
		in.Args[i] = s.f.Constant(a.Type, bits)
	}
	return fold(&in)
}

// asRegion makes a loop that is entered once a region.
func (s *simplifier) asRegion(in *ir.Instr) {
	if known := func(c ir.LoopChoice) bool { return c.Source == in.Source }; in.Source != 0 &&
		!slices.ContainsFunc(s.f.Choices, known) {
		trips := "1"
		switch {
		case s.notEntered == in:
			trips = "0"
		case len(s.jumps.Leaves[in]) > 1:
			trips = "at most 1"
		}
		s.f.Choices = append(s.f.Choices, ir.LoopChoice{Source: in.Source, Pos: in.Pos, Trips: trips, Copies: 1,
			Whole: true, Rule: "one iteration at most"})
	}
	for i, p := range in.Blocks[0].Params {
		s.repl.Put(p, in.Args[i])
	}
	in.Op, in.Args, in.Blocks[0].Params, in.Loop, in.Source = lower.OpRegion, nil, nil, nil, 0
	in.Fn = "once"
}

// sameParams replaces the parameters of a loop that are the same value in all iterations.
func (s *simplifier) sameParams(in *ir.Instr) {
	body := in.Blocks[0]
	keep, all := make([]bool, len(body.Params)), true
	for i, p := range body.Params {
		v := s.passed(s.jumps.Continues[in], i, p)
		first := s.repl.Find(in.Args[i])
		switch {
		case v == nil && s.only(in, i, p), first == v, v != nil && v.Kind == ir.Undef:
			v = first
		case v != nil && first.Kind == ir.Undef && !ir.Inside(v, in):
		default:
			keep[i] = true
			continue
		}
		s.repl.Put(p, v)
		all = false
	}
	if all {
		return
	}
	body.Params = ir.Drop(body.Params, keep)
	in.Args = ir.Pick(in.Args, keep)
	for _, c := range s.jumps.Continues[in] {
		c.Args = ir.Pick(c.Args, keep)
	}
}

// only reports whether all continues pass the parameter itself.
func (s *simplifier) only(in *ir.Instr, i int, p *ir.Value) bool {
	return !slices.ContainsFunc(s.jumps.Continues[in], func(c *ir.Instr) bool { return s.repl.Find(c.Args[i]) != p })
}

// resolve replaces results and parameters that are always the same value, innermost first.
func (s *simplifier) resolve(b *ir.Block) {
	for _, in := range b.Instrs {
		if !in.Nests() {
			continue
		}
		for _, inner := range in.Blocks {
			s.resolve(inner)
		}
		if in.Op == lower.OpLoop {
			s.sameParams(in)
		}
		s.sameResults(in)
	}
}
