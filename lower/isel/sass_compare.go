package isel

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
)

// names of comparisons. Of numbers with a fraction the opposite holds also where they have no order.
var (
	comparisons = map[lower.Op]string{lower.Eq: "EQ", lower.Ne: "NE", lower.Lt: "LT", lower.Le: "LE", lower.Gt: "GT",
		lower.Ge: "GE"}
	unordered = map[lower.Op]string{lower.Eq: "NEU", lower.Ne: "EQ", lower.Lt: "GEU", lower.Le: "GTU",
		lower.Gt: "LEU", lower.Ge: "LTU"}
)

// compare selects for a comparison, or its opposite, whose result is combined with another condition.
func (a *sass) compare(in *ir.Instr, d dest, not bool, combine string, with Operand) {
	t := in.Type
	switch {
	case t.IsFloat():
		a.compareFloat(in, d, not, combine, with)
	case a.flow.Words(in.Args[0]) == 2 && t.Size() == 8:
		a.compare64(in, d, not, combine, with)
	default:
		if a.maskTest(in, d, not, combine, with) {
			return
		}
		op, x, y := in.Op, in.Args[0], in.Args[1]
		if a.mirrored(op, x, y) || a.flow.Scalar(x) && !a.flow.Scalar(y) && !y.IsConst() {
			op, x, y = op.Mirror(), y, x
		}
		if not {
			op = op.Negate()
		}
		name := "ISETP." + comparisons[op]
		if !t.IsSigned() && op != lower.Eq && op != lower.Ne {
			name += ".U32"
		}
		a.emit(name+"."+combine, d, nil, tidy.Word(a.operand(x), 0), tidy.Word(a.operand(y), 0), with)
	}
}

// mirrored reports whether a comparison reads its operands in the other order: the second one may be a constant or a
// word of the constant bank (ptxas 11.8, sm_80 and sm_90: i < n with a parameter n is ISETP.GE.AND P0, PT, R0,
// c[0x0][0x168], PT; n == 0 is ISETP.NE.AND P0, PT, RZ, c[0x0][0x168], PT; n > 0 is n >= 1 of a register).
func (a *sass) mirrored(op lower.Op, x, y *ir.Value) bool {
	if y.IsConst() {
		return x.Kind == ir.KernelArg && y.Bits == 0 && (op == lower.Eq || op == lower.Ne) && !y.Type.IsFloat()
	}
	return x.IsConst() || x.Kind == ir.KernelArg && y.Kind != ir.KernelArg && !a.flow.Scalar(y)
}

// maskTest compares bits of a number with 0: a logical operation with a condition for its result.
func (a *sass) maskTest(in *ir.Instr, d dest, not bool, combine string, with Operand) bool {
	y := in.Args[1]
	if in.Op != lower.Eq && in.Op != lower.Ne || !y.IsConst() || y.Bits != 0 || combine != "AND" || with.Name != "PT" {
		return false
	}
	m := a.only(in.Args[0], in, lower.And, lower.Or)
	if m == nil || !a.t.Has("imad") {
		return false
	}
	if (in.Op == lower.Eq) != not {
		return false // the condition is that some bit is set: its opposite is free only for who reads it
	}
	z := a.operand(m.Args[1])
	if m.Op == lower.Or {
		a.emit("LOP3.LUT", dest{}, []Reg{d.reg}, a.operand(m.Args[0]), z, zero, field(0xfc), never)
		return true
	}
	if n := a.only(m.Args[0], m, lower.And, lower.Or, lower.Xor); n != nil && !a.flow.Scalar(m.Args[0]) {
		a.emit("LOP3.LUT", dest{}, []Reg{d.reg}, a.operand(n.Args[0]), z, a.operand(n.Args[1]),
			field(truth(n.Op, truthA, truthC)&truthB), never)
		return true
	}
	a.emit("LOP3.LUT", dest{}, []Reg{d.reg}, a.operand(m.Args[0]), z, zero, field(0xc0), never)
	return true
}

func (a *sass) compareFloat(in *ir.Instr, d dest, not bool, combine string, with Operand) {
	op, x, y := in.Op, in.Args[0], in.Args[1]
	if a.mirrored(op, x, y) {
		op, x, y = op.Mirror(), y, x
	}
	name := comparisons[op]
	if op == lower.Ne {
		name = "NEU"
	}
	if not {
		name = unordered[op]
	}
	set := map[lower.Type]string{lower.F32: "FSETP.", lower.F64: "DSETP.", lower.F16: "HSETP2.",
		lower.BF16: "HSETP2.BF16_V2."}[in.Type]
	a.emit(set+name+"."+combine, d, nil, a.withSign(x), a.withSign(y), with)
}

// compare64 compares two words: the lower ones first.
func (a *sass) compare64(in *ir.Instr, d dest, not bool, combine string, with Operand) {
	op, x, y := in.Op, in.Args[0], in.Args[1]
	if a.mirrored(op, x, y) {
		op, x, y = op.Mirror(), y, x
	}
	if not {
		op = op.Negate()
	}
	low := a.temp(Predicate, 1)
	name := "ISETP." + comparisons[op]
	a.emit(name+".U32.AND", low, nil, a.half(x, 0), a.half(y, 0), always)
	if !in.Type.IsSigned() && op != lower.Eq && op != lower.Ne {
		name += ".U32"
	}
	a.emit(name+"."+combine+".EX", d, nil, a.half(x, 1), a.half(y, 1), with, low.read())
}

// choice selects for a selection.
func (a *sass) choice(in *ir.Instr) {
	v := in.Result()
	if v.Type == lower.Pred {
		d := a.dest(v)
		p, x, y := a.predicateOperand(in.Args[0]), a.predicateOperand(in.Args[1]), a.predicateOperand(in.Args[2])
		a.emit("PLOP3.LUT", d, nil, p, x, y, field(truthA&truthB|^truthA&0xff&truthC))
		return
	}
	name := "SEL"
	if v.Type.IsFloat() && !v.Type.IsHalf() {
		name = "FSEL"
	}
	for k := range a.flow.Words(v) {
		d := a.destWord(v, k)
		if d.reg == 0 {
			continue
		}
		p := a.predicateOperand(in.Args[0])
		x, y := tidy.Word(a.partOf(in.Args[1], k), 0), tidy.Word(a.partOf(in.Args[2], k), 0)
		if a.fixed(x) && !a.fixed(y) {
			x, y, p.Not = y, x, !p.Not
		}
		a.emit(name, d, nil, x, y, p)
	}
}

// convert selects for conversions.
func (a *sass) convert(in *ir.Instr) {
	v, from, to := in.Result(), in.From, in.Type
	mate := a.mates.of[v.ID]
	switch {
	case mate != nil && a.mates.high[v.ID]:
		a.narrow(a.dest(v), mate.Def, in)
	case mate != nil: // with the upper one
	case from.IsInteger() && to.IsInteger():
		a.resize(in)
	case from.IsInteger() && from.Size() < 4 || to.IsInteger() && to.Size() < 4:
		a.convertSmall(in)
	default:
		key := "convert." + to.String() + "." + from.String()
		t := a.table.find(key+modifiers(in.Fn), a.t, a.f.Accuracy)
		if t == nil {
			t = a.table.find(key, a.t, a.f.Accuracy)
		}
		if t == nil {
			a.fail(in, "no instructions for %s", key)
			return
		}
		a.want[v.ID] = 3
		a.expand(t, []Operand{a.withSign(in.Args[0])}, []dest{a.dest(v)})
	}
}

func modifiers(fn string) string {
	if fn == "" {
		return ""
	}
	return "." + fn
}

// convertSmall converts numbers of fewer than 32 bits, which lie in words.
func (a *sass) convertSmall(in *ir.Instr) {
	key := a.conversion(in.Type, in.From)
	t := a.table.find(key, a.t, a.f.Accuracy)
	if t == nil {
		a.fail(in, "no instructions for %s", key)
		return
	}
	a.want[in.Result().ID] = 3
	a.expand(t, []Operand{a.withSign(in.Args[0])}, []dest{a.dest(in.Result())})
}

// resize selects for conversions between integers.
func (a *sass) resize(in *ir.Instr) {
	v, x := in.Result(), in.Args[0]
	from, to := in.From, in.Type
	switch {
	case to.Size() == 8 && from.Size() == 8, to.Size() == 4 && from.Size() <= 4, to.Size() <= 2 &&
		to.Size() >= from.Size():
		a.copy(v, x)
	case to.Size() == 8:
		if d := a.destWord(v, 0); d.reg != 0 {
			a.transfer(d, a.operand(x))
		}
		if d := a.destWord(v, 1); d.reg != 0 {
			if !from.IsSigned() {
				a.transfer(d, zero)
				return
			}
			op := "SHF.R.S32.HI"
			if a.t.Has("iscadd") {
				a.emit("SHR", d, nil, a.operand(x), imm(31))
				return
			}
			a.emit(op, d, nil, zero, imm(31), a.operand(x))
		}
	case to.Size() == 4:
		a.transfer(a.dest(v), a.partOf(x, 0))
	case to.IsSigned():
		a.emit("PRMT", a.dest(v), nil, a.partOf(x, 0), imm(int64(map[int64]int64{1: 0x8880, 2: 0x9910}[to.Size()])),
			zero)
	default:
		a.emit("LOP3.LUT", a.dest(v), nil, a.partOf(x, 0), imm(int64(1)<<(8*to.Size())-1), zero, field(0xc0))
	}
}
