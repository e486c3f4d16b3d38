package interp

import (
	"math"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/unroll/arithmetic"
)

// An address is the number of its object and an offset. Objects lie far enough from each other for arithmetic to
// leave one and come back.
const offsetBits = 40

// at is the memory that n elements of an access touch, checked against bounds, alignment and address space.
func (e *executor) at(in *ir.Instr, address uint64, space ir.Space, n int) []byte {
	id, off := address>>offsetBits, int64(address&(1<<offsetBits-1))
	if id == 0 || id > uint64(len(e.g.memory)) {
		fail(in, "address %#x is of no object", address)
	}
	o := &e.g.f.Objects[id-1]
	b := e.g.memory[id-1]
	if b == nil {
		b = e.private[id-1]
	}
	switch {
	case off+int64(n)*in.Type.Size() > int64(len(b)):
		fail(in, "offset %d of %s is outside", off, o.Name)
	case in.Align > 0 && off%in.Align != 0:
		fail(in, "offset %d of %s is not aligned to %d", off, o.Name, in.Align)
	case in.Whole > 0 && off%int64(in.Whole) != int64(in.Offset):
		fail(in, "offset %d of %s, want %d of %d", off, o.Name, in.Offset, in.Whole)
	case o.Space != space && space != 0:
		fail(in, "%v memory is accessed as %v", o.Space, space)
	}
	return b[off:]
}

// get reads an element as a lane value.
func get(b []byte, t ir.Type) uint64 {
	var v uint64
	for i := range t.Size() {
		v |= uint64(b[i]) << (8 * i)
	}
	if t == lower.Pred {
		return arithmetic.FromBool(v != 0)
	}
	return arithmetic.LaneBits(t, v)
}

// put writes a lane value.
func put(b []byte, t ir.Type, v uint64) {
	v = memoryBits(t, v)
	for i := range t.Size() {
		b[i] = byte(v >> (8 * i))
	}
}

// memoryBits are the bits that memory has of a lane value: halves are kept as floats.
func memoryBits(t ir.Type, v uint64) uint64 {
	if t.IsHalf() {
		return lower.ConstFloat(t, float64(math.Float32frombits(uint32(v)))).Bits
	}
	return v
}

// access executes Load, Store, Atomic and Copy.
func (e *executor) access(in *ir.Instr, a []uint64) {
	size := int(in.Type.Size())
	if watch := e.g.launch.Watch; watch != nil {
		watch(e.number, in, a[0])
	}
	switch in.Op {
	case lower.Load:
		b := e.at(in, a[0], in.Space, len(in.Results))
		for i := range in.Results {
			e.set(in, i, get(b[i*size:], in.Type))
		}
	case lower.Store:
		b := e.at(in, a[0], in.Space, len(a)-1)
		for i, v := range a[1:] {
			put(b[i*size:], in.Type, v)
		}
	case lower.Atomic:
		b := e.at(in, a[0], in.Space, 1)
		old := get(b, in.Type)
		e.set(in, 0, old)
		put(b, in.Type, arithmetic.Canon(in.Type, atomicResult(in, old, a[1:])))
	case lower.Copy:
		from := e.at(in, a[1], in.Space, len(in.Results))
		to := e.at(in, a[0], 0, len(in.Results))
		for i := range in.Results {
			v := get(from[i*size:], in.Type)
			e.set(in, i, v)
			put(to[i*size:], in.Type, v)
		}
	}
}

// atomicOps are the operations that an atomic is one of.
var atomicOps = map[string]ir.Op{"add": lower.Add, "sub": lower.Sub, "and": lower.And, "or": lower.Or,
	"xor": lower.Xor, "min": lower.Min, "max": lower.Max}

// atomicResult is what an atomic operation leaves in memory. inc_wrap and dec_wrap are CUDA's, which wrap at
// their operand (CUDA C++ Programming Guide, Atomic Functions).
func atomicResult(in *ir.Instr, old uint64, a []uint64) uint64 {
	if op, ok := atomicOps[in.Fn]; ok && len(a) == 1 {
		if r, ok := arithmetic.Binary(op, in.Type, old, a[0]); ok {
			return r
		}
	}
	switch {
	case in.Fn == "inc":
		return old + 1
	case in.Fn == "dec":
		return old - 1
	case in.Fn == "xchg" && len(a) == 1:
		return a[0]
	case in.Fn == "cmpxchg" && len(a) == 2:
		if old == a[0] {
			return a[1]
		}
		return old
	case in.Fn == "inc_wrap" && len(a) == 1:
		if old >= a[0] {
			return 0
		}
		return old + 1
	case in.Fn == "dec_wrap" && len(a) == 1:
		if old == 0 || old > a[0] {
			return a[0]
		}
		return old - 1
	}
	fail(in, "no function %q of %d operands", in.Fn, len(a))
	return 0
}
