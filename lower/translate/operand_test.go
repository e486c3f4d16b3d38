package translate

import (
	"gpupipe/lower"
	"math"
	"testing"
)

// TestHalfRoundTrip: every half-precision number survives, and the midpoint
// between two neighbours goes to the even one.
func TestHalfRoundTrip(t *testing.T) {
	for i := range 1 << 16 {
		b := uint16(i)
		f := lower.HalfFloat(b)
		if math.IsNaN(f) {
			if !math.IsNaN(lower.HalfFloat(lower.HalfBits(f))) {
				t.Fatalf("%#x: NaN is lost", b)
			}
			continue
		}
		if got := lower.HalfBits(f); got != b {
			t.Fatalf("%#x = %v comes back as %#x", b, f, got)
		}
		next := lower.HalfFloat(b + 1)
		if b&0x7fff >= 0x7bff { // the largest finite number and infinity
			continue
		}
		even := b + b&1
		if got := lower.HalfBits((f + next) / 2); got != even {
			t.Fatalf("midpoint of %#x and %#x goes to %#x", b, b+1, got)
		}
	}
}

func TestHalfRounding(t *testing.T) {
	for _, c := range []struct {
		f    float64
		want uint16
	}{
		{1, 0x3c00}, {-2, 0xc000}, {65504, 0x7bff}, {65519.99, 0x7bff}, {65520, 0x7c00}, {1e30, 0x7c00},
		{math.Inf(-1), 0xfc00},
		{0x1p-24, 1}, {0x1p-25, 0}, {0x1.8p-25, 1}, {0x1p-14, 0x0400}, {math.Copysign(0, -1), 0x8000}, {0.1, 0x2e66},
	} {
		if got := lower.HalfBits(c.f); got != c.want {
			t.Errorf("halfBits(%v) = %#x, want %#x", c.f, got, c.want)
		}
	}
}

// TestFoldConvert follows C11 6.3.1.
func TestFoldConvert(t *testing.T) {
	for _, c := range []struct {
		from Operand
		to   Type
		want Operand
	}{
		{lower.ConstInt(lower.S32, -1), lower.U8, lower.ConstInt(lower.U8, 255)},
		{lower.ConstInt(lower.S32, -1), lower.U64, Operand{Kind: OperandConst, Type: lower.U64, Bits: math.MaxUint64}},
		{lower.ConstInt(lower.U32, -1), lower.S64, lower.ConstInt(lower.S64, 4294967295)},
		{lower.ConstInt(lower.U32, -1), lower.S32, lower.ConstInt(lower.S32, -1)},
		{lower.ConstInt(lower.S64, 1<<40+5), lower.S16, lower.ConstInt(lower.S16, 5)},
		{lower.ConstInt(lower.S32, 7), lower.Pred, lower.ConstInt(lower.Pred, 1)},
		{lower.ConstInt(lower.S32, 0), lower.Ptr, lower.Zero(lower.Ptr)},
		{lower.ConstInt(lower.S32, 16777217), lower.F32, lower.ConstFloat(lower.F32, 16777216)},
		{lower.ConstInt(lower.S64, 1<<53+1<<29+1), lower.F32, lower.ConstFloat(lower.F32, 1<<53+1<<30)}, // rounded once
		{Operand{Kind: OperandConst, Type: lower.U64, Bits: math.MaxUint64}, lower.F64, lower.ConstFloat(lower.F64, 0x1p64)},
		{lower.ConstFloat(lower.F64, 0.1), lower.F32, lower.ConstFloat(lower.F32, float64(float32(0.1)))},
		{lower.ConstFloat(lower.F32, 2.9), lower.S32, lower.ConstInt(lower.S32, 2)},
		{lower.ConstFloat(lower.F32, -2.9), lower.S32, lower.ConstInt(lower.S32, -2)},
		{lower.ConstFloat(lower.F64, 0x1p63), lower.U64, Operand{Kind: OperandConst, Type: lower.U64, Bits: 1 << 63}},
		{lower.ConstFloat(lower.F32, 0.25), lower.Pred, lower.ConstInt(lower.Pred, 1)},
		{lower.ConstFloat(lower.F64, 1.5), lower.F16, Operand{Kind: OperandConst, Type: lower.F16, Bits: 0x3e00}},
	} {
		if got, ok := foldConvert(c.from, c.to); !ok || got != c.want {
			t.Errorf("%v %#x to %v = %+v %v, want %+v", c.from.Type, c.from.Bits, c.to, got, ok, c.want)
		}
	}
	for _, f := range []float64{-1, 256, math.NaN(), math.Inf(1)} { // undefined in C
		if got, ok := foldConvert(lower.ConstFloat(lower.F32, f), lower.U8); ok {
			t.Errorf("%v to u8 is folded to %+v", f, got)
		}
	}
}
