package interp

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"strings"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/unroll/arithmetic"
)

// value is the lane value of an operand.
func (e *executor) value(v *ir.Value) uint64 {
	switch v.Kind {
	case ir.Const:
		return arithmetic.LaneBits(v.Type, v.Bits)
	case ir.Address:
		return uint64(v.Object) << offsetBits
	case ir.Undef:
		return 0
	}
	return e.values[v.ID]
}

// all are those of operands, up to the next call.
func (e *executor) all(list []*ir.Value) []uint64 {
	e.held = e.held[:0]
	for _, v := range list {
		e.held = append(e.held, e.value(v))
	}
	return e.held
}

func (e *executor) set(in *ir.Instr, i int, v uint64) {
	e.values[in.Results[i].ID] = arithmetic.Canon(in.Results[i].Type, v)
}

// operation executes an instruction without blocks.
func (e *executor) operation(in *ir.Instr) {
	a := e.all(in.Args)
	switch in.Op {
	case lower.Load, lower.Store, lower.Atomic, lower.Copy:
		e.access(in, a)
	case lower.Barrier, lower.SubGroup:
		e.wait(in)
	case lower.Fence, lower.CopyGroup:
	case lower.BulkCopy:
		e.bulkCopy(in, a)
	case lower.Index:
		e.set(in, 0, e.index(in))
	case lower.PtrAdd:
		e.set(in, 0, a[0]+a[1]*uint64(in.Scale))
	case lower.PtrDiff:
		e.set(in, 0, uint64((int64(a[0])-int64(a[1]))/in.Scale))
	case lower.Mov, lower.MatrixRow:
		e.set(in, 0, a[0])
	case lower.Select:
		if a[0] != 0 {
			e.set(in, 0, a[1])
		} else {
			e.set(in, 0, a[2])
		}
	case lower.Bitcast:
		e.set(in, 0, arithmetic.LaneBits(in.Type, memoryBits(in.From, a[0])))
	case lower.Convert:
		e.set(in, 0, arithmetic.Convert(in.Type, in.From, in.Fn, a[0]))
	case lower.Fma:
		e.set(in, 0, fma(in.Type, a))
	case lower.Call:
		for i, v := range call(in, a) {
			e.set(in, i, v)
		}
	case lower.MatMul, lower.GroupMatMul, lower.ImageLoad:
		for i, r := range in.Results {
			e.set(in, i, unknown(in, r.Type, i, a))
		}
	case lower.ImageStore, lower.OpOpaque:
		fail(in, "%q is not supported", in.Fn)
	default:
		if e.g.launch.Strict && overflows(in, a) {
			fail(in, "overflow of %d and %d", int64(a[0]), int64(a[len(a)-1]))
		}
		e.set(in, 0, number(in, a))
	}
}

// overflows reports whether the result of an operation on int or long is not one of the type. The operands of
// narrower types were promoted.
func overflows(in *ir.Instr, a []uint64) bool {
	if !in.Type.IsSigned() || in.Type.Size() < 4 {
		return false
	}
	x, y := int64(a[0]), int64(a[len(a)-1])
	least := -int64(1) << (8*in.Type.Size() - 1)
	var r int64
	switch in.Op {
	case lower.Add:
		r = x + y
		if in.Type == lower.S64 {
			return x > 0 && y > 0 && r < 0 || x < 0 && y < 0 && r >= 0
		}
	case lower.Sub:
		r = x - y
		if in.Type == lower.S64 {
			return x >= 0 && y < 0 && r < 0 || x < 0 && y > 0 && r >= 0
		}
	case lower.Mul:
		r = x * y
		if in.Type == lower.S64 {
			return x == -1 && y == least || y == -1 && x == least || x != 0 && x != -1 && r/x != y
		}
	case lower.Neg, lower.Abs:
		return x == least
	case lower.Div, lower.Rem:
		return x == least && y == -1
	}
	return int64(int32(r)) != r && in.Type == lower.S32
}

// number executes an operation of one or two numbers.
func number(in *ir.Instr, a []uint64) uint64 {
	var r uint64
	ok := false
	switch {
	case in.Fn == "clamp" && len(a) == 2:
		return arithmetic.Shift(in.Op, in.Type, a[0], arithmetic.ShiftCount(in.Type, a[1], true))
	case len(a) == 1:
		r, ok = arithmetic.Unary(in.Op, in.Type, a[0])
	case len(a) == 2:
		r, ok = arithmetic.Binary(in.Op, in.Type, a[0], a[1])
	}
	if !ok {
		fail(in, "undefined for %#x in %v", a, in.Type)
	}
	return r
}

// fma is a*b+c, of floats rounded once.
func fma(t ir.Type, a []uint64) uint64 {
	if !t.IsFloat() {
		return a[0]*a[1] + a[2]
	}
	return arithmetic.Fma(t, a)
}

// call is what a function gives: its meaning where that is known.
func call(in *ir.Instr, a []uint64) []uint64 {
	t := in.Type
	if len(a) == 0 {
		fail(in, "%s without operands", in.Fn)
	}
	if len(in.Results) == 2 && t.IsFloat() {
		x := arithmetic.ToFloat(t, a[0])
		both := func(f, g float64) []uint64 {
			return []uint64{arithmetic.FromFloat(t, f), arithmetic.FromFloat(t, g)}
		}
		switch in.Fn {
		case "sincos":
			return both(math.Sin(x), math.Cos(x))
		case "fract":
			return both(x-math.Floor(x), math.Floor(x))
		case "modf":
			return both(x-math.Trunc(x), math.Trunc(x))
		case "frexp":
			m, exp := math.Frexp(x)
			return []uint64{arithmetic.FromFloat(t, m), uint64(exp)}
		}
	}
	if len(in.Results) == 1 {
		if in.Fn == "native_divide" && len(a) == 2 {
			return []uint64{arithmetic.FromFloat(t, arithmetic.ToFloat(t, a[0])/arithmetic.ToFloat(t, a[1]))}
		}
		name := strings.TrimPrefix(strings.TrimPrefix(in.Fn, "native_"), "half_")
		if r, ok := arithmetic.Call(name, t, in.Args[0].Type, a); ok {
			return []uint64{r}
		}
	}
	out := make([]uint64, len(in.Results))
	for i, r := range in.Results {
		out[i] = unknown(in, r.Type, i, a)
	}
	return out
}

// unknown stands for result i of an operation whose meaning is not modelled: a small whole number that depends on
// the operation and its operands alone.
func unknown(in *ir.Instr, t ir.Type, i int, a []uint64) uint64 {
	h := fnv.New64a()
	h.Write([]byte(in.Fn))
	for _, x := range append([]uint64{uint64(in.Op), uint64(in.Type), uint64(i)}, a...) {
		h.Write(binary.LittleEndian.AppendUint64(nil, x))
	}
	n := h.Sum64() >> 59
	if t.IsFloat() {
		return arithmetic.FromFloat(t, float64(n))
	}
	return arithmetic.Canon(t, n)
}

// bulkCopy copies a block of bytes; what a tensor map describes is not known.
func (e *executor) bulkCopy(in *ir.Instr, a []uint64) {
	n := a[len(a)-1]
	if in.Fn == "load" && len(a) > 4 {
		return
	}
	one := *in // bytes
	one.Type, one.Align = lower.U8, 1
	copy(e.at(&one, a[0], 0, int(n))[:n], e.at(&one, a[1], 0, int(n))[:n])
}
