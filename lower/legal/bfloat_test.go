package legal

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"gpupipe/internal/test/interp"
	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// bfloatKernel writes what operations give for three numbers.
const bfloatKernel = `kernel k fast
param o ptr -> @o
param x u16
param y u16
param z u16
object @o global s32
{
  a = bitcast.bf16.u16 x
  b = bitcast.bf16.u16 y
  c = bitcast.bf16.u16 z
  %1 = add.bf16 a, b
  %2 = mul.bf16 a, b
  %3 = fma.bf16 a, b, c
  %4 = neg.bf16 a
  %5 = max.bf16 a, b
  %6 = div.bf16 a, b
  %7 = lt.bf16 a, b
  %8 = select.bf16 %7, c, a
  %9 = convert.s32.bf16 %8
  %10 = convert.bf16.s32 %9
  store.global.bf16 o, %1, %2, %3, %4, %5, %6, %8, %10
  yield
}
`

// TestBFloat: what is written out for targets without the instructions computes what the operations do, but that
// fma.f32 and the rounding behind it round twice.
func TestBFloat(t *testing.T) {
	scalar := func(x float64) float64 { return lower.BFloatFloat(lower.BFloatBits(x)) }
	numbers := []float64{0, 1, -1, 0.01171875, 1.0078125, 3, -1e30, 1e38, 0x1p-130, 255, -0.3}
	for _, name := range []string{"sm_70", "sm_80", "sm_90", "gfx90a"} {
		target, err := machine.LookupTarget(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range numbers {
			for j, y := range numbers {
				z := numbers[(i+2*j)%len(numbers)]
				scalars := map[string]uint64{"x": uint64(lower.BFloatBits(x)), "y": uint64(lower.BFloatBits(y)),
					"z": uint64(lower.BFloatBits(z))}
				var got [2][]byte
				for k := range got {
					f, err := irtest.Parse(bfloatKernel)
					if err != nil {
						t.Fatal(err)
					}
					if k == 1 {
						bfloats(f, target)
						computes(t, f, target)
					}
					if err := irverify.Verify(f); err != nil {
						t.Fatal(err)
					}
					got[k] = make([]byte, 16)
					if err := interp.Run(f, map[string][]byte{"o": got[k]}, scalars, nil); err != nil {
						t.Fatal(err)
					}
				}
				for k := 0; k < 16; k += 2 {
					if k == 4 && !target.Has("async copies") { // of single precision, and rounded again
						fma := math.FMA(scalar(x), scalar(y), scalar(z))
						binary.LittleEndian.PutUint16(got[0][k:], lower.BFloatBits(float64(float32(fma))))
					}
					want, have := binary.LittleEndian.Uint16(got[0][k:]), binary.LittleEndian.Uint16(got[1][k:])
					if want != have {
						t.Errorf("%s: result %d of %v, %v, %v is %v, want %v", name, k/2+1, x, y, z,
							lower.BFloatFloat(have), lower.BFloatFloat(want))
					}
				}
			}
		}
	}
}

// computes reports operations that are left of a type that a target computes nothing with.
func computes(t *testing.T, f *ir.Func, target *machine.Target) {
	t.Helper()
	if target.ISA == "sass" && target.Has("async copies") {
		return
	}
	f.Body.Walk(func(in *ir.Instr) {
		switch in.Op {
		case lower.Load, lower.Store, lower.Bitcast, lower.Select, lower.Convert:
		default:
			if slices.ContainsFunc(in.Args, func(v *ir.Value) bool { return v.Type == lower.BF16 }) {
				t.Errorf("%s computes %v of bfloat16", target.Name, in.Op)
			}
		}
	})
}
