package cputime

import "testing"

// TestUsedGrows holds that work is seen: the clock moves on while the process
// computes, and never back.
func TestUsedGrows(t *testing.T) {
	start := Used()
	work := 0
	for last := start; last == start; {
		for i := range 1 << 16 {
			work += i & 3
		}
		now := Used()
		if now < last {
			t.Fatalf("processor time runs back from %v to %v", last, now)
		}
		last = now
	}
	if work == 0 {
		t.Error("nothing was computed")
	}
}
