package arithmetic_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

var integers = []lower.Type{lower.S8, lower.U8, lower.S16, lower.U16, lower.S32, lower.U32, lower.S64, lower.U64}

// samples returns extreme and random values of an integer type.
func samples(t lower.Type, rng *rand.Rand) []uint64 {
	var list []uint64
	top := uint64(1) << (8*t.Size() - 1)
	for _, u := range []uint64{0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 64, top - 1, top, top + 1, top / 2, -top, 1<<64 - 1,
		1<<64 - 2, 1<<64 - 7} {
		list = append(list, oracleConvert(t, u))
	}
	for range 20 {
		list = append(list, oracleConvert(t, rng.Uint64()>>rng.IntN(64)))
	}
	return list
}

// TestIntegerArithmetic compares every integer operation of every type with
// Go's own typed arithmetic.
func TestIntegerArithmetic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	binary := []lower.Op{lower.Add, lower.Sub, lower.Mul, lower.Div, lower.Rem, lower.And, lower.Or, lower.Xor,
		lower.Shl, lower.Shr,
		lower.Min, lower.Max, lower.MulHi, lower.Eq, lower.Ne, lower.Lt, lower.Le, lower.Gt, lower.Ge}
	for _, typ := range integers {
		list := samples(typ, rng)
		for _, a := range list {
			for _, op := range []lower.Op{lower.Neg, lower.Not, lower.Abs} {
				want, _ := oracleUnary(op, typ, a)
				if got, ok := arithmetic.Unary(op, typ, a); got != want || !ok {
					t.Fatalf("%v.%v %#x = %#x (%v), want %#x", op, typ, a, got, ok, want)
				}
			}
			for _, op := range binary {
				for _, b := range list {
					want, defined := oracleBinary(op, typ, a, b)
					if got, ok := arithmetic.Binary(op, typ, a, b); got != want || ok != defined {
						t.Fatalf("%v.%v %#x, %#x = %#x (%v), want %#x (%v)", op, typ, a, b, got, ok, want, defined)
					}
				}
			}
			for _, to := range append([]lower.Type{lower.Pred}, integers...) {
				if got, want := arithmetic.Convert(to, typ, "", a), oracleConvert(to, a); got != want {
					t.Fatalf("convert %v to %v: %#x becomes %#x, want %#x", typ, to, a, got, want)
				}
			}
		}
	}
	for _, a := range []uint64{0, 1} {
		for _, b := range []uint64{0, 1} {
			for op, want := range map[lower.Op]uint64{lower.And: a & b, lower.Or: a | b, lower.Xor: a ^ b} {
				if got, ok := arithmetic.Binary(op, lower.Pred, a, b); got != want || !ok {
					t.Errorf("%v of conditions %d, %d = %d", op, a, b, got)
				}
			}
		}
		if got, ok := arithmetic.Unary(lower.Not, lower.Pred, a); got != 1-a || !ok {
			t.Errorf("not of condition %d = %d", a, got)
		}
	}
}

var floats = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1.0 / 3, 2.5, -2.5, 3.5, 127.4, 128, -128.6, 255.9, 256,
	32767.5, 65504, 65520, 1 << 24, 1<<24 + 1,
	2147483647, 2147483648, -2147483649, 4294967295, 4294967296, 1 << 62, 1 << 63, 1 << 64, -1 << 63, 1e38, 1e39,
	-1e300, 5e-324, 1e-40, 6e-8, 3e-8,
	math.MaxFloat32, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}

// TestFloatArithmetic compares the floating operations with Go's float32 and
// float64.
func TestFloatArithmetic(t *testing.T) {
	single := func(f float64) uint64 { return uint64(math.Float32bits(float32(f))) }
	same := func(a, b uint64, nan bool) bool { return a == b || nan }
	for _, x := range floats {
		for _, y := range floats {
			a, b := float32(x), float32(y)
			want32 := map[lower.Op]float32{lower.Add: a + b, lower.Sub: a - b, lower.Mul: a * b, lower.Div: a / b}
			want64 := map[lower.Op]float64{lower.Add: x + y, lower.Sub: x - y, lower.Mul: x * y, lower.Div: x / y}
			for op := range want64 {
				w := want32[op]
				if got, ok := arithmetic.Binary(op, lower.F32, single(x), single(y)); !ok ||
					!same(got, single(float64(w)), w != w && math.IsNaN(float64(math.Float32frombits(uint32(got))))) {
					t.Fatalf("%v.f32 %g, %g = %g, want %g", op, a, b, math.Float32frombits(uint32(got)), w)
				}
				d := want64[op]
				if got, ok := arithmetic.Binary(op, lower.F64, math.Float64bits(x), math.Float64bits(y)); !ok ||
					!same(got, math.Float64bits(d), d != d && math.IsNaN(math.Float64frombits(got))) {
					t.Fatalf("%v.f64 %g, %g = %g, want %g", op, x, y, math.Float64frombits(got), d)
				}
			}
			truth := map[lower.Op]bool{lower.Eq: a == b, lower.Ne: a != b, lower.Lt: a < b, lower.Le: a <= b,
				lower.Gt: a > b, lower.Ge: a >= b}
			for op, want := range truth {
				if got, _ := arithmetic.Binary(op, lower.F32, single(x), single(y)); got == 1 != want {
					t.Fatalf("%v.f32 %g, %g = %d, want %v", op, a, b, got, want)
				}
			}
			// fmin and fmax return the other operand where one is NaN.
			lo, hi := math.Min(x, y), math.Max(x, y)
			if x != x {
				lo, hi = y, y
			} else if y != y {
				lo, hi = x, x
			}
			for op, want := range map[lower.Op]float64{lower.Min: lo, lower.Max: hi} {
				if got, _ := arithmetic.Binary(op, lower.F64, math.Float64bits(x), math.Float64bits(y)); !same(got,
					math.Float64bits(want), want != want) {
					t.Fatalf("%v.f64 %g, %g = %g, want %g", op, x, y, math.Float64frombits(got), want)
				}
			}
		}
	}
}

// TestConversions checks conversions between numbers: towards zero and
// saturating to integers, to nearest even between floats.
func TestConversions(t *testing.T) {
	for _, f := range floats {
		bits := math.Float64bits(f)
		for _, to := range integers {
			want := saturated(to, f)
			if got := arithmetic.Convert(to, lower.F64, "", bits); got != want {
				t.Errorf("%g to %v = %#x, want %#x", f, to, got, want)
			}
		}
		if got := arithmetic.Convert(lower.F32, lower.F64, "", bits); f == f &&
			got != uint64(math.Float32bits(float32(f))) {
			t.Errorf("%g to f32 = %#x", f, got)
		}
		if got := arithmetic.Convert(lower.Pred, lower.F64, "", bits); got == 1 != (f != 0) {
			t.Errorf("%g to a condition = %d", f, got)
		}
	}
	rng := rand.New(rand.NewPCG(2, 2))
	for _, from := range integers {
		for _, a := range append(samples(from, rng), oracleConvert(from, 1<<62|1<<38|1)) {
			want := float64(a)
			if from.IsSigned() {
				want = float64(int64(a))
			}
			if got := arithmetic.Convert(lower.F64, from, "", a); got != math.Float64bits(want) {
				t.Errorf("%v %#x to f64 = %g, want %g", from, a, math.Float64frombits(got), want)
			}
			// One rounding, not two by way of double precision.
			single := float32(a)
			if from.IsSigned() {
				single = float32(int64(a))
			}
			if got := arithmetic.Convert(lower.F32, from, "", a); got != uint64(math.Float32bits(single)) {
				t.Errorf("%v %#x to f32 = %g, want %g", from, a, math.Float32frombits(uint32(got)), single)
			}
		}
	}
	for f, want := range map[float64]float32{1: 1, 65504: 65504, 65519: 65504, 65520: float32(math.Inf(1)),
		0.1: 0.0999755859375, 2049: 2048, 2051: 2052, 1e-8: 0, 6e-8: 5.9604644775390625e-08} {
		if got := math.Float32frombits(uint32(arithmetic.Convert(lower.F16, lower.F64, "",
			math.Float64bits(f)))); got != want {
			t.Errorf("%g in half precision is %g, want %g", f, got, want)
		}
	}
}

// TestHalfPrecision: every number of half precision is itself after rounding, and
// they are in order.
func TestHalfPrecision(t *testing.T) {
	last := float32(math.Inf(-1))
	for i := range 2 * 0x7c01 {
		h := uint16(0xfc00 - i) // from -Inf up to -0
		if i > 0x7c00 {
			h = uint16(i - 0x7c01) // from 0 up to Inf
		}
		f := float32(lower.HalfFloat(h))
		if got := arithmetic.Convert(lower.F16, lower.F32, "",
			uint64(math.Float32bits(f))); got != uint64(math.Float32bits(f)) {
			t.Fatalf("half %#x is %g, rounded %g", h, f, math.Float32frombits(uint32(got)))
		}
		if f < last || f == last && f != 0 && i > 0 {
			t.Fatalf("half %#x is %g after %g", h, f, last)
		}
		last = f
	}
	for h, want := range map[uint16]float32{0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0001: 5.9604644775390625e-08,
		0x03ff: 6.097555160522461e-05, 0x3555: 0.333251953125} {
		if got := float32(lower.HalfFloat(h)); got != want {
			t.Errorf("half %#x is %g, want %g", h, got, want)
		}
	}
	if f := lower.HalfFloat(0x7e00); f == f {
		t.Errorf("not a number is %g", f)
	}
}

// saturated truncates f to an integer type, by comparison with every bound.
func saturated(to lower.Type, f float64) uint64 {
	if f != f {
		return 0
	}
	n := int(8 * to.Size())
	switch {
	case to.IsSigned() && f >= math.Ldexp(1, n-1):
		return 1<<(n-1) - 1
	case to.IsSigned() && f < -math.Ldexp(1, n-1):
		return oracleConvert(to, 1<<(n-1))
	case to.IsSigned():
		return uint64(int64(f))
	case f < 1:
		return 0
	case f >= math.Ldexp(1, n):
		return oracleConvert(to, 1<<64-1)
	}
	return uint64(f)
}
