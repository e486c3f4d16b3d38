package unroll

import (
	"math"
	"math/bits"
	"slices"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

// proof shows that what a rolled loop does in one period, some iterations, it does
// again in the next ones: while the period is executed, it follows how the
// contents of values change from one period to the next, and how long everything
// that is decided by contents stays as it is.
//
// The contents of a value in the lanes are c + t*d in the t-th period after the
// one that is executed. That holds by induction: for what periods hand on to each
// other it is assumed at the beginning and checked at the end; for what is computed
// it follows from the operands. Contents of which it does not hold are erratic: no
// branch, address or trip count may depend on them.
//
// The loops of a nest are proved at the same time. Periods of an inner loop that are
// skipped while an outer one is proved are not seen by the outer proof, so that it
// must follow from those before and behind what is skipped that it holds in them
// too. It does if the contents in period t of the outer loop and period s of
// the inner one are c + t*d + s*e, with the same d and e in all: what is asked of
// them is then that a linear function of s stays on one side of a bound, and it is on
// that side at both ends. Contents with another d (i*j) are erratic to the outer
// proof.
type proof struct {
	lanes  laneMask // that exist
	limit  int64    // periods behind this one for which it holds
	failed bool     // however few they are
	over   bool
	// elsewhere: what follows is another warp's, of which no contexts are asked for.
	elsewhere bool

	// Bytes by which accesses move each period: the one that is noted next, the
	// pending one, and those recorded since the proof began.
	move, pending int64
	moves         []int64

	latest *drift // that was made: the next one is often the same
}

// drift is by how much the contents of a value grow with each period of a proof.
// Values share drifts, which are not modified.
type drift struct {
	of      *proof
	outer   *drift // in proofs of loops around
	erratic bool
	stale   bool // erratic, and from before the period
	by      [maxLanes]int64
}

// unlimited is more periods than any loop has.
const unlimited = math.MaxInt64

func (p *proof) fail() { p.limit, p.failed = 0, true }

// lost reports whether a proof of a neighbour has failed: there is one step only.
func (p *proof) lost() bool { return p.elsewhere && (p.failed || p.limit < 1) }

// drift returns how a value drifts, nil if it does not or nobody will ask.
func (p *proof) drift(v *value) *drift {
	if p.lost() {
		return nil
	}
	for d := v.drift; d != nil; d = d.outer {
		if d.of == p {
			return d
		}
	}
	return nil
}

// drifts sets how a value drifts, nil if it does not. Of several proofs, the outer
// ones come first.
func (p *proof) drifts(v *value, d *drift) {
	outer := p.outer(v)
	if d != nil {
		d.of, d.outer = p, outer
		outer = d
	}
	v.drift = outer
}

// outer is how a value drifts in the proofs around.
func (p *proof) outer(v *value) *drift {
	d := v.drift
	for d != nil && (d.of == p || d.of.over) {
		d = d.outer
	}
	return d
}

func (d *drift) at(lane int) int64 {
	if d == nil {
		return 0
	}
	return d.by[lane]
}

// each calls f for each lane of a mask.
func (m laneMask) each(f func(lane int)) {
	for ; m != 0; m &= m - 1 {
		f(bits.TrailingZeros64(uint64(m)))
	}
}

// erratic makes a value's contents erratic, as those of others are.
func (p *proof) erratic(v *value, others ...*drift) {
	d := &drift{erratic: true}
	for _, o := range others {
		d.stale = d.stale || o != nil && o.stale
	}
	p.drifts(v, d)
}

// decided takes notice that a decision depends on the contents of values.
func (r *resolver) decided(values ...*value) {
	for _, p := range r.proofs {
		p.decided(values...)
	}
}

func (p *proof) decided(values ...*value) {
	for _, v := range values {
		if p.drift(v) != nil {
			p.fail()
		}
	}
}

// disturbed takes notice that a value's contents follow from those of another, but
// do not drift as these do.
func (r *resolver) disturbed(v, by *value) {
	for _, p := range r.proofs {
		if d := p.drift(by); d != nil {
			p.erratic(v, d)
		}
	}
}

// trueLanes decides by a condition: see value.trueLanes.
func (r *resolver) trueLanes(condition *value, m laneMask) (yes, unknown laneMask) {
	r.decided(condition)
	return condition.trueLanes(m)
}

// wrapped is the difference of two contents of a type, which wrap around in it.
func wrapped(t lower.Type, d int64) int64 {
	switch t.Size() {
	case 1:
		return int64(int8(d))
	case 2:
		return int64(int16(d))
	case 4:
		return int64(int32(d))
	}
	return d
}

// set gives an integer or pointer its drift in the lanes that are known.
func (p *proof) set(v *value, by *[maxLanes]int64) {
	lo, hi := contentRange(v.typ)
	moves := false
	v.known.each(func(l int) {
		by[l] = wrapped(v.typ, by[l])
		if by[l] != 0 {
			moves = true
			p.within(int64(v.at(l)), by[l], lo, hi)
		}
	})
	outer := p.outer(v)
	switch d := p.latest; {
	case !moves:
		v.drift = outer
	case d != nil && d.outer == outer && d.by == *by:
		v.drift = d
	default:
		p.latest = &drift{of: p, outer: outer, by: *by}
		v.drift = p.latest
	}
}

// evaluated follows an operation. Proofs of loops within the one of p are inner.
func (p *proof) evaluated(in *lower.Instr, args []*value, v *value, inner []*proof) {
	moves, erratic, stale, common := false, false, false, ^laneMask(0)
	for _, a := range args {
		d := p.drift(a)
		moves, stale = moves || d != nil, stale || d != nil && d.stale
		if d != nil && d.erratic {
			erratic = true
		} else {
			common &= a.known
		}
	}
	if !moves {
		return
	}
	if !erratic && !p.mixes(in, args, inner) && p.linear(in, args, v) {
		return
	}
	if common != 0 || in.Op == lower.Select || isConjunction(in) {
		p.drifts(v, &drift{erratic: true, stale: stale}) // even where it is not known now: it may be in other periods
	}
}

// mixes reports whether the drift of an operation's result may be another in other
// periods of the loops within: where one operand drifts there, and the operation
// is not linear in all operands that drift.
func (p *proof) mixes(in *lower.Instr, args []*value, inner []*proof) bool {
	within := func(a *value) bool {
		return slices.ContainsFunc(inner, func(q *proof) bool { return q.drift(a) != nil })
	}
	if !slices.ContainsFunc(args, within) {
		return false
	}
	switch in.Op {
	case lower.Add, lower.Sub, lower.Neg, lower.Convert, lower.Bitcast, lower.Min, lower.Max, lower.Lt, lower.Le,
		lower.Gt, lower.Ge:
		return false
	case lower.Eq, lower.Ne:
		return true // not equal is not a side of a bound
	case lower.Select:
		return within(args[0])
	}
	moving := 0
	for _, a := range args {
		if p.drift(a) != nil || within(a) {
			moving++
		}
	}
	return moving > 1
}

// linear follows an operation on operands that drift where its result does, or
// does not change. It reports false for the others.
func (p *proof) linear(in *lower.Instr, args []*value, v *value) bool {
	if in.Op == lower.Select {
		if p.drift(args[0]) != nil {
			return false
		}
		var by [maxLanes]int64
		yes, no := p.drift(args[1]), p.drift(args[2])
		v.known.each(func(l int) {
			if args[0].at(l) != 0 {
				by[l] = yes.at(l)
			} else {
				by[l] = no.at(l)
			}
		})
		p.set(v, &by)
		return true
	}
	if len(args) > 2 || !in.Type.IsInteger() && in.Type != lower.Ptr {
		return false
	}
	if in.Op == lower.Convert && (in.Type == lower.Ptr || in.From == lower.Ptr) {
		return v.known == 0 // which does not depend on contents
	}
	var by [maxLanes]int64
	ok := true
	first, second := p.drift(args[0]), (*drift)(nil)
	if len(args) == 2 {
		second = p.drift(args[1])
	}
	lanes := v.known
	if in.Op == lower.Div || in.Op == lower.Rem {
		lanes = args[0].known & args[1].known & p.lanes // which may be known in other periods
	}
	lanes.each(func(l int) {
		b := int64(0)
		if len(args) == 2 {
			b = int64(args[1].at(l))
		}
		d, fits := p.step(in, int64(args[0].at(l)), b, first.at(l), second.at(l))
		by[l], ok = d, ok && fits
	})
	if !ok {
		return false
	}
	if v.typ == lower.Pred {
		p.drifts(v, nil)
		return true
	}
	p.set(v, &by)
	return true
}

// step is the drift of an operation's result in one lane, of operands a and b that
// drift by da and db.
func (p *proof) step(in *lower.Instr, a, b, da, db int64) (d int64, ok bool) {
	if da == 0 && db == 0 {
		return 0, true
	}
	switch in.Op {
	case lower.Add:
		return da + db, true
	case lower.Sub:
		return da - db, true
	case lower.Neg:
		return -da, true
	case lower.Mul:
		return da*b + db*a, da == 0 || db == 0
	case lower.Shl:
		return da << arithmetic.ShiftCount(in.Type, uint64(b), in.Clamps()), db == 0
	case lower.Convert, lower.Bitcast:
		return da, in.Fn == "" && (in.From.IsInteger() || in.From == lower.Ptr)
	case lower.And:
		if da == 0 {
			b, da, db = a, db, 0
		}
		return 0, db == 0 && b >= 0 && da&(1<<bits.Len64(uint64(b))-1) == 0
	case lower.Shr:
		p.ordered(in.Type, a, da)
		s := arithmetic.ShiftCount(in.Type, uint64(b), in.Clamps())
		return da >> s, db == 0 && da&(1<<s-1) == 0
	case lower.Div, lower.Rem:
		if db != 0 || b <= 0 || a < 0 || da%b != 0 {
			return 0, false
		}
		p.within(a, da, 0, farContents)
		if in.Op == lower.Rem {
			return 0, true
		}
		return da / b, true
	}
	switch in.Op {
	case lower.Min, lower.Max, lower.Lt, lower.Le, lower.Gt, lower.Ge, lower.Eq, lower.Ne:
		p.ordered(in.Type, a, da)
		p.ordered(in.Type, b, db)
	}
	switch in.Op {
	case lower.Min, lower.Max:
		p.same(lower.Le, a-b, da-db)
		if (a <= b) == (in.Op == lower.Min) {
			return da, true
		}
		return db, true
	case lower.Lt, lower.Le, lower.Gt, lower.Ge, lower.Eq, lower.Ne:
		p.same(in.Op, a-b, da-db)
		return 0, true
	}
	return 0, false
}

// both returns how the two values drift that v is made of, and whether v's drift
// follows from theirs: not if neither drifts, or one is erratic, as v is then.
func (p *proof) both(v, x, y *value) (a, b *drift, ok bool) {
	a, b = p.drift(x), p.drift(y)
	if a == nil && b == nil {
		return a, b, false
	}
	if a != nil && a.erratic || b != nil && b.erratic {
		p.erratic(v, a, b)
		return a, b, false
	}
	return a, b, true
}

// pointed follows ptr + index*scale.
func (p *proof) pointed(v, ptr, index *value, scale int64) {
	a, b, ok := p.both(v, ptr, index)
	if !ok {
		return
	}
	var by [maxLanes]int64
	v.known.each(func(l int) { by[l] = a.at(l) + b.at(l)*scale })
	p.set(v, &by)
}

// merged follows a value that is v in the lanes of m and old elsewhere.
func (p *proof) merged(out, old, v *value, m laneMask) {
	a, b, ok := p.both(out, old, v)
	if !ok {
		return
	}
	var by [maxLanes]int64
	out.known.each(func(l int) {
		if m>>l&1 != 0 {
			by[l] = b.at(l)
		} else {
			by[l] = a.at(l)
		}
	})
	p.set(out, &by)
}

// exchanged follows a value that has in each lane what another has in the lane that from tells, and
// something constant.
func (p *proof) exchanged(v, x *value, from func(lane int) int) {
	d := p.drift(x)
	if d == nil || d.erratic {
		if d != nil {
			p.erratic(v, d)
		}
		return
	}
	var by [maxLanes]int64
	v.known.each(func(l int) { by[l] = d.at(from(l)) })
	p.set(v, &by)
}

// exact reports whether an integer equals its symbolic form (value.isExact).
func (r *resolver) exact(v *value) bool {
	if !v.konst && !(v.form.isSymbol() && v.form.terms[0].sym == v) {
		for _, p := range r.proofs {
			p.form(v)
		}
	}
	return v.isExact()
}

// form follows the question whether an integer equals its symbolic form: the
// answer stays the same where both drift alike.
func (p *proof) form(v *value) {
	known := v.known
	d := p.drift(v)
	erratic, moves := d != nil && d.erratic, d != nil
	for _, t := range v.form.terms {
		x := p.drift(t.sym)
		erratic, moves = erratic || x != nil && x.erratic, moves || x != nil
		known &= t.sym.known
	}
	if erratic {
		p.fail()
	}
	if !moves || erratic {
		return
	}
	known.each(func(l int) {
		sum := int64(0)
		for _, t := range v.form.terms {
			sum += t.coef * p.drift(t.sym).at(l)
		}
		if sum != d.at(l) {
			p.fail()
		}
	})
}

// accessed follows an access of the active lanes at known addresses: its context
// stays the same if they all move by a multiple of contextPeriod.
func (r *resolver) accessed(address *value) {
	for _, p := range r.proofs {
		d := p.drift(address)
		switch {
		case d == nil:
		case d.erratic:
			p.fail()
		case address.isKnown(r.mask):
			p.moved(address, d, r.mask)
			if r.b != nil && !p.elsewhere && p.move%contextPeriod != 0 {
				p.fail()
			}
		}
	}
}

// moved follows an access: all lanes must move alike.
func (p *proof) moved(address *value, d *drift, mask laneMask) {
	p.move = d.at(bits.TrailingZeros64(uint64(mask)))
	mask.each(func(l int) {
		if d.at(l) != p.move {
			p.fail()
		}
		p.within(int64(address.at(l)), p.move, -farthestByte, farthestByte)
	})
}
