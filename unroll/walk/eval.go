package walk

import (
	"math"
	"math/bits"
	"strings"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/unroll/arithmetic"
)

// An address is the number of its object and an offset. Objects lie far enough from each other for arithmetic to
// leave one and come back. Those of local memory lie where 32 bits reach, as the hardware's window of it: inline PTX
// computes with such addresses (cvta.to.shared).
const (
	offsetBits = 40
	localBits  = 24  // of the offset in local memory
	maxLocal   = 127 // objects there: signed numbers of 32 bits hold their addresses
)

// addressOf is where an object begins.
func (w *warp) addressOf(id ir.ObjectID) uint64 {
	if id != 0 && id <= maxLocal && w.c.code.Func.Object(id).Space == idg.SpaceLocal {
		return uint64(id) << localBits
	}
	return uint64(id) << offsetBits
}

// place takes an address apart.
func place(address uint64) (ir.ObjectID, int64) {
	bits := offsetBits
	if address < (maxLocal+1)<<localBits {
		bits = localBits
	}
	moved := address + 1<<(bits-1)
	return ir.ObjectID(moved >> bits), int64(moved&(1<<bits-1)) - 1<<(bits-1)
}

// held is a value that has been computed, in an iteration of the innermost loop around its definition.
type held struct {
	value
	stamp uint64
}

// value computes what an operand holds. Operations have no effects but those of memory, so that they are computed
// when somebody asks; loads, when they are executed.
func (w *warp) value(v *ir.Value) *value {
	h, stamp := &w.values[v.ID], w.stampOf(v)
	switch stamp {
	case h.stamp:
		return &h.value
	case 0: // of a loop that has not begun
		return &value{}
	}
	r := w.compute(v)
	h = &w.values[v.ID] // computing may have moved nothing, but asked for others
	h.value, h.stamp = r, stamp
	return &h.value
}

// stampOf is the stamp of the iteration in which a value is defined.
func (w *warp) stampOf(v *ir.Value) uint64 {
	if l := w.c.loopOf[v.ID]; l != 0 {
		return w.stamps[l]
	}
	return w.first
}

func (w *warp) set(v *ir.Value, x value) {
	w.values[v.ID] = held{value: x, stamp: w.stampOf(v)}
}

func (w *warp) compute(v *ir.Value) value {
	switch v.Kind {
	case ir.Const:
		return uniformOf(arithmetic.LaneBits(v.Type, v.Bits), w.all)
	case ir.Address:
		return uniformOf(w.addressOf(v.Object), w.all)
	case ir.KernelArg:
		return w.argument(v)
	case ir.Result:
		return w.result(v)
	}
	return unknownValue(true)
}

// argument is what a parameter of the kernel holds.
func (w *warp) argument(v *ir.Value) value {
	p := &w.c.code.Func.Params[v.Index]
	if p.Type == lower.Ptr {
		return uniformOf(w.addressOf(v.Object), w.all)
	}
	a, ok := w.launch.Args[p.Name]
	r := unknownValue(true)
	switch {
	case !ok, a.IsFloat && !p.Type.IsFloat():
	case p.Type.IsFloat():
		f := a.Float
		if !a.IsFloat {
			f = float64(a.Int)
		}
		r = uniformOf(arithmetic.FromFloat(p.Type, f), w.all)
	default:
		r = uniformOf(arithmetic.Canon(p.Type, uint64(a.Int)), w.all)
	}
	r.from = fromArgs
	return r
}

// result computes a value from those of its operands.
func (w *warp) result(v *ir.Value) value {
	in := v.Def
	switch in.Op {
	case lower.OpIf:
		return w.merged(v)
	case lower.OpRegion:
		if last := in.Blocks[0].Last(); last != nil && v.Index < len(last.Args) && last.Op != lower.OpContinue {
			return *w.value(last.Args[v.Index])
		}
		return unknownValue(false)
	case lower.OpLoop:
		return unknownValue(false) // nothing has left it
	case lower.Index:
		return w.index(in)
	case lower.Load:
		return w.constantLoad(in, v.Index)
	case lower.Select:
		return w.choose(w.value(in.Args[0]), w.value(in.Args[1]), w.value(in.Args[2]))
	case lower.SubGroup:
		return w.subGroup(in)
	case lower.Atomic, lower.ImageLoad, lower.Copy, lower.MatMul, lower.GroupMatMul, lower.OpOpaque:
		r := unknownValue(false)
		if r.from = fromMemory; in.Op == lower.Atomic {
			r.from |= fromAtomic
		}
		return r
	}
	if len(in.Args) == 0 || len(in.Args) > 4 {
		return unknownValue(false)
	}
	var list [4]*value
	for i, a := range in.Args {
		list[i] = w.value(a)
	}
	return operation(in, v.Index, w.all, list[:len(in.Args)])
}

// merged is a result of a branch: each lane's of the side that it takes.
func (w *warp) merged(v *ir.Value) value {
	in := v.Def
	of := func(side int) *value {
		last := in.Blocks[side].Last()
		if last == nil || last.Op != lower.OpYield || v.Index >= len(last.Args) {
			return nil
		}
		return w.value(last.Args[v.Index])
	}
	x, y := of(0), of(1)
	switch {
	case x == nil && y == nil:
		return unknownValue(false)
	case x == nil:
		return *y
	case y == nil:
		return *x
	}
	c := w.value(in.Args[0])
	if taken := w.chosen[in]; taken.stamp == w.stampOf(v) { // 0, as of none, has no iteration
		c = &taken.cond
	}
	return w.choose(c, x, y)
}

// choose is x in lanes for which a condition holds, else y.
func (w *warp) choose(c, x, y *value) value {
	if c.uniform {
		r := *y
		if c.bits[0] != 0 {
			r = *x
		}
		r.limit(c)
		return r
	}
	if c.known == 0 && x.uniform && y.uniform && x.bits[0] == y.bits[0] && x.d == y.d {
		r := *x
		r.limit(y)
		return r
	}
	r := combine(w.all, func(a []uint64) (uint64, bool) {
		if a[0] != 0 {
			return a[1], true
		}
		return a[2], true
	}, c, x, y)
	for m := c.known &^ r.known; m != 0; m &= m - 1 { // lanes of which only the other one is not known
		r.known |= w.known(&r, c, x, y, m&-m)
	}
	for l := range levels {
		if x.d[l] == y.d[l] {
			r.d[l] = x.d[l]
		} else {
			r.until[l] = 0
		}
	}
	return r
}

// known gives a lane the value of the operand that its condition chooses, if that is known.
func (w *warp) known(r, c, x, y *value, lane uint64) uint64 {
	l := trailing(lane)
	from := y
	if c.at(l) != 0 {
		from = x
	}
	if from.known&lane == 0 {
		return 0
	}
	if r.uniform || len(r.bits) == 0 {
		r.bits, r.uniform = make([]uint64, w.lanes), false
	}
	r.bits[l] = from.at(l)
	return lane
}

// matrixRow is what each lane reads of the rows of matrices whose addresses lanes give: each row of 16 bytes is
// shared by four lanes, or two.
func matrixRow(in *ir.Instr, all uint64, rows *value) value {
	const bytesOfRow = 16
	v := value{same: false, until: rows.until, d: rows.d, bits: make([]uint64, bits.Len64(all))}
	share := bytesOfRow * in.Dim / 4 // of a lane
	for m := all; m != 0; m &= m - 1 {
		l := trailing(m)
		if from := l * share / bytesOfRow; rows.known>>from&1 == 1 {
			v.bits[l] = rows.at(from) + uint64(l*share%bytesOfRow)
			v.known |= 1 << l
		}
	}
	return v
}

// operation is the result of an operation without effects.
func operation(in *ir.Instr, index int, all uint64, a []*value) value {
	t := in.Type
	if in.Moded() {
		v := combine(all, func(x []uint64) (uint64, bool) { return arithmetic.Moded(in.Op, in.Fn, t, x) }, a...)
		v.bend(a...)
		return v
	}
	switch in.Op {
	case lower.PtrAdd:
		v := combine(all, func(x []uint64) (uint64, bool) { return x[0] + x[1]*uint64(in.Scale), true }, a...)
		v.linear(lower.S64, func(d []int64) (int64, bool) { return d[0] + d[1]*in.Scale, true }, a...)
		return v
	case lower.PtrDiff:
		v := combine(all, func(x []uint64) (uint64, bool) { return uint64(int64(x[0]-x[1]) / in.Scale), true }, a...)
		v.linear(lower.S64, func(d []int64) (int64, bool) {
			return (d[0] - d[1]) / in.Scale,
				(d[0]-d[1])%in.Scale == 0
		},
			a...)
		return v
	case lower.Mov:
		return *a[0]
	case lower.MatrixRow:
		return matrixRow(in, all, a[0])
	case lower.Bitcast:
		return bitcast(in, all, a[0])
	case lower.Convert:
		v := combine(all, func(x []uint64) (uint64, bool) { return arithmetic.Convert(t, in.From, in.Fn, x[0]), true },
			a...)
		if t.IsInteger() && in.From.IsInteger() {
			v.linear(t, func(d []int64) (int64, bool) { return d[0], true }, a...)
			return v
		}
		v.bend(a...)
		return v
	case lower.Fma:
		return product(in, all, a)
	case lower.Call:
		v := unknownValue(a[0].same)
		if len(in.Results) == 1 {
			name := strings.TrimPrefix(strings.TrimPrefix(in.Fn, "native_"), "half_")
			v = combine(all, func(x []uint64) (uint64, bool) {
				if y, ok := dividing(name, t, x); ok {
					return y, true
				}
				return arithmetic.Call(name, t, in.Args[0].Type, x)
			}, a...)
		}
		v.bend(a...)
		return v
	}
	if in.Op.IsComparison() {
		return compare(in.Op, t, all, a[0], a[1])
	}
	var v value
	switch op := in.Op; {
	case in.Fn == "clamp" && len(a) == 2:
		v = combine(all, func(x []uint64) (uint64, bool) {
			return arithmetic.Shift(op, t, x[0], arithmetic.ShiftCount(t, x[1], true)), true
		}, a...)
	case len(a) == 1:
		v = combine(all, func(x []uint64) (uint64, bool) { return arithmetic.Unary(op, t, x[0]) }, a...)
	case len(a) == 2:
		v = lanewise(op, t, all, a[0], a[1])
	default:
		v = combine(all, func([]uint64) (uint64, bool) { return 0, false }, a...)
	}
	if !t.IsInteger() || len(a) > 2 {
		v.bend(a...)
		return v
	}
	integer(in, &v, a)
	return v
}

// dividing is what a part of an integer division gives that is written out (package legal): the reciprocal of a
// divisor as 2^32/d, and a quotient or remainder by it.
func dividing(name string, t lower.Type, x []uint64) (uint64, bool) {
	switch {
	case name == "reciprocal" && len(x) == 1 && uint32(x[0]) != 0:
		return arithmetic.Canon(t, math.MaxUint32/uint64(uint32(x[0]))), true
	case name == "quotient" && len(x) == 4:
		return arithmetic.Binary(lower.Div, t, x[0], x[1])
	case name == "remainder" && len(x) == 4:
		return arithmetic.Binary(lower.Rem, t, x[0], x[1])
	}
	return 0, false
}

// bitcast gives the bits of a value another type.
func bitcast(in *ir.Instr, all uint64, a *value) value {
	if in.Type == lower.Ptr || in.From == lower.Ptr || in.Type.IsInteger() && in.From.IsInteger() {
		v := combine(all, func(x []uint64) (uint64, bool) { return arithmetic.Canon(in.Type, x[0]), true }, a)
		v.linear(in.Type, func(d []int64) (int64, bool) { return d[0], true }, a)
		return v
	}
	v := combine(all, func(x []uint64) (uint64, bool) {
		u := x[0]
		if in.From.IsHalf() {
			u = lower.ConstFloat(in.From, float64(math.Float32frombits(uint32(u)))).Bits
		}
		return arithmetic.LaneBits(in.Type, u), true
	}, a)
	v.bend(a)
	return v
}

// product is a*b + c.
func product(in *ir.Instr, all uint64, a []*value) value {
	t := in.Type
	if t.IsFloat() {
		v := combine(all, func(x []uint64) (uint64, bool) { return arithmetic.Fma(t, x), true }, a...)
		v.bend(a...)
		return v
	}
	v := combine(all, func(x []uint64) (uint64, bool) { return arithmetic.Canon(t, x[0]*x[1]+x[2]), true }, a...)
	v.linear(t, func(d []int64) (int64, bool) {
		m, ok := timesChange(a[0], a[1], d[0], d[1])
		return m + d[2], ok
	}, a...)
	return v
}

// timesChange is how a product changes with its factors.
func timesChange(a, b *value, da, db int64) (int64, bool) {
	switch {
	case da == 0 && db == 0:
		return 0, true
	case da == 0 && a.uniform:
		return db * int64(a.bits[0]), true
	case db == 0 && b.uniform:
		return da * int64(b.bits[0]), true
	}
	return 0, false
}

// integer says how the result of an operation on integers changes with iterations.
func integer(in *ir.Instr, v *value, a []*value) {
	t := in.Type
	constant := func(i int) (int64, bool) { return int64(a[i].at(0)), a[i].uniform && a[i].still() }
	var f func(d []int64) (int64, bool)
	switch in.Op {
	case lower.Add:
		f = func(d []int64) (int64, bool) { return d[0] + d[1], true }
	case lower.Sub:
		f = func(d []int64) (int64, bool) { return d[0] - d[1], true }
	case lower.Neg:
		f = func(d []int64) (int64, bool) { return -d[0], true }
	case lower.Not:
		f = func(d []int64) (int64, bool) { return -d[0], t.IsSigned() || t.Size() == 8 }
	case lower.Mul:
		f = func(d []int64) (int64, bool) { return timesChange(a[0], a[1], d[0], d[1]) }
	case lower.Shl:
		k, ok := constantOf(a, 1, constant)
		f = func(d []int64) (int64, bool) { return d[0] << uint(k&63), ok && k >= 0 && k < 63 }
	case lower.Shr, lower.Div:
		k, ok := constantOf(a, 1, constant)
		if in.Op == lower.Shr && ok && k >= 0 && k < 62 {
			k = 1 << uint(k)
		}
		if ok && k > 0 {
			quotient(in, v, a[0], k)
			return
		}
		f = func([]int64) (int64, bool) { return 0, false }
	case lower.Rem:
		k, ok := constantOf(a, 1, constant)
		least, _ := v.span()
		f = func(d []int64) (int64, bool) { return 0, ok && k > 0 && d[0]%k == 0 && least >= 0 && d[0] >= 0 }
	case lower.And, lower.Or, lower.Xor:
		f = masked(in.Op, a, constant)
	case lower.Min, lower.Max:
		extreme(in, v, a)
		return
	default:
		v.bend(a...)
		return
	}
	v.linear(t, f, a...)
}

func constantOf(a []*value, i int, constant func(int) (int64, bool)) (int64, bool) {
	if i >= len(a) || a[i].known == 0 {
		return 0, false
	}
	return constant(i)
}

// masked is how a logical operation with a constant changes: the low bits that a multiple of a power of two leaves
// alone are those of the constant, or the high ones are masked out.
func masked(op lower.Op, a []*value, constant func(int) (int64, bool)) func(d []int64) (int64, bool) {
	for i := range 2 {
		k, ok := constantOf(a, i, constant)
		if !ok {
			continue
		}
		other := 1 - i
		return func(d []int64) (int64, bool) {
			low := d[other] & -d[other] // bits below this one do not change
			switch {
			case op == lower.And && k >= 0 && k < low:
				return 0, true
			case op == lower.And && ^k >= 0 && ^k < low: // clears low bits
				return d[other], true
			case op != lower.And && k >= 0 && k < low:
				return d[other], true
			}
			return 0, false
		}
	}
	return func([]int64) (int64, bool) { return 0, false }
}

// extreme is how a minimum or maximum changes: as the operand that it is, for as long.
func extreme(in *ir.Instr, v *value, a []*value) {
	op := lower.Le
	if in.Op == lower.Max {
		op = lower.Ge
	}
	c := compare(op, in.Type, v.known, a[0], a[1])
	for l := range levels {
		switch {
		case a[0].d[l] == a[1].d[l]:
			v.d[l] = a[0].d[l]
		case !c.uniform:
			v.until[l] = 0
		default:
			v.until[l] = min(v.until[l], c.until[l])
			v.d[l] = a[1].d[l]
			if c.bits[0] != 0 {
				v.d[l] = a[0].d[l]
			}
		}
	}
	v.within(in.Type)
}
