package scalar

import (
	"math/bits"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/ranges"
)

func (s *simplifier) and(in *ir.Instr) (*ir.Value, bool) {
	a, b := in.Args[0], in.Args[1]
	switch {
	case a == b, isAllOnes(b):
		return a, false
	case ir.IsInt(b, 0):
		return b, false
	case opposite(a, b):
		return s.int(in, 0), false
	}
	if in.Type == lower.Pred && s.conditions(in) {
		return nil, true
	}
	if b.IsConst() {
		if d := ir.DefConst(a, lower.And); d != nil {
			return become(in, lower.And, d.Args[0], s.int(in, d.Args[1].Int()&b.Int()))
		}
		if x := demanded(a, b.Bits); x != a {
			return become(in, lower.And, x, b)
		}
		if most, ok := s.ranges.UpperBound(a); ok && b.Bits&(b.Bits+1) == 0 && most <= b.Bits {
			return a, false
		}
		if low, ok := s.lowBits(a, b.Bits); ok {
			return s.int(in, int64(low)), false
		}
	}
	return s.both(in)
}

// demanded is a value without what changes none of the bits of a mask (InstCombine's SimplifyDemandedBits): a constant
// that is added above them, bits that are set or cleared elsewhere.
func demanded(v *ir.Value, mask uint64) *ir.Value {
	low := uint64(1)<<bits.Len64(mask) - 1 // the bits that sums carry into those of the mask from
	for {
		if d := ir.DefConst(v, lower.Add); d != nil && d.Args[1].Bits&low == 0 {
			v = d.Args[0]
		} else if d := ir.DefConst(v, lower.Or); d != nil && d.Args[1].Bits&mask == 0 {
			v = d.Args[0]
		} else if d := ir.DefConst(v, lower.Xor); d != nil && d.Args[1].Bits&mask == 0 {
			v = d.Args[0]
		} else {
			return v
		}
	}
}

// lowBits is what a mask leaves of a value where its bits are known: those of a constant that is added to a multiple of
// a greater power of two, as the counter of an unrolled loop is (LLVM's computeKnownBits).
func (s *simplifier) lowBits(v *ir.Value, mask uint64) (low uint64, known bool) {
	x, c := ir.PlusConstant(v)
	a := ranges.Alignments{F: s.f, Jumps: s.jumps, Known: map[*ir.Value]int64{}}
	if mask >= uint64(a.Factor(x, 0)) {
		return 0, false
	}
	return uint64(c) & mask, true
}

func (s *simplifier) or(in *ir.Instr) (*ir.Value, bool) {
	a, b := in.Args[0], in.Args[1]
	xor := in.Op == lower.Xor
	switch {
	case a == b && xor:
		return s.int(in, 0), false
	case ir.IsInt(b, 0):
		return a, false
	case isAllOnes(b) && xor:
		return become(in, lower.Not, a)
	case a == b:
		return a, false
	case isAllOnes(b):
		return b, false
	case opposite(a, b):
		if in.Type == lower.Pred {
			return s.int(in, 1), false
		}
		return s.int(in, -1), false
	}
	if in.Type == lower.Pred && in.Op == lower.Or && s.conditions(in) {
		return nil, true
	}
	if x := bothHalves(a, b); x != nil {
		return x, false
	}
	if d := ir.DefConst(a, in.Op); d != nil && b.IsConst() {
		c := d.Args[1].Int() | b.Int()
		if xor {
			c = d.Args[1].Int() ^ b.Int()
		}
		return become(in, in.Op, d.Args[0], s.int(in, c))
	}
	return s.both(in)
}

// bothHalves is x of (x & y) and (x & ~y), nil of others.
func bothHalves(a, b *ir.Value) *ir.Value {
	da, db := ir.Def(a, lower.And), ir.Def(b, lower.And)
	if da == nil || db == nil {
		return nil
	}
	for i, x := range da.Args {
		for j, y := range db.Args {
			if x == y && opposite(da.Args[1-i], db.Args[1-j]) {
				return x
			}
		}
	}
	return nil
}

// both does to two conditions what is done to the numbers 0 and 1 that are made of them.
func (s *simplifier) both(in *ir.Instr) (*ir.Value, bool) {
	if !in.Type.IsInteger() {
		return nil, false
	}
	a := asCondition(in.Args[0])
	b := asCondition(in.Args[1])
	switch {
	case a == nil:
		return nil, false
	case b == nil && ir.IsInt(in.Args[1], 1):
		b = s.f.Int(lower.Pred, 1)
	case b == nil:
		return nil, false
	}
	return become(in, lower.Select, s.make(in, in.Op, lower.Pred, a, b), s.int(in, 1), s.int(in, 0))
}

// asCondition is the condition of which a value is 1 or 0, or nil.
func asCondition(v *ir.Value) *ir.Value {
	if d := ir.Def(v, lower.Select); d != nil && d.Type.IsInteger() && ir.IsInt(d.Args[1], 1) &&
		ir.IsInt(d.Args[2], 0) {
		return d.Args[0]
	}
	return nil
}

// opposite reports whether one of two values is the other with all bits inverted.
func opposite(a, b *ir.Value) bool {
	if d := ir.Def(a, lower.Not); d != nil && d.Args[0] == b {
		return true
	}
	if d := ir.Def(b, lower.Not); d != nil && d.Args[0] == a {
		return true
	}
	if a.DefOp().IsComparison() && b.DefOp().IsComparison() {
		x, y := a.Def, b.Def
		return x.Type == y.Type && !x.Type.IsFloat() && x.Op.Negate() == y.Op && x.Args[0] == y.Args[0] &&
			x.Args[1] == y.Args[1]
	}
	return false
}

func (s *simplifier) not(in *ir.Instr) (*ir.Value, bool) {
	a := in.Args[0]
	if d := ir.Def(a, lower.Not); d != nil {
		return d.Args[0], false
	}
	if in.Type != lower.Pred || a.Kind != ir.Result {
		return nil, false
	}
	switch d := a.Def; {
	case d.Op.IsComparison() && (!d.Type.IsFloat() || d.Op == lower.Eq || d.Op == lower.Ne):
		in.Type = d.Type
		return become(in, d.Op.Negate(), d.Args[0], d.Args[1])
	case (d.Op == lower.And || d.Op == lower.Or) && s.once(a) && (invertible(d.Args[0]) || invertible(d.Args[1])):
		x, y := s.make(in, lower.Not, lower.Pred, d.Args[0]), s.make(in, lower.Not, lower.Pred, d.Args[1])
		if d.Op == lower.And { // De Morgan, where it removes a negation
			return become(in, lower.Or, x, y)
		}
		return become(in, lower.And, x, y)
	}
	return nil, false
}

// invertible reports whether the negation of a condition costs nothing.
func invertible(v *ir.Value) bool {
	return v.DefOp() == lower.Not || v.DefOp().IsComparison() && !v.Def.Type.IsFloat()
}

// comparison applies one rule for comparisons (InstCombineCompares.cpp).
func (s *simplifier) comparison(in *ir.Instr) (*ir.Value, bool) {
	a, b := in.Args[0], in.Args[1]
	t := in.Type
	if t.IsFloat() {
		return nil, false
	}
	if a == b {
		return s.f.Truth(in.Op == lower.Eq || in.Op == lower.Le || in.Op == lower.Ge), false
	}
	if !b.IsConst() {
		return s.compareTwo(in)
	}
	if v, ok := s.strict(in); ok || v != nil {
		return v, ok
	}
	if most, ok := s.ranges.UpperBound(a); ok {
		if v := s.bounded(in, most); v != nil {
			return v, false
		}
	}
	if a.Kind != ir.Result {
		return nil, false
	}
	switch d := a.Def; {
	case d.Op == lower.Convert:
		return s.compareNarrow(in, d)
	case d.Op == lower.Select && d.Args[1].IsConst() && d.Args[2].IsConst():
		return s.compareChosen(in, d)
	case d.Op == lower.Add && d.Args[1].IsConst():
		return s.compareSum(in, d)
	case in.Op != lower.Eq && in.Op != lower.Ne:
	case d.Op == lower.Rem && ir.IsInt(b, 0): // x % 2^k == 0, whatever the sign of x
		if k, ok := power(d.Args[1]); ok && s.once(a) {
			return become(in, in.Op, s.make(d, lower.And, d.Type, d.Args[0], s.int(in, 1<<k-1)), b)
		}
	case d.Op == lower.And && ir.IsInt(b, 0) && d.Args[1].IsConst():
		return s.shiftMask(in, d)
	case d.Op == lower.Sub && ir.IsInt(b, 0), d.Op == lower.Xor && ir.IsInt(b, 0):
		return become(in, in.Op, d.Args[0], d.Args[1])
	case d.Op == lower.Bitcast && d.From.IsInteger():
		in.Type = d.From
		return become(in, in.Op, d.Args[0], s.f.Int(d.From, b.Int()))
	}
	return nil, false
}

// shiftMask shifts the mask in the place of what is tested, as loops often do not change it: (x >> n & c) == 0 becomes
// (x & c << n) == 0 (InstCombine's foldICmpAndConstConst).
func (s *simplifier) shiftMask(in, and *ir.Instr) (*ir.Value, bool) {
	back := lower.Shl
	d := ir.Def(and.Args[0], lower.Shr)
	if d == nil {
		back, d = lower.Shr, ir.Def(and.Args[0], lower.Shl)
	}
	if d == nil || !s.once(in.Args[0]) || !s.once(and.Args[0]) || d.Args[0].IsConst() ||
		d.Type.IsSigned() && (d.Op == lower.Shr || and.Args[1].Int() < 0) {
		return nil, false
	}
	mask := s.make(in, back, d.Type, and.Args[1], d.Args[1])
	return become(in, in.Op, s.make(in, lower.And, d.Type, d.Args[0], mask), in.Args[1])
}

// strict makes x <= c of x < c + 1 the other way round, and decides what the range of the type decides.
func (s *simplifier) strict(in *ir.Instr) (*ir.Value, bool) {
	a, b := in.Args[0], in.Args[1]
	if in.Type == lower.Ptr {
		return nil, false
	}
	first, last := typeRange(in.Type)
	truth := func(is bool) (*ir.Value, bool) { return s.f.Truth(is), false }
	switch in.Op {
	case lower.Le:
		if b.Bits == last {
			return truth(true)
		}
		return become(in, lower.Lt, a, s.int(in, b.Int()+1))
	case lower.Ge:
		if b.Bits == first {
			return truth(true)
		}
		return become(in, lower.Gt, a, s.int(in, b.Int()-1))
	case lower.Lt:
		switch b.Bits {
		case first:
			return truth(false)
		case s.int(in, int64(first)+1).Bits:
			return become(in, lower.Eq, a, s.int(in, int64(first)))
		}
	case lower.Gt:
		switch b.Bits {
		case last:
			return truth(false)
		case first:
			return become(in, lower.Ne, a, b)
		}
	}
	return nil, false
}

// typeRange is the least and the greatest number of an integer type, as constants have them.
func typeRange(t ir.Type) (first, last uint64) {
	w := width(t)
	if t.IsSigned() {
		return uint64(int64(-1) << (w - 1)), uint64(1)<<(w-1) - 1
	}
	return 0, ^uint64(0) >> (64 - w)
}

// bounded decides a comparison with a constant of a number from 0 to most.
func (s *simplifier) bounded(in *ir.Instr, most uint64) *ir.Value {
	b := in.Args[1]
	above := in.Type.IsSigned() && b.Int() >= 0 && b.Bits > most || !in.Type.IsSigned() && b.Bits > most
	below := in.Type.IsSigned() && b.Int() < 0
	switch {
	case above && (in.Op == lower.Lt || in.Op == lower.Ne), below && (in.Op == lower.Gt || in.Op == lower.Ne):
		return s.f.Int(lower.Pred, 1)
	case above && (in.Op == lower.Gt || in.Op == lower.Eq), below && (in.Op == lower.Lt || in.Op == lower.Eq):
		return s.f.Int(lower.Pred, 0)
	case in.Op == lower.Gt && b.Bits == most && !below:
		return s.f.Int(lower.Pred, 0)
	}
	return nil
}

// compareTwo simplifies a comparison of two values that are not constants.
func (s *simplifier) compareTwo(in *ir.Instr) (*ir.Value, bool) {
	a, b := in.Args[0], in.Args[1]
	if in.Type == lower.Ptr {
		p, at := fixedPlace(a)
		if q, other := fixedPlace(b); p == q { // of one object (LLVM's computePointerICmp)
			in.Type = lower.S64
			return become(in, in.Op, s.f.Int(in.Type, at), s.f.Int(in.Type, other))
		}
	}
	x, y := ir.Def(a, lower.Convert), ir.Def(b, lower.Convert)
	if x != nil && y != nil && x.From == y.From && ir.Extends(x) && ir.Extends(y) &&
		(x.From.IsSigned() == in.Type.IsSigned() || in.Op == lower.Eq || in.Op == lower.Ne || !x.From.IsSigned()) {
		in.Type = x.From
		return become(in, in.Op, x.Args[0], y.Args[0])
	}
	if in.Op != lower.Eq && in.Op != lower.Ne {
		return nil, false
	}
	x, y = ir.Def(a, lower.Bitcast), ir.Def(b, lower.Bitcast)
	if x != nil && y != nil && x.From == y.From && x.From.IsInteger() {
		in.Type = x.From
		return become(in, in.Op, x.Args[0], y.Args[0])
	}
	return nil, false
}

// fixedPlace is where a pointer is counted from, and the bytes behind that if they are a constant.
func fixedPlace(v *ir.Value) (base *ir.Value, offset int64) {
	for d := ir.Def(v, lower.PtrAdd); d != nil && d.Args[1].IsConst(); d = ir.Def(v, lower.PtrAdd) {
		v, offset = d.Args[0], offset+d.Args[1].Int()*d.Scale
	}
	return v, offset
}

// compareNarrow compares what was extended before it was.
func (s *simplifier) compareNarrow(in, d *ir.Instr) (*ir.Value, bool) {
	if !ir.Extends(d) || d.From.IsSigned() && !in.Type.IsSigned() && in.Op != lower.Eq && in.Op != lower.Ne {
		return nil, false
	}
	b := in.Args[1]
	narrow := s.f.Int(d.From, b.Int())
	if back := s.f.Int(in.Type, narrow.Int()); back != b { // no such number can be extended to it
		first, last := typeRange(d.From)
		above := int64(last) < b.Int()
		if !in.Type.IsSigned() {
			above = last < b.Bits
		}
		if !above && (int64(first) <= b.Int() || !in.Type.IsSigned()) {
			return nil, false
		}
		return s.f.Truth(in.Op == lower.Ne || above == (in.Op == lower.Lt) && in.Op != lower.Eq), false
	}
	in.Type = d.From
	return become(in, in.Op, d.Args[0], narrow)
}

// compareChosen compares a choice between two constants: the condition, its negation, or always the same.
func (s *simplifier) compareChosen(in, d *ir.Instr) (*ir.Value, bool) {
	x, okX := fold(&ir.Instr{Op: in.Op, Type: in.Type, Args: []*ir.Value{d.Args[1], in.Args[1]}, Results: in.Results})
	y, okY := fold(&ir.Instr{Op: in.Op, Type: in.Type, Args: []*ir.Value{d.Args[2], in.Args[1]}, Results: in.Results})
	switch {
	case !okX || !okY:
		return nil, false
	case x == y:
		return s.f.Int(lower.Pred, int64(x)), false
	case x == 1:
		return d.Args[0], false
	}
	in.Type = lower.Pred
	return become(in, lower.Not, d.Args[0])
}

// compareSum moves the constant of x + c to the other side, where a signed sum cannot wrap (C11, 6.5, 5; LLVM's nsw),
// or where that does not matter.
func (s *simplifier) compareSum(in, d *ir.Instr) (*ir.Value, bool) {
	if !s.once(in.Args[0]) { // a counter is compared as it will be (IndVarSimplify's LFTR)
		return nil, false
	}
	n := in.Args[1].Int() - d.Args[1].Int()
	c := s.int(in, n)
	equality := in.Op == lower.Eq || in.Op == lower.Ne
	overflow := width(in.Type) == 64 && (in.Args[1].Int() < 0) != (d.Args[1].Int() < 0) &&
		(n < 0) != (in.Args[1].Int() < 0)
	if !equality && (!in.Type.IsSigned() || c.Int() != n || overflow) {
		return nil, false
	}
	return become(in, in.Op, d.Args[0], c)
}

// selection applies one rule for selects (InstCombineSelect.cpp).
func (s *simplifier) selection(in *ir.Instr) (*ir.Value, bool) {
	c, a, b := in.Args[0], in.Args[1], in.Args[2]
	switch {
	case c.IsConst() && c.Bits != 0, a == b, b.Kind == ir.Undef:
		return a, false
	case c.IsConst(), a.Kind == ir.Undef:
		return b, false
	}
	if d := ir.Def(c, lower.Not); d != nil {
		return become(in, lower.Select, d.Args[0], b, a)
	}
	if in.Type == lower.Pred {
		switch {
		case ir.IsInt(a, 1) && ir.IsInt(b, 0):
			return c, false
		case ir.IsInt(a, 0) && ir.IsInt(b, 1):
			return become(in, lower.Not, c)
		case ir.IsInt(b, 0):
			return become(in, lower.And, c, a)
		case ir.IsInt(a, 1):
			return become(in, lower.Or, c, b)
		case ir.IsInt(a, 0):
			return become(in, lower.And, s.make(in, lower.Not, lower.Pred, c), b)
		case ir.IsInt(b, 1):
			return become(in, lower.Or, s.make(in, lower.Not, lower.Pred, c), a)
		}
	}
	for i, v := range in.Args[1:] { // a choice by the same condition
		if d := ir.Def(v, lower.Select); d != nil && d.Args[0] == c {
			in.Args[1+i] = d.Args[1+i]
			return nil, true
		}
	}
	if d := ir.Def(a, lower.Select); d != nil && d.Args[2] == b && s.once(a) { // c ? (d ? x : b) : b
		return become(in, lower.Select, s.make(in, lower.And, lower.Pred, c, d.Args[0]), d.Args[1], b)
	}
	if d := ir.Def(b, lower.Select); d != nil && d.Args[1] == a && s.once(b) { // c ? a : (d ? a : x)
		return become(in, lower.Select, s.make(in, lower.Or, lower.Pred, c, d.Args[0]), a, d.Args[2])
	}
	if c.DefOp().IsComparison() && c.Def.Type == in.Type && in.Type.IsInteger() {
		if v, changed := s.selectExtreme(in, c.Def); v != nil || changed {
			return v, changed
		}
	}
	return s.selectOperand(in)
}

// selectOperand makes one operation of a choice between its result and one of its operands, the other operand of which
// is chosen: c ? x + y : x becomes x + (c ? y : 0) (InstCombine's foldSelectIntoOp).
func (s *simplifier) selectOperand(in *ir.Instr) (*ir.Value, bool) {
	for i := 1; i <= 2 && in.Type.IsInteger(); i++ {
		v, x := in.Args[i], in.Args[3-i]
		if v.Kind != ir.Result || x.IsConst() || !s.once(v) {
			continue
		}
		var nothing int64 // what the operation leaves x with
		sides := 2
		switch v.Def.Op {
		case lower.Add, lower.Or, lower.Xor:
		case lower.And:
			nothing = -1
		case lower.Mul:
			nothing = 1
		case lower.Sub, lower.Shl, lower.Shr:
			sides = 1
		default:
			continue
		}
		for k := range sides {
			y := v.Def.Args[1-k]
			if v.Def.Args[k] != x || y.IsConst() {
				continue
			}
			arms := []*ir.Value{in.Args[0], y, y}
			arms[3-i] = s.f.Int(y.Type, nothing)
			return become(in, v.Def.Op, x, s.make(in, lower.Select, y.Type, arms...))
		}
	}
	return nil, false
}

// selectExtreme finds the minimum, the maximum and the absolute value (LLVM's matchSelectPattern).
func (s *simplifier) selectExtreme(in, c *ir.Instr) (*ir.Value, bool) {
	a, b := in.Args[1], in.Args[2]
	x, y, op := c.Args[0], c.Args[1], c.Op
	if x == b && y == a {
		x, y, op = y, x, op.Mirror()
	}
	if x == a && y.IsConst() && b.IsConst() { // x < c ? x : c - 1
		switch {
		case op == lower.Lt && b.Int() == y.Int()-1 && b.Int() < y.Int():
			y, op = b, lower.Le
		case op == lower.Gt && b.Int() == y.Int()+1 && b.Int() > y.Int():
			y, op = b, lower.Ge
		}
	} else if x == b && y.IsConst() && a.IsConst() { // x < c ? c : x
		x, y, op = a, b, op.Mirror()
		switch {
		case op == lower.Gt && a.Int() != c.Args[1].Int() && a.Int() == c.Args[1].Int()-1,
			op == lower.Lt && a.Int() != c.Args[1].Int() && a.Int() == c.Args[1].Int()+1,
			a == c.Args[1]:
		default:
			return nil, false
		}
	}
	if x == a && y == b {
		switch op {
		case lower.Lt, lower.Le:
			return become(in, lower.Min, a, b)
		case lower.Gt, lower.Ge:
			return become(in, lower.Max, a, b)
		case lower.Eq:
			return b, false
		case lower.Ne:
			return a, false
		}
	}
	if d := ir.Def(a, lower.Neg); d != nil && d.Args[0] == b && c.Args[0] == b && c.Op == lower.Lt &&
		(ir.IsInt(c.Args[1], 0) || ir.IsInt(c.Args[1], 1)) {
		return become(in, lower.Abs, b)
	}
	if d := ir.Def(b, lower.Neg); d != nil && d.Args[0] == a && c.Args[0] == a && c.Op == lower.Gt &&
		(ir.IsInt(c.Args[1], 0) || ir.IsInt(c.Args[1], -1)) {
		return become(in, lower.Abs, a)
	}
	return nil, false
}
