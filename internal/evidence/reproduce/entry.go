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
	origin  origin // of its entries that name none
	entries []entry
	// commands show some of the entries' numbers from outside.
	commands []command
}

// command is a shell command and the line that it prints.
type command struct{ line, prints string }

// origin says what computes our number of an entry.
type origin int

const (
	pipe       origin = iota + 1 // a kernel's source text is resolved, and mapped or simulated if the number needs it
	simulation                   // a graph made by hand is mapped or simulated
	formula                      // a model's code is evaluated on inputs that are typed in
)

var origins = []origin{pipe, simulation, formula}

func (o origin) String() string {
	return [...]string{"", "pipe", "simulation", "formula"}[o]
}

// entry is a number of a source, and ours.
type entry struct {
	source string // "V16 T.4.2"
	what   string
	origin origin // 0 = the section's
	// What the source says, one of three: printed is a number as it prints it; derived is a number that it does
	// not print, computed here from numbers that it does; deviation says that ours is the largest relative
	// difference from a formula that it prints.
	printed   string
	derived   float64
	deviation bool
	// within is what rounding λ of a device file to 1/100 cycle may add to a deviation; 0 = nothing.
	within float64
	unit   string
	ours   func() (float64, error)
	// differs says why ours is another number; empty for those that are the same to the last printed digit.
	differs string
	// construction says why ours could not have been another number than the printed one.
	construction string
}

// constant is a value that needs no computation that could fail.
func constant(x float64) func() (float64, error) {
	return func() (float64, error) { return x, nil }
}

// rounding is what computing in binary may add to a difference of 0.
const rounding = 1e-9

// outcome is what comparing an entry gave.
type outcome int

const (
	agrees       outcome = iota // with a number that the source prints
	follows                     // from numbers that it prints
	equals                      // a formula that it prints
	byDefinition                // agrees, and could not have done otherwise
	differs
)

var outcomes = []outcome{agrees, follows, equals, byDefinition, differs}

func (o outcome) String() string {
	return [...]string{"agrees", "follows", "equals the formula", "by construction", "differs"}[o]
}

// outcome compares an entry with our number.
func (e *entry) outcome(ours float64) (outcome, error) {
	said, tolerance, err := e.said()
	switch {
	case err != nil:
		return differs, err
	case math.Abs(ours-said) > tolerance:
		return differs, nil
	case e.deviation:
		return equals, nil
	case e.printed == "":
		return follows, nil
	case e.construction != "":
		return byDefinition, nil
	}
	return agrees, nil
}

// said is the number that the source gives, and how far ours may be from it: half a unit of its last printed digit, or
// what rounding does.
func (e *entry) said() (value, tolerance float64, err error) {
	if e.deviation {
		return 0, max(rounding, e.within), nil
	}
	if e.printed == "" {
		return e.derived, rounding * max(1, math.Abs(e.derived)), nil
	}
	value, err = strconv.ParseFloat(e.printed, 64)
	if err != nil {
		return 0, 0, fmt.Errorf("%s, %s: %q is not a number", e.source, e.what, e.printed)
	}
	return value, math.Pow(10, -float64(decimals(e.printed))) / 2 * (1 + rounding), nil
}

// decimals is how many digits stand behind the point.
func decimals(number string) int {
	_, fraction, _ := strings.Cut(number, ".")
	return len(fraction)
}

// left writes what the source says.
func (e *entry) left() string {
	switch {
	case e.deviation:
		return "a formula"
	case e.printed == "":
		return "(" + shortest(e.derived, 4) + e.suffix() + ")"
	}
	return e.printed + e.suffix()
}

// right writes ours with two digits more than the source, and a largest difference as what it is.
func (e *entry) right(ours float64) string {
	switch {
	case e.deviation && math.Abs(ours) <= rounding:
		return "the same"
	case e.deviation:
		return "up to " + strconv.FormatFloat(100*ours, 'g', 2, 64) + "% off"
	case e.printed == "":
		return shortest(ours, 4) + e.suffix()
	}
	return shortest(ours, decimals(e.printed)+2) + e.suffix()
}

func (e *entry) suffix() string {
	if e.unit == "" {
		return ""
	}
	return " " + e.unit
}

// shortest writes a number with so many decimals at most.
func shortest(x float64, decimals int) string {
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}
