package ir

import (
	"gpupipe/lower"
)

// Replacements says which values stand for others, by ID.
type Replacements struct {
	of  []*Value
	any bool
}

// Put makes v stand for old.
func (r *Replacements) Put(old, v *Value) {
	if n := int(old.ID) + 1; n > len(r.of) {
		r.of = append(r.of, make([]*Value, n+n/2-len(r.of))...)
	}
	r.of[old.ID] = v
	r.any = true
}

// Find follows a value to what stands for it, and shortens the way.
func (r *Replacements) Find(v *Value) *Value {
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

// Operands replaces those of an instruction.
func (r *Replacements) Operands(in *Instr) {
	for i, a := range in.Args {
		in.Args[i] = r.Find(a)
	}
}

// Apply replaces the operands of all instructions of a block.
func (r *Replacements) Apply(b *Block) {
	if r.any {
		b.Walk(r.Operands)
	}
}

// Jumps are the leaves and continues of each loop and region, in the order of the text.
type Jumps struct {
	Leaves, Continues map[*Instr][]*Instr
}

// JumpsOf collects the jumps of a kernel.
func JumpsOf(f *Func) *Jumps {
	j := newJumps()
	f.Body.Walk(j.add)
	return j
}

func newJumps() *Jumps { return &Jumps{map[*Instr][]*Instr{}, map[*Instr][]*Instr{}} }

// add adds an instruction, if it is a jump.
func (j *Jumps) add(in *Instr) {
	switch in.Op {
	case lower.OpLeave:
		j.Leaves[in.Target] = append(j.Leaves[in.Target], in)
	case lower.OpContinue:
		j.Continues[in.Target] = append(j.Continues[in.Target], in)
	}
}

// Exits are the instructions that give a control operation its results: the yields of its blocks and the leaves.
func (j *Jumps) Exits(in *Instr) []*Instr {
	list := j.Leaves[in]
	if in.Op == lower.OpLoop {
		return list
	}
	list = append(make([]*Instr, 0, len(list)+len(in.Blocks)), list...)
	for _, b := range in.Blocks {
		if last := b.Last(); last != nil && last.Op == lower.OpYield {
			list = append(list, last)
		}
	}
	return list
}

// Drop removes the results or parameters of which keep is false, and numbers the others anew.
func Drop(list []*Value, keep []bool) []*Value {
	out := list[:0]
	for i, v := range list {
		if keep[i] {
			v.Index = len(out)
			out = append(out, v)
		}
	}
	return out
}

// Pick removes the operands of which keep is false.
func Pick(list []*Value, keep []bool) []*Value {
	out := list[:0:0]
	for i, v := range list {
		if keep[i] {
			out = append(out, v)
		}
	}
	return out
}
