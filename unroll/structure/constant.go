package structure

import "gpupipe/lower"

// Constant is the contents of a register that gets nothing but one constant, as parameters of inlined functions do,
// wherever in the kernel that is.
func (s *Kernel) Constant(r lower.Reg) (bits uint64, ok bool) {
	for range len(s.defs) {
		if len(s.defs[r-1]) != 1 {
			break
		}
		in := s.defs[r-1][0]
		if in.Op != lower.Mov || len(in.Dsts) != 1 {
			return 0, false
		}
		switch from := in.Args[0]; from.Kind {
		case lower.OperandConst:
			return from.Bits, true
		case lower.OperandReg:
			r = from.Reg
		default:
			return 0, false
		}
	}
	return 0, false
}
