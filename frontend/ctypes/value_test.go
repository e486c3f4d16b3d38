package ctypes

import (
	"math"
	"testing"
)

// TestRoundHalf compares with the definition of binary16: every finite half is
// itself, and what lies between two neighbours goes to the nearer one, ties to
// the even.
func TestRoundHalf(t *testing.T) {
	value := func(bits int) float64 { // of a positive half
		e, m := bits>>10, bits&0x3ff
		if e == 0 {
			return math.Ldexp(float64(m), -24)
		}
		return math.Ldexp(float64(m|0x400), e-25)
	}
	for bits := range 0x7bff {
		lo, hi := value(bits), value(bits+1)
		mid := (lo + hi) / 2
		even := lo
		if bits&1 == 1 {
			even = hi
		}
		for in, want := range map[float64]float64{lo: lo, mid: even, math.Nextafter(mid, lo): lo,
			math.Nextafter(mid, hi): hi, -mid: -even} {
			if got := roundHalf(in); got != want {
				t.Fatalf("roundHalf(%v) = %v, want %v (between %v and %v)", in, got, want, lo, hi)
			}
		}
	}
	for _, in := range []float64{65520, math.Inf(1), 1e300} {
		if !math.IsInf(roundHalf(in), 1) || !math.IsInf(roundHalf(-in), -1) {
			t.Errorf("roundHalf(±%v) is finite", in)
		}
	}
	if got := roundHalf(65519.99); got != 65504 {
		t.Errorf("roundHalf(65519.99) = %v", got)
	}
}

// TestFloatToInt checks the conversions that C leaves undefined: they saturate.
func TestFloatToInt(t *testing.T) {
	for _, c := range []struct {
		in   float64
		kind Kind
		want int64
	}{
		{1e10, Int, math.MaxInt32}, {-1e10, Int, math.MinInt32}, {-1, UInt, 0}, {1e10, UInt, math.MaxUint32},
		{300, UChar, 255}, {-300, Char, -128}, {1e30, Long, math.MaxInt64}, {-1e30, Long, math.MinInt64},
		{1e30, ULong, -1}, {-1, ULong, 0}, {math.NaN(), Int, 0}, {math.NaN(), ULong, 0},
		{9223372036854775808, ULong, math.MinInt64}, {2.9, Short, 2}, {-2.9, Short, -2},
	} {
		if got := Convert(FloatValue(Double, c.in), Scalar(c.kind)); got.Int != c.want {
			t.Errorf("(%v)%v = %d, want %d", c.kind, c.in, got.Int, c.want)
		}
	}
}
