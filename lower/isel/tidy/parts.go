package tidy

import "slices"

// readParts lets conversions read a byte or a half of a word themselves where an instruction takes it out of what a
// wide load brought for them alone (nvcc 11.8 and 12.4: I2F.U8 R4, R2.B1; LLVM, AMDGPU: performCvtF32UByteNCombine).
func readParts(s *Selected) {
	converts := map[Reg][]*Instr{} // by the register that they read
	s.Code.Body.Each(func(n Node) {
		if in, ok := n.(*Instr); ok {
			if op, _ := s.Maker.Reading(in.Op, ""); op != "" && in.Uses[0].Kind == InReg {
				converts[in.Uses[0].Reg] = append(converts[in.Uses[0].Reg], in)
			}
		}
	})
	if len(converts) == 0 {
		return
	}
	gone := map[*Instr]bool{}
	made, read := accesses(s.Code)
	s.Code.Body.Each(func(n Node) {
		take, ok := n.(*Instr)
		if !ok || take.Guard.Reg != 0 || len(take.Defs) != 1 {
			return
		}
		part, of := s.Maker.Part(take)
		r, list := take.Defs[0], converts[take.Defs[0]]
		if part == "" || len(list) == 0 || made[r] != 1 || read[r] != len(list) || of.Kind != InReg ||
			made[of.Reg] != 1 {
			return
		}
		for _, in := range list {
			in.Op, of.Part = s.Maker.Reading(in.Op, part)
			in.Class, in.Pipe = s.Maker.Describe(in.Op)
			in.Uses[0] = of
		}
		gone[take] = true
	})
	if len(gone) == 0 {
		return
	}
	rewriteLists(s.Code.Body, func(nodes []Node) []Node {
		return slices.DeleteFunc(nodes, func(n Node) bool {
			in, ok := n.(*Instr)
			return ok && gone[in]
		})
	})
}

// accesses is how many places write and read each register.
func accesses(c *Code) (made, read []int) {
	made, read = make([]int, len(c.Regs)+1), make([]int, len(c.Regs)+1)
	use := func(o *Operand) {
		if o.Kind == InReg {
			read[o.Reg]++
		}
	}
	c.Body.Each(func(n Node) {
		switch n := n.(type) {
		case *Moves:
			for i := range n.List {
				made[n.List[i].To]++
				use(&n.List[i].From)
			}
		case *Instr:
			for i := range n.Uses {
				use(&n.Uses[i])
			}
			for _, d := range n.Defs {
				made[d]++
			}
		}
	})
	return made, read
}
