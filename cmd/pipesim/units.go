package main

import (
	"fmt"
	"math"
	"strconv"

	"gpupipe/simulate"
)

// duration prints seconds with three significant digits in a unit of their
// size.
func duration(seconds float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}} {
		// 999.6 µs is 1.00 ms.
		if seconds >= 0.9995*u.size {
			return significant(seconds/u.size) + " " + u.name
		}
	}
	return significant(seconds*1e9) + " ns"
}

// timeText is the time of a run, with the part of the launch itself where that matters.
func timeText(r *simulate.Result) string {
	text := duration(r.Seconds)
	if r.LaunchSeconds > 0 && r.LaunchSeconds >= r.Seconds/100 {
		text += fmt.Sprintf(", including %s launch overhead", duration(r.LaunchSeconds))
	}
	return text
}

// cyclesText is how many cycles a run takes, "about" if not all of it was simulated.
func cyclesText(r *simulate.Result) string {
	text := grouped(int64(r.Cycles.Float()+0.5)) + " cycles"
	if r.Extrapolated {
		text = "about " + text
	}
	return text
}

// significant prints a number with three significant digits, all digits of
// whole numbers of more.
func significant(x float64) string {
	switch a := math.Abs(x); {
	case a >= 99.95:
		return grouped(int64(math.Round(x)))
	case a >= 9.995:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case a >= 0.9995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// grouped prints a whole number with commas between thousands.
func grouped(n int64) string {
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

// percent prints a share in whole percent; a small one that is not 0 is "<1%".
func percent(share float64) string {
	switch {
	case share <= 0:
		return "0%"
	case share < 0.005:
		return "<1%"
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}

// count is a number with its noun.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

// exactly prints a number with all its digits and no exponent, as the columns of cycles have it.
func exactly(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
