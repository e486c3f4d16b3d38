package simulate

import (
	"math/big"
	"testing"
)

// TestRepeatedSpan: what a sum beyond 64 bits has grown by is added exactly.
func TestRepeatedSpan(t *testing.T) {
	value := func(s span) *big.Int {
		v := new(big.Int).Lsh(new(big.Int).SetUint64(s.hi), 64)
		return v.Add(v, new(big.Int).SetUint64(s.lo))
	}
	for _, c := range []struct {
		s, before span
		n         uint64
	}{
		{span{0, 7}, span{0, 5}, 3},
		{span{3, 5}, span{1, 7}, 3},
		{span{2, 0}, span{1, 1 << 63}, 1 << 40},
		{span{5, 9}, span{5, 9}, 1 << 50},
		{span{0, 1<<63 + 5}, span{0, 1 << 63}, 3 << 61},
	} {
		want := new(big.Int).Sub(value(c.s), value(c.before))
		want.Add(want.Mul(want, new(big.Int).SetUint64(c.n)), value(c.s))
		got := c.s
		if got.repeat(c.before, c.n); value(got).Cmp(want) != 0 {
			t.Errorf("%+v, %d times more of what it has grown by since %+v, is %v, not %v", c.s, c.n, c.before, value(got),
				want)
		}
	}
}
