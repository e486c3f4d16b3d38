package scalar

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// merge makes one branch of two, where one side of an if is another if and little else, and one side of that goes where
// the other side of the first goes: if a { if b { x } } is if a && b { x }.
func (k *converter) merge(out *ir.Block, in *ir.Instr) {
	for side, b := range in.Blocks {
		if len(b.Instrs) < 2 || len(in.Blocks[1-side].Instrs) != 1 {
			continue
		}
		inner := b.Instrs[len(b.Instrs)-2]
		n, ok := speculated(append(b.Instrs[:len(b.Instrs)-2:len(b.Instrs)-2], b.Last()))
		if inner.Op != lower.OpIf || !ok || !k.rule.OneSide(n, 1) || !k.through(b, inner) {
			continue
		}
		for same := range 2 {
			if len(inner.Blocks[same].Instrs) != 1 || !k.sameEnd(in.Blocks[1-side].Last(), inner, same, b.Last()) {
				continue
			}
			for _, j := range b.Instrs[:len(b.Instrs)-2] {
				out.Append(j)
			}
			k.mergeInto(out, in, inner, side, same)
			return
		}
	}
}

// through reports whether nothing reads the results of the last branch of a block but its yield.
func (k *converter) through(b *ir.Block, inner *ir.Instr) bool {
	if b.Last().Op != lower.OpYield {
		return len(inner.Results) == 0
	}
	for _, r := range inner.Results {
		n := 0
		for _, a := range b.Last().Args {
			if a == r {
				n++
			}
		}
		if n != k.count(r) {
			return false
		}
	}
	return true
}

// sameEnd reports whether block same of inner, and then last, do what end does.
func (k *converter) sameEnd(end, inner *ir.Instr, same int, last *ir.Instr) bool {
	to := inner.Blocks[same].Last()
	if to.Op != lower.OpYield {
		last = to
	}
	if last.Op != end.Op || last.Target != end.Target || len(last.Args) != len(end.Args) {
		return false
	}
	for i, a := range last.Args {
		if a.Kind == ir.Result && a.Def == inner && to.Op == lower.OpYield {
			a = to.Args[a.Index]
		}
		if k.repl.Find(a) != k.repl.Find(end.Args[i]) {
			return false
		}
	}
	return true
}

// mergeInto makes inner, which stands on a side of in, in itself.
func (k *converter) mergeInto(out *ir.Block, in, inner *ir.Instr, side, same int) {
	k.selects(inner)
	a, b := in.Args[0], inner.Args[0]
	if side == 1 { // the way to inner: the condition is false
		a = k.not(out, in, a)
	}
	if same == 0 { // the way on: inner's is
		b = k.not(out, inner, b)
	}
	and := &ir.Instr{Op: lower.And, Type: lower.Pred, Args: []*ir.Value{a, b}, Pos: in.Pos}
	out.Append(and)
	last := in.Blocks[side].Last()
	on := inner.Blocks[1-same]
	if end := on.Last(); end.Op == lower.OpYield {
		args := make([]*ir.Value, len(last.Args))
		for i, v := range last.Args {
			if v.Kind == ir.Result && v.Def == inner {
				v = end.Args[v.Index]
			}
			args[i] = v
		}
		moved := *last
		moved.Args = args
		on.Instrs[len(on.Instrs)-1] = &moved
		moved.Parent = on
	}
	other := in.Blocks[1-side]
	in.Args = []*ir.Value{k.f.AddResult(and, lower.Pred, "")}
	in.Blocks = []*ir.Block{on, other}
	in.Opposite = in.Opposite != (side == 1)
	on.Owner = in
}

// not appends the negation of a condition.
func (k *converter) not(out *ir.Block, in *ir.Instr, v *ir.Value) *ir.Value {
	n := &ir.Instr{Op: lower.Not, Type: lower.Pred, Args: []*ir.Value{v}, Pos: in.Pos}
	if d := v.Def; v.Kind == ir.Result && d.Op.IsComparison() && !d.Type.IsFloat() {
		n = &ir.Instr{Op: d.Op.Negate(), Type: d.Type, Args: slices.Clone(d.Args), Pos: in.Pos}
	} else if v.Kind == ir.Result && d.Op == lower.Not {
		return d.Args[0]
	}
	out.Append(n)
	return k.f.AddResult(n, lower.Pred, "")
}

// jumpsOnly is the block of an if that only leaves it for elsewhere where the other one does nothing; 2: there is none.
func jumpsOnly(in *ir.Instr) int {
	for i, b := range in.Blocks {
		if len(b.Instrs) == 1 && !ir.Yields(b) && len(in.Blocks[1-i].Instrs) == 1 && ir.Yields(in.Blocks[1-i]) {
			return i
		}
	}
	return 2
}

// mergeExits makes one branch of two that jump to the same place with little between them.
func (k *converter) mergeExits(out *ir.Block, in *ir.Instr) {
	side := jumpsOnly(in)
	if side == 2 {
		return
	}
	for n, i := 0, len(out.Instrs)-1; i >= 0; i-- {
		p := out.Instrs[i]
		if p.Op != lower.OpIf {
			m, ok := speculated([]*ir.Instr{p, nil})
			if n += m; !ok || !k.rule.OneSide(n, 1) {
				return
			}
			continue
		}
		if first := jumpsOnly(p); first < 2 && len(p.Results) == 0 &&
			k.sameJump(p.Blocks[first].Last(), in.Blocks[side].Last()) {
			out.Instrs = slices.Delete(out.Instrs, i, i+1)
			k.either(out, p, in, first, side)
		}
		return
	}
}

// sameJump reports whether two jumps do the same.
func (k *converter) sameJump(x, y *ir.Instr) bool {
	return x.Op == y.Op && x.Target == y.Target && slices.EqualFunc(x.Args, y.Args, func(a, b *ir.Value) bool {
		return k.repl.Find(a) == k.repl.Find(b)
	})
}

// either makes an if, of which block side jumps, that of it and of p, of which block first does.
func (k *converter) either(out *ir.Block, p, in *ir.Instr, first, side int) {
	a, b := p.Args[0], in.Args[0]
	if first == 1 {
		a = k.not(out, p, a)
	}
	if side == 1 {
		b = k.not(out, in, b)
		in.Blocks[0], in.Blocks[1] = in.Blocks[1], in.Blocks[0]
		in.Opposite = !in.Opposite
	}
	k.selects(p)
	or := &ir.Instr{Op: lower.Or, Type: lower.Pred, Args: []*ir.Value{a, b}, Pos: in.Pos}
	out.Append(or)
	in.Args = []*ir.Value{k.f.AddResult(or, lower.Pred, "")}
}
