package loops

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/ranges"
	"gpupipe/lower/profile"
	"gpupipe/unroll/arithmetic"
)

// Sums of values, as LLVM's scalar evolution has them: an integer or an address is a constant and terms, each a
// constant times a product of values. Signed arithmetic does not overflow in C, so that a signed sum is one of
// whole numbers and may be extended term by term; an unsigned one is so where its range shows that it does not
// wrap (exact), else it is one modulo the width of its type.
const (
	maxTerms   = 8 // of a sum; a value with more is a term by itself
	maxFactors = 3 // of a term
)

// term is a constant times a product of values, which stand in the order of their IDs.
type term struct {
	k int64
	v [maxFactors]*ir.Value
}

// sum is an integer or an address.
type sum struct {
	typ   ir.Type
	c     int64
	terms []term // in the order of their values, none with k = 0
	exact bool
}

// newSum is a sum with room for so many terms, which lies beside it where they are few.
func newSum(terms int) *sum {
	if terms > 2 {
		return &sum{terms: make([]term, 0, terms)}
	}
	s := &struct {
		sum
		room [2]term
	}{}
	s.terms = s.room[:0]
	return &s.sum
}

// atom is the sum that is one value.
func atom(v *ir.Value) *sum {
	if v.IsConst() {
		return &sum{typ: v.Type, c: v.Int(), exact: true}
	}
	s := newSum(1)
	s.typ, s.terms, s.exact = v.Type, append(s.terms, term{1, [maxFactors]*ir.Value{v}}), true
	return s
}

// isConst reports whether a sum is a constant.
func (s *sum) isConst() bool { return len(s.terms) == 0 }

// compareFactors orders terms by their values.
func compareFactors(a, b *term) int {
	for i := range a.v {
		x, y := uint32(0), uint32(0)
		if a.v[i] != nil {
			x = a.v[i].ID
		}
		if b.v[i] != nil {
			y = b.v[i].ID
		}
		if x != y {
			return int(int64(x) - int64(y))
		}
	}
	return 0
}

// plus is a + k*b in a type, nil where it has too many terms.
func (a *sum) plus(b *sum, k int64, typ ir.Type) *sum {
	if b.isConst() {
		return &sum{typ: typ, c: a.c + k*b.c, terms: slices.Clip(a.terms), exact: a.exact && b.exact}
	}
	out := newSum(len(a.terms) + len(b.terms))
	out.typ, out.c, out.exact = typ, a.c+k*b.c, a.exact && b.exact
	i, j := 0, 0
	for i < len(a.terms) || j < len(b.terms) {
		order := -1
		switch {
		case i == len(a.terms):
			order = 1
		case j < len(b.terms):
			order = compareFactors(&a.terms[i], &b.terms[j])
		}
		var t term
		switch {
		case order < 0:
			t = a.terms[i]
			i++
		case order > 0:
			t = b.terms[j]
			t.k *= k
			j++
		default:
			t = a.terms[i]
			t.k += k * b.terms[j].k
			i++
			j++
		}
		if t.k != 0 {
			out.terms = append(out.terms, t)
		}
	}
	if len(out.terms) > maxTerms {
		return nil
	}
	return out
}

// scaled is k*a.
func (a *sum) scaled(k int64) *sum {
	out := &sum{typ: a.typ, c: a.c * k, exact: a.exact}
	if k != 0 {
		out.terms = slices.Clone(a.terms)
		for i := range out.terms {
			out.terms[i].k *= k
		}
	}
	return out
}

// times is a*b, nil where it has too many terms or factors.
func (a *sum) times(b *sum) *sum {
	switch {
	case b.isConst():
		return a.scaled(b.c)
	case a.isConst():
		return b.scaled(a.c)
	}
	out := &sum{typ: a.typ, exact: a.exact && b.exact}
	part := func(t term) bool {
		out = out.plus(&sum{terms: []term{t}, exact: true}, 1, a.typ)
		return out != nil
	}
	out.c = a.c * b.c
	for _, x := range a.terms {
		if b.c != 0 && !part(term{x.k * b.c, x.v}) {
			return nil
		}
		for _, y := range b.terms {
			t, ok := productOf(x, y)
			if !ok || !part(t) {
				return nil
			}
		}
	}
	for _, y := range b.terms {
		if a.c != 0 && !part(term{y.k * a.c, y.v}) {
			return nil
		}
	}
	return out
}

func productOf(x, y term) (term, bool) {
	all := make([]*ir.Value, 0, 2*maxFactors)
	for _, v := range append(x.v[:], y.v[:]...) {
		if v != nil {
			all = append(all, v)
		}
	}
	if len(all) > maxFactors {
		return term{}, false
	}
	slices.SortFunc(all, func(a, b *ir.Value) int { return int(int64(a.ID) - int64(b.ID)) })
	t := term{k: x.k * y.k}
	copy(t.v[:], all)
	return t, true
}

// has reports whether a condition holds for one of the values of a sum.
func (s *sum) has(holds func(*ir.Value) bool) bool {
	for i := range s.terms {
		for _, v := range s.terms[i].v {
			if v != nil && holds(v) {
				return true
			}
		}
	}
	return false
}

// sums finds those of a function's values.
type sums struct {
	of []*sum // by ID
	ranges.Ranges
	near nearSpaces
}

func newSums(f *ir.Func, c *profile.Context) *sums {
	r := ranges.Ranges{Bounds: map[*ir.Value]ranges.Interval{}, Reach: map[*ir.Value]ranges.Interval{}}
	return &sums{of: make([]*sum, f.NumValues()), Ranges: r, near: nearOf(f, c)}
}

// find is the sum of a value; one that was not visited is a term by itself.
func (s *sums) find(v *ir.Value) *sum {
	if int(v.ID) < len(s.of) && s.of[v.ID] != nil {
		return s.of[v.ID]
	}
	return atom(v)
}

// visit finds the sums of all results in a block, in their order.
func (s *sums) visit(b *ir.Block) { b.Walk(s.instr) }

// instr finds the sum of an operation's result.
func (s *sums) instr(in *ir.Instr) {
	if len(in.Results) != 1 || in.Nests() || !(in.Type.IsInteger() || in.Type == lower.Ptr) {
		return
	}
	r := in.Results[0]
	if int(r.ID) >= len(s.of) {
		s.of = append(s.of, make([]*sum, int(r.ID)+1-len(s.of))...)
	}
	out := s.compute(in)
	if out == nil {
		out = atom(r)
	}
	s.of[r.ID] = out
}

func (s *sums) compute(in *ir.Instr) *sum {
	arg := func(i int) *sum { return s.find(in.Args[i]) }
	var out *sum
	switch in.Op {
	case lower.Add:
		out = arg(0).plus(arg(1), 1, in.Type)
	case lower.Sub:
		out = arg(0).plus(arg(1), -1, in.Type)
	case lower.Neg:
		out = arg(0).scaled(-1)
	case lower.Mul:
		out = arg(0).times(arg(1))
	case lower.Shl:
		if !in.Args[1].IsConst() {
			return nil
		}
		n := arithmetic.ShiftCount(in.Type, in.Args[1].Bits, in.Fn == "clamp")
		if n > 62 {
			return nil
		}
		out = arg(0).scaled(1 << n)
	case lower.Convert:
		return s.extended(arg(0), in.From, in.Type)
	case lower.Bitcast:
		return s.reread(arg(0), in.From, in.Type)
	case lower.PtrAdd:
		index := s.extended(arg(1), in.From, lower.S64)
		if index == nil && s.near.has(in.Args[0]) && in.From.Size() == 4 {
			index = s.modular(in.Args[1], modularDepth)
		}
		if index == nil {
			index = atom(in.Args[1])
		}
		return arg(0).plus(index, in.Scale, lower.Ptr)
	default:
		return nil
	}
	if out == nil {
		return nil
	}
	return s.wrapped(out)
}

// early is the interval of a sum without the ranges of work-item functions, which are given to later passes
// (NVVMIntrRange).
func (s *sums) early(a *sum) ranges.Interval {
	s.Indices = ranges.Unlimited
	defer func() { s.Indices = ranges.Launchable }()
	return s.interval(a)
}

// interval is that of a sum.
func (s *sums) interval(a *sum) ranges.Interval {
	out := ranges.Exactly(a.c)
	for i := range a.terms {
		r := ranges.Exactly(a.terms[i].k)
		for _, v := range a.terms[i].v {
			if v != nil {
				r = r.Times(s.Value(v, ranges.RangeDepth))
			}
		}
		out = out.Plus(r)
	}
	return out
}

// wrapped is what a computed sum is in its type.
func (s *sums) wrapped(a *sum) *sum {
	if a.isConst() {
		a.c = int64(arithmetic.Canon(a.typ, uint64(a.c)))
		a.exact = true
		return a
	}
	if a.typ.IsSigned() {
		return a // exact as its operands are
	}
	r := s.interval(a)
	a.exact = a.exact && r.Known && r.Lo >= 0 && r.Hi <= ranges.Largest(a.typ)
	if !a.exact && a.typ != lower.U64 {
		a.c = int64(arithmetic.Canon(a.typ, uint64(a.c)))
	}
	return a
}

// extended is a sum converted between integer types, nil where it is not the same sum.
func (s *sums) extended(a *sum, from, to ir.Type) *sum {
	if !from.IsInteger() || !to.IsInteger() {
		return nil
	}
	out := *a
	out.typ = to
	switch {
	case a.isConst():
		return s.wrapped(&out)
	case from.Size() == to.Size() && to.Size() == 8: // modulo 2^64
		out.exact = a.exact && s.fits(a, to)
		return &out
	case !a.exact || to.Size() < from.Size() && !s.fits(a, to):
		return nil
	}
	out.exact = s.fits(a, to)
	if !out.exact && to.IsSigned() {
		return nil
	}
	return &out
}

// reread is a sum whose bits are taken for another type.
func (s *sums) reread(a *sum, from, to ir.Type) *sum {
	if !from.IsInteger() || !to.IsInteger() {
		return nil
	}
	out := *a
	out.typ = to
	out.exact = a.exact && s.fits(a, to)
	if to.IsSigned() && !out.exact && to.Size() < 8 {
		return nil
	}
	if a.isConst() {
		return s.wrapped(&out)
	}
	return &out
}

// fits reports whether a type has all values of a sum.
func (s *sums) fits(a *sum, to ir.Type) bool {
	r := s.interval(a)
	if !r.Known {
		// a wider signed type has all values of a narrower exact sum
		return a.exact && a.typ.IsInteger() && (to.Size() > a.typ.Size() && (to.IsSigned() || !a.typ.IsSigned()) ||
			to == a.typ)
	}
	return r.Lo >= ranges.Smallest(to) && r.Hi <= ranges.Largest(to)
}
