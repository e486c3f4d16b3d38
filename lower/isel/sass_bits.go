package isel

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
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
	if a.funnel(a.dest(v), in) {
		return
	}
	if leaves, value := a.cone(in); value != nil {
		x, columns := []Operand{zero, zero, zero}, []int64{truthA, truthB, truthC}
		for i, l := range leaves {
			x[i] = a.operand(l)
		}
		if a.fixed(x[2]) && !a.fixed(x[1]) { // a constant is the second
			x[1], x[2], columns[1], columns[2] = x[2], x[1], truthC, truthB
		}
		a.emit("LOP3.LUT", a.dest(v), nil, x[0], x[1], x[2], field(value(columns)&0xff))
		return
	}
	y := zero
	if len(in.Args) > 1 {
		y = a.operand(in.Args[1])
	}
	a.bits(a.dest(v), in, a.operand(in.Args[0]), y)
}

// cone grows a bitwise operation to the largest function of three operands that ends in it: those whose only use is
// in it are taken in as long as no more operands come of it (technology mapping to tables of three inputs: Cong and
// Ding, "FlowMap", 1994). value is what it computes of the operands' columns, nil if nothing can be taken in.
func (a *sass) cone(in *ir.Instr) (leaves []*ir.Value, value func(columns []int64) int64) {
	inner := map[*ir.Instr]bool{in: true}
	leaves = distinct(in.Args)
	for i := 0; i < len(leaves); i++ {
		x := leaves[i]
		if !a.within(x, in, inner) {
			continue
		}
		inner[x.Def] = true
		more := x.Def.Args
		for k, y := range more {
			if a.within(y, in, inner) && y.Def.Op == lower.Not { // which brings no operand of its own
				inner[y.Def] = true
				more = slices.Concat(more[:k], y.Def.Args, more[k+1:])
			}
		}
		if more = distinct(slices.Concat(more, leaves[:i], leaves[i+1:])); len(more) > 3 || numbers(more) > 1 {
			delete(inner, x.Def)
			for _, y := range x.Def.Args {
				delete(inner, y.Def)
			}
			continue
		}
		leaves, i = more, -1
	}
	var of func(x *ir.Value, columns []int64) int64
	result := func(d *ir.Instr, columns []int64) int64 {
		p := of(d.Args[0], columns)
		if d.Op == lower.Not {
			return ^p
		}
		return truth(d.Op, p, of(d.Args[1], columns))
	}
	of = func(x *ir.Value, columns []int64) int64 {
		for i, l := range leaves {
			if same(l, x) {
				return columns[i]
			}
			if complements(l, x) {
				return ^columns[i]
			}
		}
		return result(x.Def, columns)
	}
	if len(inner) == 1 {
		return leaves, nil
	}
	return leaves, func(columns []int64) int64 { return result(in, columns) }
}

// within reports whether a value is a bitwise operation that is used in those of the cone that ends in another alone.
func (a *sass) within(x *ir.Value, in *ir.Instr, inner map[*ir.Instr]bool) bool {
	if x.Kind != ir.Result || x.Type != in.Result().Type || x.Def.Parent != in.Parent {
		return false
	}
	switch x.Def.Op {
	case lower.And, lower.Or, lower.Xor, lower.Not:
		_, shift := funnelOf(x.Def)
		return a.uses[x.ID] == usedBy(inner, x) && !shift
	}
	return false
}

func same(x, y *ir.Value) bool {
	return x == y || x.Kind == ir.Const && y.Kind == ir.Const && x.Type == y.Type && x.Bits == y.Bits
}

// complements reports whether values are constants of which one has the bits that the other lacks.
func complements(x, y *ir.Value) bool {
	return x.Kind == ir.Const && y.Kind == ir.Const && x.Type.Size() == 4 && uint32(x.Bits)^uint32(y.Bits) == 1<<32-1
}

// distinct leaves out what comes again, or is the complement of a constant before it.
func distinct(list []*ir.Value) (out []*ir.Value) {
	for _, x := range list {
		if !slices.ContainsFunc(out, func(y *ir.Value) bool { return same(x, y) || complements(x, y) }) {
			out = append(out, x)
		}
	}
	return out
}

// numbers counts constants, of which an instruction has room for one.
func numbers(list []*ir.Value) (n int) {
	for _, x := range list {
		if x.Kind == ir.Const {
			n++
		}
	}
	return n
}

// usedBy counts the uses of a value in some instructions.
func usedBy(in map[*ir.Instr]bool, x *ir.Value) (n int) {
	for d := range in {
		for _, y := range d.Args {
			if x == y {
				n++
			}
		}
	}
	return n
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
	n := tidy.Word(a.operand(in.Args[1]), 0)
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
