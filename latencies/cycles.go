package latencies

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Cycles is an exact, non-negative rational number in lowest terms: a number of
// core-clock cycles, or a rate in warp instructions per cycle. The zero value is
// 0. Equal numbers are equal under ==.
//
// Arithmetic never rounds and never wraps: a result whose numerator or
// denominator does not fit in 63 bits is ErrCyclesRange.
type Cycles struct{ num, den int64 } // den is 0 for whole numbers, else ≥ 2

// ErrCyclesRange reports a result that is negative or too large to be exact.
var ErrCyclesRange = errors.New("cycles out of range")

// WholeCycles returns n cycles.
func WholeCycles(n uint32) Cycles { return Cycles{num: int64(n)} }

// NewCycles returns num/den cycles in lowest terms.
func NewCycles(num, den int64) (Cycles, error) {
	switch {
	case den <= 0:
		return Cycles{}, fmt.Errorf("%w: denominator %d", ErrCyclesRange, den)
	case num < 0:
		return Cycles{}, fmt.Errorf("%w: %d/%d is negative", ErrCyclesRange, num, den)
	}
	return lowest(num, den), nil
}

// lowest reduces num/den, where num ≥ 0 and den ≥ 1.
func lowest(num, den int64) Cycles {
	if g := CommonDivisor(num, den); g > 1 {
		num, den = num/g, den/g
	}
	if den == 1 {
		den = 0
	}
	return Cycles{num, den}
}

// CommonDivisor is the greatest one of two numbers that are not negative.
func CommonDivisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// CommonMultiple is the least one of two numbers above 0, as denominators are; the caller keeps it in range.
func CommonMultiple(a, b int64) int64 { return a / CommonDivisor(a, b) * b }

// maxCyclesText bounds the text of a number; 18 digits always fit in 63 bits.
const maxCyclesText = 64

// ParseCycles reads a whole number ("475"), a decimal ("0.25") or a fraction
// ("1/6", "2.5/3"). Signs, exponents and spaces are not accepted.
func ParseCycles(s string) (Cycles, error) {
	if len(s) > maxCyclesText {
		return Cycles{}, fmt.Errorf("number of %d characters is too long", len(s))
	}
	a, b, fraction := strings.Cut(s, "/")
	c, err := parseDecimal(a)
	if err != nil || !fraction {
		return c, err
	}
	d, err := parseDecimal(b)
	if err != nil {
		return Cycles{}, err
	}
	return c.Div(d)
}

func parseDecimal(s string) (Cycles, error) {
	whole, frac, point := strings.Cut(s, ".")
	digits := whole + frac
	if whole == "" || point && frac == "" || strings.Trim(digits, "0123456789") != "" {
		return Cycles{}, fmt.Errorf("%q is not a non-negative number such as 475, 0.25 or 1/6", s)
	}
	digits = strings.TrimLeft(digits, "0")
	if len(digits) > 18 || len(frac) > 18 {
		return Cycles{}, fmt.Errorf("%w: %q has more than 18 digits", ErrCyclesRange, s)
	}
	if digits == "" {
		return Cycles{}, nil
	}
	num, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return Cycles{}, err
	}
	den := int64(1)
	for range frac {
		den *= 10
	}
	return lowest(num, den), nil
}

// Num is the numerator in lowest terms.
func (c Cycles) Num() int64 { return c.num }

// Den is the denominator in lowest terms, at least 1.
func (c Cycles) Den() int64 { return max(c.den, 1) }

// IsZero reports whether c is 0.
func (c Cycles) IsZero() bool { return c.num == 0 }

// Float is the nearest float64, for reports only.
func (c Cycles) Float() float64 { return float64(c.num) / float64(c.Den()) }

// Equal reports whether c and d are the same number.
func (c Cycles) Equal(d Cycles) bool { return c == d }

// Cmp compares exactly: -1 if c < d, 0 if equal, +1 if c > d.
func (c Cycles) Cmp(d Cycles) int {
	ah, al := bits.Mul64(uint64(c.num), uint64(d.Den()))
	bh, bl := bits.Mul64(uint64(d.num), uint64(c.Den()))
	return cmp.Or(cmp.Compare(ah, bh), cmp.Compare(al, bl))
}

// Add returns c + d.
func (c Cycles) Add(d Cycles) (Cycles, error) {
	a, b, den, ok := common(c, d)
	if !ok || a > maxInt-b {
		return Cycles{}, fmt.Errorf("%w: %v + %v", ErrCyclesRange, c, d)
	}
	return lowest(a+b, den), nil
}

// Sub returns c - d; a negative result is ErrCyclesRange.
func (c Cycles) Sub(d Cycles) (Cycles, error) {
	a, b, den, ok := common(c, d)
	if !ok || a < b {
		return Cycles{}, fmt.Errorf("%w: %v - %v", ErrCyclesRange, c, d)
	}
	return lowest(a-b, den), nil
}

// common are the numerators of two numbers over their common denominator; false if they do not fit.
func common(c, d Cycles) (a, b, den int64, ok bool) {
	g := CommonDivisor(c.Den(), d.Den())
	a, ok1 := mulInt(c.num, d.Den()/g)
	b, ok2 := mulInt(d.num, c.Den()/g)
	den, ok3 := mulInt(c.Den(), d.Den()/g)
	return a, b, den, ok1 && ok2 && ok3
}

// Mul returns c · d.
func (c Cycles) Mul(d Cycles) (Cycles, error) {
	x, y := lowest(c.num, d.Den()), lowest(d.num, c.Den())
	num, ok1 := mulInt(x.num, y.num)
	den, ok2 := mulInt(x.Den(), y.Den())
	if !ok1 || !ok2 {
		return Cycles{}, fmt.Errorf("%w: %v × %v", ErrCyclesRange, c, d)
	}
	return lowest(num, den), nil
}

// Div returns c / d; division by zero is ErrCyclesRange.
func (c Cycles) Div(d Cycles) (Cycles, error) {
	if d.num == 0 {
		return Cycles{}, fmt.Errorf("%w: %v / 0", ErrCyclesRange, c)
	}
	return c.Mul(lowest(d.Den(), d.num))
}

const maxInt = 1<<63 - 1

func mulInt(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int64(lo), hi == 0 && lo <= maxInt
}

// String prints a decimal when that is exact ("0.25", "475"), else a fraction in
// lowest terms ("1/6"). ParseCycles reads it back.
func (c Cycles) String() string {
	if s, ok := c.decimal(); ok {
		return s
	}
	return fmt.Sprintf("%d/%d", c.num, c.den)
}

// decimal is the exact decimal notation, if there is one of at most 18 digits.
func (c Cycles) decimal() (string, bool) {
	den, places := c.Den(), 0
	for scale := int64(1); scale%den != 0; places++ {
		if scale > maxInt/10/10 {
			return "", false
		}
		scale *= 10
	}
	if places == 0 {
		return strconv.FormatInt(c.num, 10), true
	}
	scale := int64(1)
	for range places {
		scale *= 10
	}
	num, ok := mulInt(c.num, scale/den)
	if !ok || num >= 1e18 {
		return "", false
	}
	s := fmt.Sprintf("%0*d", places+1, num)
	return s[:len(s)-places] + "." + s[len(s)-places:], true
}

// MarshalJSON writes a JSON number when a decimal is exact, else the fraction as
// a string ("1/6"): no value is ever rounded.
func (c Cycles) MarshalJSON() ([]byte, error) {
	if s, ok := c.decimal(); ok {
		return []byte(s), nil
	}
	return json.Marshal(c.String())
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Cycles) UnmarshalJSON(data []byte) error {
	s := string(data)
	if len(s) > 0 && s[0] == '"' {
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
	}
	v, err := ParseCycles(s)
	if err != nil {
		return err
	}
	*c = v
	return nil
}
