//go:build race

package unroll_test

// raceEnabled: the race detector slows everything down about ten times.
const raceEnabled = true
