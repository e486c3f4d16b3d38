package arithmetic_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

// TestCall: functions of known lane values, and those that have none.
func TestCall(t *testing.T) {
	single := func(f float32) uint64 { return uint64(math.Float32bits(f)) }
	for _, c := range []struct {
		fn       string
		typ, arg lower.Type
		args     []uint64
		want     uint64
		ok       bool
	}{
		{"popcount", lower.S32, lower.U64, []uint64{1<<40 + 6}, 3, true},
		{"byte_perm", lower.U32, lower.U32, []uint64{0x11223344, 0x55667788, 0x7531}, 0x55771133, true},
		{"byte_perm", lower.U32, lower.U32, []uint64{0x80ff7f01, 0, 0xba98}, 0xffff0000, true},
		{"lop3", lower.U32, lower.U32, []uint64{12, 10, 7, 0x96}, 12 ^ 10 ^ 7, true},
		{"lop3", lower.U32, lower.U32, []uint64{12, 10, 7, 0xe8}, 12&10 | 12&7 | 10&7, true},
		{"popcount", lower.S32, lower.U32, []uint64{1<<40 + 6}, 2, true},
		{"clz", lower.S32, lower.S64, []uint64{0}, 64, true},
		{"clz", lower.S32, lower.S32, []uint64{96}, 25, true},
		{"ctz", lower.S32, lower.U32, []uint64{0}, 32, true},
		{"ffs", lower.S32, lower.S32, []uint64{0}, 0, true},
		{"ffs", lower.S32, lower.S32, []uint64{96}, 6, true},
		{"bit_reverse", lower.U32, lower.U32, []uint64{96}, 0x06000000, true},
		{"rotate", lower.U32, lower.U32, []uint64{0x80000001, 33}, 3, true},
		{"rotate", lower.U64, lower.U64, []uint64{1<<63 + 1, 65}, 3, true},
		{"rotate", lower.U16, lower.U16, []uint64{1, 17}, 2, true},
		{"popcount", lower.S32, lower.F32, []uint64{1}, 0, false},
		{"unheard_of", lower.S32, lower.S32, []uint64{1}, 0, false},
		{"sqrt", lower.F32, lower.F32, []uint64{single(6.25)}, single(2.5), true},
		{"pow", lower.F32, lower.F32, []uint64{single(3), single(4)}, single(81), true},
		{"fmod", lower.F32, lower.F32, []uint64{single(-7.5), single(2)}, single(-1.5), true},
		{"unheard_of", lower.F32, lower.F32, []uint64{single(1)}, 0, false},
	} {
		if got, ok := arithmetic.Call(c.fn, c.typ, c.arg, c.args); got != c.want || ok != c.ok {
			t.Errorf("%s of %v %#x = %#x (%v), want %#x (%v)", c.fn, c.arg, c.args, got, ok, c.want, c.ok)
		}
	}
}

// TestBitFields: bfe and bfi give what the PTX ISA says bit by bit, beyond the width too.
func TestBitFields(t *testing.T) {
	places := []uint64{0, 1, 5, 31, 32, 33, 63, 64, 65, 255, 256 + 3}
	for _, typ := range []lower.Type{lower.S32, lower.U32, lower.S64, lower.U64} {
		width := 8 * uint64(typ.Size())
		for _, a := range []uint64{0, 1, 0x89abcdef, 0x8000000080000000, math.MaxUint64, 0x123456789abcdef0} {
			for _, pos := range places {
				for _, n := range places {
					p, l, b := pos&255, n&255, a*0x9e3779b97f4a7c15
					var sign, extracted uint64
					if typ.IsSigned() && l > 0 {
						sign = a >> min(p+l-1, width-1) & 1
					}
					inserted := b
					for i := range width {
						bit := sign
						if i < l && p+i < width {
							bit = a >> (p + i) & 1
							inserted = inserted&^(1<<(p+i)) | a>>i&1<<(p+i)
						}
						extracted |= bit << i
					}
					for _, c := range []struct {
						fn   string
						args []uint64
						want uint64
					}{{"bfe", []uint64{arithmetic.Canon(typ, a), pos, n}, extracted},
						{"bfi", []uint64{arithmetic.Canon(typ, a), arithmetic.Canon(typ, b), pos, n}, inserted}} {
						want := arithmetic.Canon(typ, c.want)
						if got, ok := arithmetic.Call(c.fn, typ, typ, c.args); got != want || !ok {
							t.Fatalf("%s of %v %#x = %#x (%v), want %#x", c.fn, typ, c.args, got, ok, want)
						}
					}
				}
			}
		}
	}
}

// TestIntegerFunctions compares every function of integers of every type with its definition in
// unbounded integers, and conversions that saturate.
func TestIntegerFunctions(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, typ := range integers {
		list := samples(typ, rng)
		for fn, args := range map[string]int{"hadd": 2, "rhadd": 2, "add_sat": 2, "sub_sat": 2, "mad_sat": 3,
			"rotate": 2, "popcount": 1, "clz": 1, "ctz": 1} {
			for _, a := range list {
				for _, b := range list[:1+(len(list)-1)*min(1, args-1)] {
					in := []uint64{a, b, list[rng.IntN(len(list))]}[:args]
					want, _ := oracleCall(fn, typ, in)
					if got, ok := arithmetic.Call(fn, typ, typ, in); got != want || !ok {
						t.Fatalf("%s.%v of %#x = %#x (%v), want %#x", fn, typ, in, got, ok, want)
					}
				}
			}
		}
		for _, to := range integers {
			for _, a := range list {
				if got, want := arithmetic.Convert(to, typ, "sat", a), oracleSaturate(to, typ, a); got != want {
					t.Fatalf("%v %#x as %v, saturated: %#x, want %#x", typ, a, to, got, want)
				}
			}
		}
	}
}

// TestClampingShifts: PTX's shifts by more than the width leave zero, or the sign.
func TestClampingShifts(t *testing.T) {
	for _, c := range []struct {
		op       lower.Op
		typ      lower.Type
		a, n     int64
		clamped  int64
		inModulo int64
	}{
		{lower.Shl, lower.S32, 5, 31, -1 << 31, -1 << 31},
		{lower.Shl, lower.S32, 5, 33, 0, 10},
		{lower.Shl, lower.U64, 5, 65, 0, 10},
		{lower.Shl, lower.S32, 5, -31, 0, 10},
		{lower.Shr, lower.S32, -5, 32, -1, -5},
		{lower.Shr, lower.S32, 5, 33, 0, 2},
		{lower.Shr, lower.U32, 1 << 31, 32, 0, 1 << 31},
		{lower.Shr, lower.U32, 1 << 31, 1 << 32, 1 << 31, 1 << 31},
		{lower.Shr, lower.S64, -5, 64, -1, -5},
	} {
		for _, clamps := range []bool{true, false} {
			want := c.inModulo
			if clamps {
				want = c.clamped
			}
			if got := arithmetic.Shift(c.op, c.typ, uint64(c.a),
				arithmetic.ShiftCount(c.typ, uint64(c.n), clamps)); got != uint64(want) {
				t.Errorf("%v.%v %d by %d (clamped %v) = %d, want %d", c.op, c.typ, c.a, c.n, clamps, int64(got), want)
			}
		}
	}
}

// TestRoundedConversions compares conversions in each direction with those of math/big.
func TestRoundedConversions(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	modes := map[string]big.RoundingMode{"rte": big.ToNearestEven, "rtz": big.ToZero, "rtp": big.ToPositiveInf,
		"rtn": big.ToNegativeInf}
	for mode, m := range modes {
		for _, from := range integers {
			for _, a := range samples(from, rng) {
				exact := new(big.Float).SetPrec(64).SetUint64(a)
				if from.IsSigned() {
					exact.SetInt64(int64(a))
				}
				want, _ := new(big.Float).SetPrec(24).SetMode(m).Set(exact).Float32()
				if got := arithmetic.Convert(lower.F32, from, mode, a); got != uint64(math.Float32bits(want)) {
					t.Errorf("%v %#x to f32, %s: %g, want %g", from, a, mode, math.Float32frombits(uint32(got)), want)
				}
				wide, _ := new(big.Float).SetPrec(53).SetMode(m).Set(exact).Float64()
				if got := arithmetic.Convert(lower.F64, from, mode, a); got != math.Float64bits(wide) {
					t.Errorf("%v %#x to f64, %s: %g, want %g", from, a, mode, math.Float64frombits(got), wide)
				}
			}
		}
		for _, f := range floats {
			if math.IsNaN(f) || math.IsInf(f, 0) || math.Abs(f) < 1e-30 || math.Abs(f) > 1e38 {
				continue // big.Float has no smallest and no largest number
			}
			want, _ := new(big.Float).SetPrec(24).SetMode(m).SetFloat64(f).Float32()
			if got := arithmetic.Convert(lower.F32, lower.F64, mode,
				math.Float64bits(f)); got != uint64(math.Float32bits(want)) {
				t.Errorf("%g to f32, %s: %g, want %g", f, mode, math.Float32frombits(uint32(got)), want)
			}
		}
	}
	for _, c := range []struct {
		to   lower.Type
		mode string
		f    float64
		want int64
	}{
		{lower.S32, "rte", 2.5, 2}, {lower.S32, "rte", 3.5, 4}, {lower.S32, "rtp", 2.1, 3},
		{lower.S32, "rtn", -2.1, -3}, {lower.S32, "rtz", -2.9, -2},
		{lower.U8, "sat", 300, 255}, {lower.U8, "sat.rtp", 254.1, 255}, {lower.U8, "sat.rtn", -0.1, 0},
		{lower.S8, "sat", -200, -128}, {lower.S8, "sat", math.NaN(), 0},
	} {
		if got := arithmetic.Convert(c.to, lower.F64, c.mode, math.Float64bits(c.f)); got != uint64(c.want) {
			t.Errorf("%g to %v, %s: %d, want %d", c.f, c.to, c.mode, int64(got), c.want)
		}
	}
	for _, c := range []struct {
		mode string
		f    float64
		want float64
	}{{"rtz", 65519.9, 65504}, {"rtz", 1e9, 65504}, {"rtp", 1e9, math.Inf(1)}, {"rtn", 1e9, 65504},
		{"rtn", -1e9, math.Inf(-1)}, {"rtp", 2049, 2050}, {"rtn", 2049, 2048}, {"rtp", 1e-9, 0x1p-24},
		{"rtz", 1e-9, 0}} {
		if got := math.Float32frombits(uint32(arithmetic.Convert(lower.F16, lower.F64, c.mode,
			math.Float64bits(c.f)))); float64(got) != c.want {
			t.Errorf("%g to f16, %s: %g, want %g", c.f, c.mode, got, c.want)
		}
	}
}

// TestUnary: what is narrower than 64 bits stays as its type has it.
func TestUnary(t *testing.T) {
	minus := func(n int64) uint64 { return uint64(-n) }
	for _, c := range []struct {
		op   lower.Op
		typ  lower.Type
		a    uint64
		want uint64
	}{
		{lower.Neg, lower.S32, 5, minus(5)},
		{lower.Neg, lower.U32, 5, 1<<32 - 5},
		{lower.Not, lower.U32, 5, 1<<32 - 6},
		{lower.Abs, lower.S32, minus(5), 5},
		{lower.Abs, lower.S32, 5, 5},
		{lower.Neg, lower.F32, uint64(math.Float32bits(2)), uint64(math.Float32bits(-2))},
		{lower.Abs, lower.F32, uint64(math.Float32bits(-2)), uint64(math.Float32bits(2))},
	} {
		if got, ok := arithmetic.Unary(c.op, c.typ, c.a); got != c.want || !ok {
			t.Errorf("%v.%v of %#x = %#x (%v), want %#x", c.op, c.typ, c.a, got, ok, c.want)
		}
	}
	if _, ok := arithmetic.Unary(lower.Not, lower.F32, 0); ok {
		t.Error("the complement of a float")
	}
	if got := arithmetic.LaneBits(lower.S8, 0xff); got != minus(1) {
		t.Errorf("a byte of ones is %#x", got)
	}
}
