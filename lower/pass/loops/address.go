package loops

import (
	"math/bits"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/ranges"
	"gpupipe/lower/profile"
)

// Addresses brings the constants of subscripts to the end of address computations, so that accesses take them as
// their offset and the rest is shared (separate-const-offset-from-gep).
func Addresses(f *ir.Func, c *profile.Context) {
	a := &addresser{f: f, uses: f.Uses(), rule: c.Profile.Address, sums: newSums(f, c),
		split: map[*ir.Value]withoutConstant{}}
	a.sums.visit(f.Body)
	f.Body.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr {
		if a.out = out; in.Op == lower.PtrAdd {
			a.address(in)
		}
		return in
	})
}

type addresser struct {
	f     *ir.Func
	uses  []int
	rule  profile.AddressRule
	sums  *sums
	split map[*ir.Value]withoutConstant
	out   *ir.Block
	pos   ir.Pos
	near  bool // the address that is split has 32 bits
}

// withoutConstant is an address without its constant, and that.
type withoutConstant struct {
	rest *ir.Value
	c    int64
}

// address splits one address, whose result stays what it is.
func (a *addresser) address(in *ir.Instr) {
	base, c := in.Args[0], int64(0)
	if s, ok := a.split[base]; ok {
		base, c = s.rest, s.c
	}
	a.pos = in.Pos
	result := in.Results[0]
	if in.Args[1].IsConst() {
		c += in.Args[1].Int() * in.Scale
		a.offset(in, base, c)
		a.split[result] = withoutConstant{base, c}
		return
	}
	a.near = in.From.Size() == 4 && a.sums.near.has(in.Args[0])
	index, k := a.strip(in.Args[1], in.From.IsSigned() || a.near, stripDepth)
	if k == 0 {
		index = in.Args[1]
	}
	c += k * in.Scale
	if a.near && a.grouped(base) && ranges.PowerOfTwo(in.Scale) && in.Scale > 1 {
		if by := a.distributed(index, in.Scale); by != nil {
			index, in.Scale = by, 1
		}
	}
	if c == 0 {
		in.Args[0], in.Args[1] = base, index
		return
	}
	rest := a.out.Append(&ir.Instr{Op: lower.PtrAdd, Type: in.Type, From: in.From, Scale: in.Scale,
		Element: in.Element, Args: []*ir.Value{base, index}, Subscript: in.Subscript, Component: in.Component,
		Pos: in.Pos})
	if index.IsConst() {
		a.out.Instrs = a.out.Instrs[:len(a.out.Instrs)-1]
		c += index.Int() * in.Scale
		a.offset(in, base, c)
		a.split[result] = withoutConstant{base, c}
		return
	}
	v := a.f.AddResult(rest, lower.Ptr, "")
	a.offset(in, v, c)
	a.split[result] = withoutConstant{v, c}
}

// offset makes an address a constant number of bytes behind another one.
func (a *addresser) offset(in *ir.Instr, base *ir.Value, c int64) {
	in.From, in.Scale = lower.S64, 1
	in.Args = []*ir.Value{base, a.f.Int(lower.S64, c)}
}

// distributed is an index of a masked value times a power of two: the masked product (FoldShiftByConstant of LLVM's
// InstCombineShifts.cpp, which sees the products of subscripts where addresses have 32 bits and NVVM lowers them in
// front of it). nil: the index is something else, or more than this address reads it.
func (a *addresser) distributed(v *ir.Value, scale int64) *ir.Value {
	if !a.masks(v, false) {
		return nil
	}
	in := v.Def
	return a.emit(in, a.product(in.Args[0], scale), a.f.Int(in.Type, in.Args[1].Int()*scale))
}

// grouped reports whether an address is in the memory of a group.
func (a *addresser) grouped(p *ir.Value) bool {
	return p.Object != 0 && a.f.Object(p.Object).Space == idg.SpaceLocal
}

// masks reports whether nothing else reads what combines a value with a constant bit by bit, or adds one.
func (a *addresser) masks(v *ir.Value, sums bool) bool {
	switch {
	case v.Kind != ir.Result || int(v.ID) >= len(a.uses) || a.uses[v.ID] != 1 || v.Type.Size() != 4:
		return false
	case v.DefOp() == lower.And, v.DefOp() == lower.Or, v.DefOp() == lower.Xor, sums && v.DefOp() == lower.Add:
		return v.Def.Args[1].IsConst()
	}
	return false
}

// product is a value times a power of two, where its constants are multiplied by themselves.
func (a *addresser) product(v *ir.Value, scale int64) *ir.Value {
	if a.masks(v, true) {
		in := v.Def
		return a.emit(in, a.product(in.Args[0], scale), a.f.Int(in.Type, in.Args[1].Int()*scale))
	}
	n := int64(bits.TrailingZeros64(uint64(scale)))
	shift := a.out.Append(&ir.Instr{Op: lower.Shl, Type: v.Type, Args: []*ir.Value{v, a.f.Int(lower.U32, n)},
		Subscript: true, Pos: a.pos})
	return a.f.AddResult(shift, v.Type, "")
}

// stripDepth is how many operations a constant is looked for behind a subscript.
const stripDepth = 8

// strip is an index without the constant in its sum, and that constant; 0 where there is none that may be taken
// out of what extends the index to an address's width.
func (a *addresser) strip(v *ir.Value, signed bool, depth int) (*ir.Value, int64) {
	if v.Kind != ir.Result || depth == 0 {
		return v, 0
	}
	in := v.Def
	wide := in.Type.Size() == 8
	switch in.Op {
	case lower.Add, lower.Sub:
		if !wide && !a.mayDistribute(in, signed) {
			return v, 0
		}
		return a.stripSum(in, signed, depth)
	case lower.Mul, lower.Shl:
		if in.Args[1].IsConst() && (wide || signed && (in.Type.IsSigned() || a.rule.Wraps || a.near)) {
			return a.stripMultiple(in, signed, depth)
		}
	case lower.Bitcast:
		if in.From.IsInteger() && (wide || signed && (a.rule.Wraps || a.near)) {
			return a.stripUnary(in, signed, depth)
		}
	case lower.Convert:
		if in.Fn == "" && in.From.IsInteger() && in.Type.Size() > in.From.Size() && !a.near {
			return a.stripUnary(in, in.From.IsSigned(), depth)
		}
	}
	return v, 0
}

// stripMultiple takes the constant out of a sum that is multiplied by one (instcombine).
func (a *addresser) stripMultiple(in *ir.Instr, signed bool, depth int) (*ir.Value, int64) {
	x, c := a.strip(in.Args[0], signed, depth-1)
	if x == in.Args[0] {
		return in.Results[0], 0
	}
	by := in.Args[1].Int()
	if in.Op == lower.Shl {
		if by > 31 {
			return in.Results[0], 0
		}
		by = 1 << by
	}
	return a.emit(in, x, in.Args[1]), c * by
}

// mayDistribute reports whether the sum of two extended operands is the extended sum.
func (a *addresser) mayDistribute(in *ir.Instr, signed bool) bool {
	if signed {
		return in.Type.IsSigned() || a.rule.Wraps || a.near
	}
	if !a.rule.Ranges || in.Op == lower.Sub {
		return false
	}
	x, y := a.sums.Value(in.Args[0], ranges.RangeDepth), a.sums.Value(in.Args[1], ranges.RangeDepth)
	r := x.Plus(y)
	return r.Known && r.Lo >= 0 && r.Hi <= ranges.Largest(in.Type) && x.Lo >= 0 && y.Lo >= 0
}

// constant is a constant operand as the sum has it.
func (a *addresser) stripSum(in *ir.Instr, signed bool, depth int) (*ir.Value, int64) {
	x, cx := a.operand(in.Args[0], signed, depth)
	y, cy := a.operand(in.Args[1], signed, depth)
	c := cx + cy
	if in.Op == lower.Sub {
		c = cx - cy
	}
	switch {
	case cx == 0 && cy == 0:
		return in.Results[0], 0
	case x == nil && y == nil:
		return a.f.Int(in.Type, 0), c
	case y == nil:
		return x, c
	case x == nil && in.Op == lower.Add:
		return y, c
	case x == nil:
		x = a.f.Int(in.Type, 0)
	}
	return a.emit(in, x, y), c
}

// operand is one of a sum without its constant: no value where nothing is left.
func (a *addresser) operand(v *ir.Value, signed bool, depth int) (*ir.Value, int64) {
	if v.IsConst() {
		c := v.Int()
		if signed && v.Type == lower.U32 {
			c = int64(int32(c))
		}
		return nil, c
	}
	return a.strip(v, signed, depth-1)
}

func (a *addresser) stripUnary(in *ir.Instr, signed bool, depth int) (*ir.Value, int64) {
	x, c := a.strip(in.Args[0], signed, depth-1)
	if x == in.Args[0] {
		return in.Results[0], 0
	}
	return a.emit(in, x), c
}

// emit appends an operation with other operands.
func (a *addresser) emit(in *ir.Instr, args ...*ir.Value) *ir.Value {
	n := *in
	n.Args, n.Results, n.Pos = args, nil, a.pos
	return a.f.AddResult(a.out.Append(&n), in.Results[0].Type, "")
}
