package scalar

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// sink takes the instructions that both sides of an if end with off them and gives them last first. What their operands
// differ in are results of the if; an instruction stays where it would need more than one of those that the one
// before it does not give (LLVM's ProfitableToSinkInstruction).
func (k *converter) sink(in *ir.Instr) []*ir.Instr {
	var out []*ir.Instr
	n := k.sinkable(in)
	at := map[*ir.Instr]int{} // how far from the end those that can follow stand
	for i := range n {
		for _, b := range in.Blocks {
			at[b.Instrs[len(b.Instrs)-2-i]] = i + 1
		}
	}
	for range n {
		a, b := in.Blocks[0], in.Blocks[1]
		x, y := a.Instrs[len(a.Instrs)-2], b.Instrs[len(b.Instrs)-2]
		results, ok := k.positions(in, x, y)
		if !ok || k.needs(at, x, y) > 1 {
			break
		}
		k.remove(in, x, results)
		for i, v := range x.Args {
			if w := y.Args[i]; v != w {
				x.Args[i] = k.result(in, v, w)
			}
		}
		out = append(out, x)
		for _, s := range in.Blocks {
			s.Instrs = append(s.Instrs[:len(s.Instrs)-2], s.Last())
		}
	}
	return out
}

// sinkable is how many instructions at the ends of both sides do the same.
func (k *converter) sinkable(in *ir.Instr) int {
	a, b := in.Blocks[0].Instrs, in.Blocks[1].Instrs
	n := 0
	for n < len(a)-1 && n < len(b)-1 {
		x, y := a[len(a)-2-n], b[len(b)-2-n]
		if !sameOperation(x, y) || len(x.Results) > 1 || ir.Convergent(x) || constantOnly(x, y) {
			break
		}
		n++
	}
	return n
}

// constantOnly reports whether an operand that has to be a constant differs.
func constantOnly(x, y *ir.Instr) bool {
	switch x.Op {
	case lower.Load, lower.Store, lower.Atomic:
		return originSpace(x.Args[0]) != originSpace(y.Args[0])
	}
	return !ir.Pure(x)
}

// originSpace is the object that a pointer leads into by constants and indices alone, as different objects have
// accesses of their own; 0 where it is not known.
func originSpace(p *ir.Value) ir.ObjectID {
	for d := ir.Def(p, lower.PtrAdd); d != nil; d = ir.Def(p, lower.PtrAdd) {
		p = d.Args[0]
	}
	if p.Kind == ir.Address || p.Kind == ir.KernelArg {
		return p.Object
	}
	return 0
}

// positions are the results of an if which are the results of x on one side and of y on the other; ok is false where
// either is used in another way.
func (k *converter) positions(in, x, y *ir.Instr) (at []int, ok bool) {
	if len(x.Results) == 0 {
		return nil, true
	}
	r, q := x.Results[0], y.Results[0]
	for i, v := range in.Blocks[0].Last().Args {
		w := in.Blocks[1].Last().Args[i]
		if (v == r) != (w == q) {
			return nil, false
		}
		if v == r {
			at = append(at, i)
		}
	}
	return at, len(at) == k.count(r) && len(at) == k.count(q)
}

// count is how many operands a value is.
func (k *converter) count(v *ir.Value) int {
	if int(v.ID) < len(k.uses) {
		return k.uses[v.ID]
	}
	return 0
}

// needs is how many results an if gets for the operands that two instructions differ in: those that follow, as at
// says, are not counted.
func (k *converter) needs(at map[*ir.Instr]int, x, y *ir.Instr) int {
	n := 0
	for i, v := range x.Args {
		w := y.Args[i]
		if v == w || v.Kind == ir.Result && w.Kind == ir.Result && at[v.Def] > 0 && at[v.Def] == at[w.Def] &&
			k.count(v) == 1 && k.count(w) == 1 {
			continue
		}
		n++
	}
	return n
}

// remove drops the results that a sunk instruction gives from an if.
func (k *converter) remove(in, x *ir.Instr, at []int) {
	if len(at) == 0 {
		return
	}
	keep := make([]bool, len(in.Results))
	for i := range keep {
		keep[i] = true
	}
	for _, i := range at {
		keep[i] = false
		k.repl.Put(in.Results[i], x.Results[0])
	}
	in.Results = ir.Drop(in.Results, keep)
	for _, b := range in.Blocks {
		b.Last().Args = ir.Pick(b.Last().Args, keep)
	}
}

// result is the result of an if that is one value or the other, an old one where there is one.
func (k *converter) result(in *ir.Instr, v, w *ir.Value) *ir.Value {
	a, b := in.Blocks[0].Last(), in.Blocks[1].Last()
	for i := range in.Results {
		if a.Args[i] == v && b.Args[i] == w {
			return in.Results[i]
		}
	}
	a.Args, b.Args = append(a.Args, v), append(b.Args, w)
	return k.f.AddResult(in, v.Type, "")
}
