package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/generate"
	"gpupipe/unroll"
)

// parseCommandLine reads the arguments of a program, divided by spaces.
func parseCommandLine(text string) ([]string, error) {
	return append([]string{}, strings.Fields(text)...), nil
}

// parseLaunch reads a location or "none".
func parseLaunch(text string) (c generate.HostLaunch, err error) {
	if text == "none" {
		return generate.HostLaunch{None: true}, nil
	}
	c.At, err = unroll.ParseLocation(text)
	if err != nil {
		return c, fmt.Errorf("%w, or none", err)
	}
	return c, nil
}

func parseLevel(text string) (unroll.Level, error) {
	switch strings.TrimPrefix(text, "O") {
	case "0":
		return unroll.O0, nil
	case "2":
		return unroll.O2, nil
	case "3":
		return unroll.O3, nil
	}
	return 0, errors.New("the levels are 0, 2 and 3")
}

func parseKinds(text string) (unroll.KindChoice, error) {
	switch text {
	case "middle":
		return unroll.MiddleGroup, nil
	case "edges":
		return unroll.EdgeGroups, nil
	case "sampled":
		return unroll.SampledGroups, nil
	case "auto":
		return unroll.SampledIfUneven, nil
	}
	return 0, errors.New("the groups to resolve are auto, middle, edges or sampled")
}

// maxWarpRange bounds the lists that --warps writes out: a group has no more
// warps on any device.
const maxWarpRange = 1024

// parseWarps reads "all", "first" or a list such as "0,2,5-7".
func parseWarps(text string) (generate.Warps, error) {
	switch text {
	case "all":
		return generate.Warps{Choice: unroll.EveryWarp}, nil
	case "first":
		return generate.Warps{Choice: unroll.FirstWarp}, nil
	}
	w := generate.Warps{Choice: unroll.ListedWarps}
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		a, errA := strconv.ParseUint(from, 10, 32)
		b, errB := strconv.ParseUint(to, 10, 32)
		switch {
		case errA != nil || errB != nil || b < a:
			return generate.Warps{}, errors.New("write all, first, or a list such as 0,2,5-7")
		case b >= maxWarpRange:
			return generate.Warps{}, fmt.Errorf("there is no warp %d: a group has at most %d", b, maxWarpRange)
		}
		for ; a <= b; a++ {
			w.List = append(w.List, uint32(a))
		}
	}
	slices.Sort(w.List)
	w.List = slices.Compact(w.List)
	return w, nil
}

// parseAt reads LOC=VALUE.
func parseAt(text string) (at unroll.Location, value string, err error) {
	i := strings.LastIndexByte(text, '=')
	if i < 1 {
		return at, "", errors.New("write LINE=VALUE, LINE:COLUMN=VALUE or FILE:LINE=VALUE")
	}
	at, err = unroll.ParseLocation(text[:i])
	return at, text[i+1:], err
}

func parseTrip(text string) (c unroll.TripChoice, err error) {
	at, value, err := parseAt(text)
	if err != nil {
		return c, err
	}
	n, err := console.ParseAtLeast(0)(value)
	return unroll.TripChoice{At: at, Trips: n}, err
}

func parseUnroll(text string) (c unroll.UnrollChoice, err error) {
	at, value, err := parseAt(text)
	if err != nil {
		return c, err
	}
	n, err := console.ParseAtLeast(1)(value)
	return unroll.UnrollChoice{At: at, Factor: n}, err
}

func parseBranch(text string) (c unroll.BranchChoice, err error) {
	at, value, err := parseAt(text)
	if err != nil {
		return c, err
	}
	side, err := unroll.ParseBranchSide(value)
	return unroll.BranchChoice{At: at, Side: side}, err
}

// The largest warp of the devices, AMD's wavefront of 64, and a bound on
// --max-instructions that keeps their number within 32 bits (idg.NodeID).
const (
	maxWarpSize        = 64
	maxMaxInstructions = 1 << 30
)
