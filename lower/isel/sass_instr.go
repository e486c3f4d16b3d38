package isel

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
	"gpupipe/lower/pass/ranges"
)

// instr selects for one operation.
func (a *sass) instr(in *ir.Instr) {
	switch in.Op {
	case lower.Add, lower.Sub, lower.Neg, lower.Mul, lower.Fma, lower.MulHi:
		if in.Type.IsFloat() {
			a.float(in)
			return
		}
		a.integer(in)
	case lower.And, lower.Or, lower.Xor, lower.Not:
		if in.Type == lower.Pred {
			a.predicates(in)
			return
		}
		a.logic(in)
	case lower.Shl, lower.Shr:
		a.shift(in)
	case lower.Min, lower.Max, lower.Abs:
		if in.Type.IsFloat() {
			a.float(in)
			return
		}
		a.extreme(in)
	case lower.Eq, lower.Ne, lower.Lt, lower.Le, lower.Gt, lower.Ge:
		a.compare(in, a.dest(in.Result()), false, "AND", always)
	case lower.Select:
		a.choice(in)
	case lower.Convert:
		a.convert(in)
	case lower.Bitcast:
		a.copy(in.Result(), in.Args[0])
	case lower.PtrAdd:
		a.pointer(in)
	case lower.PtrDiff:
		a.difference(in)
	case lower.Index:
		a.index(in)
	case lower.Load, lower.Store, lower.Atomic, lower.Copy, lower.CopyGroup, lower.BulkCopy, lower.ImageLoad,
		lower.ImageStore, lower.Barrier, lower.Fence:
		a.memory(in)
	case lower.SubGroup:
		a.exchange(in)
	case lower.MatMul, lower.GroupMatMul, lower.MatrixRow:
		a.matrix(in)
	case lower.Div, lower.Rem, lower.Call:
		a.function(in)
	case lower.OpOpaque:
		a.emit("BPT.TRAP", dest{}, nil)
	default:
		a.fail(in, "no instruction for %v.%v", in.Op, in.Type)
	}
}

// copy gives a value what another one has.
func (a *sass) copy(to, from *ir.Value) {
	d := a.dest(to)
	if to.Type == lower.Pred || a.flow.Words(to) == a.flow.Words(from) {
		a.transfer(d, a.operand(from))
		return
	}
	d.span = 1
	a.transfer(d, tidy.Word(a.partOf(from, 0), 0))
}

// sum is a term of a sum.
type sum struct {
	v   *ir.Value
	neg bool
}

// terms are what is added up: of sums inside that nobody else reads, as many as one instruction adds.
func (a *sass) terms(in *ir.Instr, most int) []sum {
	split := func(in *ir.Instr, neg bool) []sum {
		switch in.Op {
		case lower.Add:
			return []sum{{in.Args[0], neg}, {in.Args[1], neg}}
		case lower.Sub:
			return []sum{{in.Args[0], neg}, {in.Args[1], !neg}}
		}
		return []sum{{in.Args[0], !neg}}
	}
	list := split(in, false)
	for i := 0; i < len(list); i++ {
		inner := a.only(list[i].v, in, lower.Add, lower.Sub, lower.Neg)
		if inner == nil {
			continue
		}
		parts := split(inner, list[i].neg)
		if len(list)-1+len(parts) > most {
			continue
		}
		list = append(append(list[:i:i], parts...), list[i+1:]...)
		i--
	}
	return list
}

// signed is a term as an operand.
func (a *sass) signed(t sum) Operand {
	o := a.operand(t.v)
	if t.neg {
		if o.Kind == Immediate {
			o.Bits = uint64(uint32(-int32(o.Bits)))
			return o
		}
		o.Not = true
	}
	return o
}

// integer selects for sums and products.
func (a *sass) integer(in *ir.Instr) {
	if a.flow.Words(in.Result()) == 2 {
		a.integer64(in)
		return
	}
	d := a.dest(in.Result())
	switch in.Op {
	case lower.Mul:
		a.product(d, in.Args[0], in.Args[1], zero)
	case lower.Fma:
		a.product(d, in.Args[0], in.Args[1], a.operand(in.Args[2]))
	case lower.MulHi:
		op := "IMAD.HI.U32"
		if in.Type.IsSigned() {
			op = "IMAD.HI"
		}
		a.emit(op, d, nil, a.operand(in.Args[0]), a.operand(in.Args[1]), zero)
	default:
		a.sum(d, in)
	}
}

// product multiplies and adds.
func (a *sass) product(d dest, x, y *ir.Value, add Operand) {
	if a.t.Has("imad") {
		a.emit("IMAD", d, nil, a.operand(x), a.operand(y), add)
		return
	}
	a.expand(a.table.find("mad.s32", a.t, 0), []Operand{a.operand(x), a.operand(y), add}, []dest{d})
}

// sum adds up to three terms. A product that is one of them is added by the multiplication, a number that is
// shifted to the left by LEA; what else there is comes first.
func (a *sass) sum(d dest, in *ir.Instr) {
	if a.funnel(d, in) {
		return
	}
	if x := in.Args[0]; in.Op == lower.Sub && x.IsConst() && x.Bits == 31 {
		if m := a.only(in.Args[1], in, lower.Call); m != nil && m.Fn == "clz" { // the place of the highest bit
			a.emit("FLO.U32", d, nil, a.operand(m.Args[0]))
			return
		}
	}
	list := a.terms(in, 3)
	for i, t := range list {
		rest := append(append([]sum{}, list[:i]...), list[i+1:]...)
		if len(rest) > 0 && a.special(d, in, t, rest) {
			return
		}
	}
	ops := []Operand{zero, zero, zero}
	for i, t := range list {
		ops[i] = a.signed(t)
	}
	a.add3(d, ops, len(list))
}

// add3 adds operands, of which n are not zero.
func (a *sass) add3(d dest, ops []Operand, n int) {
	if n == 2 && a.t.Has("iscadd") {
		op := "IADD"
		if ops[1].Kind == Immediate {
			op = "IADD32I"
		}
		a.emit(op, d, nil, ops[0], ops[1])
		return
	}
	a.emit("IADD3", d, nil, ops...)
}

// rest is the sum of what is added besides a product.
func (a *sass) rest(list []sum) Operand {
	if len(list) == 1 {
		return a.signed(list[0])
	}
	t := a.temp(Vector, 1)
	for i, x := range list {
		if !x.neg && !list[1-i].neg {
			if m := a.shifted(x.v); m != nil && !list[1-i].v.IsConst() {
				a.lea(t, a.operand(m.Args[0]), a.signed(list[1-i]), m.Args[1].Int())
				return t.read()
			}
		}
	}
	a.add3(t, []Operand{a.signed(list[0]), a.signed(list[1]), zero}, 2)
	return t.read()
}

// shifted is a shift to the left that all who read its result take into themselves.
func (a *sass) shifted(v *ir.Value) *ir.Instr {
	if v.DefOp() != lower.Shl || !v.Def.Args[1].IsConst() || a.flow.Words(v) != 1 || a.flow.Scalar(v) || !a.adds[v.ID] {
		return nil
	}
	return v.Def
}

// multiplied is the product that a term of a sum is, if the sum multiplies: where nobody else reads it, in its block,
// or where only sums do, this one in a loop behind it, and a factor is no register, as in i += blockDim.x * gridDim.x.
// In front of the loop a product of registers needs one of them less (ptxas 11.8, sm_80, 28 loops with one to four
// sums).
func (a *sass) multiplied(v *ir.Value, in *ir.Instr) *ir.Instr {
	if m := a.only(v, in, lower.Mul); m != nil && !a.flow.Scalar(v) {
		return m
	}
	if v.DefOp() != lower.Mul || !a.adds[v.ID] || v.Def.Args[1].IsConst() && ranges.PowerOfTwo(v.Def.Args[1].Int()) {
		return nil // a shift is not multiplied
	}
	for b := in.Parent; b != nil && b.Owner != nil && b != v.Def.Parent; b = b.Owner.Parent {
		if b.Owner.Op == lower.OpLoop && !ir.Inside(v, b.Owner) && slices.ContainsFunc(v.Def.Args,
			func(f *ir.Value) bool { _, ok := a.constant(f); return ok }) {
			return v.Def
		}
	}
	return nil
}

// special emits a sum with a term that is a product or shifted.
func (a *sass) special(d dest, in *ir.Instr, t sum, rest []sum) bool {
	vector := a.c.Reg(d.reg).Class == Vector
	if m := a.multiplied(t.v, in); m != nil && a.flow.Words(t.v) == 1 && vector {
		if !t.neg && (a.t.Has("imad") || len(rest) == 1 && !rest[0].neg) {
			a.product(d, m.Args[0], m.Args[1], a.rest(rest))
			return true
		}
		if t.neg && a.t.Has("imad") {
			x := a.operand(m.Args[0])
			y := a.operand(m.Args[1])
			if y.Kind == Immediate {
				negate(&y, true)
			} else {
				negate(&x, true)
			}
			a.emit("IMAD", d, nil, x, y, a.rest(rest))
			return true
		}
	}
	if m := a.only(t.v, in, lower.Shr); m != nil && !t.neg && len(rest) == 1 && !rest[0].neg && vector && a.high(d, in,
		m, rest[0].v) {
		return true
	}
	if !t.neg && len(rest) == 1 && !rest[0].neg && vector && a.highSum(d, in, t.v, rest[0].v) {
		return true
	}
	if m := a.shifted(t.v); m != nil && !t.neg && vector && len(rest) == 1 && !rest[0].v.IsConst() {
		a.lea(d, a.operand(m.Args[0]), a.signed(rest[0]), m.Args[1].Int())
		return true
	}
	return false
}

// high adds a number that is shifted to the right to another one: the upper half of what is shifted to the left.
func (a *sass) high(d dest, in, m *ir.Instr, y *ir.Value) bool {
	if !a.t.Has("imad") || m.Op != lower.Shr || !m.Args[1].IsConst() || m.Args[1].Int() <= 0 || m.Args[1].Int() >= 32 ||
		y.IsConst() ||
		m.Type.Size() != 4 {
		return false
	}
	op := "LEA.HI"
	if m.Type.IsSigned() {
		op = "LEA.HI.SX32"
	}
	a.emit(op, d, nil, a.operand(m.Args[0]), a.operand(y), zero, field(32-m.Args[1].Int()))
	return true
}

// lea adds x << shift to y.
func (a *sass) lea(d dest, x, y Operand, shift int64) {
	op := "LEA"
	if a.t.Has("iscadd") {
		op = "ISCADD"
	}
	a.emit(op, d, nil, x, y, field(shift))
}

// integer64 selects for sums and products of two words.
func (a *sass) integer64(in *ir.Instr) {
	v := in.Result()
	switch in.Op {
	case lower.Mul:
		a.product64(v, in.Args[0], in.Args[1], nil)
	case lower.Fma:
		a.product64(v, in.Args[0], in.Args[1], in.Args[2])
	case lower.MulHi:
		key := "mulhi.u64"
		if in.Type.IsSigned() {
			key = "mulhi.s64"
		}
		a.byTable(key, in)
	case lower.Neg:
		a.add64(v, nil, in.Args[0], true)
	default:
		for i, x := range in.Args {
			m := a.only(x, in, lower.Mul)
			if m != nil && in.Op == lower.Add && (widens(m.Args[0]) && widens(m.Args[1])) {
				a.product64(v, m.Args[0], m.Args[1], in.Args[1-i])
				return
			}
		}
		list := a.terms(in, 3)
		product := func(t sum) bool { return a.only(t.v, t.v.Def, lower.Mul) != nil }
		if len(list) < 3 || a.t.Has("iscadd") || a.flow.Scalar(v) || a.destWord(v, 1).reg == 0 ||
			slices.ContainsFunc(list, product) {
			a.add64(v, in.Args[0], in.Args[1], in.Op == lower.Sub)
			return
		}
		a.sum64(v, list)
	}
}

// sum64 adds three terms with two carries (ptxas 11.8, sm_70 to sm_90, of sums that nobody else reads).
func (a *sass) sum64(v *ir.Value, list []sum) {
	var words [2][]Operand
	for k := range words {
		for _, t := range list {
			o := a.half(t.v, k)
			switch {
			case t.neg && t.v.IsConst():
				o = imm(-t.v.Int() >> (32 * k))
			case t.neg:
				o.Not = !o.Not
			}
			words[k] = append(words[k], o)
		}
	}
	lo, carries := a.destWord(v, 0), [2]dest{a.temp(Predicate, 1), a.temp(Predicate, 1)}
	if lo.reg == 0 {
		lo = a.temp(Vector, 1)
	}
	a.emit("IADD3", lo, []Reg{carries[0].reg, carries[1].reg}, words[0]...)
	a.emit("IADD3.X", a.destWord(v, 1), nil, append(words[1], carries[0].read(), carries[1].read())...)
}

// widens reports whether a value of 64 bits is one of 32, or fewer.
func widens(v *ir.Value) bool {
	if v.Kind == ir.Const {
		return v.Int() == int64(int32(v.Int()))
	}
	return v.Kind == ir.Result && v.Def.Op == lower.Convert && v.Def.From.IsInteger() && v.Def.From.Size() <= 4
}

// signExtended reports whether the upper word of a value is the sign of its lower one.
func signExtended(v *ir.Value) bool {
	return v != nil && v.Kind == ir.Result && widens(v) && v.Def.From.IsSigned()
}

// narrowed is what was widened, and whether it has a sign.
func narrowed(v *ir.Value) (*ir.Value, bool) {
	if v.Kind == ir.Const {
		return v, v.Int() < 0
	}
	return v.Def.Args[0], v.Def.From.IsSigned()
}

// product64 multiplies: two numbers of 32 bits by one instruction.
func (a *sass) product64(v, x, y, add *ir.Value) {
	if widens(x) && widens(y) && a.t.Has("imad") {
		nx, sx := narrowed(x)
		ny, sy := narrowed(y)
		if sx == sy || nx.Kind == ir.Const || ny.Kind == ir.Const {
			op := "IMAD.WIDE"
			if !sx && !sy {
				op = "IMAD.WIDE.U32"
			}
			plus := zero
			if add != nil {
				plus = a.operand(add)
			}
			a.emit(op, a.dest(v), nil, tidy.Word(a.operand(nx), 0), tidy.Word(a.operand(ny), 0), plus)
			return
		}
	}
	key := "mul.s64"
	args := []Operand{a.operand(x), a.operand(y)}
	if add != nil {
		key = "mad.s64"
		args = append(args, a.operand(add))
	}
	a.want[v.ID] = 3
	a.expand(a.table.find(key, a.t, 0), args, []dest{a.dest(v)})
}

// add64 adds with a carry. x nil: zero.
func (a *sass) add64(v, x, y *ir.Value, sub bool) {
	low := func(x *ir.Value, k int) Operand {
		if x == nil {
			return zero
		}
		return a.half(x, k)
	}
	lo, hi := a.destWord(v, 0), a.destWord(v, 1)
	ly := low(y, 0)
	negate(&ly, sub)
	first, second := "IADD3", "IADD3.X"
	if a.t.Has("iscadd") {
		first, second = "IADD", "IADD.X"
	}
	if hi.reg == 0 {
		a.emit(first, lo, nil, low(x, 0), ly, zero)
		return
	}
	carry := a.temp(Predicate, 1)
	if lo.reg == 0 {
		lo = a.temp(Vector, 1)
	}
	a.emit(first, lo, []Reg{carry.reg}, low(x, 0), ly, zero)
	if ext, other := y, x; !sub && a.t.Has("imad") { // the sign's word is that of a shift to the right by 31
		if !signExtended(ext) {
			ext, other = x, y
		}
		if signExtended(ext) {
			a.emit("LEA.HI.X.SX32", hi, nil, a.half(ext, 0), low(other, 1), field(1), carry.read())
			return
		}
	}
	hy := low(y, 1)
	hy.Not = hy.Not != sub
	a.emit(second, hi, nil, low(x, 1), hy, zero, carry.read())
}

// negate makes an operand of integers negative.
func negate(o *Operand, is bool) {
	switch {
	case !is:
	case o.Kind == Immediate:
		o.Bits = uint64(uint32(-int32(o.Bits)))
	default:
		o.Not = !o.Not
	}
}

// extreme selects for minima, maxima and absolute values.
func (a *sass) extreme(in *ir.Instr) {
	if a.flow.Words(in.Result()) == 2 {
		a.byTable(key64(in), in)
		return
	}
	d := a.dest(in.Result())
	if in.Op == lower.Abs {
		if a.t.Has("iscadd") {
			a.emit("I2I.S32.S32", d, nil, a.operand(in.Args[0]))
			return
		}
		a.emit("IABS", d, nil, a.operand(in.Args[0]))
		return
	}
	op := "IMNMX"
	if a.t.Has("bank loads") {
		op = "VIMNMX"
	}
	if !in.Type.IsSigned() {
		op += ".U32"
	}
	p := always
	p.Not = in.Op == lower.Max
	a.emit(op, d, nil, a.operand(in.Args[0]), a.operand(in.Args[1]), p)
}

func key64(in *ir.Instr) string { return in.Op.String() + "." + in.Type.String() }

// byTable selects by a row of the table.
func (a *sass) byTable(key string, in *ir.Instr) {
	a.row(key, in, func(_ int, v *ir.Value) Operand { return a.operand(v) })
}
