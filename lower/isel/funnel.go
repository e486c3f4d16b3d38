package isel

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
)

// funnel is a shift of two words of which one is kept: high << n | low >> (32 - n), a rotation where both are the same
// (InstCombine's matchFunnelShift, or DAGCombiner's MatchRotate: fshl).
type funnel struct {
	low, high *ir.Value
	n         *ir.Value // bits, from 1 to 31 where it is a constant
	right     bool      // n bits to the right, of which the lower word is kept
}

// funnelOf says which shift of two words an operation is: the two parts of it have no bit in common, so that or, xor
// and add are the same.
func funnelOf(in *ir.Instr) (funnel, bool) {
	if in.Type.Size() != 4 || !in.Type.IsInteger() {
		return funnel{}, false
	}
	switch in.Op {
	case lower.Call:
		if in.Fn == "rotate" && in.Args[1].IsConst() && in.Args[1].Bits&31 != 0 {
			return funnel{low: in.Args[0], high: in.Args[0], n: in.Args[1]}, true
		}
	case lower.Or, lower.Xor, lower.Add:
		for i, x := range in.Args {
			up, down := x.Def, in.Args[1-i].Def
			if x.DefOp() != lower.Shl || in.Args[1-i].DefOp() != lower.Shr || down.Type.IsSigned() {
				continue
			}
			f := funnel{low: down.Args[0], high: up.Args[0], n: up.Args[1]}
			n, m := up.Args[1], down.Args[1]
			rotation := f.low == f.high && in.Op == lower.Or // of no bits, too: x | x
			switch {
			case n.IsConst() && m.IsConst() && n.Bits+m.Bits == 32 && n.Bits != 0 && m.Bits != 0:
				return f, true
			case rotation && without(m, n):
				return f, true
			case rotation && without(n, m):
				f.n, f.right = m, true
				return f, true
			}
		}
	}
	return funnel{}, false
}

// without reports whether a number is 32 less another one.
func without(m, n *ir.Value) bool {
	return m.DefOp() == lower.Sub && m.Def.Args[1] == n && m.Def.Args[0].IsConst() && m.Def.Args[0].Bits == 32
}

// funnel selects for a shift of two words.
func (a *sass) funnel(d dest, in *ir.Instr) bool {
	f, ok := funnelOf(in)
	if ok {
		op := "SHF.L.W.U32.HI"
		if f.right {
			op = "SHF.R.W.U32"
		}
		a.emit(op, d, nil, a.operand(f.low), tidy.Word(a.operand(f.n), 0), a.operand(f.high))
	}
	return ok
}

// highSum adds a number to a shift of two words by a constant that only the sum reads: the upper word of what LEA
// shifts.
func (a *sass) highSum(d dest, in *ir.Instr, x, y *ir.Value) bool {
	m := a.only(x, in, lower.Or, lower.Xor, lower.Call)
	if m == nil || !a.t.Has("imad") || y.IsConst() {
		return false
	}
	f, ok := funnelOf(m)
	if ok = ok && f.n.IsConst(); ok {
		a.emit("LEA.HI", d, nil, a.operand(f.low), a.operand(y), a.operand(f.high), field(int64(f.n.Bits&31)))
	}
	return ok
}

// funnel selects for a shift of two words by a constant: v_alignbit_b32 shifts them to the right.
func (a *gcn) funnel(in *ir.Instr) bool {
	f, ok := funnelOf(in)
	if ok = ok && f.n.IsConst() && !a.flow.Scalar(in.Result()); ok {
		a.emit("v_alignbit_b32", a.dest(in.Result()), nil, a.operand(f.high), a.operand(f.low),
			imm(32-int64(f.n.Bits&31)))
	}
	return ok
}
