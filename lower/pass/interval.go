package pass

import (
	"math"
	"math/bits"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/unroll/arithmetic"
)

// interval is what is known of an integer's value, as LLVM's constant ranges say it.
type interval struct {
	lo, hi int64
	known  bool
}

// intervalDepth is how many operations an interval is looked for behind a value.
const intervalDepth = 6

// What a launch can be, whatever its device: CUDA C++ Programming Guide, Technical Specifications per Compute
// Capability (threads of a block in x, y and z; blocks of a grid), which nvcc tells its optimiser by !range.
var groupLimits = map[string][3]int64{
	"get_local_id":   {1023, 1023, 63},
	"get_local_size": {1024, 1024, 64},
	"get_group_id":   {math.MaxInt32 - 1, 65534, 65534},
	"get_num_groups": {math.MaxInt32, 65535, 65535},
}

func smallest(t ir.Type) int64 {
	if t.IsSigned() {
		return math.MinInt64 >> (64 - 8*t.Size())
	}
	return 0
}

// largest is the greatest value of a type; that of 64 bits unsigned is taken for the greatest signed one.
func largest(t ir.Type) int64 {
	switch n := 8 * t.Size(); {
	case n >= 64:
		return math.MaxInt64
	case t.IsSigned():
		return 1<<(n-1) - 1
	default:
		return 1<<n - 1
	}
}

// interval is that of a sum.
func (s *sums) interval(a *sum) interval {
	out := interval{a.c, a.c, true}
	for i := range a.terms {
		r := interval{a.terms[i].k, a.terms[i].k, true}
		for _, v := range a.terms[i].v {
			if v != nil {
				r = r.times(s.value(v, intervalDepth))
			}
		}
		out = out.plus(r)
	}
	return out
}

func (r interval) plus(x interval) interval {
	lo, hi := r.lo+x.lo, r.hi+x.hi
	ok := (x.lo >= 0) == (lo >= r.lo) && (x.hi >= 0) == (hi >= r.hi)
	return interval{lo, hi, r.known && x.known && ok}
}

// or has the values of both.
func (r interval) or(x interval) interval {
	return interval{min(r.lo, x.lo), max(r.hi, x.hi), r.known && x.known}
}

func (r interval) times(x interval) interval {
	if !r.known || !x.known {
		return interval{}
	}
	out := interval{math.MaxInt64, math.MinInt64, true}
	for _, a := range [...]int64{r.lo, r.hi} {
		for _, b := range [...]int64{x.lo, x.hi} {
			p := a * b
			if a != 0 && (p/a != b || a == -1 && b == math.MinInt64) {
				return interval{}
			}
			out.lo, out.hi = min(out.lo, p), max(out.hi, p)
		}
	}
	return out
}

// value is the interval of a value: that of its type where its definition says no more.
func (s *sums) value(v *ir.Value, depth int) interval {
	if r, ok := s.reach[v]; ok && s.far {
		return r
	}
	if r, ok := s.bounds[v]; ok {
		return r
	}
	all := interval{smallest(v.Type), largest(v.Type), v.Type.IsInteger() && v.Type != lower.U64}
	if v.IsConst() {
		return interval{v.Int(), v.Int(), v.Type != lower.U64 || v.Int() >= 0}
	}
	if v.Kind != ir.Result || depth == 0 || !v.Type.IsInteger() {
		return all
	}
	if s.unlimited && v.Def.Op == lower.Index {
		return interval{}
	}
	if r := s.operation(v.Def, depth-1); r.known && (!all.known || r.lo >= all.lo && r.hi <= all.hi) {
		return r
	}
	return all
}

// operation is the interval of an operation's result before it wraps.
func (s *sums) operation(in *ir.Instr, depth int) interval {
	arg := func(i int) interval { return s.value(in.Args[i], depth) }
	switch in.Op {
	case lower.Index:
		if l, ok := groupLimits[in.Fn]; ok && !s.unlimited && in.Dim >= 0 && in.Dim < 3 {
			lo := int64(0)
			if in.Fn == "get_local_size" || in.Fn == "get_num_groups" {
				lo = 1
			}
			return interval{lo, l[in.Dim], true}
		}
	case lower.Add:
		return arg(0).plus(arg(1))
	case lower.Mul:
		return arg(0).times(arg(1))
	case lower.Shl:
		if in.Args[1].IsConst() && in.Args[1].Bits < 32 {
			return arg(0).times(interval{1 << in.Args[1].Bits, 1 << in.Args[1].Bits, true})
		}
	case lower.Convert, lower.Bitcast:
		if in.From.IsInteger() {
			return arg(0)
		}
	case lower.And:
		return masked(arg(0), arg(1))
	case lower.Rem, lower.Div, lower.Shr, lower.Min, lower.Max, lower.Select:
		return s.bounded(in, arg)
	}
	return interval{}
}

func masked(a, b interval) interval {
	switch {
	case b.known && b.lo >= 0:
		return interval{0, b.hi, true}
	case a.known && a.lo >= 0:
		return interval{0, a.hi, true}
	}
	return interval{}
}

// bounded is the interval of operations that make it smaller.
func (s *sums) bounded(in *ir.Instr, arg func(int) interval) interval {
	a, b := arg(0), interval{}
	if in.Op != lower.Select {
		b = arg(1)
	}
	switch in.Op {
	case lower.Rem:
		if b.known && b.lo > 0 {
			if a.known && a.lo >= 0 {
				return interval{0, min(a.hi, b.hi-1), true}
			}
			if in.Type.IsSigned() {
				return interval{1 - b.hi, b.hi - 1, true}
			}
			return interval{0, b.hi - 1, true}
		}
	case lower.Div:
		if a.known && a.lo >= 0 && b.known && b.lo > 0 {
			return interval{a.lo / b.hi, a.hi / b.lo, true}
		}
	case lower.Shr:
		if a.known && in.Args[1].IsConst() {
			n := arithmetic.ShiftCount(in.Type, in.Args[1].Bits, in.Fn == "clamp")
			return interval{a.lo >> min(n, 63), a.hi >> min(n, 63), true}
		}
	case lower.Min:
		return interval{min(a.lo, b.lo), min(a.hi, b.hi), a.known && b.known}
	case lower.Max:
		return interval{max(a.lo, b.lo), max(a.hi, b.hi), a.known && b.known}
	case lower.Select:
		return arg(1).or(arg(2))
	}
	return interval{}
}

// powerOfTwo reports whether a positive number is one.
func powerOfTwo(n int64) bool { return n > 0 && bits.OnesCount64(uint64(n)) == 1 }
