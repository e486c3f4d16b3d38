package console

import (
	"runtime/debug"
	"testing"
)

// TestCollect: the user's settings come first.
func TestCollect(t *testing.T) {
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
	defer debug.SetMemoryLimit(limit)
	defer debug.SetGCPercent(percent)
	for _, given := range []string{"", "50"} {
		t.Setenv("GOGC", given)
		t.Setenv("GOMEMLIMIT", given)
		debug.SetMemoryLimit(1 << 40)
		debug.SetGCPercent(50)
		Collect(400, 1<<32)
		gotLimit, gotPercent := debug.SetMemoryLimit(-1), debug.SetGCPercent(50)
		if taken := given == ""; taken != (gotLimit == 1<<32) || taken != (gotPercent == 400) {
			t.Errorf("with %q: %d bytes, %d%%", given, gotLimit, gotPercent)
		}
	}
}
