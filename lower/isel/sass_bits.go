package isel

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// logic selects for bitwise operations: one instruction computes any function of three operands.
func (a *sass) logic(in *ir.Instr) {
	v := in.Result()
	if a.flow.Words(v) == 2 {
		for k := range 2 {
			if d := a.destWord(v, k); d.reg != 0 {
				x := a.half(in.Args[0], k)
				y := zero
				if len(in.Args) > 1 {
					y = a.half(in.Args[1], k)
				}
				a.bits(d, in, x, y)
			}
		}
		return
	}
	if len(in.Args) > 1 {
		for i, x := range in.Args {
			inner := a.only(x, in, lower.And, lower.Or, lower.Xor)
			if inner == nil || x.Type != v.Type {
				continue
			}
			p, q, r := a.operand(inner.Args[0]), a.operand(inner.Args[1]), a.operand(in.Args[1-i])
			a.lop3(a.dest(v), table3(in.Op, inner.Op), p, q, r)
			return
		}
	}
	y := zero
	if len(in.Args) > 1 {
		y = a.operand(in.Args[1])
	}
	a.bits(a.dest(v), in, a.operand(in.Args[0]), y)
}

// lop3 emits a function of three operands, of which a constant is the second.
func (a *sass) lop3(d dest, truth int64, p, q, r Operand) {
	a.emit("LOP3.LUT", d, nil, p, q, r, field(truth))
}

// Columns of a table of truth.
const (
	truthA = 0xf0
	truthB = 0xcc
	truthC = 0xaa
)

func truth(op lower.Op, x, y int64) int64 {
	switch op {
	case lower.And:
		return x & y
	case lower.Or:
		return x | y
	}
	return x ^ y
}

// table3 is the table of truth of (a inner b) outer c.
func table3(outer, inner lower.Op) int64 { return truth(outer, truth(inner, truthA, truthB), truthC) }

func (a *sass) bits(d dest, in *ir.Instr, x, y Operand) {
	if in.Op == lower.Not {
		a.emit("LOP3.LUT", d, nil, zero, x, zero, field(0x33))
		return
	}
	if x.Kind == Immediate && x.Bits == 0 || y.Kind == Immediate && y.Bits == 0 {
		if in.Op == lower.And {
			a.transfer(d, zero)
			return
		}
		if y.Kind == Immediate && y.Bits == 0 {
			x, y = y, x
		}
		a.transfer(d, y)
		return
	}
	a.emit("LOP3.LUT", d, nil, x, y, zero, field(truth(in.Op, truthA, truthB)))
}

// shift selects for shifts.
func (a *sass) shift(in *ir.Instr) {
	v := in.Result()
	n := word(a.operand(in.Args[1]), 0)
	if a.flow.Words(v) == 2 {
		a.shift64(in, n)
		return
	}
	d, x := a.dest(v), a.operand(in.Args[0])
	switch {
	case in.Op == lower.Shl && a.t.Has("iscadd"):
		a.emit("SHL", d, nil, x, n)
	case in.Op == lower.Shl:
		a.emit("SHF.L.U32", d, nil, x, n, zero)
	case a.t.Has("iscadd") && in.Type.IsSigned():
		a.emit("SHR", d, nil, x, n)
	case a.t.Has("iscadd"):
		a.emit("SHR.U32", d, nil, x, n)
	case in.Type.IsSigned():
		a.emit("SHF.R.S32.HI", d, nil, zero, n, x)
	default:
		a.emit("SHF.R.U32.HI", d, nil, zero, n, x)
	}
}

// shift64 shifts two words.
func (a *sass) shift64(in *ir.Instr, n Operand) {
	v, x := in.Result(), in.Args[0]
	lo, hi := a.destWord(v, 0), a.destWord(v, 1)
	by := int64(-1)
	if n.Kind == Immediate {
		by = int64(n.Bits & 63)
	}
	right := "SHF.R.U32.HI"
	if in.Type.IsSigned() {
		right = "SHF.R.S32.HI"
	}
	switch {
	case in.Op == lower.Shl && by >= 32:
		a.transfer(lo, zero)
		if hi.reg != 0 {
			if by == 32 {
				a.transfer(hi, a.half(x, 0))
			} else {
				a.emit("SHF.L.U32", hi, nil, a.half(x, 0), imm(by-32), zero)
			}
		}
	case in.Op == lower.Shl:
		if hi.reg != 0 {
			a.emit("SHF.L.U64.HI", hi, nil, a.half(x, 0), n, a.half(x, 1))
		}
		if lo.reg != 0 {
			a.emit("SHF.L.U32", lo, nil, a.half(x, 0), n, zero)
		}
	case by >= 32:
		if lo.reg != 0 {
			if by == 32 {
				a.transfer(lo, a.half(x, 1))
			} else {
				a.emit(right, lo, nil, zero, imm(by-32), a.half(x, 1))
			}
		}
		if hi.reg != 0 && in.Type.IsSigned() {
			a.emit(right, hi, nil, zero, imm(31), a.half(x, 1))
		} else {
			a.transfer(hi, zero)
		}
	default:
		if lo.reg != 0 {
			a.emit("SHF.R.U64", lo, nil, a.half(x, 0), n, a.half(x, 1))
		}
		if hi.reg != 0 {
			a.emit(right, hi, nil, zero, n, a.half(x, 1))
		}
	}
}

// predicates selects for logic of conditions: a comparison that only this operation reads combines its result
// with the other condition itself.
func (a *sass) predicates(in *ir.Instr) {
	d := a.dest(in.Result())
	if in.Op == lower.Not {
		g := a.condition(in.Args[0])
		a.emit("PLOP3.LUT", d, nil, Operand{Kind: InReg, Reg: g.Reg, Not: !g.Not}, always, always, field(0x80))
		return
	}
	combine := map[lower.Op]string{lower.And: "AND", lower.Or: "OR", lower.Xor: "XOR"}[in.Op]
	for _, i := range [...]int{1, 0} {
		x, not := in.Args[i], false
		if n := a.only(x, in, lower.Not); n != nil {
			x, not = n.Args[0], true
		}
		if x.Kind != ir.Result || !x.Def.Op.IsComparison() || a.uses[x.ID] != 1 || x.Def.Parent != in.Parent {
			continue
		}
		a.compare(x.Def, d, not, combine, a.predicateOperand(in.Args[1-i]))
		return
	}
	x, y := a.predicateOperand(in.Args[0]), a.predicateOperand(in.Args[1])
	a.emit("PLOP3.LUT", d, nil, x, y, always, field(truth(in.Op, truthA, truthB)))
}
