package structure

import (
	"slices"

	"gpupipe/lower"
)

// Outliving returns the variables carried out of a loop that are read behind or before it
// in code that the compiler cannot leave out: code in a branch whose condition it
// may know does not count.
func (s *Kernel) Outliving(l *lower.Loop) []lower.Reg {
	f := s.facts(l)
	if f.hasOutliving {
		return f.outliving
	}
	f.hasOutliving = true
	for _, reg := range s.Carried(l) {
		if slices.ContainsFunc(s.reads[reg-1], func(b BlockID) bool {
			return !s.Encloses(f.blocks[Head], b) && !s.maybeLeftOut(b)
		}) {
			f.outliving = append(f.outliving, reg)
		}
	}
	return f.outliving
}

// isRead notes that a variable is read in a block.
func (s *Kernel) isRead(reg lower.Reg, b BlockID) {
	if list := s.reads[reg-1]; s.k.Reg(reg).Var && (len(list) == 0 || list[len(list)-1] != b) {
		s.reads[reg-1] = append(list, b)
	}
}

// maybeLeftOut reports whether a block lies in a branch whose condition the compiler may know.
func (s *Kernel) maybeLeftOut(b BlockID) bool {
	for ; b != 0; b = s.parent[b] {
		if c := s.conditions[b]; c.Kind != 0 && s.maybeKnown(c) {
			return true
		}
	}
	return false
}

// Values of static.foldable; 0 = not found out yet.
const (
	canFold uint8 = iota + 1
	cannotFold
)

// maybeKnown reports whether the compiler may know a value: it is computed from constants alone, or
// from counters of loops that may be unrolled.
func (s *Kernel) maybeKnown(o lower.Operand) bool {
	switch {
	case o.Kind == lower.OperandConst:
		return true
	case o.Kind != lower.OperandReg || len(s.defs[o.Reg-1]) == 0: // the address of an object, a parameter
		return false
	}
	known := &s.foldable[o.Reg-1]
	if *known == 0 {
		*known = canFold // while its definitions are looked at, of which some may be of itself
		for _, in := range s.defs[o.Reg-1] {
			if in.Op > lower.Bitcast || slices.ContainsFunc(in.Args, func(o lower.Operand) bool {
				return !s.maybeKnown(o)
			}) {
				*known = cannotFold
				break
			}
		}
	}
	return *known == canFold
}
