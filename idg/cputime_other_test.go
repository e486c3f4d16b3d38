//go:build !unix

package idg

import "time"

var started = time.Now()

// cpuTime is the time since the start, where processor time is not to be had.
func cpuTime() time.Duration { return time.Since(started) }
