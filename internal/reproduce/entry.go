package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// section is the entries of one published result.
type section struct {
	number  int // by which kernels ("Golden: 2") refer to it; 0 = none
	title   string
	text    string // below the title, may be empty
	tests   string // further tests that show the result, may be empty
	entries []entry
}

// entry is a number that a source prints, and ours.
type entry struct {
	source string // "V16 T.4.2"
	what   string
	// published is the number as printed; "0" for entries of which ours is the
	// largest difference from a printed formula.
	published string
	unit      string
	ours      func() (float64, error)
	// differs says why ours is another number; empty for those that agree to the
	// last printed digit.
	differs string
}

// constant is a value that needs no computation that could fail.
func constant(x float64) func() (float64, error) {
	return func() (float64, error) { return x, nil }
}

// rounding is what computing in binary may add to a difference of 0.
const rounding = 1e-9

// agrees reports whether ours is the printed number: within half a unit of its
// last digit.
func (e *entry) agrees(ours float64) (bool, error) {
	printed, err := strconv.ParseFloat(e.published, 64)
	if err != nil {
		return false, fmt.Errorf("%s, %s: %q is no number", e.source, e.what, e.published)
	}
	return math.Abs(ours-printed) <= math.Pow(10, -float64(decimals(e.published)))/2*(1+rounding), nil
}

// decimals is how many digits stand behind the point.
func decimals(number string) int {
	_, fraction, _ := strings.Cut(number, ".")
	return len(fraction)
}

// shown prints ours with two digits more than the source, and a largest
// difference as what it is.
func (e *entry) shown(ours float64) string {
	if e.published == "0" {
		if math.Abs(ours) <= rounding {
			return "0"
		}
		return strconv.FormatFloat(ours, 'g', 2, 64)
	}
	text := strconv.FormatFloat(ours, 'f', decimals(e.published)+2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// difference prints the difference in percent.
func (e *entry) difference(ours float64) string {
	printed, err := strconv.ParseFloat(e.published, 64)
	switch {
	case err != nil:
		return ""
	case math.Abs(ours-printed) <= rounding*math.Abs(printed) || printed == 0 && math.Abs(ours) <= rounding:
		return "0"
	case printed == 0:
		return "-"
	}
	return fmt.Sprintf("%+.2g%%", 100*(ours/printed-1))
}
