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
		return append(out, in)
	})
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
