//go:build !race

// Package race tells tests whether the race detector watches them: it slows
// everything down about ten times, so that some of them do less then.
package race

// Enabled says that the detector is at work.
const Enabled = false
