package tools

import (
	"os"
	"runtime/debug"
)

// Tests make much garbage and hold little of it: at Go's usual 100 percent, looking for it takes up to a third of their
// time. The user's GOGC and GOMEMLIMIT come first.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(1 << 30)
	}
}
