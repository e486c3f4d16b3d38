package console

import (
	"os"
	"runtime/debug"
)

// Collect has garbage collected when the heap has grown by so many percent (0: Go's 100), and more often where it holds
// so many bytes. The user's GOGC and GOMEMLIMIT come first.
func Collect(percent int, limit int64) {
	if percent > 0 && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}
