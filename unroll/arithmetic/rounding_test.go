package arithmetic

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gpupipe/lower"
)

// TestModed compares operations that name their rounding with exact ones, rounded once.
func TestModed(t *testing.T) {
	modes := map[string]big.RoundingMode{"rte": big.ToNearestEven, "rtz": big.ToZero, "rtp": big.ToPositiveInf,
		"rtn": big.ToNegativeInf}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		typ, digits := lower.F32, uint(24)
		x := make([]float64, 3)
		if r.IntN(2) == 0 {
			typ, digits = lower.F64, 53
		}
		args := make([]uint64, len(x))
		for i := range x {
			v := math.Ldexp(float64(r.Int64N(1<<digits)-1<<(digits-1)), -r.IntN(40))
			if r.IntN(4) == 0 {
				v = float64(r.IntN(9) + 1)
			}
			x[i], args[i] = v, FromFloat(typ, v)
		}
		exact := func(i int) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(x[i]) }
		for op, of := range map[lower.Op]func() *big.Float{
			lower.Add:  func() *big.Float { return exact(0).Add(exact(0), exact(1)) },
			lower.Sub:  func() *big.Float { return exact(0).Sub(exact(0), exact(1)) },
			lower.Mul:  func() *big.Float { return exact(0).Mul(exact(0), exact(1)) },
			lower.Div:  func() *big.Float { return exact(0).Quo(exact(0), exact(1)) },
			lower.Fma:  func() *big.Float { e := exact(0); return e.Add(e.Mul(e, exact(1)), exact(2)) },
			lower.Call: func() *big.Float { return exact(0).Sqrt(exact(0)) },
		} {
			n := map[lower.Op]int{lower.Fma: 3, lower.Call: 1}[op]
			if n == 0 {
				n = 2
			}
			if op == lower.Div && x[1] == 0 || op == lower.Call && x[0] < 0 {
				continue
			}
			for mode, how := range modes {
				bits, ok := Moded(op, mode, typ, args[:n])
				if !ok && op == lower.Fma && typ == lower.F64 {
					continue
				}
				want, _ := of().SetMode(how).SetPrec(digits).Float64()
				if got := ToFloat(typ, bits); !ok || got != want {
					t.Fatalf("%v.%v %s of %v is %v, want %v", op, typ, mode, x[:n], got, want)
				}
			}
		}
	}
	nan := FromFloat(lower.F32, math.NaN())
	if v, _ := Moded(lower.Max, "nan", lower.F32, []uint64{nan, 0}); !math.IsNaN(ToFloat(lower.F32, v)) {
		t.Errorf("a maximum with a NaN is %v", ToFloat(lower.F32, v))
	}
}
