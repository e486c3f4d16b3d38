package tidy

// balance spreads what two pipes can execute over them: moves, sums and shifts have a form that multiplies (by
// 1, or by a power of two) on the pipe of multiply-adds. ptxas makes the instructions of both pipes equal in
// number over a whole kernel: in the machine code of nvcc 13.0 for sm_90 (129 kernels, 60 more and 158 of own
// runs; 3,800 such instructions) the number is right within 2 to 3%. One after the other goes to the pipe that
// has less: moves first, from the number of those that have no choice. So they alternate once both are even, in
// every block: 9 to 13% of a block's are then on the other pipe, 12 to 20% where all on one side come first; 11 and 12%
// in 100 kernels by nvcc 11.8 for sm_80, whose number is right within 3%.
func balance(c *Code, isa Maker, viadd bool) {
	if !c.Target.Has("imad") {
		return
	}
	alu, fma := 0, 0
	var free [4][]*Instr
	c.Body.Each(func(n Node) {
		in, ok := n.(*Instr)
		if !ok {
			return
		}
		if k := other(c, in, viadd); k >= 0 {
			free[k] = append(free[k], in)
			return
		}
		switch in.Pipe {
		case "alu":
			alu++
		case "fma", "fmaheavy":
			fma++
		}
	})
	for _, list := range free {
		for _, in := range list {
			if alu <= fma {
				alu++
				continue
			}
			multiply(c, in)
			in.Class, in.Pipe = isa.Describe(in.Op)
			fma++
		}
	}
}

// other says in which order an instruction moves to the other pipe, -1: it cannot.
func other(c *Code, in *Instr, viadd bool) int {
	lanes := func(o Operand) bool { return o.Kind == InReg && c.Reg(o.Reg).Class == Vector }
	switch u := in.Uses; {
	case len(in.Defs) != 1 || c.Reg(in.Defs[0]).Class != Vector:
		return -1
	case in.Op == "MOV" && len(u) == 1:
		return 0
	case in.Op == "SHF.L.U32" && lanes(u[0]) && u[1].Kind == Immediate && u[1].Bits > 0 && u[1].Bits < 32:
		return 1
	case in.Op == "LEA" && len(u) == 3 && lanes(u[0]) && lanes(u[1]) && !u[0].Not && !u[1].Not && u[2].Bits < 31:
		return 2
	case in.Op == "IADD3" && len(u) == 3 && lanes(u[0]) && lanes(u[1]) && u[2].Kind == Immediate && u[2].Bits == 0 &&
		!u[0].Not && !u[1].Not:
		return 3
	case viadd && in.Op == "IADD3" && len(u) == 3 && lanes(u[0]) && !lanes(u[1]) && u[2].Kind == Immediate &&
		u[2].Bits == 0 && !u[0].Not && !u[1].Not:
		return 3
	}
	return -1
}

// multiply gives an instruction the form of a multiplication.
func multiply(c *Code, in *Instr) {
	u, zero := in.Uses, Operand{Kind: Immediate}
	imm := func(n uint64) Operand { return Operand{Kind: Immediate, Bits: n} }
	switch in.Op {
	case "MOV":
		in.Op, in.Uses = "IMAD.MOV.U32", []Operand{zero, zero, u[0]}
	case "SHF.L.U32":
		in.Op, in.Uses = "IMAD.SHL.U32", []Operand{u[0], imm(1 << u[1].Bits), zero}
	case "LEA":
		in.Op, in.Uses = "IMAD", []Operand{u[0], imm(1 << u[2].Bits), u[1]}
	case "IADD3":
		if u[1].Kind != InReg || c.Reg(u[1].Reg).Class != Vector {
			in.Op, in.Uses = "VIADD", u[:2]
			return
		}
		in.Op, in.Uses = "IMAD.IADD", []Operand{u[0], imm(1), u[1]}
	}
}
