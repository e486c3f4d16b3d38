package ir

import "gpupipe/lower"

// Walk visits every instruction of a block in the order of the text, an instruction before those in its blocks.
func (b *Block) Walk(visit func(*Instr)) {
	for _, in := range b.Instrs {
		visit(in)
		for _, inner := range in.Blocks {
			inner.Walk(visit)
		}
	}
}

// Rewrite replaces every instruction of a block by those that f appends to out, after the ones in its blocks.
// The parent of what f appends is set.
func (b *Block) Rewrite(f func(out []*Instr, in *Instr) []*Instr) {
	out := make([]*Instr, 0, len(b.Instrs))
	for _, in := range b.Instrs {
		for _, inner := range in.Blocks {
			inner.Rewrite(f)
		}
		from := len(out)
		out = f(out, in)
		for _, o := range out[from:] {
			o.Parent = b
		}
	}
	b.Instrs = out
}

// Subst says which values stand for others.
type Subst map[*Value]*Value

// Find follows a value to what stands for it.
func (s Subst) Find(v *Value) *Value {
	for {
		w, ok := s[v]
		if !ok {
			return v
		}
		v = w
	}
}

// Apply replaces the operands of all instructions of a block.
func (s Subst) Apply(b *Block) {
	if len(s) == 0 {
		return
	}
	b.Walk(func(in *Instr) { s.Operands(in) })
}

// Operands replaces those of one instruction.
func (s Subst) Operands(in *Instr) {
	for i, a := range in.Args {
		in.Args[i] = s.Find(a)
	}
}

// Uses counts the operands that each value is, by ID.
func (f *Func) Uses() []int {
	uses := make([]int, f.NumValues())
	f.Body.Walk(func(in *Instr) {
		for _, a := range in.Args {
			uses[a.ID]++
		}
	})
	return uses
}

// Exits lists the leaves and continues of a loop or region, in the order of the text.
func (in *Instr) Exits() (leaves, continues []*Instr) {
	for _, b := range in.Blocks {
		b.Walk(func(j *Instr) {
			switch {
			case j.Target != in:
			case j.Op == lower.OpLeave:
				leaves = append(leaves, j)
			case j.Op == lower.OpContinue:
				continues = append(continues, j)
			}
		})
	}
	return leaves, continues
}

// Clone copies a block and all in it for a new owner. s says what stands for values and gets what stands for
// those defined inside; jumps to targets outside keep them unless targets says otherwise, and gets the copies
// of loops and regions inside.
func (f *Func) Clone(b *Block, owner *Instr, s Subst, targets map[*Instr]*Instr) *Block {
	out := &Block{Owner: owner}
	for _, p := range b.Params {
		v := f.NewValue(BlockArg, p.Type)
		v.Name, v.Def, v.Index = p.Name, owner, p.Index
		out.Params = append(out.Params, v)
		s[p] = v
	}
	f.CloneInto(out, b.Instrs, s, targets)
	return out
}

// CloneInto appends copies of instructions to a block, as Clone does.
func (f *Func) CloneInto(out *Block, list []*Instr, s Subst, targets map[*Instr]*Instr) {
	for _, in := range list {
		n := f.Copy(in)
		for i, a := range in.Args {
			n.Args[i] = s.Find(a)
		}
		if t, ok := targets[in.Target]; ok && in.Target != nil {
			n.Target = t
		}
		if in.Loop != nil {
			info := *in.Loop
			n.Loop = &info
		}
		if len(in.Blocks) > 0 {
			targets[in] = n
			for _, inner := range in.Blocks {
				n.Blocks = append(n.Blocks, f.Clone(inner, n, s, targets))
			}
		}
		for _, r := range in.Results {
			s[r] = f.AddResult(n, r.Type, r.Name)
		}
		out.Append(n)
	}
}
