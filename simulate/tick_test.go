package simulate

import (
	"testing"

	"gpupipe/latencies"
)

func TestTimebase(t *testing.T) {
	for _, c := range []struct {
		spans []string
		per   int64
		ticks []Tick
	}{
		{nil, 1, nil},
		{[]string{"1", "18", "0"}, 1, []Tick{1, 18, 0}},
		{[]string{"0.25", "6", "1.75"}, 4, []Tick{1, 24, 7}},
		{[]string{"1/6", "0.25", "9"}, 12, []Tick{2, 3, 108}},
		{[]string{"0.000000001", "475"}, 1e9, []Tick{1, 475e9}},
	} {
		var spans []latencies.Cycles
		for _, s := range c.spans {
			spans = append(spans, cycles(t, s))
		}
		b, err := newTimebase(spans)
		if err != nil || b.perCycle != c.per {
			t.Errorf("%v: %d ticks per cycle, %v; want %d", c.spans, b.perCycle, err, c.per)
			continue
		}
		for i, s := range spans {
			if got, err := b.ticks(s); got != c.ticks[i] || err != nil || b.cycles(got) != s {
				t.Errorf("%v: %d ticks, back %v, %v; want %d", s, got, b.cycles(got), err, c.ticks[i])
			}
		}
	}
}

func TestTimebaseOverflow(t *testing.T) {
	if _, err := newTimebase([]latencies.Cycles{cycles(t, "1/999999937"), cycles(t, "1/999999929"),
		cycles(t, "1/999999893")}); err == nil {
		t.Error("a denominator of 10^27 is accepted")
	}
	b := timebase{1e9}
	if got, err := b.ticks(cycles(t, "999999999999999999")); err == nil {
		t.Errorf("10^27 ticks are %d", got)
	}
	b = timebase{1 << 24}
	if got, err := b.ticks(cycles(t, "1099511627776")); err == nil {
		t.Errorf("2^64 ticks are %d", got)
	}
}

func TestScale(t *testing.T) {
	for _, c := range []struct {
		t    Tick
		a, b int64
		want Tick
		ok   bool
	}{
		{100, 3, 4, 75, true}, {1, 1, 3, 0, true}, {2, 1, 3, 1, true}, {1, 1, 2, 1, true},
		{1e15, 1e15, 1e12, 1e18, true}, {1e15, 1e18, 1e12, 0, false}, {1 << 60, 1 << 62, 1, 0, false},
	} {
		if got, ok := scale(c.t, c.a, c.b); got != c.want || ok != c.ok {
			t.Errorf("%d · %d / %d: %d, %t; want %d, %t", c.t, c.a, c.b, got, ok, c.want, c.ok)
		}
	}
}
