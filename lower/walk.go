package lower

// Walk visits every statement of a block in textual order, a statement before
// what it contains. A loop's condition comes before its body, a do loop's after
// its Post block.
func Walk(b Block, visit func(Stmt)) {
	for _, s := range b {
		visit(s)
		switch s := s.(type) {
		case *If:
			Walk(s.Then, visit)
			Walk(s.Else, visit)
		case *Loop:
			for _, b := range s.blocks() {
				Walk(*b, visit)
			}
		case *Switch:
			for i := range s.Cases {
				Walk(s.Cases[i].Body, visit)
			}
		case *Region:
			Walk(s.Body, visit)
		}
	}
}

// blocks lists a loop's blocks in the order in which they run.
func (p *Loop) blocks() []*Block {
	if p.Kind == "do" {
		return []*Block{&p.Body, &p.Post, &p.Cond}
	}
	return []*Block{&p.Cond, &p.Body, &p.Post}
}

// trimKernel removes the jumps at the end of what they leave.
func trimKernel(k *Kernel) {
	Walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Region:
			trim(&s.Body, s.Label)
		case *Loop:
			trimContinue(&s.Body, s.Label)
		case *Switch:
			if n := len(s.Cases); n > 0 {
				trim(&s.Cases[n-1].Body, s.Label)
			}
		}
	})
}

// trim removes Leaves of label at the end of b, also at the ends of a branch
// there.
func trim(b *Block, label Label) {
	trimTail(b, func(s Stmt) bool {
		v, ok := s.(*Leave)
		return ok && v.Label == label
	})
}

// trimContinue removes Continues of label at the end of a loop's body.
func trimContinue(b *Block, label Label) {
	trimTail(b, func(s Stmt) bool {
		c, ok := s.(*Continue)
		return ok && c.Label == label
	})
}

func trimTail(b *Block, jump func(Stmt) bool) {
	n := len(*b)
	if n == 0 {
		return
	}
	last := (*b)[n-1]
	if jump(last) {
		*b = (*b)[:n-1]
		return
	}
	if s, ok := last.(*If); ok {
		trimTail(&s.Then, jump)
		trimTail(&s.Else, jump)
	}
}

// numberIfs gives loops and branches their ids in textual order.
func numberIfs(k *Kernel) {
	Walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *If:
			k.Branches = append(k.Branches, s)
			s.ID = BranchID(len(k.Branches))
		case *Loop:
			k.Loops = append(k.Loops, s)
			s.ID = LoopID(len(k.Loops))
		}
	})
}

// renumber numbers the registers in order of appearance, parameters first, and
// drops those that nothing names.
func renumber(k *Kernel) {
	old := k.Regs
	k.Regs = nil
	names := make([]Reg, len(old))
	rename := func(r *Reg) {
		if *r == 0 {
			return
		}
		if names[*r-1] == 0 {
			k.Regs = append(k.Regs, old[*r-1])
			names[*r-1] = Reg(len(k.Regs))
		}
		*r = names[*r-1]
	}
	for i := range k.Params {
		rename(&k.Params[i].Reg)
	}
	Walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Instr:
			for i := range s.Args {
				rename(&s.Args[i].Reg)
			}
			for i := range s.Dsts {
				rename(&s.Dsts[i])
			}
		case *If:
			rename(&s.Cond.Reg)
		case *Switch:
			rename(&s.Value.Reg)
		}
	})
	for _, p := range k.Loops { // after what defines them
		rename(&p.CondValue.Reg)
		if d := p.Induction; d != nil {
			rename(&d.Var)
			rename(&d.By.Reg)
			rename(&d.Bound.Reg)
		}
	}
}
