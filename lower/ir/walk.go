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
