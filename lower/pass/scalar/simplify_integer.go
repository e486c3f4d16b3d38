package scalar

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// integer applies one rule for integers and conditions, as InstCombine has them (InstCombineAddSub.cpp,
// InstCombineMulDivRem.cpp, InstCombineAndOrXor.cpp, InstCombineShifts.cpp).
func (s *simplifier) integer(in *ir.Instr) (*ir.Value, bool) {
	switch in.Op {
	case lower.Add:
		return s.sum(in)
	case lower.Sub:
		return s.difference(in)
	case lower.Mul:
		return s.product(in)
	case lower.Div, lower.Rem:
		return s.quotient(in)
	case lower.And:
		return s.and(in)
	case lower.Or, lower.Xor:
		return s.or(in)
	case lower.Not:
		return s.not(in)
	case lower.Shl, lower.Shr:
		return s.shift(in)
	case lower.Neg:
		return s.negation(in)
	case lower.Min, lower.Max:
		return s.extreme(in)
	case lower.Abs:
		if d := ir.Def(in.Args[0], lower.Abs); d != nil || !in.Type.IsSigned() {
			return in.Args[0], false
		}
		if d := ir.Def(in.Args[0], lower.Neg); d != nil {
			return become(in, lower.Abs, d.Args[0])
		}
	case lower.Fma: // mad24, mad_hi's like: what a product and a sum are
		return become(in, lower.Add, s.make(in, lower.Mul, in.Type, in.Args[0], in.Args[1]), in.Args[2])
	}
	return nil, false
}

// int is a constant of an operation's type.
func (s *simplifier) int(in *ir.Instr, n int64) *ir.Value { return s.f.Int(in.Type, n) }

func (s *simplifier) sum(in *ir.Instr) (*ir.Value, bool) {
	a, b := in.Args[0], in.Args[1]
	if ir.IsInt(b, 0) {
		return a, false
	}
	if b.IsConst() {
		if d := ir.DefConst(a, lower.Add); d != nil { // (x + c) + b
			return become(in, lower.Add, d.Args[0], s.int(in, d.Args[1].Int()+b.Int()))
		}
		if d := ir.Def(a, lower.Sub); d != nil && d.Args[0].IsConst() { // (c - x) + b
			return become(in, lower.Sub, s.int(in, d.Args[0].Int()+b.Int()), d.Args[1])
		}
		// (1 << x) - 1
		if d := ir.Def(a, lower.Shl); d != nil && ir.IsInt(b, -1) && ir.IsInt(d.Args[0], 1) && s.once(a) {
			ones := s.add(&ir.Instr{Op: lower.Shl, Type: in.Type, Fn: d.Fn, Args: []*ir.Value{s.int(in, -1), d.Args[1]},
				Pos: d.Pos, Subscript: d.Subscript})
			return become(in, lower.Not, ones)
		}
		return nil, false
	}
	if a == b {
		return become(in, lower.Shl, a, s.f.Int(lower.U32, 1))
	}
	for range 2 {
		if d := ir.Def(a, lower.Neg); d != nil { // -x + b
			return become(in, lower.Sub, b, d.Args[0])
		}
		if d := ir.Def(a, lower.Sub); d != nil && d.Args[1] == b { // (x - b) + b
			return d.Args[0], false
		}
		if d := ir.Def(a, lower.Sub); d != nil && ir.IsInt(d.Args[0], 0) {
			return become(in, lower.Sub, b, d.Args[1])
		}
		a, b = b, a
	}
	if v, ok := s.common(in); ok {
		return v, ok
	}
	return s.sumOfSums(in)
}

// common takes a factor out of a sum: x * y + x * z is x * (y + z) where nobody else reads the products, and so is
// x * c + x, as two operations become one (SimplifyUsingDistributiveLaws).
func (s *simplifier) common(in *ir.Instr) (*ir.Value, bool) {
	a, b := in.Args[0], in.Args[1]
	da, db := ir.Def(a, lower.Mul), ir.Def(b, lower.Mul)
	if da != nil && db != nil && s.once(a) && s.once(b) {
		for i, x := range da.Args {
			for j, y := range db.Args {
				if x == y && !x.IsConst() {
					return become(in, lower.Mul, s.make(in, lower.Add, in.Type, da.Args[1-i], db.Args[1-j]), x)
				}
			}
		}
		return nil, false
	}
	for range 2 {
		if k, ok := factorOf(a, b); ok && s.once(a) {
			return become(in, lower.Mul, b, s.int(in, k+1))
		}
		a, b = b, a
	}
	return nil, false
}

// factorOf is the constant by which a is a multiple of b.
func factorOf(a, b *ir.Value) (int64, bool) {
	if d := ir.DefConst(a, lower.Mul); d != nil && d.Args[0] == b {
		return d.Args[1].Int(), true
	}
	if d := ir.DefConst(a, lower.Shl); d != nil && d.Args[0] == b {
		k, ok := ir.ShiftCount(d)
		return 1 << k, ok && k < 31
	}
	return 0, false
}

// sumOfSums moves constants to the end: (x + c) + y is (x + y) + c where nobody else reads the inner sum (LLVM's
// SimplifyAssociativeOrCommutative and Reassociate).
func (s *simplifier) sumOfSums(in *ir.Instr) (*ir.Value, bool) {
	a, b := in.Args[0], in.Args[1]
	da, db := ir.DefConst(a, lower.Add), ir.DefConst(b, lower.Add)
	switch {
	case da != nil && db != nil && (s.once(a) || s.once(b)):
		x := s.make(in, lower.Add, in.Type, da.Args[0], db.Args[0])
		return become(in, lower.Add, x, s.int(in, da.Args[1].Int()+db.Args[1].Int()))
	case da != nil && s.once(a):
		return become(in, lower.Add, s.make(in, lower.Add, in.Type, da.Args[0], b), da.Args[1])
	case db != nil && s.once(b):
		return become(in, lower.Add, s.make(in, lower.Add, in.Type, a, db.Args[0]), db.Args[1])
	}
	return nil, false
}

func (s *simplifier) difference(in *ir.Instr) (*ir.Value, bool) {
	a, b := in.Args[0], in.Args[1]
	switch {
	case a == b:
		return s.int(in, 0), false
	case b.IsConst():
		return become(in, lower.Add, a, s.int(in, -b.Int()))
	case ir.IsInt(a, 0):
		return become(in, lower.Neg, b)
	}
	if d := ir.Def(b, lower.Neg); d != nil {
		return become(in, lower.Add, a, d.Args[0])
	}
	if d := ir.DefConst(b, lower.Add); d != nil && a.IsConst() { // c - (x + d)
		return become(in, lower.Sub, s.int(in, a.Int()-d.Args[1].Int()), d.Args[0])
	}
	if d := ir.Def(b, lower.Sub); d != nil && d.Args[0] == a { // a - (a - x)
		return d.Args[1], false
	}
	if d := ir.Def(a, lower.Add); d != nil {
		for i, x := range d.Args {
			if x == b { // (b + y) - b
				return d.Args[1-i], false
			}
		}
	}
	if d := ir.Def(b, lower.Add); d != nil {
		for i, x := range d.Args {
			if x == a { // a - (a + y)
				return become(in, lower.Neg, d.Args[1-i])
			}
		}
	}
	if d := ir.DefConst(a, lower.Add); d != nil && s.once(a) { // (x + c) - b
		return become(in, lower.Add, s.make(in, lower.Sub, in.Type, d.Args[0], b), d.Args[1])
	}
	return nil, false
}

func (s *simplifier) negation(in *ir.Instr) (*ir.Value, bool) {
	a := in.Args[0]
	if d := ir.Def(a, lower.Neg); d != nil {
		return d.Args[0], false
	}
	if d := ir.Def(a, lower.Sub); d != nil && s.once(a) {
		return become(in, lower.Sub, d.Args[1], d.Args[0])
	}
	if d := ir.DefConst(a, lower.Mul); d != nil && s.once(a) {
		return become(in, lower.Mul, d.Args[0], s.int(in, -d.Args[1].Int()))
	}
	return nil, false
}

func (s *simplifier) product(in *ir.Instr) (*ir.Value, bool) {
	a, b := in.Args[0], in.Args[1]
	if !b.IsConst() {
		return nil, false
	}
	k, isPower := power(b)
	switch {
	case ir.IsInt(b, 0):
		return b, false
	case ir.IsInt(b, 1):
		return a, false
	case ir.IsInt(b, -1):
		return become(in, lower.Neg, a)
	case isPower:
		return become(in, lower.Shl, a, s.f.Int(lower.U32, k))
	}
	if d := ir.DefConst(a, lower.Mul); d != nil {
		return become(in, lower.Mul, d.Args[0], s.int(in, d.Args[1].Int()*b.Int()))
	}
	if d := ir.DefConst(a, lower.Shl); d != nil {
		k, _ := ir.ShiftCount(d)
		return become(in, lower.Mul, d.Args[0], s.int(in, b.Int()<<k))
	}
	if d := ir.Def(a, lower.Neg); d != nil {
		return become(in, lower.Mul, d.Args[0], s.int(in, -b.Int()))
	}
	if d := ir.DefConst(a, lower.Add); d != nil && s.once(a) { // (x + c) * b
		return become(in, lower.Add, s.make(in, lower.Mul, in.Type, d.Args[0], b), s.int(in, d.Args[1].Int()*b.Int()))
	}
	return nil, false
}

// quotient simplifies Div and Rem. Of a number that cannot be negative they are shifts and masks.
func (s *simplifier) quotient(in *ir.Instr) (*ir.Value, bool) {
	a, b := in.Args[0], in.Args[1]
	div := in.Op == lower.Div
	switch {
	case ir.IsInt(a, 0):
		return a, false
	case ir.IsInt(b, 1) && div:
		return a, false
	case ir.IsInt(b, 1), in.Type.IsSigned() && ir.IsInt(b, -1) && !div, a == b && !div:
		return s.int(in, 0), false
	case a == b:
		return s.int(in, 1), false
	case in.Type.IsSigned() && ir.IsInt(b, -1):
		return become(in, lower.Neg, a)
	case !b.IsConst() || ir.IsInt(b, 0):
		return nil, false
	}
	if d := ir.DefConst(a, lower.Mul); d != nil && div && in.Type.IsSigned() && d.Args[1].Int()%b.Int() == 0 {
		return become(in, lower.Mul, d.Args[0], s.int(in, d.Args[1].Int()/b.Int())) // as products do not overflow
	}
	most, known := s.ranges.UpperBound(a)
	if !known {
		return nil, false
	}
	if b.Int() > 0 && most < b.Bits {
		if div {
			return s.int(in, 0), false
		}
		return a, false
	}
	if k, ok := power(b); ok {
		if div {
			return become(in, lower.Shr, a, s.f.Int(lower.U32, k))
		}
		return become(in, lower.And, a, s.int(in, b.Int()-1))
	}
	if d := ir.DefConst(a, lower.Div); d != nil && div && !in.Type.IsSigned() { // (x / c) / b
		if c := d.Args[1].Bits * b.Bits; c/b.Bits == d.Args[1].Bits && c == s.int(in, int64(c)).Bits {
			return become(in, lower.Div, d.Args[0], s.int(in, int64(c)))
		}
	}
	return nil, false
}

func (s *simplifier) shift(in *ir.Instr) (*ir.Value, bool) {
	a := in.Args[0]
	k, known := ir.ShiftCount(in)
	w := width(in.Type)
	switch {
	case ir.IsInt(a, 0), known && k == 0:
		return a, false
	case !known:
		return s.shiftBy(in)
	case k >= w && (in.Op == lower.Shl || !in.Type.IsSigned()):
		return s.int(in, 0), false
	case k >= w:
		k = w - 1
	}
	if in.Fn != "" || in.Args[1].Int() != k {
		in.Fn, in.Args[1] = "", s.f.Int(lower.U32, k)
		return nil, true
	}
	if d := ir.DefConst(a, in.Op); d != nil { // (x << c) << k
		c, _ := ir.ShiftCount(d)
		if c += k; c < w {
			return become(in, in.Op, d.Args[0], s.f.Int(lower.U32, c))
		} else if in.Op == lower.Shl || !in.Type.IsSigned() {
			return s.int(in, 0), false
		}
		return become(in, in.Op, d.Args[0], s.f.Int(lower.U32, w-1))
	}
	if in.Op == lower.Shl {
		if d := ir.DefConst(a, lower.Shr); d != nil {
			if c, _ := ir.ShiftCount(d); c == k { // (x >> k) << k
				return become(in, lower.And, d.Args[0], s.int(in, -1<<k))
			}
		}
		if d := ir.DefConst(a, lower.Mul); d != nil && !in.Type.IsSigned() { // a signed product does not overflow
			return become(in, lower.Mul, d.Args[0], s.int(in, d.Args[1].Int()<<k))
		}
		if d := ir.DefConst(a, lower.Add); d != nil && s.once(a) { // (x + c) << k
			x := s.make(in, lower.Shl, in.Type, d.Args[0], in.Args[1])
			return become(in, lower.Add, x, s.int(in, d.Args[1].Int()<<k))
		}
		return nil, false
	}
	if d := ir.DefConst(a, lower.Shl); d != nil && !in.Type.IsSigned() {
		if c, _ := ir.ShiftCount(d); c == k { // (x << k) >> k
			return become(in, lower.And, d.Args[0], s.int(in, int64(^uint64(0)>>(64-w)>>k)))
		}
	}
	if most, ok := s.ranges.UpperBound(a); ok && most>>k == 0 {
		return s.int(in, 0), false
	}
	return nil, false
}

// shiftBy looks through what does not change the count of a shift.
func (s *simplifier) shiftBy(in *ir.Instr) (*ir.Value, bool) {
	n := in.Args[1]
	if d := ir.DefConst(n, lower.And); d != nil && in.Fn == "" {
		if w := uint64(width(in.Type) - 1); d.Args[1].Bits&w == w { // 1 << (x & 31)
			return become(in, in.Op, in.Args[0], d.Args[0])
		}
	}
	return nil, false
}

func (s *simplifier) extreme(in *ir.Instr) (*ir.Value, bool) {
	a, b := in.Args[0], in.Args[1]
	if a == b {
		return a, false
	}
	if d := ir.DefConst(a, in.Op); d != nil && b.IsConst() { // min(min(x, c), b)
		in.Args = []*ir.Value{d.Args[0], s.make(in, in.Op, in.Type, d.Args[1], b)}
		return nil, true
	}
	most, ok := s.ranges.UpperBound(a)
	if !ok || !b.IsConst() {
		return nil, false
	}
	switch negative := in.Type.IsSigned() && b.Int() < 0; {
	case in.Op == lower.Min && !negative && most <= b.Bits, in.Op == lower.Max && (negative || b.Bits == 0):
		return a, false
	case in.Op == lower.Min && negative, in.Op == lower.Max && most <= b.Bits:
		return b, false
	case in.Op == lower.Min && b.Bits == 0:
		return b, false
	}
	return nil, false
}
