package latencies

import (
	"math"
	"testing"

	"gpupipe/idg"
)

// Of 32 lanes with places by chance in 256 words: n different ones with the mean 256·(1 - (255/256)^32), and likewise
// for sectors of 8 words.
func TestByChance(t *testing.T) {
	a := &idg.Access{Space: idg.SpaceConstant, Width: 4, Assumed: "why", Within: 1024}
	for _, c := range []struct {
		name  string
		of    func(*idg.Access) int
		kinds float64
	}{{"words", func(a *idg.Access) int { return distinctAddresses(a.Offsets) }, 256},
		{"sectors", func(a *idg.Access) int { return Transactions(a, 32) }, 32}} {
		want := c.kinds * (1 - math.Pow(1-1/c.kinds, 32))
		if got := byChance(a, 32, c.of); math.Abs(got/want-1) > 0.03 {
			t.Errorf("%s: %.2f, want %.2f", c.name, got, want)
		}
	}
}

// The smallest part of a buffer has one place for all lanes.
func TestOnePlace(t *testing.T) {
	a := &idg.Access{Space: idg.SpaceGlobal, Width: 1, Assumed: "why", Within: 1}
	if n := Scattered.count(a, 32, func(a *idg.Access) int { return Transactions(a, 32) }); n != 1 {
		t.Errorf("%d sectors", n)
	}
}

// Different words of constant memory take turns of the length that was measured; one takes the time of the entry.
func TestConstantTurns(t *testing.T) {
	for _, c := range []struct {
		stride int64
		cpi    string
	}{{0, "1.99"}, {4, "65.6"}} {
		a := strided(idg.SpaceConstant, 32, 0, c.stride, 4)
		m := mapped(t, builtin(t, "h100sxm"), accessing(t, "ld.constant", *a))
		if e := m.Entry(1); e.Timing.CPI != timing(t, c.cpi, "1").CPI {
			t.Errorf("stride %d: λ = %v, want %s (%s)", c.stride, e.Timing.CPI, c.cpi, e.Source)
		}
	}
}
