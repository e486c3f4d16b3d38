package pass

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/unroll/arithmetic"
)

// rangeDepth is how far a bound is followed (LLVM's MaxAnalysisRecursionDepth, ValueTracking.h).
const rangeDepth = 6

// upperBound is the greatest number that an integer value can be which cannot be negative (LLVM's computeKnownBits and
// LazyValueInfo); known is false where it can be, or where its type is all that is known of it.
func upperBound(v *ir.Value) (most uint64, known bool) { return boundOf(v, rangeDepth) }

func boundOf(v *ir.Value, depth int) (uint64, bool) {
	if !v.Type.IsInteger() {
		return 0, false
	}
	if v.IsConst() {
		return v.Bits, !v.Type.IsSigned() || v.Int() >= 0
	}
	_, last := typeRange(v.Type)
	most, known := last, !v.Type.IsSigned()
	if v.Kind == ir.Result && depth > 0 {
		if n, ok := operationBound(v.Def, depth-1, last); ok {
			most, known = min(n, most), true
		}
	}
	return most, known
}

// operationBound is the bound of what an operation gives; last is the greatest number of its type.
func operationBound(d *ir.Instr, depth int, last uint64) (uint64, bool) {
	bound := func(i int) (uint64, bool) { return boundOf(d.Args[i], depth) }
	switch d.Op {
	case lower.Index:
		return indexBound(d)
	case lower.Bitcast, lower.Convert:
		if !d.From.IsInteger() || d.Fn != "" {
			return 0, false
		}
		n, ok := bound(0)
		return n, ok && n <= last
	case lower.And:
		a, okA := bound(0)
		b, okB := bound(1)
		switch {
		case okA && okB:
			return min(a, b), true
		case okA:
			return a, true
		}
		return b, okB
	case lower.Or, lower.Xor:
		a, okA := bound(0)
		b, okB := bound(1)
		return filled(a | b), okA && okB
	case lower.Shr, lower.Shl:
		k, ok := shiftCount(d)
		n, okN := bound(0)
		if d.Op == lower.Shr {
			return n >> k, ok && okN
		}
		return n << k, ok && okN && n<<k>>k == n && n<<k <= last
	case lower.Add:
		a, okA := bound(0)
		b, okB := bound(1)
		return a + b, okA && okB && a+b >= a && a+b <= last
	case lower.Mul:
		a, okA := bound(0)
		b, okB := bound(1)
		return a * b, okA && okB && (b == 0 || a <= last/b)
	case lower.Div:
		n, ok := bound(0)
		c, okC := bound(1)
		if d.Args[1].IsConst() && okC && c > 0 {
			n /= c
		}
		return n, ok && okC
	case lower.Rem:
		n, ok := bound(0)
		c, okC := bound(1)
		if okC && c > 0 {
			n = min(n, c-1)
		}
		return n, ok
	case lower.Select:
		a, okA := bound(1)
		b, okB := bound(2)
		return max(a, b), okA && okB
	case lower.Min, lower.Max:
		return extremeBound(d, depth)
	}
	return 0, false
}

func extremeBound(d *ir.Instr, depth int) (uint64, bool) {
	a, okA := boundOf(d.Args[0], depth)
	b, okB := boundOf(d.Args[1], depth)
	if d.Op == lower.Min {
		return min(a, b), okA && okB
	}
	switch {
	case okA && okB:
		return max(a, b), true
	case okA && d.Args[0].IsConst(), okB && d.Args[1].IsConst(): // max(x, 0) is not negative
		_, last := typeRange(d.Type)
		return last, true
	}
	return 0, false
}

// filled is n with all bits below its highest set.
func filled(n uint64) uint64 {
	for k := 1; k < 64; k *= 2 {
		n |= n >> k
	}
	return n
}

// indexBounds are the greatest numbers that work-item functions give in any launch (CUDA C++ Programming Guide, Technical
// Specifications per Compute Capability: groups of up to 1024, grids of up to 2^31 - 1; LLVM's NVVMIntrRange gives reads of
// the special registers such ranges).
var indexBounds = map[string]uint64{"get_local_id": 1023, "get_local_size": 1024, "get_group_id": 1<<31 - 2,
	"get_num_groups": 1<<31 - 1, "get_global_size": 1<<41 - 1, "get_global_id": 1<<41 - 1}

func indexBound(d *ir.Instr) (uint64, bool) {
	n, ok := indexBounds[d.Fn]
	return n, ok && arithmetic.Canon(d.Type, n) == n
}
