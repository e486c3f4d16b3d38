package scalar

import (
	"math"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// conversion applies one rule for Convert (InstCombineCasts.cpp).
func (s *simplifier) conversion(in *ir.Instr) (*ir.Value, bool) {
	a, to, from := in.Args[0], in.Type, in.From
	if to == from && in.Fn == "" {
		return a, false
	}
	d := ir.Def(a, lower.Convert)
	switch {
	case in.Fn != "":
		return nil, false
	case d == nil:
		return s.convertOther(in)
	case d.Fn != "":
		return nil, false
	case to.IsFloat() && from.IsFloat() && d.From.IsFloat():
		if from.Size() > d.From.Size() && d.From == to { // there and back
			return d.Args[0], false
		}
		if from.Size() > d.From.Size() && to.Size() > from.Size() {
			in.From = d.From
			return become(in, lower.Convert, d.Args[0])
		}
		return nil, false
	case !to.IsInteger() || !from.IsInteger() || !d.From.IsInteger():
		return nil, false
	}
	return s.convertTwice(in, d)
}

// convertTwice merges two conversions of integers.
func (s *simplifier) convertTwice(in, d *ir.Instr) (*ir.Value, bool) {
	to, mid, first, x := in.Type, in.From, d.From, d.Args[0]
	switch {
	case mid.Size() < first.Size() && to.Size() <= mid.Size(): // narrower and narrower
	case mid.Size() < first.Size():
		if mid.IsSigned() || to.Size() != first.Size() { // the low bits, by mask
			return nil, false
		}
		mask := s.f.Int(first, int64(^uint64(0)>>(64-width(mid))))
		if to == first {
			return become(in, lower.And, x, mask)
		}
		in.From = first
		return become(in, lower.Bitcast, s.make(in, lower.And, first, x, mask))
	case to.Size() > mid.Size() && first.IsSigned() && !mid.IsSigned(): // the sign's bits only as far as mid
		return nil, false
	}
	switch {
	case to == first:
		return x, false
	case to.Size() == first.Size():
		in.From = first
		return become(in, lower.Bitcast, x)
	}
	in.From = first
	return become(in, lower.Convert, x)
}

// convertOther looks through what a conversion of an integer does not see.
func (s *simplifier) convertOther(in *ir.Instr) (*ir.Value, bool) {
	a, to, from := in.Args[0], in.Type, in.From
	if !to.IsInteger() || !from.IsInteger() {
		if c := asCondition(a); c != nil && to.IsFloat() {
			return become(in, lower.Select, c, s.f.Constant(to, lower.ConstFloat(to, 1).Bits), s.f.Constant(to, 0))
		}
		return nil, false
	}
	if c := asCondition(a); c != nil {
		return become(in, lower.Select, c, s.int(in, 1), s.int(in, 0))
	}
	if d := ir.Def(a, lower.Bitcast); d != nil && to.Size() < from.Size() && d.From.IsInteger() {
		in.From = d.From
		return become(in, lower.Convert, d.Args[0])
	}
	if d := ir.DefConst(a, lower.And); d != nil && to.Size() < from.Size() { // narrower than the mask
		if keep := ^uint64(0) >> (64 - width(to)); d.Args[1].Bits&keep == keep {
			return become(in, lower.Convert, d.Args[0])
		}
	}
	return nil, false
}

// bitcast applies one rule for Bitcast.
func (s *simplifier) bitcast(in *ir.Instr) (*ir.Value, bool) {
	if in.Type == in.From {
		return in.Args[0], false
	}
	if d := ir.Def(in.Args[0], lower.Bitcast); d != nil {
		in.From = d.From
		return become(in, lower.Bitcast, d.Args[0])
	}
	if d := ir.Def(in.Args[0], lower.Convert); d != nil && in.Type.IsInteger() && in.From.IsInteger() &&
		d.From.IsInteger() &&
		d.Fn == "" { // extended by its own sign, or cut
		if d.From == in.Type {
			return nil, false
		}
		in.From = d.From
		return become(in, lower.Convert, d.Args[0])
	}
	return nil, false
}

// pointer applies one rule for PtrAdd and PtrDiff. Constants are bytes behind what is not constant.
func (s *simplifier) pointer(in *ir.Instr) (*ir.Value, bool) {
	base, i := in.Args[0], in.Args[1]
	if in.Op == lower.PtrDiff {
		if base == i {
			return s.int(in, 0), false
		}
		if d := ir.Def(base, lower.PtrAdd); d != nil && d.Args[0] == i && d.Scale == in.Scale && d.From == lower.S64 {
			return d.Args[1], false
		}
		return nil, false
	}
	if ir.IsInt(i, 0) {
		return base, false
	}
	if i.IsConst() {
		n := i.Int() * in.Scale
		if d := ir.DefConst(base, lower.PtrAdd); d != nil {
			in.Args[0] = d.Args[0]
			n += d.Args[1].Int() * d.Scale
		} else if in.Scale == 1 && in.From == lower.S64 {
			return nil, false
		}
		in.From, in.Scale = lower.S64, 1
		in.Args[1] = s.f.Int(lower.S64, n)
		return nil, true
	}
	switch d := i.Def; {
	case i.Kind != ir.Result:
	case d.Op == lower.Convert && ir.Extends(d) && d.Fn == "" && (in.From.Size() == 8 ||
		d.From.IsSigned() == in.From.IsSigned()):
		in.Args[1], in.From = d.Args[0], d.From
		return nil, true
	case d.Op == lower.Bitcast && in.From.Size() == 8 && d.From.IsInteger():
		in.Args[1], in.From = d.Args[0], d.From
		return nil, true
	case in.From.Size() != 8: // a narrower product or sum may wrap
	case d.Op == lower.Shl && d.Args[1].IsConst():
		k, _ := ir.ShiftCount(d)
		in.Args[1], in.Scale = d.Args[0], in.Scale<<k
		return nil, true
	case d.Op == lower.Mul && d.Args[1].IsConst():
		in.Args[1], in.Scale = d.Args[0], in.Scale*d.Args[1].Int()
		return nil, true
	case d.Op == lower.Neg:
		in.Args[1], in.Scale = d.Args[0], -in.Scale
		return nil, true
	case d.Op == lower.Add && d.Args[1].IsConst():
		p := s.addPointer(in, d.Args[0])
		in.Args[0], in.Args[1] = p, s.f.Int(lower.S64, d.Args[1].Int()*in.Scale)
		in.From, in.Scale = lower.S64, 1
		return nil, true
	}
	if d := ir.Def(base, lower.PtrAdd); s.joins && d != nil && !d.Args[1].IsConst() && d.Scale == in.Scale &&
		d.Element == in.Element {
		in.Args[0], in.Args[1] = d.Args[0], s.sumOf(in, s.subscript(in), s.subscript(d))
		in.From = lower.S64
		return nil, true
	}
	return nil, false
}

// subscript is that of a PtrAdd with all its bits.
func (s *simplifier) subscript(in *ir.Instr) *ir.Value {
	if in.From.Size() == 8 {
		return in.Args[1]
	}
	return s.add(&ir.Instr{Op: lower.Convert, Type: lower.S64, From: in.From, Args: []*ir.Value{in.Args[1]},
		Pos: in.Pos, Subscript: true})
}

func (s *simplifier) sumOf(at *ir.Instr, x, y *ir.Value) *ir.Value {
	return s.add(&ir.Instr{Op: lower.Add, Type: lower.S64, Args: []*ir.Value{x, y}, Pos: at.Pos, Subscript: true})
}

// addPointer is base + i of a PtrAdd with another i.
func (s *simplifier) addPointer(in *ir.Instr, i *ir.Value) *ir.Value {
	return s.add(&ir.Instr{Op: lower.PtrAdd, Type: lower.Ptr, From: in.From, Scale: in.Scale, Element: in.Element,
		Args: []*ir.Value{in.Args[0], i}, Pos: in.Pos, Subscript: in.Subscript})
}

// floating applies one rule for floating numbers that holds for all of them, zeros, infinities and NaNs too.
func (s *simplifier) floating(in *ir.Instr) (*ir.Value, bool) {
	var a, b *ir.Value
	if a = in.Args[0]; len(in.Args) > 1 {
		b = in.Args[1]
	}
	switch in.Op {
	case lower.Add:
		if isFloat(b, math.Copysign(0, -1)) {
			return a, false
		}
		for range 2 {
			if d := ir.Def(b, lower.Neg); d != nil {
				return become(in, lower.Sub, a, d.Args[0])
			}
			a, b = b, a
		}
	case lower.Sub:
		if isFloat(b, 0) {
			return a, false
		}
		if isFloat(a, math.Copysign(0, -1)) {
			return become(in, lower.Neg, b)
		}
		if d := ir.Def(b, lower.Neg); d != nil {
			return become(in, lower.Add, a, d.Args[0])
		}
	case lower.Mul:
		return s.floatProduct(in)
	case lower.Div:
		if isFloat(b, 1) {
			return a, false
		}
		if c, ok := float(b); ok { // exact reciprocals, and any where that is allowed (InstCombine, arcp)
			if m, e := math.Frexp(c); (math.Abs(m) == 0.5 || s.f.Accuracy == lower.Fast && in.Type == lower.F32) &&
				e > -100 && e < 100 && c != 0 && !in.Type.IsHalf() {
				return become(in, lower.Mul, a, s.f.Constant(in.Type, lower.ConstFloat(in.Type, 1/c).Bits))
			}
		}
	case lower.Neg:
		if d := ir.Def(a, lower.Neg); d != nil {
			return d.Args[0], false
		}
	case lower.Abs:
		if d := ir.Def(a, lower.Abs); d != nil {
			return a, false
		}
		if d := ir.Def(a, lower.Neg); d != nil {
			return become(in, lower.Abs, d.Args[0])
		}
	case lower.Min, lower.Max:
		if a == b {
			return a, false
		}
	case lower.Fma:
		if isFloat(b, 1) {
			return become(in, lower.Add, a, in.Args[2])
		}
	}
	return nil, false
}

func (s *simplifier) floatProduct(in *ir.Instr) (*ir.Value, bool) {
	a, b := in.Args[0], in.Args[1]
	if isFloat(b, 1) {
		return a, false
	}
	if isFloat(b, -1) {
		return become(in, lower.Neg, a)
	}
	x, y := ir.Def(a, lower.Neg), ir.Def(b, lower.Neg)
	if x != nil && y != nil {
		return become(in, lower.Mul, x.Args[0], y.Args[0])
	}
	if c, ok := float(b); ok && x != nil {
		return become(in, lower.Mul, x.Args[0], s.f.Constant(in.Type, lower.ConstFloat(in.Type, -c).Bits))
	}
	return nil, false
}
