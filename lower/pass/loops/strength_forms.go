package loops

import (
	"encoding/binary"
	"fmt"
	"math/bits"
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

// narrow says which recurrences share a pointer, where there are too many forms to compare.
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
	d.share()
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

// addend is a part of an address: so many times a value, which has been extended from a type.
type addend struct {
	value *ir.Value
	from  ir.Type
	scale int64
}

// shared is a pointer that several addresses of a loop have in common.
type shared struct {
	now *ir.Value
	c   int64 // the constant in it
}

// share finds the pointers that most addresses have in common where one addend is taken out of each.
func (d *reduction) share() {
	type form struct {
		s   *recurrence
		own addend
		c   int64
	}
	forms := map[string][]form{}
	var keys []string
	for _, s := range d.recurrences {
		if s.value.Type != lower.Ptr {
			continue
		}
		list, c := d.all(addend{s.value, lower.Ptr, 1}, nil)
		for i, own := range list {
			if own.value.Type == lower.Ptr {
				continue
			}
			key := s.step.key() + string(binary.AppendVarint([]byte("+"), s.step.c))
			for k, a := range list {
				if k != i {
					key += fmt.Sprintf(" %d %s %d", a.value.ID, a.from, a.scale)
				}
			}
			if forms[key] == nil {
				keys = append(keys, key)
			}
			forms[key] = append(forms[key], form{s, own, c})
		}
	}
	slices.SortStableFunc(keys, func(x, y string) int { return len(forms[y]) - len(forms[x]) })
	for _, key := range keys {
		list := slices.DeleteFunc(forms[key], func(f form) bool { return f.s.of != nil })
		if len(list) < 2 {
			continue
		}
		of := &shared{c: list[0].c}
		for _, f := range list {
			f.s.of, f.s.own, f.s.constant = of, f.own, f.c
		}
	}
}

// parts is what an addend is the sum of, nil if it is none.
func (d *reduction) parts(a addend) []addend {
	in := a.value.Def
	splits := a.from == lower.Ptr || a.from.Size() == 8 || a.from.IsSigned() && d.l.inside(a.value)
	switch {
	case a.value.Kind != ir.Result:
	case in.Op == lower.PtrAdd:
		return []addend{{in.Args[0], lower.Ptr, a.scale}, {in.Args[1], in.From, a.scale * in.Scale}}
	case in.Op == lower.Add && in.Type.IsSigned() && splits:
		return []addend{{in.Args[0], a.from, a.scale}, {in.Args[1], a.from, a.scale}}
	case in.Op == lower.Convert && ir.Extends(in) && splits:
		return []addend{{in.Args[0], in.From, a.scale}}
	}
	return nil
}

// all lists the addends that an address consists of, and its constant.
func (d *reduction) all(a addend, list []addend) ([]addend, int64) {
	parts, c := d.parts(a), int64(0)
	for _, p := range parts {
		var k int64
		list, k = d.all(p, list)
		c += k
	}
	switch {
	case a.value.IsConst():
		c = a.value.Int() * a.scale
	case parts == nil && !(a.value.Kind == ir.BlockArg && a.value.Def == d.l.loop):
		list = append(list, a)
	}
	return list, c
}

// without is an address in the first iteration without one of its addends, nil if nothing is left. It empties own when
// it has found that.
func (d *reduction) without(a addend, own *addend) *ir.Value {
	switch {
	case own.value == nil:
		return d.first(a.value)
	case a == *own:
		*own = addend{}
		return nil
	}
	parts, left := d.parts(a), []*ir.Value(nil)
	for _, p := range parts {
		if v := d.without(p, own); v != nil {
			left = append(left, v)
		}
	}
	switch {
	case own.value != nil: // not in here
		return d.first(a.value)
	case len(left) == 0:
		return nil
	case len(left) < len(parts):
		return left[0]
	}
	n := *a.value.Def
	n.Args, n.Results = left, nil
	return d.f.AddResult(d.pre.Append(&n), a.value.Type, a.value.Name)
}

// apart computes a recurrence's address from the pointer that it shares.
func (d *reduction) apart(s *recurrence) {
	in := s.value.Def
	at := &ir.Instr{Op: lower.PtrAdd, Type: lower.Ptr, From: s.own.from, Scale: s.own.scale,
		Args: []*ir.Value{s.of.now, d.first(s.own.value)}, Subscript: in.Subscript, Pos: in.Pos}
	s.now = d.f.AddResult(at, lower.Ptr, s.value.Name)
	d.front = append(d.front, at)
	ahead := s.constant - s.of.c
	for i := range s.users {
		s.users[i].c += ahead - s.ahead
	}
	s.ahead = ahead
}
