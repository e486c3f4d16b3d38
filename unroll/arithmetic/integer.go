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
