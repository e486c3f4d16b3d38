package isel

import (
	"math/bits"

	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
)

// pointer selects for a pointer that arithmetic gives.
func (a *gcn) pointer(in *ir.Instr) {
	v, base, index := in.Result(), in.Args[0], in.Args[1]
	scalar := a.flow.Scalar(v)
	power := in.Scale > 0 && bits.OnesCount64(uint64(in.Scale)) == 1
	shift := imm(int64(bits.TrailingZeros64(uint64(in.Scale))))
	if a.flow.Words(v) == 1 {
		a.pointer32(in, scalar, power, shift)
		return
	}
	if index.IsConst() {
		a.add64(v, Operand{Kind: Immediate, Bits: uint64(index.Int() * in.Scale)}, a.operand(base), scalar)
		return
	}
	wide := a.wideIndex(in, scalar)
	if in.Scale != 1 {
		t := a.temp(a.classOf(scalar), 2)
		switch {
		case power && scalar:
			a.emit("s_lshl_b64", t, nil, wide, shift)
		case power:
			a.emit("v_lshlrev_b64", t, nil, shift, wide)
		default:
			key := map[bool]string{true: "s.mul.s64", false: "mul.s64"}[scalar]
			a.expand(a.table.find(key, a.t, 0), []Operand{wide, {Kind: Immediate, Bits: uint64(in.Scale)}}, []dest{t})
		}
		wide = t.read()
	}
	a.add64(v, wide, a.operand(base), scalar)
}

func (a *gcn) classOf(scalar bool) Class {
	if scalar {
		return Uniform
	}
	return Vector
}

// wideIndex is an index of 64 bits.
func (a *gcn) wideIndex(in *ir.Instr, scalar bool) Operand {
	index := in.Args[1]
	if a.flow.Words(index) == 2 {
		return a.operand(index)
	}
	t := a.temp(a.classOf(scalar), 2)
	x := a.operand(index)
	a.transfer(dest{t.reg, 0, 1}, x)
	if in.From.IsSigned() {
		a.shiftRight(dest{t.reg, 1, 1}, x, scalar)
	} else {
		a.transfer(dest{t.reg, 1, 1}, zero)
	}
	return t.read()
}

// add64 adds two words to two with a carry.
func (a *gcn) add64(v *ir.Value, x, y Operand, scalar bool) {
	a.want[v.ID] = 3
	key := map[bool]string{true: "s.add.s64", false: "add.s64"}[scalar]
	if !scalar && y.Kind == InReg && a.c.Reg(y.Reg).Class == Uniform {
		x, y = y, x
	}
	a.expand(a.table.find(key, a.t, 0), []Operand{x, y}, []dest{a.dest(v)})
}

// pointer32 selects for an address in the memory of a group or a lane.
func (a *gcn) pointer32(in *ir.Instr, scalar, power bool, shift Operand) {
	v, base, index := in.Result(), in.Args[0], in.Args[1]
	d := a.dest(v)
	b := zero
	if base.Kind != ir.Address {
		b = tidy.Word(a.operand(base), 0)
	}
	name := func(vector, uniform string) string {
		if scalar {
			return uniform
		}
		return vector
	}
	none := b.Kind == Immediate && b.Bits == 0
	switch x := tidy.Word(a.partOf(index, 0), 0); {
	case index.IsConst():
		a.emit(name("v_add_u32", "s_add_i32"), d, nil, imm(index.Int()*in.Scale), b)
	case in.Scale == 1 && none:
		a.transfer(d, x)
	case in.Scale == 1:
		a.emit(name("v_add_u32", "s_add_i32"), d, nil, x, b)
	case power && none && scalar:
		a.emit("s_lshl_b32", d, nil, x, shift)
	case power && none:
		a.emit("v_lshlrev_b32", d, nil, shift, x)
	case power && !scalar:
		a.emit("v_lshl_add_u32", d, nil, x, shift, b)
	case !scalar && a.bound(index, 4) < 1<<24 && in.Scale > 0 && in.Scale < 1<<24: // AMDGPUCodeGenPrepare: mul24
		if none {
			a.emit("v_mul_u32_u24", d, nil, imm(in.Scale), x)
		} else {
			a.emit("v_mad_u32_u24", d, nil, x, imm(in.Scale), b)
		}
	case none:
		a.emit(name("v_mul_lo_u32", "s_mul_i32"), d, nil, x, imm(in.Scale))
	default:
		t := a.temp(a.classOf(scalar), 1)
		a.emit(name("v_mul_lo_u32", "s_mul_i32"), t, nil, x, imm(in.Scale))
		a.emit(name("v_add_u32", "s_add_i32"), d, nil, t.read(), b)
	}
}

// difference selects for the distance of two pointers.
func (a *gcn) difference(in *ir.Instr) {
	v := in.Result()
	scalar := a.flow.Scalar(v)
	prefix := map[bool]string{true: "s.", false: ""}[scalar]
	zeros := bits.TrailingZeros64(uint64(in.Scale))
	odd := uint64(in.Scale) >> zeros
	a.want[v.ID] = 3
	to := func(last bool) dest {
		if last {
			return a.dest(v)
		}
		return a.temp(a.classOf(scalar), 2)
	}
	t := to(in.Scale == 1)
	a.expand(a.table.find(prefix+"sub.s64", a.t, 0), []Operand{a.operand(in.Args[0]), a.operand(in.Args[1])}, []dest{t})
	if zeros > 0 {
		shift, x := imm(int64(zeros)), t.read()
		if t = to(odd == 1); scalar {
			a.emit("s_ashr_i64", t, nil, x, shift)
		} else {
			a.emit("v_ashrrev_i64", t, nil, shift, x)
		}
	}
	if odd > 1 {
		a.expand(a.table.find(prefix+"mul.s64", a.t, 0), []Operand{t.read(), inverse(odd)}, []dest{to(true)})
	}
}
