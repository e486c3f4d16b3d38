// Package scalar holds the passes over values and branches: folding and identities, order of sums, branches that become
// selects, contraction, dead code. None of them knows loops or what memory holds.
package scalar

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/ranges"
	"gpupipe/lower/profile"
)

// Simplify folds constants, removes identities, gives equal things one form and removes control flow that decides
// nothing: one walk in the order of the text, in which an operand is simple before what reads it (LLVM's InstCombine,
// InstSimplify and the parts of SimplifyCFG that move no code). What it leaves without readers DCE removes at its end.
func Simplify(f *ir.Func, c *profile.Context) { simplify(f, c, c.Profile.Address.Joins) }

// SimplifyLate does the same behind the passes that take addresses apart.
func SimplifyLate(f *ir.Func, c *profile.Context) { simplify(f, c, false) }

func simplify(f *ir.Func, c *profile.Context, joins bool) {
	s := &simplifier{f: f, jumps: ir.JumpsOf(f), uses: f.Uses(), dead: map[*ir.Instr]bool{}, joins: joins}
	s.ranges = ranges.Ranges{Jumps: s.jumps, Indices: ranges.Typed}
	if c.Profile.IndexRanges {
		s.ranges.Indices = ranges.Launchable
	}
	s.resolve(f.Body)
	s.block(f.Body, nil)
	s.repl.Apply(f.Body)
	DCE(f, c)
}

// Constants folds operations on constants and decides the branches that they decide. It is all that is done to what the
// source says at -O0.
func Constants(f *ir.Func, c *profile.Context) {
	s := &simplifier{f: f, jumps: ir.JumpsOf(f), dead: map[*ir.Instr]bool{}, literal: true}
	s.resolve(f.Body)
	s.block(f.Body, nil)
	s.repl.Apply(f.Body)
}

// simplifier walks a kernel. Instructions are appended to out while their block is walked.
type simplifier struct {
	f      *ir.Func
	repl   ir.Replacements
	jumps  *ir.Jumps
	dead   map[*ir.Instr]bool // jumps that are not reached
	uses   []int              // operands that each value was when the pass began
	ranges ranges.Ranges
	// joins: subscripts of an address of an address become a sum
	joins bool
	// literal: only constants are folded, and what they decide
	literal bool
	// notEntered: the loop at hand is left by a test in front of its first iteration
	notEntered *ir.Instr
	to         *ir.Block
	out        []*ir.Instr
}

// append puts an instruction at the end of what has been walked of a block.
func (s *simplifier) append(in *ir.Instr) {
	in.Parent = s.to
	s.out = append(s.out, in)
}

// ended reports whether the block that is being walked has its last instruction.
func (s *simplifier) ended() bool { return len(s.out) > 0 && s.out[len(s.out)-1].IsTerminator() }

// block walks the instructions of a block of owner.
func (s *simplifier) block(b *ir.Block, owner *ir.Instr) {
	out, to := s.out, s.to
	s.out, s.to = make([]*ir.Instr, 0, len(b.Instrs)), b
	s.list(b.Instrs)
	if !s.ended() { // what follows is not reached: nothing gave its end
		s.append(s.unreachable(owner))
	}
	b.Instrs = s.out
	s.out, s.to = out, to
}

// list walks instructions at the end of the current block, up to one that ends it.
func (s *simplifier) list(list []*ir.Instr) {
	for i, in := range list {
		if s.ended() {
			s.kill(list[i:])
			return
		}
		s.repl.Operands(in)
		switch {
		case in.IsTerminator():
			s.append(in)
		case in.Nests():
			s.control(in)
		default:
			s.instr(in)
		}
	}
}

// inline walks the instructions of a block in place of the control operation that it belongs to, and gives those of its
// yield.
func (s *simplifier) inline(b *ir.Block, in *ir.Instr) {
	last := b.Last()
	s.list(b.Instrs[:len(b.Instrs)-1])
	if s.ended() {
		s.kill([]*ir.Instr{last})
		return
	}
	s.repl.Operands(last)
	s.close(last, in)
}

// close ends a block that is written in place of the control operation that it belonged to.
func (s *simplifier) close(last, in *ir.Instr) {
	if last.Op != lower.OpYield {
		s.append(last)
		return
	}
	for i, r := range in.Results {
		s.repl.Put(r, last.Args[i])
	}
}

// kill notes the jumps among instructions that are not reached.
func (s *simplifier) kill(list []*ir.Instr) {
	for _, in := range list {
		if in.Target != nil {
			s.dead[in] = true
		}
		for _, b := range in.Blocks {
			s.kill(b.Instrs)
		}
	}
}

// live drops the jumps that are not reached.
func (s *simplifier) live(list []*ir.Instr) []*ir.Instr {
	out := list[:0]
	for _, in := range list {
		if !s.dead[in] {
			out = append(out, in)
		}
	}
	return out
}

// unreachable is an end for the block of owner which is not reached.
func (s *simplifier) unreachable(owner *ir.Instr) *ir.Instr {
	end := &ir.Instr{Op: lower.OpYield}
	if owner == nil {
		return end
	}
	values := owner.Results
	if end.Pos = owner.Pos; owner.Op == lower.OpLoop {
		end.Op, end.Target, values = lower.OpContinue, owner, owner.Blocks[0].Params
		s.jumps.Continues[owner] = append(s.jumps.Continues[owner], end)
	}
	for _, v := range values {
		end.Args = append(end.Args, s.f.Undef(v.Type))
	}
	return end
}

// instr simplifies an operation until nothing more is found.
func (s *simplifier) instr(in *ir.Instr) {
	if len(in.Results) == 1 && ir.Pure(in) {
		if v := s.value(in); v != nil {
			s.repl.Put(in.Result(), v)
			return
		}
	}
	s.append(in)
}

// value is what an operation may be replaced by, nil where it stays; it may have become another one.
func (s *simplifier) value(in *ir.Instr) *ir.Value {
	if s.literal {
		if bits, ok := fold(in); ok {
			return s.f.Constant(ir.ResultType(in), bits)
		}
		return nil
	}
	for range 100 { // each step makes it simpler
		s.order(in)
		if bits, ok := fold(in); ok {
			return s.f.Constant(ir.ResultType(in), bits)
		}
		v, changed := s.step(in)
		if v != nil || !changed {
			return v
		}
	}
	return nil
}

// order puts constants to the right.
func (s *simplifier) order(in *ir.Instr) {
	if len(in.Args) < 2 || !in.Args[0].IsConst() || in.Args[1].IsConst() {
		return
	}
	if ir.Commutes(in.Op) || in.Op.IsComparison() {
		in.Op = in.Op.Mirror()
		in.Args[0], in.Args[1] = in.Args[1], in.Args[0]
	}
}

// step applies one rule.
func (s *simplifier) step(in *ir.Instr) (v *ir.Value, changed bool) {
	t := in.Type
	switch {
	case in.Op.IsComparison():
		return s.comparison(in)
	case in.Op == lower.Mov:
		return in.Args[0], false
	case in.Op == lower.Select:
		return s.selection(in)
	case in.Op == lower.Convert:
		return s.conversion(in)
	case in.Op == lower.Bitcast:
		return s.bitcast(in)
	case in.Op == lower.PtrAdd, in.Op == lower.PtrDiff:
		return s.pointer(in)
	case t.IsFloat():
		return s.floating(in)
	case t.IsInteger() || t == lower.Pred:
		return s.integer(in)
	}
	return nil, false
}

// make appends a new operation, simplified, and gives its result.
func (s *simplifier) make(like *ir.Instr, op ir.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	return s.add(&ir.Instr{Op: op, Type: t, Args: args, Pos: like.Pos, Subscript: like.Subscript,
		Component: like.Component})
}

// add appends a new operation, simplified, and gives its result.
func (s *simplifier) add(in *ir.Instr) *ir.Value {
	r := s.f.AddResult(in, ir.ResultType(in), "")
	if v := s.value(in); v != nil {
		return v
	}
	s.append(in)
	return r
}

// become makes an operation another one with the same result.
func become(in *ir.Instr, op ir.Op, args ...*ir.Value) (*ir.Value, bool) {
	in.Op, in.Args, in.Fn = op, args, ""
	return nil, true
}

// once reports whether a value had one reader when the pass began.
func (s *simplifier) once(v *ir.Value) bool { return int(v.ID) < len(s.uses) && s.uses[v.ID] == 1 }
