package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpupipe/cmd/internal/console"
	"gpupipe/frontend/ast"
	"gpupipe/unroll"
)

// sizes are extents in one to three dimensions.
type sizes []int64

// maxSize bounds one extent of a launch; unroll has the exact limits.
const maxSize = 1 << 40

// parseSizes reads "256", "8x8" or "8,8,4".
func parseSizes(text string) (sizes, error) {
	var s sizes
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

func (s sizes) String() string {
	parts := make([]string, len(s))
	for i, n := range s {
		parts[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(parts, "x")
}

// full is s with the extents of the missing dimensions, 1.
func (s sizes) full() [3]int64 {
	d := [3]int64{1, 1, 1}
	copy(d[:], s)
	return d
}

// argument is an --arg.
type argument struct {
	name  string
	value unroll.ArgValue
	text  string // as given
}

// parseArgument reads "n=1024", "mask=0xFFu" or "a=0.5f".
func parseArgument(text string) (argument, error) {
	name, value, ok := strings.Cut(text, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" || value == "" {
		return argument{}, errors.New("write NAME=VALUE")
	}
	v, ok := parseConstant(value)
	if !ok {
		return argument{}, fmt.Errorf("%q is not a valid number", value)
	}
	return argument{name, v, value}, nil
}

// parseConstant reads an integer or floating constant of C with its suffix.
func parseConstant(text string) (unroll.ArgValue, bool) {
	switch text {
	case "true":
		return unroll.ArgValue{Int: 1}, true
	case "false":
		return unroll.ArgValue{}, true
	}
	number := strings.TrimRight(text, "uUlL")
	if n, err := strconv.ParseInt(number, 0, 64); err == nil {
		return unroll.ArgValue{Int: n}, true
	}
	if n, err := strconv.ParseUint(number, 0, 64); err == nil {
		return unroll.ArgValue{Int: int64(n)}, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !strings.HasPrefix(strings.ToLower(strings.TrimLeft(text, "+-")), "0x") {
		f, err = strconv.ParseFloat(strings.TrimRight(text, "fFlLhH"), 64)
	}
	return unroll.ArgValue{Float: f, IsFloat: true}, err == nil
}

func parseDialect(text string) (ast.Dialect, error) {
	switch strings.ToLower(text) {
	case "opencl", "cl":
		return ast.OpenCL, nil
	case "cuda", "cu", "hip":
		return ast.CUDA, nil
	}
	return 0, errors.New("the languages are opencl, cuda and hip")
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

// groupKinds is the choice of --group-kinds.
func (o *options) groupKinds() unroll.KindChoice {
	if o.kinds == 0 {
		return unroll.SampledIfUneven
	}
	return o.kinds
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

// warps is the choice of --warps.
type warps struct {
	choice unroll.WarpChoice // 0 = every warp
	list   []uint32
}

// maxWarpRange bounds the lists that --warps writes out: a group has no more
// warps on any device.
const maxWarpRange = 1024

// parseWarps reads "all", "first" or a list such as "0,2,5-7".
func parseWarps(text string) (warps, error) {
	switch text {
	case "all":
		return warps{choice: unroll.EveryWarp}, nil
	case "first":
		return warps{choice: unroll.FirstWarp}, nil
	}
	w := warps{choice: unroll.ListedWarps}
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		a, errA := strconv.ParseUint(from, 10, 32)
		b, errB := strconv.ParseUint(to, 10, 32)
		switch {
		case errA != nil || errB != nil || b < a:
			return warps{}, errors.New("write all, first, or a list such as 0,2,5-7")
		case b >= maxWarpRange:
			return warps{}, fmt.Errorf("there is no warp %d: a group has at most %d", b, maxWarpRange)
		}
		for ; a <= b; a++ {
			w.list = append(w.list, uint32(a))
		}
	}
	slices.Sort(w.list)
	w.list = slices.Compact(w.list)
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
