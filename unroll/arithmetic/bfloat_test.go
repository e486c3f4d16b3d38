package arithmetic

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gpupipe/lower"
)

// TestBFloat compares operations on bfloat16 with exact ones that are rounded to 8 bits of precision.
func TestBFloat(t *testing.T) {
	random := rand.New(rand.NewPCG(42, 7))
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(x) }
	number := func() float64 {
		e := random.IntN(40) - 20
		if random.IntN(8) == 0 {
			e = random.IntN(120) - 60
		}
		return math.Ldexp(float64(random.IntN(256)-128)/128+1, e)
	}
	const bf16 = lower.BF16
	for range 200000 {
		x := [3]float64{number(), number(), number()}
		var lanes []uint64
		for _, f := range x {
			lanes = append(lanes, FromFloat(bf16, f))
			if got := ToFloat(bf16, lanes[len(lanes)-1]); got != f {
				t.Fatalf("%v is %v", f, got)
			}
		}
		product := new(big.Float).Mul(exact(x[0]), exact(x[1]))
		sum, _ := Binary(lower.Add, bf16, lanes[0], lanes[1])
		difference, _ := Binary(lower.Sub, bf16, lanes[0], lanes[1])
		times, _ := Binary(lower.Mul, bf16, lanes[0], lanes[1])
		for _, c := range []struct {
			op   lower.Op
			got  uint64
			want *big.Float
		}{
			{lower.Add, sum, new(big.Float).Add(exact(x[0]), exact(x[1]))},
			{lower.Sub, difference, new(big.Float).Sub(exact(x[0]), exact(x[1]))},
			{lower.Mul, times, product},
			{lower.Fma, Fma(bf16, lanes), new(big.Float).Add(product, exact(x[2]))},
		} {
			want, _ := c.want.SetPrec(8).Float64()
			if got := ToFloat(bf16, c.got); got != want {
				t.Fatalf("%v of %v is %v, want %v", c.op, x, got, want)
			}
		}
		single := [3]uint64{FromFloat(lower.F32, x[0]*1.0000001), FromFloat(lower.F32, x[1]), FromFloat(lower.F32, x[2])}
		want := new(big.Float).Mul(exact(ToFloat(lower.F32, single[0])), exact(x[1]))
		want.Add(want, exact(x[2]))
		if w, _ := want.Float32(); float32(ToFloat(lower.F32, Fma(lower.F32, single[:]))) != w {
			t.Fatalf("fma.f32 of %v, want %v", x, w)
		}
	}
	if got, want := Fma(bf16, []uint64{FromFloat(bf16, 9), FromFloat(bf16, 29), FromFloat(bf16, 0x1p-100)}),
		FromFloat(bf16, 262); got != want {
		t.Errorf("a tie and a little is %v, want %v", ToFloat(bf16, got), ToFloat(bf16, want))
	}
	for bits := range uint64(1 << 16) { // every number keeps its bits, subnormal ones too
		if f := lower.BFloatFloat(uint16(bits)); !math.IsNaN(f) && uint64(lower.BFloatBits(f)) != bits {
			t.Fatalf("%#x is %v and that %#x", bits, f, lower.BFloatBits(f))
		}
	}
	for f, want := range map[float64]uint16{0x1.fefffffp127: 0x7f7f, 0x1.ffp127: 0x7f80, 0x1p-134: 0, 0x1.8p-134: 1} {
		if got := lower.BFloatBits(f); got != want {
			t.Errorf("%v is %#x, want %#x", f, got, want)
		}
	}
}
