package pass

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/unroll/arithmetic"
)

// rangeDepth is how far a bound is followed (LLVM's MaxAnalysisRecursionDepth, ValueTracking.h).
const rangeDepth = 6

// ranges finds bounds of values. A parameter of a loop that begins with a number which is not negative and is only
// increased is none either, as signed sums do not wrap (LLVM's IndVarSimplify finds so that divisions may be unsigned).
type ranges struct {
	jumps  *jumps
	params map[*ir.Value]bound
	order  []*ir.Value // of params
	index  bool        // work-item functions have the bounds of indexBounds
}

// bound is the greatest number that an integer value can be which cannot be negative; known is false where it can be.
type bound struct {
	most  uint64
	known bool
}

// upperBound is the bound of a value (LLVM's computeKnownBits and LazyValueInfo).
func (r *ranges) upperBound(v *ir.Value) (most uint64, known bool) { return r.boundOf(v, rangeDepth) }

func (r *ranges) boundOf(v *ir.Value, depth int) (uint64, bool) {
	if !v.Type.IsInteger() {
		return 0, false
	}
	if v.IsConst() {
		return v.Bits, !v.Type.IsSigned() || v.Int() >= 0
	}
	_, last := typeRange(v.Type)
	most, known := last, !v.Type.IsSigned()
	if v.Kind == ir.Result && depth > 0 {
		if n, ok := r.operationBound(v.Def, depth-1, last); ok {
			most, known = min(n, most), true
		}
	}
	if v.Kind == ir.BlockArg {
		if b := r.param(v, last); b.known {
			most, known = min(b.most, most), true
		}
	}
	return most, known
}

// param is the bound of a parameter of a loop.
func (r *ranges) param(p *ir.Value, last uint64) bound {
	if b, ok := r.params[p]; ok {
		return b
	}
	if r.params == nil {
		r.params = map[*ir.Value]bound{}
	}
	body := p.Def.Blocks
	if len(body) == 0 || p.Index >= len(body[0].Params) || body[0].Params[p.Index] != p {
		return bound{} // one that is gone: something stands for it
	}
	n := len(r.order)
	r.order = append(r.order, p)
	r.params[p] = bound{last, true} // if it holds for this iteration, it has to for the next
	_, ok := r.boundOf(p.Def.Args[p.Index], rangeDepth)
	for _, c := range r.jumps.continues[p.Def] {
		if ok {
			_, ok = r.boundOf(c.Args[p.Index], rangeDepth)
		}
	}
	if !ok { // nor what was concluded of it
		for _, q := range r.order[n:] {
			delete(r.params, q)
		}
		r.order = r.order[:n]
		r.params[p] = bound{}
	}
	return r.params[p]
}

// operationBound is the bound of what an operation gives; last is the greatest number of its type.
func (r *ranges) operationBound(d *ir.Instr, depth int, last uint64) (uint64, bool) {
	bound := func(i int) (uint64, bool) { return r.boundOf(d.Args[i], depth) }
	switch d.Op {
	case lower.Index:
		return r.indexBound(d)
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
		if sum := a + b; sum >= a && sum <= last {
			return sum, okA && okB
		}
		return last, okA && okB && d.Type.IsSigned()
	case lower.Mul:
		a, okA := bound(0)
		b, okB := bound(1)
		if b == 0 || a <= last/b {
			return a * b, okA && okB
		}
		return last, okA && okB && d.Type.IsSigned()
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
		return r.extremeBound(d, depth)
	}
	return 0, false
}

func (r *ranges) extremeBound(d *ir.Instr, depth int) (uint64, bool) {
	a, okA := r.boundOf(d.Args[0], depth)
	b, okB := r.boundOf(d.Args[1], depth)
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

// indexBounds are the greatest numbers that work-item functions give in any launch (CUDA C++ Programming Guide,
// Technical Specifications per Compute Capability: groups of up to 1024, grids of up to 2^31 - 1).
var indexBounds = map[string]uint64{"get_local_id": 1023, "get_local_size": 1024, "get_group_id": 1<<31 - 2,
	"get_num_groups": 1<<31 - 1, "get_global_size": 1<<41 - 1, "get_global_id": 1<<41 - 1}

func (r *ranges) indexBound(d *ir.Instr) (uint64, bool) {
	n, ok := indexBounds[d.Fn]
	return n, ok && r.index && arithmetic.Canon(d.Type, n) == n
}
