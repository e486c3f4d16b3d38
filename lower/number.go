package lower

// numberControl gives loops and branches their ids in textual order.
func numberControl(k *Kernel) {
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
	}
}
