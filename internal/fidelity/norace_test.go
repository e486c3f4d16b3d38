//go:build !race

package fidelity

const raceEnabled = false
