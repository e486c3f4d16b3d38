package loops

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// LoopStrengthReduce.cpp chooses among all forms that addresses can have: each operand of an address's start may be in
// the pointer that the loop increments or in a register of its own. Where there are more forms in all than its
// ComplexityLimit, it keeps the register that most addresses can share and drops every form without it
// (NarrowSearchSpaceByPickingWinnerRegs): the pointer in front of the subscripts. What these add that the loop does not
// change is added in each iteration. (nvcc 11.8 and 12.4: p[(y + j) * w + x] with R values of j, p of a pointer and T
// indices: R is 8, 6, 4, 4, 3, 3 for T of 0 to 5 where that begins, and one less for T of 0 and 1 with rows of w + 8.)

// narrow says which recurrences begin with the pointer in front of their subscript.
func (d *reduction) narrow() {
	if d.rule.Forms == 0 {
		return
	}
	forms, first := 1, 0 // addends of the first row
	for i, s := range d.recurrences {
		if s.value.Type != lower.Ptr {
			continue
		}
		if i == 0 || !d.row(s, d.recurrences[i-1]) { // in rows behind it the row's distance is not one more
			first = addends(s.value, d.l)
		}
		if forms = forms << first; s.c != 0 { // with the constant or without
			forms += forms >> first * 2
		}
		forms = min(forms, d.rule.Forms)
	}
	if forms < d.rule.Forms {
		return
	}
	for i, s := range d.recurrences {
		behind := i > 0 && d.row(s, d.recurrences[i-1])
		before := i+1 < len(d.recurrences) && d.row(d.recurrences[i+1], s)
		if before && !behind || (before || behind) && d.copies() {
			s.subscript, s.constant = d.subscript(s.value)
		}
	}
}

// row reports whether an address follows one before it at a distance that the loop does not change.
func (d *reduction) row(s, last *recurrence) bool {
	if s.value.Type != lower.Ptr || last.value.Type != lower.Ptr || !s.step.equal(last.step) {
		return false
	}
	by := s.start.plus(last.start, -1, lower.S64)
	return by != nil && len(by.terms) == 1 && (by.c == 0 || s.stride != nil || d.copies())
}

// copies reports whether the loop's body has been copied, which keeps rows from being chains.
func (d *reduction) copies() bool { return d.l.loop.Loop.Copies > 1 }

// addends is how many an address, or an integer, has that the loop does not change, as LLVM's sums count them.
func addends(v *ir.Value, l *counted) int {
	switch in := v.Def; {
	case v.IsConst() || v.Kind == ir.BlockArg && in == l.loop:
		return 0
	case v.Kind != ir.Result:
	case in.Op == lower.PtrAdd, in.Op == lower.Add && in.Type.IsSigned():
		return addends(in.Args[0], l) + addends(in.Args[1], l)
	case in.Op == lower.Convert && ir.Extends(in):
		return addends(in.Args[0], l)
	}
	return 1
}

// subscript is the part of an address that a loop computes, and the constant behind it; nil: it is more, or has nothing
// that the loop does not change.
func (d *reduction) subscript(p *ir.Value) (found *ir.Instr, c int64) {
	in := p.Def
	for ; in.Op == lower.PtrAdd && in.Args[1].IsConst() && d.l.inside(in.Args[0]); in = in.Args[0].Def {
		c += in.Args[1].Int() * in.Scale
	}
	if in.Op != lower.PtrAdd || d.l.inside(in.Args[0]) {
		return nil, 0
	}
	start, _, ok := d.l.evolve(d.l.sums.find(in.Args[1]))
	if !ok || len(start.terms) == 0 {
		return nil, 0
	}
	was := *in // what is changed now
	return &was, c
}

// behind gives a recurrence its value in an iteration from the pointer in front of its subscript, that of another one
// where they have the same.
func (d *reduction) behind(s *recurrence, pointers []*recurrence) (next []*ir.Instr, own bool) {
	in := s.subscript
	k := slices.IndexFunc(pointers, func(p *recurrence) bool {
		return p.subscript.Args[0] == in.Args[0] && p.step.equal(s.step)
	})
	if own = k < 0; own {
		next = append(next, d.counter(s))
		s.pointer = s.now
	} else {
		p := pointers[k]
		s.pointer, s.ahead = p.pointer, p.ahead-p.constant
	}
	at := &ir.Instr{Op: lower.PtrAdd, Type: lower.Ptr, From: in.From, Scale: in.Scale,
		Args: []*ir.Value{s.pointer, d.first(in.Args[1])}, Subscript: in.Subscript, Pos: in.Pos}
	s.now = d.f.AddResult(at, lower.Ptr, s.value.Name)
	d.front = append(d.front, at)
	for i := range s.users {
		s.users[i].c += s.constant
		if !own {
			s.users[i].c += s.ahead
		}
	}
	s.ahead += s.constant
	return next, own
}
