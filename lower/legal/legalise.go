// Package legal writes out what a target has no instruction for: it consumes optimised IR (package ir) and
// changes it to IR of which instructions can be selected one by one - divisions by constants, switches, indices
// of 64 bits.
package legal

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// Legalise writes out what targets have no instruction for, as operations of the IR.
func Legalise(f *ir.Func, t *machine.Target) {
	Switches(f)
	unaligned(f, t)
	bfloats(f, t)
	f.Body.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr {
		if divide(f, out, in) {
			return nil
		}
		return in
	})
	reinterpret(f)
	divideByVariables(f, t.ISA == "sass")
	if t.ISA == "sass" {
		maskTests(f)
	}
	if t.Has("scalar unit") {
		extend(f, t)
	}
	share(f)
	if t.Has("imad") {
		wholeProducts(f)
	}
	sink(f.Body)
	if !t.Has("scalar unit") {
		widen(f, t)
	}
}

// Switches makes branches of switches.
func Switches(f *ir.Func) {
	f.Body.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr {
		if in.Op == lower.OpSwitch {
			return chain(f, out, in)
		}
		return in
	})
}

// reinterpret removes what gives the bits of a register another type.
func reinterpret(f *ir.Func) {
	var s ir.Replacements
	f.Body.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr {
		if in.Op == lower.Bitcast && in.Type != lower.Ptr && in.From != lower.Ptr {
			s.Put(in.Result(), in.Args[0])
			return nil
		}
		return in
	})
	s.Apply(f.Body)
}

// maskTests makes the test that no bit of a mask is set the opposite of the test that one is, which is a logical
// operation with a condition for its result, and of the comparison of two masked numbers such a test.
func maskTests(f *ir.Func) {
	uses := f.Uses()
	f.Body.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr {
		if in.Op != lower.Eq && in.Op != lower.Ne || in.Type.Size() != 4 || !in.Type.IsInteger() {
			return in
		}
		x, y := in.Args[0], in.Args[1]
		if masked(x, uses) && masked(y, uses) && x.Def.Args[1] == y.Def.Args[1] {
			d := f.Emit(out, &ir.Instr{Op: lower.Xor, Type: in.Type, Args: []*ir.Value{x.Def.Args[0], y.Def.Args[0]},
				Pos: in.Pos})
			x = f.Emit(out, &ir.Instr{Op: lower.And, Type: in.Type, Args: []*ir.Value{d, x.Def.Args[1]}, Pos: in.Pos})
			in.Args = []*ir.Value{x, f.Int(in.Type, 0)}
		} else if !masked(x, uses) || !y.IsConst() || y.Bits != 0 {
			return in
		}
		if in.Op == lower.Ne {
			return in
		}
		n := f.Emit(out, &ir.Instr{Op: lower.Ne, Type: in.Type, Args: in.Args, Pos: in.Pos})
		in.Op, in.Type, in.Args = lower.Not, lower.Pred, []*ir.Value{n}
		return in
	})
}

// masked reports whether a value is bits of another one that nobody else reads.
func masked(v *ir.Value, uses []int) bool {
	return v.DefOp() == lower.And && int(v.ID) < len(uses) && uses[v.ID] == 1
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
func chain(f *ir.Func, out *ir.Block, in *ir.Instr) *ir.Instr {
	v := in.Args[0]
	last := len(in.Blocks) - 1
	rest := in.Blocks[last] // the default, then all cases from i on
	if last == 0 {          // a region of the only block
		in.Op, in.Args, in.Cases = lower.OpRegion, nil, nil
		return in
	}
	for i := last - 1; ; i-- {
		head := &ir.Block{}
		if i == 0 {
			head = out
		}
		var cond *ir.Value
		for _, x := range in.Cases[i] {
			c := f.Emit(head, &ir.Instr{Op: lower.Eq, Type: v.Type, Args: []*ir.Value{v, f.Int(v.Type, x)},
				Pos: in.Pos})
			if cond != nil {
				c = f.Emit(head, &ir.Instr{Op: lower.Or, Type: lower.Pred, Args: []*ir.Value{c, cond}, Pos: in.Pos})
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
			return n
		}
		for _, r := range in.Results {
			f.AddResult(n, r.Type, r.Name)
		}
		rest = head
		rest.Append(n)
		rest.Append(&ir.Instr{Op: lower.OpYield, Args: slices.Clone(n.Results), Pos: in.Pos})
	}
}
