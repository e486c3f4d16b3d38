// Package capability reads the names by which vendors tell generations of GPUs apart:
// NVIDIA's compute capabilities, such as 8.6, and AMD's processors, such as gfx90a.
//
// Packages that shall not import each other ask it: macros follow these names
// (frontend), and so does what devices and their compilers can do (latencies, target).
package capability

import (
	"strconv"
	"strings"
)

// Compute reads a compute capability: "8.6" is 8 and 6, "9.0a" (with what later ones do
// not have) 9 and 0, "8" 8 and 0. ok is false for what is none.
func Compute(name string) (major, minor int, ok bool) {
	first, second, dot := strings.Cut(strings.TrimSuffix(name, "a"), ".")
	if !dot {
		second = "0"
	}
	a, err1 := strconv.ParseUint(first, 10, 8)
	b, err2 := strconv.ParseUint(second, 10, 8)
	if err1 != nil || err2 != nil || a == 0 || b > 9 {
		return 0, 0, false
	}
	return int(a), int(b), true
}

// GFX reads the generation of an AMD processor: of "gfx90a" and "gfx1032" 9 and 10, behind
// which two hexadecimal digits say the variant; 0 for what is none.
func GFX(name string) int {
	digits, ok := strings.CutPrefix(name, "gfx")
	if !ok || len(digits) < 3 {
		return 0
	}
	variant := len(digits) - 2
	if _, err := strconv.ParseUint(digits[variant:], 16, 8); err != nil {
		return 0
	}
	generation, err := strconv.ParseUint(digits[:variant], 10, 8)
	if err != nil {
		return 0
	}
	return int(generation)
}
