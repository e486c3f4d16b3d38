package unroll

import (
	"slices"

	"gpupipe/lower"
)

// What a rolled loop computes is computed by all warps that execute it, whether
// they use it or not: behind a loop the compiler knows of all of them together that one does
// (nvcc 11.8 sinks straight code into the branch that uses it, loads included, and unrolled
// loops with it, but no rolled loop). A warp that does not take that branch,
// as those do that lie outside the result or leave it to the first work item, has no use
// of its own to show for it.

// handOn keeps what a loop, whose rolled part ends, hands on to code behind it.
func (r *resolver) handOn(a *activeLoop) {
	if r.opt.Level != O2 || r.silent > 0 || r.stopped() {
		return
	}
	keep := func(v *value) {
		if v != nil && !v.konst && !v.lazy && v.typ != lower.Ptr {
			r.trace.Keep(v.deps)
		}
	}
	for _, reg := range r.st.outliving(a.l) {
		keep(r.regs[reg-1])
	}
	loop := r.st.facts(a.l).blocks[partLoop]
	for _, c := range r.memory.writes[min(a.writesMark, len(r.memory.writes)):] {
		if !r.st.encloses(loop, r.st.objectScope[c.object-1]) {
			keep(r.memory.cells[c])
		}
	}
}

// outliving returns the variables carried out of a loop that are read behind or before it
// in code that the compiler cannot leave out: code in a branch whose condition it
// may know does not count.
func (s *static) outliving(l *lower.Loop) []lower.Reg {
	f := s.facts(l)
	if f.hasOutliving {
		return f.outliving
	}
	f.hasOutliving = true
	for _, reg := range s.carried(l) {
		if slices.ContainsFunc(s.reads[reg-1], func(b blockID) bool { return !s.encloses(f.blocks[partLoop], b) && !s.maybeLeftOut(b) }) {
			f.outliving = append(f.outliving, reg)
		}
	}
	return f.outliving
}

// isRead notes that a variable is read in a block.
func (s *static) isRead(reg lower.Reg, b blockID) {
	if list := s.reads[reg-1]; s.k.Reg(reg).Var && (len(list) == 0 || list[len(list)-1] != b) {
		s.reads[reg-1] = append(list, b)
	}
}

// maybeLeftOut reports whether a block lies in a branch whose condition the compiler may know.
func (s *static) maybeLeftOut(b blockID) bool {
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
func (s *static) maybeKnown(o lower.Operand) bool {
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
			if in.Op > lower.Bitcast || slices.ContainsFunc(in.Args, func(o lower.Operand) bool { return !s.maybeKnown(o) }) {
				*known = cannotFold
				break
			}
		}
	}
	return *known == canFold
}
