package lower

import (
	"math"
	"testing"
)

// TestHalfRoundTrip: every half-precision number survives, and the midpoint
// between two neighbours goes to the even one.
func TestHalfRoundTrip(t *testing.T) {
	for i := range 1 << 16 {
		b := uint16(i)
		f := halfFloat(b)
		if math.IsNaN(f) {
			if !math.IsNaN(halfFloat(halfBits(f))) {
				t.Fatalf("%#x: NaN is lost", b)
			}
			continue
		}
		if got := halfBits(f); got != b {
			t.Fatalf("%#x = %v comes back as %#x", b, f, got)
		}
		next := halfFloat(b + 1)
		if b&0x7fff >= 0x7bff { // the largest finite number and infinity
			continue
		}
		even := b + b&1
		if got := halfBits((f + next) / 2); got != even {
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
		if got := halfBits(c.f); got != c.want {
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
		{ConstInt(S32, -1), U8, ConstInt(U8, 255)},
		{ConstInt(S32, -1), U64, Operand{Kind: OperandConst, Type: U64, Bits: math.MaxUint64}},
		{ConstInt(U32, -1), S64, ConstInt(S64, 4294967295)},
		{ConstInt(U32, -1), S32, ConstInt(S32, -1)},
		{ConstInt(S64, 1<<40+5), S16, ConstInt(S16, 5)},
		{ConstInt(S32, 7), Pred, ConstInt(Pred, 1)},
		{ConstInt(S32, 0), Ptr, zero(Ptr)},
		{ConstInt(S32, 16777217), F32, ConstFloat(F32, 16777216)},
		{ConstInt(S64, 1<<53+1<<29+1), F32, ConstFloat(F32, 1<<53+1<<30)}, // rounded once
		{Operand{Kind: OperandConst, Type: U64, Bits: math.MaxUint64}, F64, ConstFloat(F64, 0x1p64)},
		{ConstFloat(F64, 0.1), F32, ConstFloat(F32, float64(float32(0.1)))},
		{ConstFloat(F32, 2.9), S32, ConstInt(S32, 2)},
		{ConstFloat(F32, -2.9), S32, ConstInt(S32, -2)},
		{ConstFloat(F64, 0x1p63), U64, Operand{Kind: OperandConst, Type: U64, Bits: 1 << 63}},
		{ConstFloat(F32, 0.25), Pred, ConstInt(Pred, 1)},
		{ConstFloat(F64, 1.5), F16, Operand{Kind: OperandConst, Type: F16, Bits: 0x3e00}},
	} {
		if got, ok := foldConvert(c.from, c.to); !ok || got != c.want {
			t.Errorf("%v %s to %v = %+v %v, want %+v", c.from.Type, constText(c.from), c.to, got, ok, c.want)
		}
	}
	for _, f := range []float64{-1, 256, math.NaN(), math.Inf(1)} { // undefined in C
		if got, ok := foldConvert(ConstFloat(F32, f), U8); ok {
			t.Errorf("%v to u8 is folded to %+v", f, got)
		}
	}
}

func TestConstText(t *testing.T) {
	for _, c := range []struct {
		o    Operand
		want string
	}{
		{ConstInt(S32, -7), "-7"}, {ConstInt(U64, -1), "18446744073709551615"}, {ConstInt(Pred, 5), "true"},
		{zero(Ptr), "0x0"},
		{ConstFloat(F32, 1), "1.0"}, {ConstFloat(F32, 0.1), "0.1"}, {ConstFloat(F64, 1e30), "1e+30"},
		{ConstFloat(F16, 0.5), "0.5"},
		{ConstFloat(F32, math.Inf(1)), "+Inf"}, {ConstFloat(F64, math.NaN()), "NaN"},
	} {
		if got := constText(c.o); got != c.want {
			t.Errorf("%v %#x prints %q, want %q", c.o.Type, c.o.Bits, got, c.want)
		}
	}
}
