package arithmetic_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gpupipe/internal/test/tools"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

// stepTrips counts iterations by stepping, at most limit of them; ok is false
// where the variable wraps around or a division is not defined.
func stepTrips(cmp, step lower.Op, t lower.Type, v, by, bound uint64, limit int64) (n int64, endless, ok bool) {
	for n = 0; n <= limit; n++ {
		if c, _ := oracleBinary(cmp, t, v, bound); c == 0 {
			return n, false, true
		}
		next, defined := oracleBinary(step, t, v, by)
		if !defined {
			return 0, false, false
		}
		if step == lower.Add || step == lower.Sub {
			s := int64(by)
			if step == lower.Sub {
				s = -s
			}
			if int64(next) != int64(v)+s {
				return 0, false, false // wrapped around
			}
		}
		if next == v {
			return 0, true, true
		}
		v = next
	}
	return 0, true, true
}

var (
	comparisons = []lower.Op{lower.Lt, lower.Le, lower.Gt, lower.Ge, lower.Ne}
	stepOps     = []lower.Op{lower.Add, lower.Sub, lower.Mul, lower.Div, lower.Shl, lower.Shr}
)

// TestTripCount compares trip counts with stepping through the loop, over every
// comparison and step.
func TestTripCount(t *testing.T) {
	known, checked := 0, 0
	apart := int64(tools.Cases(1, 3)) // starts
	const limit = 100                 // more than the values and the bits of a loop that ends
	for _, typ := range []lower.Type{lower.S32, lower.U32, lower.S64, lower.S16} {
		for _, cmp := range comparisons {
			for _, step := range stepOps {
				for v := int64(-20); v <= 20; v += apart {
					for by := int64(-4); by <= 5; by++ {
						for bound := int64(-20); bound <= 20; bound++ {
							if !typ.IsSigned() && (v < 0 || bound < 0 || by < 0) ||
								(step == lower.Shl || step == lower.Shr) && by < 0 {
								continue
							}
							checked++
							a, b, c := uint64(v), uint64(by), uint64(bound)
							got, ok := arithmetic.TripCount(cmp, step, typ, a, b, c)
							if !ok {
								continue
							}
							want, endless, defined := stepTrips(cmp, step, typ, a, b, c, limit)
							if !defined {
								continue // C leaves the count open; for unsigned variables see TestTripCountWraps
							}
							known++
							if endless && got < limit || !endless && got != want {
								t.Fatalf("%v: from %d while %v %d step %v %d: %d iterations, want %d (endless %v)", typ,
									v, cmp, bound, step, by, got, want, endless)
							}
						}
					}
				}
			}
		}
	}
	if known < checked*6/10 {
		t.Errorf("only %d of %d trip counts are told", known, checked)
	}
}

// TestTripCountWraps compares with executing the loop where the variable wraps around: of 8 bits, with
// bounds outside of its type too.
func TestTripCountWraps(t *testing.T) {
	known, checked := 0, 0
	for _, typ := range []lower.Type{lower.U8, lower.S8} {
		for v := 0; v < 256; v += 5 {
			for by := -9; by <= 9; by++ {
				for _, step := range stepOps[:2] {
					values := []uint64{arithmetic.Canon(typ, uint64(v))}
					for len(values) <= 256 {
						next, _ := oracleBinary(step, typ, values[len(values)-1], uint64(by))
						values = append(values, next)
					}
					k, c := wraps(t, typ, step, values, by)
					known, checked = known+k, checked+c
				}
			}
		}
	}
	if known < checked*99/100 {
		t.Errorf("only %d of %d trip counts are told", known, checked)
	}
}

// wraps compares the trip counts of a variable with these values with each condition.
func wraps(t *testing.T, typ lower.Type, step lower.Op, values []uint64, by int) (known, checked int) {
	apart := tools.Cases(3, 17) // bounds
	for _, cmp := range comparisons {
		for bound := -140; bound <= 270; bound += apart {
			want := slices.IndexFunc(values, func(at uint64) bool {
				goesOn, _ := oracleBinary(cmp, lower.S64, at, uint64(bound))
				return goesOn == 0
			})
			checked++
			got, ok := arithmetic.TripCount(cmp, step, typ, values[0], uint64(by), uint64(bound))
			if !ok {
				continue
			}
			known++
			if want < 0 && got != arithmetic.Endless || want >= 0 && got != int64(want) {
				t.Fatalf("%v from %d while %v %d step %v %d: %d iterations, want %d", typ, int64(values[0]), cmp, bound,
					step, by, got, want)
			}
		}
	}
	return known, checked
}

// TestTripCountExtremes are bounds at the ends of the types.
func TestTripCountExtremes(t *testing.T) {
	for _, c := range []struct {
		cmp, step    lower.Op
		typ          lower.Type
		v, by, bound int64
		want         int64 // -1 = not told
	}{
		{lower.Lt, lower.Add, lower.S32, 0, 1, math.MaxInt32, math.MaxInt32},
		{lower.Lt, lower.Add, lower.U32, 0, 1, math.MaxUint32, math.MaxUint32},
		{lower.Lt, lower.Add, lower.S64, 0, 3, 1_000_000_000_000_000_000, 333_333_333_333_333_334},
		{lower.Lt, lower.Add, lower.S64, 0, 4, 1 << 62, 1 << 60},
		{lower.Gt, lower.Sub, lower.S32, math.MaxInt32, 1, math.MinInt32, 1<<32 - 1},
		{lower.Ne, lower.Add, lower.S32, math.MinInt32, 2, 0, 1 << 30},
		{lower.Lt, lower.Add, lower.S64, 0, 1, math.MaxInt64, arithmetic.Countless},
		{lower.Lt, lower.Add, lower.S64, math.MinInt64, 1, math.MaxInt64, arithmetic.Countless},
		{lower.Lt, lower.Add, lower.U64, 0, 1, math.MinInt64, arithmetic.Countless}, // 2^63
		{lower.Lt, lower.Add, lower.U64, 0, 1, -1, arithmetic.Countless},
		{lower.Lt, lower.Sub, lower.U64, 9, 1, 10, 10},         // down to 0, then 2^64 - 1
		{lower.Lt, lower.Add, lower.U32, 9, 1<<32 - 1, 10, 10}, // the same by adding
		{lower.Gt, lower.Shr, lower.U32, math.MaxUint32, 1, 0, 32},
		{lower.Gt, lower.Shr, lower.U64, math.MaxInt64, 1, 0, 63},
		{lower.Lt, lower.Mul, lower.S64, 1, 2, 1 << 60, 60},
		{lower.Gt, lower.Div, lower.S64, math.MaxInt64, 2, 0, 63},
		{lower.Gt, lower.Div, lower.S32, 100, 0, 0, -1},
		{lower.Gt, lower.Add, lower.F32, 0, 1, 3, -1},
		{lower.Ge, lower.Sub, lower.U32, 5, 1, 0, arithmetic.Endless}, // unsigned i >= 0
		{lower.Gt, lower.Sub, lower.U32, 5, 2, 0, -1},                 // 1, then 4294967295
		{lower.Lt, lower.Add, lower.U8, 250, 4, 255, -1},
		{lower.Le, lower.Add, lower.U8, 250, 1, 255, arithmetic.Endless},
		{lower.Lt, lower.Add, lower.S32, 0, 0, 5, arithmetic.Endless},
		{lower.Gt, lower.Shr, lower.S32, -5, 1, -9, arithmetic.Endless}, // ends at -1
		{lower.Gt, lower.Mul, lower.S32, 5, 1, 0, arithmetic.Endless},
		{lower.Eq, lower.Add, lower.S32, 0, 1, 0, -1},
	} {
		name := fmt.Sprintf("%v from %d while %v %d step %v %d", c.typ, c.v, c.cmp, c.bound, c.step, c.by)
		got, ok := arithmetic.TripCount(c.cmp, c.step, c.typ, uint64(c.v), uint64(c.by), uint64(c.bound))
		if !ok {
			got = -1
		}
		if got != c.want {
			t.Errorf("%s: %d iterations, want %d", name, got, c.want)
		}
	}
}
