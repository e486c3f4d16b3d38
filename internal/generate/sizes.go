package generate

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Sizes are extents in one to three dimensions.
type Sizes []int64

// maxSize bounds one extent of a launch; unroll has the exact limits.
const maxSize = 1 << 40

// ParseSizes reads "256", "8x8" or "8,8,4".
func ParseSizes(text string) (Sizes, error) {
	var s Sizes
	for _, part := range strings.FieldsFunc(text+" ", func(r rune) bool { return r == 'x' || r == 'X' || r == ',' }) {
		n, err := strconv.ParseInt(strings.TrimSpace(part), 0, 64)
		switch {
		case err != nil:
			return nil, errors.New("write sizes as 256, 8x8 or 8x8x4")
		case n < 1:
			return nil, fmt.Errorf("a size must be at least 1, not %d", n)
		case n > maxSize:
			return nil, fmt.Errorf("%d is more than any launch has", n)
		}
		s = append(s, n)
	}
	if strings.Count(text, "x")+strings.Count(text, "X")+strings.Count(text, ",") != len(s)-1 {
		return nil, errors.New("write sizes as 256, 8x8 or 8x8x4")
	}
	if len(s) > 3 {
		return nil, fmt.Errorf("a launch has at most 3 dimensions, not %d", len(s))
	}
	return s, nil
}

func (s Sizes) String() string {
	parts := make([]string, len(s))
	for i, n := range s {
		parts[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(parts, "x")
}

// full is s with the extents of the missing dimensions, 1.
func (s Sizes) full() [3]int64 {
	d := [3]int64{1, 1, 1}
	copy(d[:], s)
	return d
}

// Trimmed drops trailing dimensions of extent 1.
func Trimmed(d [3]int64) Sizes {
	n := 3
	for n > 1 && d[n-1] == 1 {
		n--
	}
	return d[:n]
}

// AtLeastOne fills in the dimensions that are not given.
func AtLeastOne(d [3]int64) [3]int64 {
	for i := range d {
		d[i] = max(1, d[i])
	}
	return d
}
