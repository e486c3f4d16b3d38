package loops

import (
	"math/bits"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// LoopStrengthReduce.cpp chooses among all forms that addresses can have: each operand of an address's start may be in
// the pointer that the loop increments or in a register of its own. Where there are more forms in all than its
// ComplexityLimit, it keeps the register that most addresses can share and drops every form without it
// (NarrowSearchSpaceByPickingWinnerRegs): the pointer in front of the subscripts. What these add that the loop does not
// change is added in each iteration. (nvcc 11.8 and 12.4: p[(y + j) * w + x] with R values of j, p of a pointer and T
// indices: R is 8, 6, 4, 4, 3, 3 for T of 0 to 5 where that begins, and one less for T of 0 and 1 with rows of w + 8.)

// narrow says which recurrences begin with the pointer in front of their subscript: the first ones of several rows.
// (The rows of copies of a body share the pointer in nvcc, and each adds what is its own; here each keeps its pointer.)
func (d *reduction) narrow() {
	if d.rule.Forms == 0 {
		return
	}
	forms, first := 1, 0 // addends of the first row
	known := map[*ir.Value]int{}
	for i, s := range d.recurrences {
		if s.value.Type != lower.Ptr {
			continue
		}
		if i == 0 || !d.row(s, d.recurrences[i-1]) { // in rows behind it the row's distance is not one more
			first = d.addends(s.value, known)
		}
		if forms = forms << first; s.c != 0 { // with the constant or without
			forms += forms >> first * 2
		}
		forms = min(forms, d.rule.Forms)
	}
	if forms < d.rule.Forms {
		return
	}
	for i, s := range d.recurrences[:len(d.recurrences)-1] {
		if d.row(d.recurrences[i+1], s) && (i == 0 || !d.row(s, d.recurrences[i-1])) {
			s.subscript = d.subscript(s.value)
		}
	}
}

// row reports whether an address follows one before it at a distance that the loop does not change.
func (d *reduction) row(s, last *recurrence) bool {
	if s.value.Type != lower.Ptr || last.value.Type != lower.Ptr || !s.step.equal(last.step) {
		return false
	}
	by := s.start.plus(last.start, -1, lower.S64)
	return by != nil && len(by.terms) == 1 && (by.c == 0 || s.stride != nil)
}

// addends is how many an address, or an integer, has that the loop does not change, as LLVM's sums count them; known
// are those of other values. More than there are bits in the number of forms do not matter.
func (d *reduction) addends(v *ir.Value, known map[*ir.Value]int) int {
	n, found := known[v]
	if found {
		return n
	}
	switch in := v.Def; {
	case v.IsConst() || v.Kind == ir.BlockArg && in == d.l.loop:
	case v.Kind != ir.Result:
		n = 1
	case in.Op == lower.PtrAdd, in.Op == lower.Add && in.Type.IsSigned():
		n = d.addends(in.Args[0], known) + d.addends(in.Args[1], known)
	case in.Op == lower.Convert && ir.Extends(in):
		n = d.addends(in.Args[0], known)
	default:
		n = 1
	}
	known[v] = min(n, bits.Len(uint(d.rule.Forms)))
	return known[v]
}

// subscript is what a loop adds to a pointer that it does not change; nil: it does more, or adds only its counter.
func (d *reduction) subscript(p *ir.Value) *ir.Instr {
	in := p.Def
	if d.l.inside(in.Args[0]) {
		return nil
	}
	start, _, ok := d.l.evolve(d.l.sums.find(in.Args[1]))
	if !ok || len(start.terms) == 0 {
		return nil
	}
	was := *in // what is changed now
	return &was
}

// behind adds what a loop does not change of a subscript to the pointer in front of it.
func (d *reduction) behind(s *recurrence) {
	in := s.subscript
	at := &ir.Instr{Op: lower.PtrAdd, Type: lower.Ptr, From: in.From, Scale: in.Scale,
		Args: []*ir.Value{s.now, d.first(in.Args[1])}, Subscript: in.Subscript, Pos: in.Pos}
	s.now = d.f.AddResult(at, lower.Ptr, s.value.Name)
	d.front = append(d.front, at)
}
