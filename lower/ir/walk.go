package ir

import "gpupipe/lower"

// Walk visits every instruction of a block in the order of the text, an instruction before those in its blocks.
func (b *Block) Walk(visit func(*Instr)) {
	for _, in := range b.Instrs {
		visit(in)
		if in.Nests() {
			for _, inner := range in.Blocks {
				inner.Walk(visit)
			}
		}
	}
}

// Rewrite replaces every instruction of a block, after the ones in its blocks, by those that f appends to out and the
// one that it gives, nil for none.
func (b *Block) Rewrite(f func(out *Block, in *Instr) *Instr) {
	out := b.Anew()
	for _, in := range b.Instrs {
		if in.Nests() {
			for _, inner := range in.Blocks {
				inner.Rewrite(f)
			}
		}
		if last := f(out, in); last != nil {
			out.Append(last)
		}
	}
	b.Take(out)
}

// Anew is an empty block with the owner of another one and room for as many instructions.
func (b *Block) Anew() *Block {
	return &Block{Owner: b.Owner, Instrs: make([]*Instr, 0, len(b.Instrs))}
}

// Take gives a block the instructions of another one.
func (b *Block) Take(by *Block) {
	b.Instrs = by.Instrs
	for _, in := range b.Instrs {
		in.Parent = b
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

// Escapes reports whether something in a loop jumps to the end or the beginning of what is around it.
func (in *Instr) Escapes() bool {
	inner, out := map[*Instr]bool{in: true}, false
	for _, b := range in.Blocks {
		b.Walk(func(j *Instr) {
			inner[j] = true
			out = out || j.Target != nil && !inner[j.Target]
		})
	}
	return out
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
