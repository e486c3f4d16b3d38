package latencies

import (
	"math"
	"testing"
)

// TestAtClock: at another clock device memory moves the same bytes in a second, and all else takes the same cycles.
func TestAtClock(t *testing.T) {
	for _, name := range []string{"a100", "rtx3090", "mi210"} {
		d := builtin(t, name)
		for _, part := range []float64{0.5, 0.54255, 1.2} {
			c, err := d.AtClock(int64(part * float64(d.ClockHz)))
			if err != nil {
				t.Fatal(err)
			}
			if c.ClockHz == d.ClockHz || builtin(t, name).ClockHz != d.ClockHz {
				t.Fatalf("%s: the clock is %d, that of the device file %d", name, c.ClockHz, d.ClockHz)
			}
			was, is := entry(t, d, "ld.global").Timing, entry(t, c, "ld.global").Timing
			if r := c.bandwidth(is.CPI) / d.bandwidth(was.CPI); math.Abs(r-1) > 0.003 || is.Latency != was.Latency {
				t.Errorf("%s at %g: %g times the bandwidth, latency %v instead of %v", name, part, r, is.Latency, was.Latency)
			}
			for _, op := range []string{"add.f32", "ld.local"} {
				if was, is := entry(t, d, op).Timing, entry(t, c, op).Timing; is != was {
					t.Errorf("%s at %g: %s takes %v instead of %v", name, part, op, is, was)
				}
			}
		}
		if _, err := d.AtClock(1e6); err == nil {
			t.Errorf("%s runs at 1 MHz", name)
		}
	}
	d := builtin(t, "t4")
	if base, err := d.AtClock(d.BaseClockHz); err != nil || base.ClockName() != " (base clock)" || d.ClockName() != "" {
		t.Errorf("%v%s at the base clock, %v%s else: %v", base.ClockHz, base.ClockName(), d.ClockHz, d.ClockName(), err)
	}
}
