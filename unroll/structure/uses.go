package structure

import (
	"slices"

	"gpupipe/lower"
)

// Uses returns the registers that statements may read before they assign them, in the order of their first use. What
// only a branch reads whose condition the compiler may know is left out.
func (s *Kernel) Uses(b lower.Block) []lower.Reg {
	if len(b) == 0 {
		return nil
	}
	if u, ok := s.uses[&b[0]]; ok {
		return u
	}
	u := uses{s: s}
	u.block(b)
	if s.uses == nil {
		s.uses = map[*lower.Stmt][]lower.Reg{}
	}
	s.uses[&b[0]] = u.found
	return u.found
}

type uses struct {
	s               *Kernel
	found, assigned []lower.Reg
}

// block looks at statements; what they assign is assigned for those of them that follow.
func (u *uses) block(b lower.Block) {
	before := len(u.assigned)
	defer func() { u.assigned = u.assigned[:before] }()
	for _, st := range b {
		switch st := st.(type) {
		case *lower.Instr:
			for _, a := range st.Args {
				u.operand(a)
			}
			u.assigned = append(u.assigned, st.Dsts...)
			continue
		case *lower.If:
			if u.s.maybeKnown(st.Cond) {
				continue
			}
			u.operand(st.Cond)
		case *lower.Switch:
			if u.s.maybeKnown(st.Value) {
				continue
			}
			u.operand(st.Value)
		}
		Blocks(st, u.block)
	}
}

func (u *uses) operand(o lower.Operand) {
	if o.Reg != 0 && !slices.Contains(u.assigned, o.Reg) && !slices.Contains(u.found, o.Reg) {
		u.found = append(u.found, o.Reg)
	}
}
