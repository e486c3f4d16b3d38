package arithmetic_test

import (
	"math/big"

	"gpupipe/lower"
)

// number is what a lane value of an integer type stands for.
func number(t lower.Type, a uint64) *big.Int {
	if t.IsSigned() {
		return big.NewInt(int64(a))
	}
	return new(big.Int).SetUint64(a)
}

// lane is the lane value of type t of x modulo 2^64.
func lane(t lower.Type, x *big.Int) uint64 {
	low := new(big.Int).And(x, new(big.Int).SetUint64(1<<64-1))
	return oracleConvert(t, low.Uint64())
}

// oracleSaturate converts an integer to the nearest number of type t.
func oracleSaturate(t, from lower.Type, a uint64) uint64 { return nearest(t, number(from, a)) }

func nearest(t lower.Type, x *big.Int) uint64 {
	lo, hi := big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), uint(8*t.Size()))
	if t.IsSigned() {
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	hi.Sub(hi, big.NewInt(1))
	switch {
	case x.Cmp(lo) < 0:
		x = lo
	case x.Cmp(hi) > 0:
		x = hi
	}
	return lane(t, x)
}

// oracleCall evaluates a function of integers of type t, of OpenCL C 1.2, 6.12.3, by its definition. The
// result is one of t.
func oracleCall(fn string, t lower.Type, a []uint64) (uint64, bool) {
	x := make([]*big.Int, len(a))
	for i := range a {
		x[i] = number(t, a[i])
	}
	sum := func(more int64) *big.Int {
		s := new(big.Int).Add(x[0], x[1])
		return s.Add(s, big.NewInt(more))
	}
	width := int(8 * t.Size())
	bit := func(i int) bool { return a[0]>>i&1 != 0 }
	switch fn {
	case "hadd": // (x + y) >> 1
		return lane(t, new(big.Int).Rsh(sum(0), 1)), true
	case "rhadd": // (x + y + 1) >> 1
		return lane(t, new(big.Int).Rsh(sum(1), 1)), true
	case "add_sat":
		return nearest(t, sum(0)), true
	case "sub_sat":
		return nearest(t, new(big.Int).Sub(x[0], x[1])), true
	case "mad_sat":
		p := new(big.Int).Mul(x[0], x[1])
		return nearest(t, p.Add(p, x[2])), true
	case "abs_diff":
		d := new(big.Int).Sub(x[0], x[1])
		return lane(t, d.Abs(d)), true
	case "rotate":
		n := int(new(big.Int).Mod(x[1], big.NewInt(int64(width))).Int64())
		var r uint64
		for i := range width {
			if bit(i) {
				r |= 1 << ((i + n) % width)
			}
		}
		return oracleConvert(t, r), true
	case "popcount":
		n := uint64(0)
		for i := range width {
			n += a[0] >> i & 1
		}
		return n, true
	case "clz", "ctz":
		n := 0
		for n < width && (fn == "clz" && !bit(width-1-n) || fn == "ctz" && !bit(n)) {
			n++
		}
		return uint64(n), true
	}
	return 0, false
}
