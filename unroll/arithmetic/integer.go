package arithmetic

import (
	"math"
	"math/bits"

	"gpupipe/lower"
)

// integerFunction evaluates a function on lane values of type t.
type integerFunction struct {
	args int
	eval func(t lower.Type, a []uint64) uint64
}

// integerFunctions are the functions of integers that can be evaluated for known arguments: those
// of OpenCL C 1.2, 6.12.3, that are not operations of their own, and CUDA's. What they return is
// narrowed to the result's type.
var integerFunctions = map[string]integerFunction{
	"popcount": {1, func(t lower.Type, a []uint64) uint64 { return uint64(bits.OnesCount64(bitsOf(t, a[0]))) }},
	"clz":      {1, func(t lower.Type, a []uint64) uint64 { return uint64(width(t) - bits.Len64(bitsOf(t, a[0]))) }},
	"ctz":      {1, func(t lower.Type, a []uint64) uint64 { return uint64(min(bits.TrailingZeros64(a[0]), width(t))) }},
	// 0 of 0
	"ffs": {1, func(_ lower.Type, a []uint64) uint64 { return uint64(bits.TrailingZeros64(a[0])+1) % 65 }},
	"bit_reverse": {1, func(t lower.Type, a []uint64) uint64 {
		return bits.Reverse64(a[0]) >> (64 - width(t))
	}},
	"rotate": {2, func(t lower.Type, a []uint64) uint64 {
		x, n := bitsOf(t, a[0]), a[1]&uint64(width(t)-1)
		return x<<n | x>>(uint64(width(t))-n)
	}},
	// Halving without the sum's carry: what both have, and half of what one has.
	"hadd":  {2, func(t lower.Type, a []uint64) uint64 { return a[0]&a[1] + Shift(lower.Shr, t, a[0]^a[1], 1) }},
	"rhadd": {2, func(t lower.Type, a []uint64) uint64 { return (a[0] | a[1]) - Shift(lower.Shr, t, a[0]^a[1], 1) }},

	// PTX's addc and subc of two numbers, and of the high words of the sum or difference before: of what was added
	// or subtracted, and of the result. The highest bit of what holds in two of the three is the carry.
	"add_carry":  {5, func(_ lower.Type, a []uint64) uint64 { return a[0] + a[1] + carryOf(a[2], a[3], a[4]) }},
	"sub_borrow": {5, func(_ lower.Type, a []uint64) uint64 { return a[0] - a[1] - carryOf(^a[2], a[3], ^a[4]) }},

	"add_sat": {2, func(t lower.Type, a []uint64) uint64 { return widen(t, a[0]).add(widen(t, a[1])).saturate(t) }},
	"sub_sat": {2, func(t lower.Type, a []uint64) uint64 { return widen(t, a[0]).sub(widen(t, a[1])).saturate(t) }},
	"mad_sat": {3, func(t lower.Type, a []uint64) uint64 {
		return product(t, a[0], a[1]).add(widen(t, a[2])).saturate(t)
	}},

	// Places and lengths of fields are bytes in PTX; Go's shifts give 0 beyond the width.
	"bfe": {3, func(t lower.Type, a []uint64) uint64 {
		return bitFieldExtract(t, bitsOf(t, a[0]), a[1]&0xff, a[2]&0xff)
	}},
	"bfi": {4, func(_ lower.Type, a []uint64) uint64 {
		place := a[2] & 0xff
		mask := (uint64(1)<<(a[3]&0xff) - 1) << place
		return a[1]&^mask | a[0]<<place&mask
	}},

	"sad": {3, func(t lower.Type, a []uint64) uint64 {
		if less(t, a[0], a[1]) {
			return a[1] - a[0] + a[2]
		}
		return a[0] - a[1] + a[2]
	}},
	// PTX's prmt: a byte of the two words, or its sign in all bits, for each four bits of the selector.
	"byte_perm": {3, func(_ lower.Type, a []uint64) (r uint64) {
		both := a[1]<<32 | bitsOf(lower.U32, a[0])
		for i := range 4 {
			selector := a[2] >> (4 * i)
			b := both >> (8 * (selector & 7)) & 0xff
			if selector&8 != 0 {
				b = b >> 7 * 0xff
			}
			r |= b << (8 * i)
		}
		return r
	}},
	// PTX's lop3: the bits of the table at what the three operands' bits are.
	"lop3": {4, func(_ lower.Type, a []uint64) (r uint64) {
		for i := range 8 {
			if a[3]>>i&1 == 0 {
				continue
			}
			term := ^uint64(0)
			for k := range 3 {
				if i>>(2-k)&1 != 0 {
					term &= a[k]
				} else {
					term &^= a[k]
				}
			}
			r |= term
		}
		return r
	}},
	"funnelshift_l": {3, func(_ lower.Type, a []uint64) uint64 { return (a[1]<<32 | a[0]) << (a[2] & 31) >> 32 }},
	"funnelshift_r": {3, func(_ lower.Type, a []uint64) uint64 { return (a[1]<<32 | a[0]) >> (a[2] & 31) }},
}

// callInteger evaluates a function of integers on known lane values, of which the first has type
// from. Counts of bits are of that type, also where the result is another.
func callInteger(fn string, t, from lower.Type, args []uint64) (uint64, bool) {
	f, ok := integerFunctions[fn]
	if !ok || len(args) != f.args || !from.IsInteger() {
		return 0, false
	}
	return Canon(t, f.eval(from, args)), true
}

// carryOf is the carry of words x and y whose sum, with a carry into it or not, is sum.
func carryOf(x, y, sum uint64) uint64 { return (x&y | (x|y)&^sum) >> 31 & 1 }

// bitFieldExtract evaluates bfe (PTX ISA): n bits of x from a place on, extended by the last of them that
// x has where the type is signed.
func bitFieldExtract(t lower.Type, x, from, n uint64) uint64 {
	field := x >> from & (uint64(1)<<n - 1)
	if t.IsSigned() && n > 0 {
		if last := min(from+n-1, uint64(width(t)-1)); x>>last&1 != 0 {
			field |= ^uint64(0) << (last + 1 - min(from, last+1))
		}
	}
	return field
}

func width(t lower.Type) int { return 8 * int(t.Size()) }

// bitsOf are the bits of a lane value, without those that its sign fills.
func bitsOf(t lower.Type, a uint64) uint64 { return a & (math.MaxUint64 >> (64 - width(t))) }

// wide is a number of 128 bits, in two's complement: what saturation is decided on.
type wide struct{ hi, lo uint64 }

// widen extends a lane value.
func widen(t lower.Type, a uint64) wide {
	if t.IsSigned() {
		return wide{uint64(int64(a) >> 63), a}
	}
	return wide{0, a}
}

func (x wide) add(y wide) wide {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	hi, _ := bits.Add64(x.hi, y.hi, carry)
	return wide{hi, lo}
}

func (x wide) sub(y wide) wide {
	lo, borrow := bits.Sub64(x.lo, y.lo, 0)
	hi, _ := bits.Sub64(x.hi, y.hi, borrow)
	return wide{hi, lo}
}

// product is a*b. Of unsigned numbers it is cut to 2^65, which saturates as well.
func product(t lower.Type, a, b uint64) wide {
	hi, lo := bits.Mul64(a, b)
	if t.IsSigned() {
		return wide{mulHi(lower.S64, a, b), lo}
	}
	return wide{min(hi, 1), lo}
}

// saturate is the number of type t that is nearest to x.
func (x wide) saturate(t lower.Type) uint64 {
	lo, hi := limits(t)
	switch least, most := widen(t, lo), widen(t, hi); {
	case x.less(least):
		return lo
	case most.less(x):
		return hi
	}
	return x.lo
}

func (x wide) less(y wide) bool {
	return int64(x.hi) < int64(y.hi) || x.hi == y.hi && x.lo < y.lo
}

// limits are the least and the largest lane value of an integer type.
func limits(t lower.Type) (lo, hi uint64) {
	if t.IsSigned() {
		return math.MaxUint64 << (width(t) - 1), 1<<(width(t)-1) - 1
	}
	return 0, math.MaxUint64 >> (64 - width(t))
}
