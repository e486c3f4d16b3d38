package arithmetic

import (
	"math"
	"math/bits"

	"gpupipe/lower"
)

// callInteger evaluates a function of integers on known lane values, of which the first has type
// from. Counts of bits are of that type, also where the result is another.
func callInteger(fn string, t, from lower.Type, args []uint64) (uint64, bool) {
	width := 8 * int(from.Size())
	if width == 0 || len(args) == 0 || from.IsFloat() {
		return 0, false
	}
	x := args[0] & (math.MaxUint64 >> (64 - width))
	switch {
	case fn == "rotate" && t.Size() >= 4 && len(args) == 2:
		return rotated(t, args[0], args[1]), true
	case fn == "bfe" && len(args) == 3:
		return bitFieldExtract(t, width, x, args[1]&0xff, args[2]&0xff), true
	case fn == "bfi" && len(args) == 4:
		mask := (uint64(1)<<(args[3]&0xff) - 1) << (args[2] & 0xff) // Go's shifts give 0 beyond the width
		return Canon(t, args[1]&^mask|args[0]<<(args[2]&0xff)&mask), true
	case len(args) > 1:
		return 0, false
	}
	switch fn {
	case "popcount":
		return uint64(bits.OnesCount64(x)), true
	case "clz":
		return uint64(width - bits.Len64(x)), true
	case "ctz":
		return uint64(min(bits.TrailingZeros64(x), width)), true
	case "ffs": // the first is 1; 0 if there is none
		if x == 0 {
			return 0, true
		}
		return uint64(bits.TrailingZeros64(x) + 1), true
	case "bit_reverse":
		return Canon(t, bits.Reverse64(x)>>(64-width)), true
	}
	return 0, false
}

// bitFieldExtract evaluates bfe (PTX ISA): n bits of x from a place on, extended by the last of them that
// x has where the type is signed.
func bitFieldExtract(t lower.Type, width int, x, from, n uint64) uint64 {
	field := x >> from & (uint64(1)<<n - 1)
	if t.IsSigned() && n > 0 {
		if last := min(from+n-1, uint64(width-1)); x>>last&1 != 0 {
			field |= ^uint64(0) << (last + 1 - min(from, last+1))
		}
	}
	return Canon(t, field)
}

// rotated evaluates a rotation to the left.
func rotated(t lower.Type, x, n uint64) uint64 {
	if t.Size() == 4 {
		return Canon(t, uint64(bits.RotateLeft32(uint32(x), int(n&31))))
	}
	return bits.RotateLeft64(x, int(n&63))
}

// IsPowerOfTwo reports whether the magnitude of an integer lane value of type t is a power of two.
func IsPowerOfTwo(t lower.Type, v uint64) bool {
	if t.IsSigned() && int64(v) < 0 {
		v = -v
	}
	return bits.OnesCount64(v) == 1
}
