package sheet

import (
	"fmt"
	"math"
	"strconv"
)

// Duration prints seconds with three significant digits in a unit of their
// size.
func Duration(seconds float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}} {
		// 999.6 µs is 1.00 ms.
		if seconds >= 0.9995*u.size {
			return Significant(seconds/u.size) + " " + u.name
		}
	}
	return Significant(seconds*1e9) + " ns"
}

// Significant prints a number with three significant digits, all digits of
// whole numbers of more.
func Significant(x float64) string {
	switch a := math.Abs(x); {
	case a >= 99.95:
		return Grouped(int64(math.Round(x)))
	case a >= 9.995:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case a >= 0.9995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// Grouped prints a whole number with commas between thousands.
func Grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(text) - 3; i > start; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Percent prints a share in whole percent; a small one that is not 0 is "<1%".
func Percent(share float64) string {
	switch {
	case share <= 0:
		return "0%"
	case share < 0.005:
		return "<1%"
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}

// Count is a number with its noun.
func Count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Grouped(n) + " " + noun + "s"
}

// Bytes is a number of bytes in the decimal unit that suits it.
func Bytes(n int64) string {
	value, unit := float64(n), 0
	units := [...]string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	for value >= 999.5 && unit+1 < len(units) {
		value /= 1000
		unit++
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return Significant(value) + " " + units[unit]
}

// Gigahertz prints a clock.
func Gigahertz(hz int64) string { return fmt.Sprintf("%.3f", float64(hz)/1e9) }
