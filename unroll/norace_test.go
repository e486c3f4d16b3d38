//go:build !race

package unroll_test

const raceEnabled = false
