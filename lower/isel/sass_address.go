package isel

import (
	"math/bits"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
)

// pointer selects for a pointer that arithmetic gives.
func (a *sass) pointer(in *ir.Instr) {
	v, base, index := in.Result(), in.Args[0], in.Args[1]
	if a.flow.Words(v) == 1 {
		a.pointer32(in)
		return
	}
	if index.IsConst() {
		a.addConstant(v, base, index.Int()*in.Scale)
		return
	}
	d := a.dest(v)
	switch {
	case in.From.Size() < 8 && a.t.Has("imad"):
		a.wideIndex(d, a.operand(index), in.From.IsSigned(), in.Scale, a.operand(base))
	case in.From.Size() < 8:
		a.oldIndex(v, base, index, in)
	case widens(index) && a.beside(index, v) && a.t.Has("imad"):
		x, sign := narrowed(index)
		a.wideIndex(d, a.operand(x), sign, in.Scale, a.operand(base))
	case in.Scale > 0 && bits.OnesCount64(uint64(in.Scale)) == 1:
		a.lea64(v, index, base, int64(bits.TrailingZeros64(uint64(in.Scale))))
	default:
		a.want[v.ID] = 3
		a.expand(a.table.find("mad.s64", a.t, 0), []Operand{a.operand(index), {Kind: Immediate, Bits: uint64(in.Scale)},
			a.operand(base)}, []dest{d})
	}
}

// wideIndex adds the product of an index of 32 bits and a constant to a pointer.
func (a *sass) wideIndex(d dest, index Operand, sign bool, scale int64, base Operand) {
	op := "IMAD.WIDE"
	if !sign {
		op = "IMAD.WIDE.U32"
	}
	a.emit(op, d, nil, index, imm(scale), base)
}

// lea64 adds an index of 64 bits, shifted.
func (a *sass) lea64(v, index, base *ir.Value, shift int64) {
	if shift == 0 {
		a.add64(v, index, base, false)
		return
	}
	lo, hi := a.destWord(v, 0), a.destWord(v, 1)
	if lo.reg == 0 {
		lo = a.temp(Vector, 1)
	}
	if hi.reg == 0 {
		a.emit("LEA", lo, nil, a.half(index, 0), a.half(base, 0), field(shift))
		return
	}
	carry := a.temp(Predicate, 1)
	a.emit("LEA", lo, []Reg{carry.reg}, a.half(index, 0), a.half(base, 0), field(shift))
	a.emit("LEA.HI.X", hi, nil, a.half(index, 0), a.half(base, 1), a.half(index, 1), field(shift), carry.read())
}

// oldIndex adds an index of 32 bits to a pointer where no instruction multiplies to 64: the upper bits of the
// shifted index are a shift of their own.
func (a *sass) oldIndex(v, base, index *ir.Value, in *ir.Instr) {
	lo, hi := a.destWord(v, 0), a.destWord(v, 1)
	x := a.operand(index)
	if lo.reg == 0 {
		lo = a.temp(Vector, 1)
	}
	if hi.reg == 0 {
		hi = a.temp(Vector, 1)
	}
	if bits.OnesCount64(uint64(in.Scale)) != 1 {
		a.want[v.ID] = 3
		key := "madwide.u32"
		if in.From.IsSigned() {
			key = "madwide.s32"
		}
		a.expand(a.table.find(key, a.t, 0), []Operand{x, imm(in.Scale), a.operand(base)}, []dest{a.dest(v)})
		return
	}
	shift := int64(bits.TrailingZeros64(uint64(in.Scale)))
	op := "SHR.U32"
	if in.From.IsSigned() {
		op = "SHR"
	}
	up, carry := a.temp(Vector, 1), a.temp(Predicate, 1)
	if shift > 0 || in.From.IsSigned() {
		a.emit(op, up, nil, x, imm(min(31, 32-shift)))
	} else {
		a.transfer(up, zero)
	}
	a.emit("ISCADD", lo, []Reg{carry.reg}, x, a.half(base, 0), field(shift))
	a.emit("IADD.X", hi, nil, up.read(), a.half(base, 1), carry.read())
}

// addConstant adds a constant to a pointer.
func (a *sass) addConstant(v, base *ir.Value, n int64) {
	lo, hi := a.destWord(v, 0), a.destWord(v, 1)
	if lo.reg == 0 {
		lo = a.temp(Vector, 1)
	}
	first, second := "IADD3", "IADD3.X"
	if a.t.Has("iscadd") {
		first, second = "IADD32I", "IADD.X"
	}
	carry := a.temp(Predicate, 1)
	a.emit(first, lo, []Reg{carry.reg}, a.half(base, 0), imm(n), zero)
	if hi.reg != 0 {
		a.emit(second, hi, nil, a.half(base, 1), imm(n>>32), zero, carry.read())
	}
}

// relative reports whether a pointer of one word is an offset from its object, whose place accesses add as a
// constant; else it is an address.
func (a *sass) relative(v *ir.Value) bool {
	o := a.flow.ObjectOf(v)
	if o == 0 || !a.flow.Narrow(v) {
		return false
	}
	obj := a.f.Object(o)
	return !(obj.Space == idg.SpaceLocal && (a.t.Has("clusters") || obj.Dynamic && obj.Size == 0 && false))
}

// pointer32 selects for a pointer of one word: an offset from its object where that has a constant address.
func (a *sass) pointer32(in *ir.Instr) {
	v, base, index := in.Result(), in.Args[0], in.Args[1]
	d := a.dest(v)
	b := a.base32(base)
	switch {
	case index.IsConst():
		n := index.Int() * in.Scale
		if b.Kind == Immediate {
			b.Bits = uint64(uint32(int64(b.Bits) + n))
			a.transfer(d, b)
			return
		}
		a.addWords(d, b, imm(n))
	default:
		a.scaled(d, index, in, b)
	}
}

// base32 is what a pointer of one word is computed from: nothing where it is the beginning of its object.
func (a *sass) base32(v *ir.Value) Operand {
	if v.Kind == ir.Address && a.f.Object(v.Object).Space == idg.SpacePrivate {
		return special("R1")
	}
	if v.Kind == ir.Address && a.relative(v) {
		return zero
	}
	return tidy.Word(a.operand(v), 0)
}

func (a *sass) addWords(d dest, x, y Operand) {
	if a.t.Has("iscadd") {
		a.emit("IADD", d, nil, x, y)
		return
	}
	a.emit("IADD3", d, nil, x, y, zero)
}

// scaled adds an index times a constant to a base.
func (a *sass) scaled(d dest, index *ir.Value, in *ir.Instr, b Operand) {
	x := tidy.Word(a.partOf(index, 0), 0)
	power := in.Scale > 0 && bits.OnesCount64(uint64(in.Scale)) == 1
	shift := int64(bits.TrailingZeros64(uint64(in.Scale)))
	none := b.Kind == Immediate && b.Bits == 0
	switch {
	case power && shift == 0 && none:
		a.transfer(d, x)
	case power && shift == 0:
		a.addWords(d, x, b)
	case power && none && a.t.Has("iscadd"):
		a.emit("SHL", d, nil, x, imm(shift))
	case power && none:
		a.emit("SHF.L.U32", d, nil, x, imm(shift), zero)
	case power:
		a.lea(d, x, b, shift)
	case a.t.Has("imad"):
		a.emit("IMAD", d, nil, x, imm(in.Scale), b)
	default:
		a.expand(a.table.find("mad.s32", a.t, 0), []Operand{x, imm(in.Scale), b}, []dest{d})
	}
}

// difference selects for the distance of two pointers.
func (a *sass) difference(in *ir.Instr) {
	v := in.Result()
	t := a.temp(Vector, 2)
	carry := a.temp(Predicate, 1)
	x, y := in.Args[0], in.Args[1]
	xh, yh := zero, zero
	xl, yl := a.partOf(x, 0), a.partOf(y, 0)
	if a.flow.Words(x) == 2 {
		xh, yh = a.half(x, 1), a.half(y, 1)
	}
	yl.Not, yh.Not = !yl.Not, !yh.Not
	a.emit("IADD3", dest{t.reg, 0, 1}, []Reg{carry.reg}, xl, yl, zero)
	a.emit("IADD3.X", dest{t.reg, 1, 1}, nil, xh, yh, zero, carry.read())
	shift := int64(bits.TrailingZeros64(uint64(in.Scale)))
	odd := uint64(in.Scale) >> shift
	if odd == 1 {
		a.shiftWords(a.destWord(v, 0), a.destWord(v, 1), t, shift)
		return
	}
	a.want[v.ID] = 3
	if shift > 0 {
		s := a.temp(Vector, 2)
		a.shiftWords(dest{s.reg, 0, 1}, dest{s.reg, 1, 1}, t, shift)
		t = s
	}
	a.expand(a.table.find("mul.s64", a.t, 0), []Operand{t.read(), inverse(odd)}, []dest{a.dest(v)})
}

// inverse is the factor of 64 bits that divides by an odd number where nothing is left (H. Warren, Hacker's Delight,
// 10-16): each step doubles the bits that are right, three at first.
func inverse(odd uint64) Operand {
	x := odd
	for range 5 {
		x *= 2 - odd*x
	}
	return Operand{Kind: Immediate, Bits: x}
}

// shiftWords shifts a signed number of two words to the right, those of its words that are wanted.
func (a *sass) shiftWords(lo, hi dest, t dest, shift int64) {
	low, high := tidy.Word(t.read(), 0), tidy.Word(t.read(), 1)
	switch {
	case lo.reg == 0:
	case shift == 0:
		a.transfer(lo, low)
	default:
		a.emit("SHF.R.S64", lo, nil, low, imm(shift), high)
	}
	switch {
	case hi.reg == 0:
	case shift == 0:
		a.transfer(hi, high)
	default:
		a.emit("SHF.R.S32.HI", hi, nil, zero, imm(shift), high)
	}
}

// target32 is the address of an access of memory of one word: a register, or none, and a constant.
func (a *sass) target32(v *ir.Value) (Operand, int64) {
	base, offset := a.chase(v)
	if base.Kind == ir.Address && a.relative(base) {
		o := zero
		if a.f.Object(base.Object).Space == idg.SpacePrivate {
			o = special("R1")
		}
		return o, offset + a.objects[base.Object-1]
	}
	if a.relative(base) {
		offset += a.objects[a.flow.ObjectOf(base)-1]
	}
	if !a.fits(offset) {
		base, offset = v, 0
		if a.relative(base) {
			offset = a.objects[a.flow.ObjectOf(base)-1]
		}
	}
	if o, ok := a.scaledIndex(base); ok && a.fits(offset) {
		return o, offset
	}
	o := tidy.Word(a.operand(base), 0)
	if base.Kind == ir.Const {
		return zero, int64(o.Bits) + offset
	}
	return o, offset
}

// scaledIndex is an index that an access of the memory of a group multiplies itself: [R0.X4].
func (a *sass) scaledIndex(p *ir.Value) (Operand, bool) {
	if !a.t.Has("scaled addresses") || p.DefOp() != lower.PtrAdd || a.flow.SpaceOf(p) != idg.SpaceLocal ||
		a.flow.Scalar(p) {
		return Operand{}, false
	}
	in := p.Def
	if in.Args[0].Kind != ir.Address || !a.relative(in.Args[0]) || in.Args[1].IsConst() {
		return Operand{}, false
	}
	name, ok := map[int64]string{4: "X4", 8: "X8", 16: "X16"}[in.Scale]
	if !ok {
		return Operand{}, false
	}
	o := tidy.Word(a.partOf(in.Args[1], 0), 0)
	if o.Kind != InReg || a.c.Reg(o.Reg).Class != Vector {
		return Operand{}, false
	}
	o.Name = name
	return o, true
}

// besideUniform is the address of a load or store of the memory of a group as an index, which is not multiplied, and
// the register of the warp that its object's address is in: [R0+UR4].
func (a *sass) besideUniform(in *ir.Instr, p *ir.Value) (index, uniform Operand, offset int64, ok bool) {
	base, offset := a.chase(p)
	if !a.t.Has("clusters") || in.Op != lower.Load && in.Op != lower.Store || base.DefOp() != lower.PtrAdd ||
		a.flow.SpaceOf(p) != idg.SpaceLocal || a.flow.Words(p) != 1 || a.flow.Scalar(base) || !a.fits(offset) {
		return index, uniform, 0, false
	}
	add := base.Def
	if object := add.Args[0]; add.Scale != 1 || object.Kind != ir.Address || add.Args[1].IsConst() ||
		a.flow.Scalar(add.Args[1]) || !a.flow.Scalar(object) {
		return index, uniform, 0, false
	}
	return tidy.Word(a.partOf(add.Args[1], 0), 0), tidy.Word(a.operand(add.Args[0]), 0), offset, true
}

// target64 is the address of an access of memory of two words.
func (a *sass) target64(v *ir.Value) (Operand, int64) {
	base, offset := a.chase(v)
	if !a.fits(offset) {
		base, offset = v, 0
	}
	return a.operand(base), offset
}

// fits reports whether a constant fits into an access.
func (a *sass) fits(n int64) bool {
	limit := int64(1) << (a.t.OffsetBits - 1)
	return -limit <= n && n < limit
}

// index selects for the numbers of work items and groups.
func (a *sass) index(in *ir.Instr) {
	v := in.Result()
	d := dest{reg: a.register(v), span: 1}
	if a.want[v.ID]&2 != 0 && a.flow.Words(v) == 2 {
		a.transfer(dest{d.reg, 1, 1}, zero)
	}
	axis := string(rune('X' + in.Dim))
	size := Operand{Kind: Bank, Bits: uint64(a.t.Dimensions) + 4*uint64(in.Dim), Name: "c[0x0]"}
	groups := Operand{Kind: Bank, Bits: uint64(a.t.Dimensions) + 12 + 4*uint64(in.Dim), Name: "c[0x0]"}
	read := func(name string) Operand {
		t := a.temp(Vector, 1)
		a.emit("S2R", t, nil, special(name+axis))
		return t.read()
	}
	switch in.Fn {
	case "get_local_id":
		a.emit("S2R", d, nil, special("SR_TID."+axis))
	case "get_group_id":
		a.emit("S2R", d, nil, special("SR_CTAID."+axis))
	case "get_local_size", "get_enqueued_local_size":
		a.transfer(d, size)
	case "get_num_groups":
		a.transfer(d, groups)
	case "get_global_id":
		group, item := read("SR_CTAID."), read("SR_TID.")
		a.multiply(d, group, size, item)
	case "get_global_size":
		t := a.inReg(size, Vector, 1, true)
		a.multiply(d, t, groups, zero)
	case "get_global_offset":
		a.transfer(d, zero)
	case "get_sub_group_local_id", "lane_id":
		a.emit("S2R", d, nil, special("SR_LANEID"))
	case "get_sub_group_size", "get_max_sub_group_size":
		a.transfer(d, imm(int64(a.t.WarpSize)))
	case "get_work_dim":
		a.transfer(d, imm(1))
	case "get_special_clock", "get_special_clock64":
		a.emit("CS2R", a.dest(v), nil, special("SR_CLOCKLO"))
	default:
		a.emit("S2R", d, nil, special("SR_"+in.Fn))
	}
}

func (a *sass) multiply(d dest, x, y, add Operand) {
	if a.t.Has("imad") {
		a.emit("IMAD", d, nil, x, y, add)
		return
	}
	a.expand(a.table.find("mad.s32", a.t, 0), []Operand{x, y, add}, []dest{d})
}
