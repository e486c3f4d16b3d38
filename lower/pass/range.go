package pass

import (
	"math"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// rangeDepth is how many operations are followed behind a value (LLVM's MaxAnalysisRecursionDepth, ValueTracking.h).
const rangeDepth = 6

// ranges finds the intervals of integers (LLVM's computeKnownBits, LazyValueInfo and ScalarEvolution::getRange): what
// the type has, within that what the operation gives, and of parameters of loops what is known of their steps.
type ranges struct {
	// bounds are those of parameters of loops, as who asks has found them.
	bounds map[*ir.Value]interval
	// reach are those of counters of loops with a constant number of iterations, which count where far is set.
	reach map[*ir.Value]interval
	far   bool
	// jumps, where they are given, tell what is passed to a parameter: one that begins with a number which is not
	// negative and is only increased is none either, as signed sums do not wrap (IndVarSimplify finds so that
	// divisions may be unsigned).
	jumps   *jumps
	params  map[*ir.Value]bool // those that were asked for: not negative
	order   []*ir.Value        // of params
	indices indexRanges
}

// indexRanges says what is known of work-item functions.
type indexRanges uint8

const (
	launchable indexRanges = iota // what a launch can be
	typed                         // their types
	unlimited                     // nothing: there is no bound of use
)

// What a launch can be, whatever its device: CUDA C++ Programming Guide, Technical Specifications per Compute
// Capability (threads of a block in x, y and z; blocks of a grid), which nvcc tells its optimiser by !range.
var groupLimits = map[string][3]interval{
	"get_local_id":    {{0, 1023, true}, {0, 1023, true}, {0, 63, true}},
	"get_local_size":  {{1, 1024, true}, {1, 1024, true}, {1, 64, true}},
	"get_group_id":    {{0, math.MaxInt32 - 1, true}, {0, 65534, true}, {0, 65534, true}},
	"get_num_groups":  {{1, math.MaxInt32, true}, {1, 65535, true}, {1, 65535, true}},
	"get_global_size": {{1, 1<<41 - 1, true}, {1, 1<<26 - 1, true}, {1, 1<<22 - 1, true}},
	"get_global_id":   {{0, 1<<41 - 2, true}, {0, 1<<26 - 2, true}, {0, 1<<22 - 2, true}},
}

// upperBound is the greatest number that a value can be which cannot be negative; known is false where it can be.
func (s *ranges) upperBound(v *ir.Value) (most uint64, known bool) {
	switch r := s.value(v, rangeDepth); {
	case v.IsConst() && v.Type.IsInteger() && !v.Type.IsSigned():
		return v.Bits, true
	case r.natural():
		return uint64(r.hi), true
	case v.Type == lower.U64:
		return math.MaxUint64, true
	}
	return 0, false
}

// value is the interval of a value: that of its type where its definition says no more.
func (s *ranges) value(v *ir.Value, depth int) interval {
	if r, ok := s.reach[v]; ok && s.far {
		return r
	}
	if r, ok := s.bounds[v]; ok {
		return r
	}
	if v.IsConst() {
		return interval{v.Int(), v.Int(), v.Type.IsInteger() && (v.Type != lower.U64 || v.Int() >= 0)}
	}
	if !v.Type.IsInteger() {
		return interval{}
	}
	all := interval{smallest(v.Type), largest(v.Type), v.Type != lower.U64}
	switch {
	case v.Kind == ir.BlockArg && s.jumps != nil && v.Type.IsSigned() && s.param(v):
		all.lo = 0
	case v.Kind == ir.Result && depth > 0:
		if s.indices == unlimited && v.Def.Op == lower.Index {
			return interval{}
		}
		r := s.operation(v.Def, depth-1)
		if all.known && v.Type.IsSigned() && (v.Def.Op == lower.Add || v.Def.Op == lower.Mul) {
			r = r.and(all) // signed ones do not wrap
		}
		if r.in(interval{smallest(v.Type), largest(v.Type), true}) {
			return r
		}
	}
	return all
}

// param reports whether a parameter of a loop is never negative.
func (s *ranges) param(p *ir.Value) bool {
	if known, ok := s.params[p]; ok {
		return known
	}
	if s.params == nil {
		s.params = map[*ir.Value]bool{}
	}
	body := p.Def.Blocks
	if len(body) == 0 || p.Index >= len(body[0].Params) || body[0].Params[p.Index] != p {
		return false // one that is gone: something stands for it
	}
	n := len(s.order)
	s.order = append(s.order, p)
	s.params[p] = true // if it holds for this iteration, it has to for the next
	holds := s.value(p.Def.Args[p.Index], rangeDepth).natural()
	for _, c := range s.jumps.continues[p.Def] {
		holds = holds && s.value(c.Args[p.Index], rangeDepth).natural()
	}
	if !holds { // nor what was concluded of it
		for _, q := range s.order[n:] {
			delete(s.params, q)
		}
		s.order = s.order[:n]
		s.params[p] = false
	}
	return holds
}

// operation is the interval of an operation's result before it wraps.
func (s *ranges) operation(in *ir.Instr, depth int) interval {
	arg := func(i int) interval { return s.value(in.Args[i], depth) }
	switch in.Op {
	case lower.Index:
		if l, ok := groupLimits[in.Fn]; ok && s.indices == launchable && in.Dim >= 0 && in.Dim < 3 {
			return l[in.Dim]
		}
	case lower.Add:
		return arg(0).plus(arg(1))
	case lower.Mul:
		return arg(0).times(arg(1))
	case lower.Shl:
		if k, ok := shiftCount(in); ok && k < 32 {
			return arg(0).times(interval{1 << k, 1 << k, true})
		}
	case lower.Convert, lower.Bitcast:
		if in.From.IsInteger() && in.Fn == "" {
			return arg(0)
		}
	case lower.And:
		return masked(arg(0), arg(1))
	case lower.Or, lower.Xor:
		if a, b := arg(0), arg(1); a.natural() && b.natural() {
			return interval{0, filled(a.hi | b.hi), true}
		}
	case lower.Min:
		a, b := arg(0), arg(1)
		return interval{min(a.lo, b.lo), min(a.hi, b.hi), a.known && b.known}
	case lower.Max:
		a, b := arg(0), arg(1)
		return interval{max(a.lo, b.lo), max(a.hi, b.hi), a.known && b.known}
	case lower.Select:
		return arg(1).or(arg(2))
	case lower.Rem, lower.Div, lower.Shr:
		return divided(in, arg(0), arg(1))
	}
	return interval{}
}

// masked is a number with some of its bits.
func masked(a, b interval) interval {
	mask := interval{0, math.MaxInt64, false}
	for _, r := range [...]interval{a, b} {
		if r.natural() {
			mask = interval{0, min(mask.hi, r.hi), true}
		}
	}
	return mask
}

// divided is what is left of a number.
func divided(in *ir.Instr, a, b interval) interval {
	if in.Op == lower.Shr {
		k, ok := shiftCount(in)
		switch {
		case !ok:
		case a.known:
			return interval{a.lo >> min(k, 63), a.hi >> min(k, 63), true}
		case in.Type == lower.U64 && k > 0:
			return interval{0, int64(uint64(math.MaxUint64) >> k), true}
		}
		return interval{}
	}
	natural, positive := a.natural(), b.known && b.lo > 0
	switch {
	case in.Op == lower.Div && natural && b.natural(): // by zero is not defined
		return interval{a.lo / max(b.hi, 1), a.hi / max(b.lo, 1), true}
	case in.Op == lower.Div:
	case natural && positive:
		return interval{0, min(a.hi, b.hi-1), true}
	case natural:
		return interval{0, a.hi, true}
	case positive && in.Type.IsSigned():
		return interval{1 - b.hi, b.hi - 1, true}
	case positive:
		return interval{0, b.hi - 1, true}
	}
	return interval{}
}
