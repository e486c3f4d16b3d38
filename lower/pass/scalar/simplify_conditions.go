package scalar

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// conditions makes one comparison of two that hold both, or of which one does (LLVM's InstCombineAndOrXor.cpp,
// foldAndOfICmps and foldOrOfICmps), and reports whether it did: what is compared with 0, with -1 or for its sign,
// and a number that lies between two constants or is one of two neighbours.
func (s *simplifier) conditions(in *ir.Instr) bool {
	a, b := in.Args[0], in.Args[1]
	if a.Kind != ir.Result || b.Kind != ir.Result || !s.once(a) && !s.once(b) {
		return false
	}
	x, y := a.Def, b.Def
	if !x.Op.IsComparison() || !y.Op.IsComparison() || !x.Type.IsInteger() || !y.Type.IsInteger() ||
		x.Type.Size() < 4 || x.Type.Size() != y.Type.Size() || !x.Args[1].IsConst() || !y.Args[1].IsConst() {
		return false
	}
	if x.Op == y.Op && (x.Type == y.Type || x.Op == lower.Eq || x.Op == lower.Ne) {
		if x.Args[1].Bits == y.Args[1].Bits && x.Args[0] != y.Args[0] && s.sameTest(in, x, y) {
			return true
		}
	}
	return x.Type == y.Type && x.Args[0] == y.Args[0] && s.between(in, x, y)
}

// sameTest is the comparison of the bits of two numbers that both are compared with one constant.
func (s *simplifier) sameTest(in, x, y *ir.Instr) bool {
	all := in.Op == lower.And
	c, signed := x.Args[1].Int(), x.Type.IsSigned()
	if x.Type == lower.U32 {
		c = int64(int32(c))
	}
	op := lower.Op(0)
	switch {
	case c == 0 && x.Op == lower.Eq && all, c == 0 && x.Op == lower.Ne && !all,
		c == 0 && x.Op == lower.Lt && signed && !all, c == -1 && x.Op == lower.Gt && signed && all:
		op = lower.Or
	case c == -1 && x.Op == lower.Eq && all, c == -1 && x.Op == lower.Ne && !all,
		c == 0 && x.Op == lower.Lt && signed && all, c == -1 && x.Op == lower.Gt && signed && !all:
		op = lower.And
	default:
		return false
	}
	bits := s.make(x, op, x.Type, s.cast(x, x.Args[0], x.Type), s.cast(x, y.Args[0], x.Type))
	in.Op, in.Type, in.Args = x.Op, x.Type, []*ir.Value{bits, x.Args[1]}
	return true
}

// between is the comparison without a sign of a number less the lower one of two constants.
func (s *simplifier) between(in, x, y *ir.Instr) bool {
	if x.Args[1].Int() > y.Args[1].Int() {
		x, y = y, x
	}
	low, high := x.Args[1].Int(), y.Args[1].Int() // of the numbers that the condition holds for, or does not
	op := lower.Lt
	switch all := in.Op == lower.And; {
	case all && x.Op == lower.Gt && y.Op == lower.Lt:
		low++
	case !all && x.Op == lower.Lt && y.Op == lower.Gt:
		op = lower.Gt
	case !all && x.Op == lower.Eq && y.Op == lower.Eq && low+1 == high:
		high++
	case all && x.Op == lower.Ne && y.Op == lower.Ne && low+1 == high:
		op = lower.Gt
	default:
		return false
	}
	if high <= low {
		return false
	}
	v, u := x.Args[0], lower.U32
	if x.Type.Size() == 8 {
		u = lower.U64
	}
	if low != 0 {
		v = s.make(x, lower.Add, v.Type, v, s.f.Int(v.Type, -low))
	}
	in.Op, in.Type, in.Args = op, u, []*ir.Value{s.cast(x, v, u), s.f.Int(u, high-low)}
	return true
}

// cast is an integer with another sign.
func (s *simplifier) cast(like *ir.Instr, v *ir.Value, t ir.Type) *ir.Value {
	if v.Type == t {
		return v
	}
	return s.add(&ir.Instr{Op: lower.Bitcast, Type: t, From: v.Type, Args: []*ir.Value{v}, Pos: like.Pos})
}
