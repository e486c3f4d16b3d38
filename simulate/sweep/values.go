package sweep

import (
	"fmt"
	"strings"

	"gpupipe/latencies"
)

// ParseNumbers reads a list of numbers and ranges with commas between them:
//
//	1,2,4       these
//	1..8        1, 2, ... 8
//	100..800:50 100, 150, ... 800
//	1..64*2     1, 2, 4, ... 64
//
// Numbers are as in latencies.ParseCycles. The end of a range belongs to it if
// the steps meet it.
func ParseNumbers(text string) ([]latencies.Cycles, error) {
	var list []latencies.Cycles
	for item := range strings.SplitSeq(text, ",") {
		var err error
		if list, err = appendRange(list, strings.TrimSpace(item)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// stride is how a range goes on.
type stride struct {
	by       latencies.Cycles
	multiply bool
}

func (s stride) next(v latencies.Cycles) (latencies.Cycles, error) {
	if s.multiply {
		return v.Mul(s.by)
	}
	return v.Add(s.by)
}

func appendRange(list []latencies.Cycles, item string) ([]latencies.Cycles, error) {
	from, to, isRange := strings.Cut(item, "..")
	first, err := latencies.ParseCycles(from)
	if err != nil {
		return nil, err
	}
	if !isRange {
		return append(list, first), nil
	}
	s := stride{by: latencies.WholeCycles(1)}
	if i := strings.IndexAny(to, ":*"); i >= 0 {
		s.multiply = to[i] == '*'
		if s.by, err = latencies.ParseCycles(to[i+1:]); err != nil {
			return nil, err
		}
		to = to[:i]
	}
	last, err := latencies.ParseCycles(to)
	switch {
	case err != nil:
		return nil, err
	case last.Cmp(first) < 0:
		return nil, fmt.Errorf("the range %s ends before it begins", item)
	case s.multiply && s.by.Cmp(latencies.WholeCycles(1)) <= 0:
		return nil, fmt.Errorf("the range %s does not grow: its factor must be more than 1", item)
	case s.multiply && first.IsZero(), !s.multiply && s.by.IsZero():
		return nil, fmt.Errorf("the range %s never ends", item)
	}
	for v := first; v.Cmp(last) <= 0; {
		if len(list) == MaxConfigurations {
			return nil, fmt.Errorf("the list has more than %d values", MaxConfigurations)
		}
		list = append(list, v)
		if v, err = s.next(v); err != nil {
			break // beyond every number, and so beyond last
		}
	}
	return list, nil
}

// ParseWhole reads a list like ParseNumbers of whole numbers from least to most.
func ParseWhole(text string, least, most int64) ([]int64, error) {
	numbers, err := ParseNumbers(text)
	if err != nil {
		return nil, err
	}
	list := make([]int64, len(numbers))
	for i, v := range numbers {
		list[i] = v.Num()
		switch {
		case v.Den() != 1:
			return nil, fmt.Errorf("%v is not a whole number", v)
		case list[i] < least:
			return nil, fmt.Errorf("%d is less than %d", list[i], least)
		case list[i] > most:
			return nil, fmt.Errorf("%d is more than %d", list[i], most)
		}
	}
	return list, nil
}
