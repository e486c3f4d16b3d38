//go:build race

package fidelity

// raceEnabled: the race detector slows everything down about ten times.
const raceEnabled = true
