package arithmetic

import "gpupipe/lower"

// ShiftCount is by how many bits a shift in type t with the count n shifts: the count modulo t's
// width, or, of a clamping shift, at most the width. PTX's shl and shr read the count as an
// unsigned number of 32 bits (PTX ISA 8.5, 9.7.8.7 and 9.7.8.8).
func ShiftCount(t lower.Type, n uint64, clamps bool) uint64 {
	width := uint64(8 * t.Size())
	if clamps {
		return min(uint64(uint32(n)), width)
	}
	return n & (width - 1)
}

// Shift evaluates Shl and Shr by a count of ShiftCount.
func Shift(op lower.Op, t lower.Type, a, count uint64) uint64 {
	switch {
	case op == lower.Shl:
		return Canon(t, a<<count)
	case t.IsSigned():
		return Canon(t, uint64(int64(a)>>count))
	}
	return Canon(t, a>>count)
}
