package tidy

// readParts lets conversions read a byte or a half of a word themselves where an instruction takes it out of what a
// wide load brought for them alone (nvcc 11.8 and 12.4: I2F.U8 R4, R2.B1; LLVM, AMDGPU: performCvtF32UByteNCombine).
func readParts(s *Selected) {
	type use struct{ made, read, converted int } // of a register
	uses := make([]use, len(s.Code.Regs)+1)
	taken := map[Reg]*Instr{} // by register: what takes a part
	var converts []*Instr
	read := func(o *Operand) {
		if o.Kind == InReg {
			uses[o.Reg].read++
		}
	}
	s.Code.Body.Each(func(n Node) {
		switch n := n.(type) {
		case *Moves:
			for i := range n.List {
				uses[n.List[i].To].made++
				read(&n.List[i].From)
			}
		case *Instr:
			for i := range n.Uses {
				read(&n.Uses[i])
			}
			for _, d := range n.Defs {
				uses[d].made++
			}
			if part, _ := s.Maker.Part(n); part != "" && n.Guard.Reg == 0 {
				taken[n.Defs[0]] = n
			} else if op, _ := s.Maker.Reading(n.Op, ""); op != "" && n.Uses[0].Kind == InReg {
				converts = append(converts, n)
				uses[n.Uses[0].Reg].converted++
			}
		}
	})
	gone := map[*Instr]bool{}
	for _, in := range converts {
		r := in.Uses[0].Reg
		take, u := taken[r], uses[r]
		if take == nil || u.made != 1 || u.converted != u.read {
			continue
		}
		part, of := s.Maker.Part(take)
		op, named := s.Maker.Reading(in.Op, part)
		if op == "" || of.Kind != InReg || uses[of.Reg].made != 1 {
			continue
		}
		of.Part = named
		in.Op, in.Uses[0], gone[take] = op, of, true
		in.Class, in.Pipe = s.Maker.Describe(op)
	}
	if len(gone) == 0 {
		return
	}
	rewriteLists(s.Code.Body, func(nodes []Node) []Node {
		out := nodes[:0]
		for _, n := range nodes {
			if in, ok := n.(*Instr); !ok || !gone[in] {
				out = append(out, n)
			}
		}
		return out
	})
}
