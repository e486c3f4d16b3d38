package isel

import (
	"fmt"
	"math/bits"
	"strings"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
)

func init() {
	lowerings["ptx"] = func(s *selector) lowering {
		return &ptx{selector: s, objects: s.placed()}
	}
}

// ptx selects the instructions of PTX as the first stage of NVIDIA's compilers writes them: an operation is an
// instruction, but that a product is part of a sum.
type ptx struct {
	*selector
	objects []int64
}

func (a *ptx) begin()                           {}
func (a *ptx) pairs() map[string]string         { return nil }
func (a *ptx) uniform(op string) string         { return op }
func (a *ptx) legal(in *Instr)                  {}
func (a *ptx) sync() (enter, leave *Instr)      { return nil, nil }
func (a *ptx) exit() *Instr                     { return a.control("ret", Guard{}) }
func (a *ptx) branch(g Guard, back bool) *Instr { return a.control("bra", g) }

func (a *ptx) control(op string, g Guard) *Instr {
	row := a.table.describe(op)
	return &Instr{Op: op, Class: row.class, Pipe: row.pipe, Guard: g, Pos: posOf(a.in)}
}

// op emits an instruction of a class of package isa.
func (a *ptx) op(name, class string, d dest, uses ...Operand) *Instr {
	in := a.emit(name, d, nil, uses...)
	in.Class, in.Pipe = class, "alu"
	return in
}

// letters of types in mnemonics.
func ptxType(t lower.Type) string {
	switch t {
	case lower.Pred:
		return "pred"
	case lower.S8, lower.S16:
		return "s16"
	case lower.U8, lower.U16:
		return "u16"
	case lower.Ptr:
		return "s64"
	}
	return t.String()
}

// bits is the untyped name of a type's size.
func ptxBits(t lower.Type) string {
	if t == lower.Pred {
		return "pred"
	}
	return fmt.Sprintf("b%d", max(16, 8*t.Size()))
}

func (a *ptx) parameter(v *ir.Value) Operand {
	o := Operand{Kind: Bank, Bits: uint64(v.Index), Name: "param"}
	if v.Type == lower.Ptr && !a.flow.Narrow(v) {
		o.Name = "pointer"
	}
	return a.inReg(o, Vector, max(1, a.flow.Words(v)), true)
}

func (a *ptx) address(v *ir.Value) Operand {
	return a.inReg(Operand{Kind: Special, Name: a.f.Object(v.Object).Name, Bits: uint64(v.Object)}, Vector,
		a.flow.Words(v), false)
}

// folded: the extents of groups are special registers, read where they are needed.
func (a *ptx) folded(v *ir.Value) (Operand, bool) { return Operand{}, false }

func (a *ptx) load(d dest, o Operand) {
	size := "u32"
	if d.span == 2 {
		size = "u64"
	}
	switch {
	case o.Kind == Bank && o.Name == "pointer":
		t := a.temp(Vector, 2)
		a.op("ld.param.u64", "ld.constant", t, o)
		a.op("cvta.to.global.u64", "mov.s64", d, t.read())
	case o.Kind == Bank:
		a.op("ld.param."+size, "ld.constant", d, o)
	case o.Name == "PT":
		a.op("mov.pred", "mov.pred", d, o)
	default:
		a.op("mov."+size, "mov.s32", d, o)
	}
}

func (a *ptx) move(d dest, from Operand) []*Instr {
	before := a.seq
	a.seq = nil
	a.load(d, from)
	return a.taken(before)
}

// whole is the destination of a value, all of it.
func (a *ptx) whole(v *ir.Value) dest {
	a.want[v.ID] = 3
	return a.dest(v)
}

// ptxNames are operations that are instructions of their type.
var ptxNames = map[lower.Op]string{lower.Add: "add", lower.Sub: "sub", lower.Mul: "mul", lower.Div: "div",
	lower.Rem: "rem",
	lower.Neg: "neg", lower.And: "and", lower.Or: "or", lower.Xor: "xor", lower.Not: "not", lower.Shl: "shl",
	lower.Shr: "shr",
	lower.Min: "min", lower.Max: "max", lower.Abs: "abs", lower.MulHi: "mul.hi", lower.Fma: "mad"}

// instr selects for one operation.
func (a *ptx) instr(in *ir.Instr) {
	switch op := in.Op; {
	case op.IsComparison():
		a.setp(in)
	case op == lower.Select && in.Type == lower.Pred:
		p, x, y := a.predicateOperand(in.Args[0]), a.predicateOperand(in.Args[1]), a.predicateOperand(in.Args[2])
		a.op("selp.b32", "select.s32", a.whole(in.Result()), x, y, p)
	case op == lower.Select:
		a.op("selp."+ptxBits(in.Type), "select."+in.Type.String(), a.whole(in.Result()), a.operand(in.Args[1]),
			a.operand(in.Args[2]), a.predicateOperand(in.Args[0]))
	case op == lower.Convert:
		a.convert(in)
	case op == lower.Bitcast:
		a.transfer(a.whole(in.Result()), a.operand(in.Args[0]))
	case op == lower.PtrAdd:
		a.pointer(in)
	case op == lower.PtrDiff:
		t := a.temp(Vector, 2)
		a.op("sub.s64", "sub.s64", t, a.operand(in.Args[0]), a.operand(in.Args[1]))
		a.op("shr.s64", "shr.s64", a.whole(in.Result()), t.read(), imm(int64(bits.TrailingZeros64(uint64(in.Scale)))))
	case op == lower.Index:
		a.index(in)
	case op == lower.Call:
		a.function(in)
	case op == lower.Load, op == lower.Store, op == lower.Atomic, op == lower.Copy, op == lower.ImageLoad,
		op == lower.ImageStore:
		a.memory(in)
	case op == lower.Barrier:
		a.op("bar.sync", "barrier", dest{})
	case op == lower.Fence:
		a.op("membar.gl", "fence", dest{})
	case op == lower.CopyGroup, op == lower.BulkCopy:
		a.op("cp.async."+in.Fn, "async", dest{})
	case op == lower.SubGroup:
		a.exchange(in)
	case op == lower.MatMul, op == lower.GroupMatMul, op == lower.MatrixRow:
		a.matrix(in)
	case op == lower.OpOpaque:
		a.op("trap", "branch", dest{})
	default:
		a.arithmetic(in)
	}
}

// arithmetic selects for operations that are instructions.
func (a *ptx) arithmetic(in *ir.Instr) {
	name, ok := ptxNames[in.Op]
	if !ok {
		a.fail(in, "no instruction for %v.%v", in.Op, in.Type)
		return
	}
	t := in.Type
	class := in.Op.String() + "." + wholeType(t).String()
	typ := ptxType(t)
	if in.Op == lower.Add && t.IsInteger() {
		for i, x := range in.Args {
			if m := a.only(x, in, lower.Mul); m != nil {
				a.op("mad.lo."+typ, "mad."+wholeType(t).String(), a.whole(in.Result()), a.value(m.Args[0]),
					a.value(m.Args[1]),
					a.value(in.Args[1-i]))
				return
			}
		}
	}
	var uses []Operand
	for _, v := range in.Args {
		uses = append(uses, a.value(v))
	}
	switch in.Op {
	case lower.And, lower.Or, lower.Xor, lower.Not, lower.Shl:
		typ = ptxBits(t)
	case lower.Mul:
		if t.IsInteger() {
			name = "mul.lo"
		}
	case lower.Fma:
		name = "fma.rn"
		if t.IsInteger() {
			name, class = "mad.lo", "mad."+t.String()
		}
	case lower.Div:
		if t.IsFloat() {
			name = map[lower.Accuracy]string{lower.Rounded: "div.rn", lower.Relaxed: "div.full",
				lower.Fast: "div.approx"}[a.f.Accuracy]
		}
	}
	a.op(name+"."+typ, class, a.whole(in.Result()), uses...)
}

// value is an operand of any type.
func (a *ptx) value(v *ir.Value) Operand {
	if v.Type == lower.Pred {
		return a.predicateOperand(v)
	}
	return a.operand(v)
}

func (a *ptx) setp(in *ir.Instr) {
	name := strings.ToLower(comparisons[in.Op])
	if in.Op == lower.Ne && in.Type.IsFloat() {
		name = "neu"
	}
	a.op("setp."+name+"."+ptxType(in.Type), "setp."+wholeType(in.Type).String(), a.whole(in.Result()),
		a.operand(in.Args[0]),
		a.operand(in.Args[1]))
}

func (a *ptx) convert(in *ir.Instr) {
	from, to := in.From, in.Type
	round := ""
	switch {
	case from.IsFloat() && to.IsInteger():
		round = ".rzi"
	case to.IsFloat() && (from.IsInteger() || from.Size() > to.Size()):
		round = ".rn"
	case from.IsInteger() && to.IsInteger() && to.Size() == 4 && from.Size() <= 4:
		a.transfer(a.whole(in.Result()), a.operand(in.Args[0]))
		return
	}
	a.op("cvt"+round+"."+to.String()+"."+from.String(), "cvt."+to.String()+"."+from.String(), a.whole(in.Result()),
		a.operand(in.Args[0]))
}

// pointer adds to a pointer: an index of 32 bits is multiplied to 64 first.
func (a *ptx) pointer(in *ir.Instr) {
	v, base, index := in.Result(), in.Args[0], in.Args[1]
	d := a.whole(v)
	narrow := a.flow.Words(v) == 1
	power := in.Scale > 0 && bits.OnesCount64(uint64(in.Scale)) == 1
	shift := imm(int64(bits.TrailingZeros64(uint64(in.Scale))))
	b := a.operand(base)
	add := func(x Operand) {
		if narrow {
			a.op("add.s32", "add.s32", d, b, x)
			return
		}
		a.op("add.s64", "add.s64", d, b, x)
	}
	t := a.temp(Vector, a.flow.Words(v))
	switch {
	case index.IsConst():
		add(Operand{Kind: Immediate, Bits: uint64(index.Int() * in.Scale)})
	case narrow && in.Scale == 1:
		add(tidy.Word(a.partOf(index, 0), 0))
	case narrow && power:
		a.op("shl.b32", "shl.s32", t, tidy.Word(a.partOf(index, 0), 0), shift)
		add(t.read())
	case narrow:
		a.op("mad.lo.s32", "mad.s32", d, tidy.Word(a.partOf(index, 0), 0), imm(in.Scale), b)
	case in.From.Size() < 8:
		sign := map[bool]string{true: "s32", false: "u32"}[in.From.IsSigned()]
		a.op("mul.wide."+sign, "mul.wide."+sign, t, a.operand(index), imm(in.Scale))
		add(t.read())
	case in.Scale == 1:
		add(a.operand(index))
	case power:
		a.op("shl.b64", "shl.s64", t, a.operand(index), shift)
		add(t.read())
	default:
		a.op("mul.lo.s64", "mul.s64", t, a.operand(index), imm(in.Scale))
		add(t.read())
	}
}

// partOf is the value; a word of PTX is the whole register.
func (a *ptx) partOf(v *ir.Value, k int) Operand {
	o := a.operand(v)
	if o.Kind == InReg && a.flow.Words(v) == 2 {
		return Operand{Kind: InReg, Reg: o.Reg, Word: k}
	}
	return o
}

// index reads special registers.
func (a *ptx) index(in *ir.Instr) {
	axis := string(rune('x' + in.Dim))
	read := func(name string) Operand {
		t := a.temp(Vector, 1)
		a.op("mov.u32", "index", t, special("%"+name+"."+axis))
		return t.read()
	}
	v := in.Result()
	d := dest{reg: a.register(v), span: 1}
	if a.flow.Words(v) == 2 {
		d = a.temp(Vector, 1)
		defer func() { a.op("cvt.u64.u32", "cvt.u64.u32", a.whole(v), d.read()) }()
	}
	name, ok := map[string]string{"get_local_id": "tid", "get_group_id": "ctaid", "get_local_size": "ntid",
		"get_enqueued_local_size": "ntid", "get_num_groups": "nctaid"}[in.Fn]
	switch {
	case ok:
		a.op("mov.u32", "index", d, special("%"+name+"."+axis))
	case in.Fn == "get_global_id":
		a.op("mad.lo.s32", "mad.s32", d, read("ctaid"), read("ntid"), read("tid"))
	case in.Fn == "get_global_size":
		a.op("mul.lo.s32", "mul.s32", d, read("ntid"), read("nctaid"))
	case in.Fn == "get_global_offset":
		a.transfer(d, zero)
	default:
		a.op("mov.u32", "index", d, special("%"+in.Fn))
	}
}

// function is an instruction of PTX where it has one, else a call, of which package isa knows the cost.
func (a *ptx) function(in *ir.Instr) {
	d, more, uses := a.registers(in)
	class := in.Fn + "." + in.Type.String()
	x := a.emit(class, d, more, uses...)
	x.Class, x.Pipe = class, "alu"
}

// registers are those of an operation's results and its operands, as one instruction takes them.
func (a *ptx) registers(in *ir.Instr) (d dest, more []Reg, uses []Operand) {
	for _, v := range in.Args {
		uses = append(uses, a.operand(v))
	}
	for i, v := range in.Results {
		if i == 0 {
			d = a.whole(v)
		} else {
			a.want[v.ID] = 3
			more = append(more, a.register(v))
		}
	}
	return d, more, uses
}
