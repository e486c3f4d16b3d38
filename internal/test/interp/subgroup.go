package interp

import (
	"strings"

	"gpupipe/lower/ir"
	"gpupipe/unroll/arithmetic"
)

// exchange executes an operation among the lanes that have reached it. Parts of a warp are the whole warp.
func exchange(in *ir.Instr, lanes []*lane) {
	a := make([][]uint64, len(lanes)) // operands of each lane
	by := map[int]int{}               // which of lanes has a number
	for i, l := range lanes {
		by[l.number] = i
		for _, v := range in.Args {
			a[i] = append(a[i], (&executor{lane: l}).value(v))
		}
	}
	fn := strings.TrimSuffix(in.Fn, "_part")
	for i, l := range lanes {
		r := shared(in, fn, a, i)
		if from, ok := source(fn, l.number, a[i]); ok {
			r = a[i][0] // of lanes that do not take part: its own
			if j, there := by[from]; there {
				r = a[j][0]
			}
		}
		l.values[in.Results[0].ID] = arithmetic.Canon(in.Results[0].Type, r)
	}
}

// source is the lane whose value a shuffle gives to a lane; ok is false for another function.
func source(fn string, number int, a []uint64) (from int, ok bool) {
	if len(a) < 2 {
		return 0, false
	}
	n := int(uint32(a[1]))
	switch fn {
	case "shuffle", "broadcast":
		return n, true
	case "shuffle_xor":
		return number ^ n, true
	case "shuffle_up":
		return number - n, true
	case "shuffle_down":
		return number + n, true
	}
	return 0, false
}

// shared is what a function of the values of all lanes gives to lane i of them.
func shared(in *ir.Instr, fn string, a [][]uint64, i int) uint64 {
	switch fn {
	case "broadcast_first":
		return a[0][0]
	case "all", "any", "ballot":
		count, mask := 0, uint64(0)
		for j := range a {
			if a[j][0] != 0 {
				count++
				mask |= 1 << j
			}
		}
		return map[string]uint64{"all": arithmetic.FromBool(count == len(a)), "any": arithmetic.FromBool(count > 0),
			"ballot": mask}[fn]
	}
	from, to := 0, len(a)
	kind, op, _ := strings.Cut(fn, "_")
	if kind == "scan" {
		kind, op, _ = strings.Cut(op, "_")
		if to = i + 1; kind == "exclusive" {
			to = i
		}
	} else if kind != "reduce" {
		return a[i][0]
	}
	if from == to {
		return identity(op, in.Type)
	}
	r := a[from][0]
	for _, x := range a[from+1 : to] {
		v, ok := arithmetic.Binary(atomicOps[op], in.Type, r, x[0])
		if !ok {
			fail(in, "no function %q", in.Fn)
		}
		r = v
	}
	return r
}

// identity is what an exclusive scan gives to its first lane.
func identity(op string, t ir.Type) uint64 {
	if op != "min" && op != "max" {
		return 0
	}
	if t.IsFloat() {
		return arithmetic.FromFloat(t, map[string]float64{"min": 1e30, "max": -1e30}[op])
	}
	lo, hi := uint64(0), uint64(1)<<(8*t.Size()-1)
	if t.IsSigned() {
		lo, hi = -hi, hi-1
	} else {
		hi = hi<<1 - 1
	}
	if op == "min" {
		return arithmetic.Canon(t, hi)
	}
	return arithmetic.Canon(t, lo)
}
