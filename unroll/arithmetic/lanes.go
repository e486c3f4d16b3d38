package arithmetic

import "gpupipe/lower"

// Lanes evaluates op in each lane as Binary does, of types but floating ones and where the result is defined for all
// operands; it reports whether op is one of those. a and b have at least as many lanes as r.
func Lanes(op lower.Op, t lower.Type, r, a, b []uint64) bool {
	if t.IsFloat() {
		return false
	}
	a, b = a[:len(r)], b[:len(r)]
	switch op {
	case lower.Add:
		for i := range r {
			r[i] = a[i] + b[i]
		}
	case lower.Sub:
		for i := range r {
			r[i] = a[i] - b[i]
		}
	case lower.Mul:
		for i := range r {
			r[i] = a[i] * b[i]
		}
	case lower.And:
		for i := range r {
			r[i] = a[i] & b[i]
		}
	case lower.Or:
		for i := range r {
			r[i] = a[i] | b[i]
		}
	case lower.Xor:
		for i := range r {
			r[i] = a[i] ^ b[i]
		}
	default:
		return compareLanes(op, t, r, a, b)
	}
	canonLanes(t, r)
	return true
}

// compareLanes does so for comparisons.
func compareLanes(op lower.Op, t lower.Type, r, a, b []uint64) bool {
	sign := uint64(0) // with it numbers with a sign are in the order of those without
	if t.IsSigned() {
		sign = 1 << 63
	}
	opposite := uint64(0)
	switch op {
	case lower.Eq, lower.Ne:
		for i := range r {
			r[i] = FromBool((a[i] == b[i]) == (op == lower.Eq))
		}
		return true
	case lower.Gt:
		a, b = b, a
	case lower.Le:
		a, b, opposite = b, a, 1
	case lower.Ge:
		opposite = 1
	case lower.Lt:
	default:
		return false
	}
	for i := range r {
		r[i] = FromBool(a[i]^sign < b[i]^sign) ^ opposite
	}
	return true
}

// canonLanes is Canon of each lane.
func canonLanes(t lower.Type, r []uint64) {
	switch t {
	case lower.S32:
		for i := range r {
			r[i] = uint64(int64(int32(r[i])))
		}
	case lower.U32:
		for i := range r {
			r[i] = uint64(uint32(r[i]))
		}
	case lower.S64, lower.U64, lower.Ptr:
	default:
		for i := range r {
			r[i] = Canon(t, r[i])
		}
	}
}
