package tidy

// hoistParameters loads in front of an innermost loop what it reads of a constant bank: words, and pointers that
// nothing else reads. LLVM's MachineSink brings a pointer's conversion to the block in front of the only loop that
// reads it, where ptxas of CUDA 13 leaves it; one that is made farther away is made again where it is read.
func hoistParameters(c *Code, isa Maker) {
	k := &loader{c: c, writes: make([]int, len(c.Regs)+1)}
	readers := map[uint64]int{} // loads by the word of the bank
	c.Body.Each(func(n Node) {
		in, ok := n.(*Instr)
		if !ok {
			return
		}
		for _, d := range in.Defs {
			k.writes[d]++
		}
		if len(in.Uses) == 1 && parameter(in.Uses[0]) {
			readers[in.Uses[0].Bits]++
		}
	})
	if k.outOfLoops(c.Body, readers); k.moved {
		constants(c, isa)
	}
}

// parameter reports whether an operand is in the bank of what a kernel is launched with.
func parameter(o Operand) bool { return o.Kind == Bank && o.Name == "c[0x0]" }

// outOfLoops does it in a block, and reports whether a loop stands in it.
func (k *loader) outOfLoops(b *Block, readers map[uint64]int) bool {
	if b == nil {
		return false
	}
	loops := false
	var out []Node
	for i, n := range b.Nodes {
		inner := false
		switch n := n.(type) {
		case *If:
			then := k.outOfLoops(n.Then, readers)
			inner = k.outOfLoops(n.Else, readers) || then
		case *Region:
			inner = k.outOfLoops(n.Body, readers)
		case *Loop:
			if !k.outOfLoops(n.Body, readers) {
				if front := k.invariant(n.Body, readers, nil); len(front) > 0 {
					if out == nil {
						out = append(out, b.Nodes[:i]...)
					}
					out = append(out, front...)
				}
			}
			inner = true
		}
		loops = loops || inner
		if out != nil {
			out = append(out, n)
		}
	}
	if out != nil {
		b.Nodes = out
	}
	return loops
}

// invariant takes the loads out of a loop's body.
func (k *loader) invariant(b *Block, readers map[uint64]int, front []Node) []Node {
	if b == nil {
		return front
	}
	kept := b.Nodes[:0]
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *If:
			front = k.invariant(n.Else, readers, k.invariant(n.Then, readers, front))
		case *Region:
			front = k.invariant(n.Body, readers, front)
		case *Instr:
			if in, ok := k.loads(n); ok && in.Guard.Reg == 0 && parameter(in.Uses[0]) &&
				(k.c.Reg(in.Defs[0]).Words == 1 || readers[in.Uses[0].Bits] == 1) {
				k.moved = true
				front = append(front, n)
				continue
			}
		}
		kept = append(kept, n)
	}
	b.Nodes = kept
	return front
}
