// Package ranges says what is known of integers in a kernel: the interval that a value lies in, and the power of two
// that it or an address is a multiple of. It changes nothing.
package ranges

import (
	"math"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// RangeDepth is how many operations are followed behind a value (LLVM's MaxAnalysisRecursionDepth, ValueTracking.h).
const RangeDepth = 6

// Ranges finds the intervals of integers (LLVM's computeKnownBits, LazyValueInfo and ScalarEvolution::getRange): what
// the type has, within that what the operation gives, and of parameters of loops what is known of their steps.
type Ranges struct {
	// bounds are those of parameters of loops, as who asks has found them.
	Bounds map[*ir.Value]Interval
	// reach are those of counters of loops with a constant number of iterations, which count where far is set.
	Reach map[*ir.Value]Interval
	Far   bool
	// jumps, where they are given, tell what is passed to a parameter: one that begins with a number which is not
	// negative and is only increased is none either, as signed sums do not wrap (IndVarSimplify finds so that
	// divisions may be unsigned).
	Jumps   *ir.Jumps
	params  map[*ir.Value]bool // those that were asked for: not negative
	order   []*ir.Value        // of params
	Indices indexRanges
}

// indexRanges says what is known of work-item functions.
type indexRanges uint8

const (
	Launchable indexRanges = iota // what a launch can be
	Typed                         // their types
	Unlimited                     // nothing: there is no bound of use
)

// What a launch can be, whatever its device: CUDA C++ Programming Guide, Technical Specifications per Compute
// Capability (threads of a block in x, y and z; blocks of a grid), which nvcc tells its optimiser by !range.
var groupLimits = map[string][3]Interval{
	"get_local_id":    {{0, 1023, true}, {0, 1023, true}, {0, 63, true}},
	"get_local_size":  {{1, 1024, true}, {1, 1024, true}, {1, 64, true}},
	"get_group_id":    {{0, math.MaxInt32 - 1, true}, {0, 65534, true}, {0, 65534, true}},
	"get_num_groups":  {{1, math.MaxInt32, true}, {1, 65535, true}, {1, 65535, true}},
	"get_global_size": {{1, 1<<41 - 1, true}, {1, 1<<26 - 1, true}, {1, 1<<22 - 1, true}},
	"get_global_id":   {{0, 1<<41 - 2, true}, {0, 1<<26 - 2, true}, {0, 1<<22 - 2, true}},
}

// UpperBound is the greatest number that a value can be which cannot be negative; known is false where it can be.
func (s *Ranges) UpperBound(v *ir.Value) (most uint64, known bool) {
	switch r := s.Value(v, RangeDepth); {
	case v.IsConst() && v.Type.IsInteger() && !v.Type.IsSigned():
		return v.Bits, true
	case r.natural():
		return uint64(r.Hi), true
	case v.Type == lower.U64:
		return math.MaxUint64, true
	}
	return 0, false
}

// Value is the interval of a value: that of its type where its definition says no more.
func (s *Ranges) Value(v *ir.Value, depth int) Interval {
	if r, ok := s.Reach[v]; ok && s.Far {
		return r
	}
	if r, ok := s.Bounds[v]; ok {
		return r
	}
	if v.IsConst() {
		return Interval{v.Int(), v.Int(), v.Type.IsInteger() && (v.Type != lower.U64 || v.Int() >= 0)}
	}
	if !v.Type.IsInteger() {
		return Interval{}
	}
	all := Interval{Smallest(v.Type), Largest(v.Type), v.Type != lower.U64}
	switch {
	case v.Kind == ir.BlockArg && s.Jumps != nil && v.Type.IsSigned() && s.param(v):
		all.Lo = 0
	case v.Kind == ir.Result && depth > 0:
		if s.Indices == Unlimited && v.Def.Op == lower.Index {
			return Interval{}
		}
		r := s.operation(v.Def, depth-1)
		if all.Known && v.Type.IsSigned() && (v.Def.Op == lower.Add || v.Def.Op == lower.Mul) {
			r = r.and(all) // signed ones do not wrap
		}
		if r.in(Interval{Smallest(v.Type), Largest(v.Type), true}) {
			return r
		}
	}
	return all
}

// param reports whether a parameter of a loop is never negative.
func (s *Ranges) param(p *ir.Value) bool {
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
	holds := s.Value(p.Def.Args[p.Index], RangeDepth).natural()
	for _, c := range s.Jumps.Continues[p.Def] {
		holds = holds && s.Value(c.Args[p.Index], RangeDepth).natural()
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
func (s *Ranges) operation(in *ir.Instr, depth int) Interval {
	arg := func(i int) Interval { return s.Value(in.Args[i], depth) }
	switch in.Op {
	case lower.Index:
		if l, ok := groupLimits[in.Fn]; ok && s.Indices == Launchable && in.Dim >= 0 && in.Dim < 3 {
			return l[in.Dim]
		}
	case lower.Add:
		return arg(0).Plus(arg(1))
	case lower.Mul:
		return arg(0).Times(arg(1))
	case lower.Shl:
		if k, ok := ir.ShiftCount(in); ok && k < 32 {
			return arg(0).Times(Interval{1 << k, 1 << k, true})
		}
	case lower.Convert, lower.Bitcast:
		if in.From.IsInteger() && in.Fn == "" {
			return arg(0)
		}
	case lower.And:
		return masked(arg(0), arg(1))
	case lower.Or, lower.Xor:
		if a, b := arg(0), arg(1); a.natural() && b.natural() {
			return Interval{0, filled(a.Hi | b.Hi), true}
		}
	case lower.Min:
		a, b := arg(0), arg(1)
		return Interval{min(a.Lo, b.Lo), min(a.Hi, b.Hi), a.Known && b.Known}
	case lower.Max:
		a, b := arg(0), arg(1)
		return Interval{max(a.Lo, b.Lo), max(a.Hi, b.Hi), a.Known && b.Known}
	case lower.Select:
		return arg(1).Or(arg(2))
	case lower.Rem, lower.Div, lower.Shr:
		return divided(in, arg(0), arg(1))
	}
	return Interval{}
}

// masked is a number with some of its bits.
func masked(a, b Interval) Interval {
	mask := Interval{0, math.MaxInt64, false}
	for _, r := range [...]Interval{a, b} {
		if r.natural() {
			mask = Interval{0, min(mask.Hi, r.Hi), true}
		}
	}
	return mask
}

// divided is what is left of a number.
func divided(in *ir.Instr, a, b Interval) Interval {
	if in.Op == lower.Shr {
		k, ok := ir.ShiftCount(in)
		switch {
		case !ok:
		case a.Known:
			return Interval{a.Lo >> min(k, 63), a.Hi >> min(k, 63), true}
		case in.Type == lower.U64 && k > 0:
			return Interval{0, int64(uint64(math.MaxUint64) >> k), true}
		}
		return Interval{}
	}
	natural, positive := a.natural(), b.Known && b.Lo > 0
	switch {
	case in.Op == lower.Div && natural && b.natural(): // by zero is not defined
		return Interval{a.Lo / max(b.Hi, 1), a.Hi / max(b.Lo, 1), true}
	case in.Op == lower.Div:
	case natural && positive:
		return Interval{0, min(a.Hi, b.Hi-1), true}
	case natural:
		return Interval{0, a.Hi, true}
	case positive && in.Type.IsSigned():
		return Interval{1 - b.Hi, b.Hi - 1, true}
	case positive:
		return Interval{0, b.Hi - 1, true}
	}
	return Interval{}
}
