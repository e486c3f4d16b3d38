package pass

import (
	"strings"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// replacements says which values stand for others, by ID.
type replacements struct {
	of  []*ir.Value
	any bool
}

// put makes v stand for old.
func (r *replacements) put(old, v *ir.Value) {
	if n := int(old.ID) + 1; n > len(r.of) {
		r.of = append(r.of, make([]*ir.Value, n+n/2-len(r.of))...)
	}
	r.of[old.ID] = v
	r.any = true
}

// find follows a value to what stands for it, and shortens the way.
func (r *replacements) find(v *ir.Value) *ir.Value {
	if int(v.ID) >= len(r.of) || r.of[v.ID] == nil {
		return v
	}
	end := r.of[v.ID]
	for int(end.ID) < len(r.of) && r.of[end.ID] != nil {
		end = r.of[end.ID]
	}
	for v != end {
		v, r.of[v.ID] = r.of[v.ID], end
	}
	return end
}

// operands replaces those of an instruction.
func (r *replacements) operands(in *ir.Instr) {
	for i, a := range in.Args {
		in.Args[i] = r.find(a)
	}
}

// apply replaces the operands of all instructions of a block.
func (r *replacements) apply(b *ir.Block) {
	if r.any {
		b.Walk(r.operands)
	}
}

// jumps are the leaves and continues of each loop and region, in the order of the text.
type jumps struct {
	leaves, continues map[*ir.Instr][]*ir.Instr
}

// jumpsOf collects the jumps of a kernel.
func jumpsOf(f *ir.Func) *jumps {
	j := &jumps{map[*ir.Instr][]*ir.Instr{}, map[*ir.Instr][]*ir.Instr{}}
	f.Body.Walk(func(in *ir.Instr) {
		switch in.Op {
		case lower.OpLeave:
			j.leaves[in.Target] = append(j.leaves[in.Target], in)
		case lower.OpContinue:
			j.continues[in.Target] = append(j.continues[in.Target], in)
		}
	})
	return j
}

// exits are the instructions that give a control operation its results: the yields of its blocks and the leaves.
func (j *jumps) exits(in *ir.Instr) []*ir.Instr {
	list := j.leaves[in]
	if in.Op == lower.OpLoop {
		return list
	}
	list = append(make([]*ir.Instr, 0, len(list)+len(in.Blocks)), list...)
	for _, b := range in.Blocks {
		if last := b.Last(); last != nil && last.Op == lower.OpYield {
			list = append(list, last)
		}
	}
	return list
}

// home is the block that defines a value, nil for one that belongs to none.
func home(v *ir.Value) *ir.Block {
	switch v.Kind {
	case ir.Result:
		return v.Def.Parent
	case ir.BlockArg:
		return v.Def.Blocks[0]
	}
	return nil
}

// inside reports whether a value is defined in one of the blocks of an instruction.
func inside(v *ir.Value, in *ir.Instr) bool {
	for b := home(v); b != nil && b.Owner != nil; b = b.Owner.Parent {
		if b.Owner == in {
			return true
		}
	}
	return false
}

// pure reports whether an operation depends on its operands alone and has no effect. Reading a clock or another special
// register of the machine gives something else each time.
func pure(in *ir.Instr) bool {
	return in.Op >= lower.Mov && in.Op <= lower.Call &&
		!(in.Op == lower.Index && strings.HasPrefix(in.Fn, "get_special_"))
}

// drop removes the results or parameters of which keep is false, and numbers the others anew.
func drop(list []*ir.Value, keep []bool) []*ir.Value {
	out := list[:0]
	for i, v := range list {
		if keep[i] {
			v.Index = len(out)
			out = append(out, v)
		}
	}
	return out
}

// pick removes the operands of which keep is false.
func pick(list []*ir.Value, keep []bool) []*ir.Value {
	out := list[:0:0]
	for i, v := range list {
		if keep[i] {
			out = append(out, v)
		}
	}
	return out
}
