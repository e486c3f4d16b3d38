//go:build unix

// Package cputime tells how much processor time the process has used: what a
// benchmark measures when other programs share the machine.
package cputime

import (
	"syscall"
	"time"
)

// Used is the processor time of the process so far, in user and system mode; 0
// if the system does not tell.
func Used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
