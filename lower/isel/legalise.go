package isel

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// legalise writes out what targets have no instruction for, as operations of the IR.
func legalise(f *ir.Func, t *Target) {
	f.Body.Rewrite(func(out []*ir.Instr, in *ir.Instr) []*ir.Instr {
		if in.Op == lower.OpSwitch {
			return chain(f, out, in)
		}
		if list, ok := divide(f, out, in); ok {
			return list
		}
		return append(out, in)
	})
	reinterpret(f)
	share(f)
	sink(f.Body)
	widen(f, t)
}

// reinterpret removes what gives the bits of a register another type.
func reinterpret(f *ir.Func) {
	s := ir.Subst{}
	f.Body.Rewrite(func(out []*ir.Instr, in *ir.Instr) []*ir.Instr {
		if in.Op == lower.Bitcast && in.Type != lower.Ptr && in.From != lower.Ptr {
			s[in.Result()] = in.Args[0]
			return out
		}
		return append(out, in)
	})
	s.Apply(f.Body)
}

// sink puts the step of a loop's counter behind the comparison that still reads the counter before it: right
// in front of the branch at the end, so that both counters can be in one register.
func sink(b *ir.Block) {
	for _, in := range b.Instrs {
		for _, inner := range in.Blocks {
			sink(inner)
		}
	}
	last := b.Last()
	if last == nil || last.Op != lower.OpContinue || len(b.Instrs) < 2 {
		return
	}
	end := len(b.Instrs) - 1
	if b.Instrs[end-1].Op == lower.OpIf {
		end--
	}
	uses := map[*ir.Value]int{}
	for _, in := range b.Instrs[:len(b.Instrs)-1] {
		for _, a := range in.Args {
			uses[a]++
		}
	}
	inside := func(in *ir.Instr) {
		for _, a := range in.Args {
			uses[a]++
		}
	}
	if end < len(b.Instrs)-1 {
		for _, inner := range b.Instrs[end].Blocks {
			inner.Walk(inside)
		}
	}
	step := map[*ir.Instr]bool{}
	for i, a := range last.Args {
		if a.Kind == ir.Result && a.Def.Parent == b && uses[a] == 0 && (a.Def.Op == lower.Add ||
			a.Def.Op == lower.PtrAdd) &&
			a.Def.Args[0] == last.Target.Blocks[0].Params[i] {
			step[a.Def] = true
		}
	}
	if len(step) == 0 {
		return
	}
	var out, late []*ir.Instr
	for i, in := range b.Instrs {
		if i == end {
			out = append(out, late...)
		}
		if step[in] {
			late = append(late, in)
			continue
		}
		out = append(out, in)
	}
	b.Instrs = out
}

// chain makes a switch a chain of branches, one for each case.
func chain(f *ir.Func, out []*ir.Instr, in *ir.Instr) []*ir.Instr {
	v := in.Args[0]
	var rest *ir.Block // the default, then all cases from i on
	last := len(in.Blocks) - 1
	rest = in.Blocks[last]
	if last == 0 {
		return inline(out, in, rest)
	}
	for i := last - 1; i >= 0; i-- {
		var head []*ir.Instr
		var cond *ir.Value
		for _, x := range in.Cases[i] {
			eq := &ir.Instr{Op: lower.Eq, Type: v.Type, Args: []*ir.Value{v, f.Int(v.Type, x)}, Pos: in.Pos}
			c := f.AddResult(eq, lower.Pred, "")
			head = append(head, eq)
			if cond != nil {
				or := &ir.Instr{Op: lower.Or, Type: lower.Pred, Args: []*ir.Value{c, cond}, Pos: in.Pos}
				c = f.AddResult(or, lower.Pred, "")
				head = append(head, or)
			}
			cond = c
		}
		n := &ir.Instr{Op: lower.OpIf, Args: []*ir.Value{cond}, Pos: in.Pos, Kind: "switch", Source: in.Source}
		n.Blocks = []*ir.Block{in.Blocks[i], rest}
		for _, b := range n.Blocks {
			b.Owner = n
		}
		if i == 0 {
			n.Results = in.Results
			for _, r := range n.Results {
				r.Def = n
			}
			return append(append(out, head...), n)
		}
		for _, r := range in.Results {
			f.AddResult(n, r.Type, r.Name)
		}
		rest = &ir.Block{}
		for _, h := range head {
			rest.Append(h)
		}
		rest.Append(n)
		rest.Append(&ir.Instr{Op: lower.OpYield, Args: slices.Clone(n.Results), Pos: in.Pos})
	}
	return out
}

// inline makes a region of the only block of a switch.
func inline(out []*ir.Instr, in *ir.Instr, b *ir.Block) []*ir.Instr {
	in.Op, in.Args, in.Cases = lower.OpRegion, nil, nil
	b.Owner = in
	return append(out, in)
}
