package isel

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
)

// instr selects for one operation.
func (a *gcn) instr(in *ir.Instr) {
	switch op := in.Op; {
	case op.IsComparison():
		a.compare(in)
	case op == lower.Select:
		a.choice(in)
	case op == lower.Convert:
		a.convert(in)
	case op == lower.Bitcast:
		a.transfer(a.dest(in.Result()), a.operand(in.Args[0]))
	case op == lower.PtrAdd:
		a.pointer(in)
	case op == lower.PtrDiff:
		a.difference(in)
	case op == lower.Index:
		a.index(in)
	case in.Type == lower.Pred && (op == lower.And || op == lower.Or || op == lower.Xor || op == lower.Not):
		a.predicates(in)
	case op == lower.Load, op == lower.Store, op == lower.Atomic, op == lower.Copy, op == lower.CopyGroup,
		op == lower.BulkCopy, op == lower.ImageLoad, op == lower.ImageStore, op == lower.Barrier, op == lower.Fence:
		a.memory(in)
	case op == lower.SubGroup:
		a.exchange(in)
	case op == lower.MatMul, op == lower.GroupMatMul, op == lower.MatrixRow:
		a.matrix(in)
	case op == lower.Call:
		a.function(in)
	case op == lower.Div && in.Type.IsFloat():
		a.quotient(in)
	case op == lower.OpOpaque:
		a.emit("s_trap", dest{}, nil)
	default:
		a.arithmetic(in)
	}
}

// arithmetic selects by the table; sums of three, and sums of shifted numbers, are one instruction.
func (a *gcn) arithmetic(in *ir.Instr) {
	if a.halves(in) || a.funnel(in) || a.three(in) {
		return
	}
	if in.Op == lower.Fma && in.Type.IsInteger() && in.Type.Size() == 8 && a.wideProduct(in) {
		return
	}
	if a.lowOnly(in) {
		return
	}
	key := in.Op.String() + "." + wholeType(in.Type).String()
	if a.flow.Scalar(in.Result()) {
		key = "s." + key
	}
	a.byTable(key, in)
}

// lowOnly selects for an operation of 64 bits of which only the lower word is read: that of the lower words
// (InstCombine, canEvaluateTruncated).
func (a *gcn) lowOnly(in *ir.Instr) bool {
	v := in.Result()
	if !in.Type.IsInteger() || in.Type.Size() != 8 || a.want[v.ID] != 1 || a.flow.Words(v) != 2 {
		return false
	}
	switch in.Op {
	case lower.Add, lower.Sub, lower.Mul, lower.And, lower.Or, lower.Xor, lower.Not, lower.Neg, lower.Fma:
	case lower.Shl:
		if !in.Args[1].IsConst() || in.Args[1].Bits >= 32 {
			return false
		}
	default:
		return false
	}
	key := in.Op.String() + ".u32"
	if a.flow.Scalar(v) {
		key = "s." + key
	}
	t := a.table.find(key, a.t, a.f.Accuracy)
	if t == nil {
		return false
	}
	args := make([]Operand, len(in.Args))
	for i, x := range in.Args {
		args[i] = a.partOf(x, 0)
	}
	a.expand(t, args, []dest{a.destWord(v, 0)})
	return true
}

// byTable selects by a row of the table.
func (a *gcn) byTable(key string, in *ir.Instr) {
	a.row(key, in, func(i int, v *ir.Value) Operand {
		if i == 1 && (in.Op == lower.Shl || in.Op == lower.Shr) {
			return tidy.Word(a.source(v, in), 0)
		}
		return a.source(v, in)
	})
}

// source is an operand, with the signs of numbers with a fraction as part of it.
func (a *gcn) source(v *ir.Value, by *ir.Instr) Operand {
	if !by.Type.IsFloat() || by.Op == lower.Neg || by.Op == lower.Abs || by.Op == lower.Select {
		return a.operand(v)
	}
	return a.withSign(v)
}

// three selects for operations of words that take another one into themselves.
func (a *gcn) three(in *ir.Instr) bool {
	v := in.Result()
	if !in.Type.IsInteger() || in.Type.Size() != 4 || a.flow.Scalar(v) || len(in.Args) != 2 {
		return false
	}
	for i, x := range in.Args {
		y := in.Args[1-i]
		inner := a.only(x, in, lower.Add, lower.Shl, lower.And, lower.Or, lower.Xor)
		if inner == nil || a.flow.Scalar(x) {
			continue
		}
		name, ok := fused[[2]lower.Op{in.Op, inner.Op}]
		if !ok || inner.Op == lower.Shl && !inner.Args[1].IsConst() {
			continue
		}
		p, q := a.operand(inner.Args[0]), tidy.Word(a.operand(inner.Args[1]), 0)
		a.emit(name, a.dest(v), nil, p, q, a.operand(y))
		return true
	}
	if inner := a.only(in.Args[0], in, lower.Add); in.Op == lower.Shl && inner != nil && in.Args[1].IsConst() {
		a.emit("v_add_lshl_u32", a.dest(v), nil, a.operand(inner.Args[0]), a.operand(inner.Args[1]),
			tidy.Word(a.operand(in.Args[1]), 0))
		return true
	}
	return false
}

// fused are the instructions of an operation, the second, in another one.
var fused = map[[2]lower.Op]string{{lower.Add, lower.Add}: "v_add3_u32", {lower.Add, lower.Shl}: "v_lshl_add_u32",
	{lower.Or, lower.Or}: "v_or3_b32", {lower.Or, lower.And}: "v_and_or_b32", {lower.Or, lower.Shl}: "v_lshl_or_b32",
	{lower.Add, lower.Xor}: "v_xad_u32"}

// wideProduct multiplies two numbers of 32 bits and adds one of 64.
func (a *gcn) wideProduct(in *ir.Instr) bool {
	x, y := in.Args[0], in.Args[1]
	if !widens(x) || !widens(y) || a.flow.Scalar(in.Result()) {
		return false
	}
	nx, sign := narrowed(x)
	ny, _ := narrowed(y)
	op := "v_mad_u64_u32"
	if sign {
		op = "v_mad_i64_i32"
	}
	a.emit(op, a.dest(in.Result()), nil, tidy.Word(a.operand(nx), 0), tidy.Word(a.operand(ny), 0),
		a.operand(in.Args[2]))
	return true
}

// quotient selects for a division.
func (a *gcn) quotient(in *ir.Instr) {
	x, y := in.Args[0], in.Args[1]
	t := in.Type
	args := []Operand{a.source(x, in), a.source(y, in)}
	if y.IsConst() && powerOfTwo(y) {
		a.expand(a.table.find("mul."+t.String(), a.t, 0), []Operand{args[0], reciprocal(y)},
			[]dest{a.dest(in.Result())})
		return
	}
	for _, key := range [...]string{"recip", "div"} {
		row := a.table.find(key+"."+t.String(), a.t, a.accuracy(in))
		if row == nil || key == "recip" && !(x.IsConst() && one(x)) {
			continue
		}
		list := args
		if key == "recip" && a.accuracy(in) != lower.Rounded {
			list = args[1:]
		}
		a.want[in.Result().ID] = 3
		a.expand(row, list, []dest{a.dest(in.Result())})
		return
	}
	a.fail(in, "no instructions for %v.%v", in.Op, t)
}

// function selects for a function; what the table does not have is a call.
func (a *gcn) function(in *ir.Instr) {
	if a.funnel(in) {
		return
	}
	fn, _ := lower.Mode(in.Fn)
	key := fn + "." + functionType(in).String()
	if a.table.find(key, a.t, a.accuracy(in)) != nil {
		a.byTable(key, in)
		return
	}
	a.call("s_swappc_b64", in)
}

// suffixes are the types of comparisons.
var suffixes = map[lower.Type]string{lower.F16: "f16", lower.F32: "f32", lower.F64: "f64", lower.S64: "i64",
	lower.U64: "u64",
	lower.Ptr: "u64", lower.S8: "i32", lower.S16: "i32", lower.S32: "i32", lower.U8: "u32", lower.U16: "u32",
	lower.U32: "u32"}

var gcnComparisons = map[lower.Op]string{lower.Eq: "eq", lower.Ne: "lg", lower.Lt: "lt", lower.Le: "le", lower.Gt: "gt",
	lower.Ge: "ge"}

// compare selects for a comparison: of the scalar unit where it is of scalar registers.
func (a *gcn) compare(in *ir.Instr) {
	v, t := in.Result(), in.Type
	suffix := suffixes[t]
	if a.flow.Words(in.Args[0]) == 1 && t.Size() == 8 {
		suffix = "u32"
	}
	x, y := a.source(in.Args[0], in), a.source(in.Args[1], in)
	name := gcnComparisons[in.Op]
	if a.flow.Scalar(v) {
		if in.Op == lower.Eq || in.Op == lower.Ne {
			suffix = map[bool]string{true: "u64", false: "u32"}[t.Size() == 8 && suffix != "u32"]
		}
		a.emit("s_cmp_"+name+"_"+suffix, a.dest(v), nil, x, y)
		return
	}
	if in.Op == lower.Ne {
		name = "ne"
		if t.IsFloat() {
			name = "neq"
		}
	}
	a.emit("v_cmp_"+name+"_"+suffix, a.dest(v), nil, x, y)
}

// choice selects for a selection.
func (a *gcn) choice(in *ir.Instr) {
	v := in.Result()
	if v.Type == lower.Pred {
		d, t, u := a.dest(v), a.temp(Predicate, 1), a.temp(Predicate, 1)
		p := a.predicateOperand(in.Args[0])
		a.emit("s_and_b64", t, nil, a.predicateOperand(in.Args[1]), p)
		a.emit("s_andn2_b64", u, nil, a.predicateOperand(in.Args[2]), p)
		a.emit("s_or_b64", d, nil, t.read(), u.read())
		return
	}
	p := a.predicateOperand(in.Args[0])
	if a.flow.Scalar(v) {
		op := "s_cselect_b32"
		if a.flow.Words(v) == 2 {
			op = "s_cselect_b64"
		}
		a.emit(op, a.dest(v), nil, a.operand(in.Args[1]), a.operand(in.Args[2]), p)
		return
	}
	for k := range a.flow.Words(v) {
		if d := a.destWord(v, k); d.reg != 0 {
			x, y := a.partOf(in.Args[1], k), a.partOf(in.Args[2], k)
			a.emit("v_cndmask_b32", d, nil, y, x, p)
		}
	}
}

// partOf is word k of a value of one or two words.
func (s *selector) partOf(v *ir.Value, k int) Operand {
	if s.flow.Words(v) == 2 {
		return s.half(v, k)
	}
	return s.operand(v)
}

// predicates selects for logic of conditions, which are masks in scalar registers.
func (a *gcn) predicates(in *ir.Instr) {
	d := a.dest(in.Result())
	if in.Op == lower.Not {
		a.emit("s_not_b64", d, nil, a.predicateOperand(in.Args[0]))
		return
	}
	op := map[lower.Op]string{lower.And: "s_and_b64", lower.Or: "s_or_b64", lower.Xor: "s_xor_b64"}[in.Op]
	a.emit(op, d, nil, a.predicateOperand(in.Args[0]), a.predicateOperand(in.Args[1]))
}

// convert selects for conversions.
func (a *gcn) convert(in *ir.Instr) {
	v, x := in.Result(), in.Args[0]
	from, to := in.From, in.Type
	if from.IsInteger() && from.Size() == 8 && to.IsFloat() && a.bound(x, 4) < 1<<32 { // by its known bits
		low := a.table.find("convert."+to.String()+".u32", a.t, a.f.Accuracy)
		a.want[v.ID] = 3
		a.expand(low, []Operand{a.partOf(x, 0)}, []dest{a.dest(v)})
		return
	}
	if !from.IsInteger() || !to.IsInteger() {
		a.byTable(a.conversion(to, from), in)
		return
	}
	scalar := a.flow.Scalar(v)
	name := func(vector, uniform string) string {
		if scalar {
			return uniform
		}
		return vector
	}
	switch {
	case to.Size() == 8 && from.Size() == 8, to.Size() == 4 && from.Size() <= 4, to.Size() <= 2 &&
		to.Size() >= from.Size(),
		to.Size() == 4:
		a.transfer(dest{a.register(v), 0, a.flow.Words(v)}, a.lower(x, a.flow.Words(v)))
	case to.Size() == 8:
		if d := a.destWord(v, 0); d.reg != 0 {
			a.transfer(d, a.operand(x))
		}
		d := a.destWord(v, 1)
		if d.reg != 0 && from.IsSigned() {
			a.shiftRight(d, a.operand(x), scalar)
		} else if d.reg != 0 {
			a.transfer(d, zero)
		}
	case to.IsSigned() && !scalar:
		a.emit("v_bfe_i32", a.dest(v), nil, a.partOf(x, 0), zero, imm(8*to.Size()))
	case to.IsSigned():
		a.emit("s_sext_i32_i"+map[int64]string{1: "8", 2: "16"}[to.Size()], a.dest(v), nil, a.partOf(x, 0))
	default:
		a.emit(name("v_and_b32", "s_and_b32"), a.dest(v), nil, imm(int64(1)<<(8*to.Size())-1), a.partOf(x, 0))
	}
}

// bound is the largest number that a value of 64 bits can be, as far as it is plain to see (computeKnownBits).
func (a *gcn) bound(v *ir.Value, depth int) uint64 {
	const unknown = 1 << 63
	if v.Kind == ir.Const {
		return v.Bits
	}
	if v.Kind != ir.Result || depth == 0 {
		return unknown
	}
	switch d := v.Def; {
	case d.Op == lower.Convert && d.From.IsInteger() && !d.From.IsSigned() && d.From.Size() < 8:
		return 1<<(8*d.From.Size()) - 1
	case d.Op == lower.Convert && d.From.IsInteger() && d.Type.IsInteger():
		if x := a.bound(d.Args[0], depth-1); x < 1<<31 && (d.Type.Size() >= 4) {
			return x
		}
	case d.Op == lower.Index && d.Fn == "get_local_id":
		return 1023
	case d.Op == lower.Add:
		if x, y := a.bound(d.Args[0], depth-1), a.bound(d.Args[1], depth-1); x < 1<<62 && y < 1<<62 {
			return x + y
		}
	case d.Op == lower.And:
		return min(a.bound(d.Args[0], depth-1), a.bound(d.Args[1], depth-1))
	}
	return unknown
}

// lower is the lower word, or both, of a value.
func (a *gcn) lower(v *ir.Value, words int) Operand {
	if words == 2 {
		return a.operand(v)
	}
	return a.partOf(v, 0)
}

func (a *gcn) shiftRight(d dest, x Operand, scalar bool) {
	if scalar {
		a.emit("s_ashr_i32", d, nil, x, imm(31))
		return
	}
	a.emit("v_ashrrev_i32", d, nil, imm(31), x)
}
