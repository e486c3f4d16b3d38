package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpupipe/latencies"
	"gpupipe/unroll"
)

// with are hints and further ones.
func (h HintSpec) with(more HintSpec) HintSpec {
	return HintSpec{slices.Concat(h.Trips, more.Trips), slices.Concat(h.Branches, more.Branches),
		slices.Concat(h.Set, more.Set)}
}

// rules are those of --set.
func (h HintSpec) rules() (list []latencies.Rule, err error) {
	for _, text := range h.Set {
		r, err := latencies.ParseRule(text)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// choices are those of loops and branches.
func (h HintSpec) choices() (trips []unroll.TripChoice, branches []unroll.BranchChoice, err error) {
	for _, text := range h.Trips {
		at, value, err := location(text)
		if err != nil {
			return nil, nil, err
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return nil, nil, fmt.Errorf("hints: trips: %w", err)
		}
		trips = append(trips, unroll.TripChoice{At: at, Trips: n})
	}
	for _, text := range h.Branches {
		at, value, err := location(text)
		if err != nil {
			return nil, nil, err
		}
		side, err := unroll.ParseBranchSide(value)
		if err != nil {
			return nil, nil, fmt.Errorf("hints: branches: %w", err)
		}
		branches = append(branches, unroll.BranchChoice{At: at, Side: side})
	}
	return trips, branches, nil
}

// location divides LOC=VALUE.
func location(text string) (at unroll.Location, value string, err error) {
	place, value, ok := strings.Cut(text, "=")
	if at, err = unroll.ParseLocation(place); err == nil && !ok {
		err = fmt.Errorf("hints: %q: want LOC=VALUE", text)
	}
	return at, value, err
}
