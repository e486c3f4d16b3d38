package lower

// speculate takes back branches of ?:, && and || where promotion has left sides that building the tree would have
// evaluated in any case: registers to choose from (atHand), and a right side of a few operations (maxSpeculated).
func speculate(k *Kernel) {
	k.Body = rewrite(k.Body, func(out Block, s Stmt) Block {
		if branch, ok := s.(*If); ok {
			if straight, ok := branch.withoutBranch(k); ok {
				return append(out, straight...)
			}
		}
		return append(out, s)
	})
}

// withoutBranch is what a branch becomes if both sides may be evaluated.
func (s *If) withoutBranch(k *Kernel) (Block, bool) {
	switch s.Kind {
	case "?:":
		return s.selects()
	case "&&":
		return s.joined(k, And, s.Then, s.Else)
	case "||":
		return s.joined(k, Or, s.Else, s.Then)
	}
	return nil, false
}

// selects chooses between registers and constants; ?: of conditions is a branch in any case.
func (s *If) selects() (out Block, ok bool) {
	if len(s.Then) != len(s.Else) {
		return nil, false
	}
	set := map[Reg]bool{}
	for i := range s.Then {
		x, y := moveOf(s.Then[i]), moveOf(s.Else[i])
		if x == nil || y == nil || x.Dsts[0] != y.Dsts[0] || x.Type == Pred || set[x.Args[0].Reg] ||
			set[y.Args[0].Reg] {
			return nil, false
		}
		set[x.Dsts[0]] = true
		out = append(out, &Instr{Op: Select, Type: x.Type, Dsts: x.Dsts, Args: []Operand{s.Cond, x.Args[0], y.Args[0]},
			Pos: s.Pos})
	}
	return out, true
}

func moveOf(s Stmt) *Instr {
	if in, ok := s.(*Instr); ok && in.Op == Mov {
		return in
	}
	return nil
}

// joined evaluates the right side of && or ||, of which the result is a constant on the short side.
func (s *If) joined(k *Kernel, op Op, right, short Block) (Block, bool) {
	if len(short) != 1 || moveOf(short[0]) == nil || short[0].(*Instr).Args[0].Kind != OperandConst {
		return nil, false
	}
	result := short[0].(*Instr).Dsts[0]
	n := 0
	for i, st := range right {
		in, ok := st.(*Instr)
		if !ok || in.Op != Mov && !in.Op.Arithmetic() || in.Op == Div || in.Op == Rem {
			return nil, false
		}
		if last := i == len(right)-1; last != (in.Dsts[0] == result) || !last && k.Reg(in.Dsts[0]).Var {
			return nil, false
		}
		if in.Op != Mov {
			n++
		}
	}
	if n > MaxSpeculated || len(right) == 0 {
		return nil, false
	}
	k.Regs = append(k.Regs, RegInfo{Type: Pred})
	value := Operand{Kind: OperandReg, Type: Pred, Reg: Reg(len(k.Regs))}
	last := *right[len(right)-1].(*Instr)
	last.Dsts = []Reg{value.Reg}
	join := &Instr{Op: op, Type: Pred, Dsts: []Reg{result}, Args: []Operand{s.Cond, value}, Pos: s.Pos}
	return append(right[:len(right)-1:len(right)-1], &last, join), true
}

// MaxSpeculated is the number of operations up to which the right side of && or
// || is evaluated whether needed or not, as compilers do.
const MaxSpeculated = 6
