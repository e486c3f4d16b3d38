package unroll

import (
	"math"
	"math/bits"

	"gpupipe/lower"
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
type proof struct {
	lanes  laneMask // that exist
	limit  int64    // periods behind this one for which it holds
	failed bool     // however few they are
}

// drift is by how much the contents of a value grow with each period of a proof.
type drift struct {
	of      *proof
	erratic bool
	stale   bool // erratic, and from before the period
	by      [maxLanes]int64
}

// unlimited is more periods than any loop has.
const unlimited = math.MaxInt64

// farContents bounds the contents of 64 bits that may drift, so that sums do not
// overflow.
const farContents = 1 << 62

func (p *proof) fail() { p.limit, p.failed = 0, true }

// drift returns how a value drifts, nil if it does not.
func (p *proof) drift(v *value) *drift {
	if d := v.drift; d != nil && d.of == p {
		return d
	}
	return nil
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
	v.drift = &drift{of: p, erratic: true}
	for _, d := range others {
		v.drift.stale = v.drift.stale || d != nil && d.stale
	}
}

// decided takes notice that a decision depends on the contents of values.
func (r *resolver) decided(values ...*value) {
	if r.proof == nil {
		return
	}
	for _, v := range values {
		if r.proof.drift(v) != nil {
			r.proof.fail()
		}
	}
}

// trueLanes decides by a condition: see value.trueLanes.
func (r *resolver) trueLanes(condition *value, m laneMask) (yes, unknown laneMask) {
	r.decided(condition)
	return condition.trueLanes(m)
}

// contentRange is what integers and pointers of a type may be.
func contentRange(t lower.Type) (lo, hi int64) {
	size := t.Size()
	switch {
	case size >= 8: // of unsigned ones too: sums wrap around alike
		return -farContents, farContents
	case t.IsSigned():
		return -1 << (8*size - 1), 1<<(8*size-1) - 1
	}
	return 0, 1<<(8*size) - 1
}

// within lowers the limit to the periods for which c + t*d is within bounds.
func (p *proof) within(c, d, lo, hi int64) {
	switch {
	case d == 0:
	case c < lo || c > hi || d == math.MinInt64:
		p.fail()
	case d > 0:
		p.limit = min(p.limit, int64(uint64(hi-c)/uint64(d)))
	default:
		p.limit = min(p.limit, int64(uint64(c-lo)/uint64(-d)))
	}
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
	v.drift = nil
	if moves {
		v.drift = &drift{of: p, by: *by}
	}
}

// evaluated follows an operation.
func (p *proof) evaluated(in *lower.Instr, args []*value, v *value) {
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
	if !erratic && p.linear(in, args, v) {
		return
	}
	if common != 0 || in.Op == lower.Select {
		v.drift = &drift{of: p, erratic: true, stale: stale} // even where it is not known now: it may be in other periods
	}
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
		v.drift = nil
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
	size := 8 * in.Type.Size()
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
		return da << uint64(b&(size-1)), db == 0
	case lower.Convert, lower.Bitcast:
		return da, in.From.IsInteger()
	case lower.And:
		if da == 0 {
			b, da, db = a, db, 0
		}
		return 0, db == 0 && b >= 0 && da&(1<<bits.Len64(uint64(b))-1) == 0
	case lower.Shr:
		p.ordered(in.Type, a, da)
		s := uint64(b & (size - 1))
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

// ordered lowers the limit to the periods for which contents compare as signed
// numbers.
func (p *proof) ordered(t lower.Type, c, d int64) {
	lo, hi := contentRange(t)
	if t == lower.U64 {
		lo = 0
	}
	if c < lo || c > hi {
		p.fail()
	}
	p.within(c, d, lo, hi)
}

// same lowers the limit to the periods for which the comparison of e + t*d with
// zero comes out as that of e.
func (p *proof) same(op lower.Op, e, d int64) {
	if d == 0 {
		return
	}
	switch op {
	case lower.Eq, lower.Ne:
		switch {
		case e == 0:
			p.fail()
		case (e > 0) != (d > 0) && e%d == 0:
			p.limit = min(p.limit, -(e/d)-1)
		}
		return
	case lower.Gt, lower.Ge:
		e, d = -e, -d
	}
	if op == lower.Le || op == lower.Ge {
		e-- // e <= 0 is e-1 < 0
	}
	switch {
	case e < 0 && d > 0:
		p.limit = min(p.limit, (-e-1)/d)
	case e >= 0 && d < 0:
		p.limit = min(p.limit, e/-d)
	}
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

// exact reports whether an integer equals its symbolic form (value.isExact).
func (r *resolver) exact(v *value) bool {
	exact := v.isExact()
	p := r.proof
	if p == nil || v.konst || v.form.isSymbol() && v.form.terms[0].sym == v {
		return exact
	}
	// It stays so where both sides drift alike.
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
		return exact
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
	return exact
}

// accessed follows an access of the active lanes at known addresses: its context
// stays the same if they all move by a multiple of contextPeriod.
func (r *resolver) accessed(address *value) {
	p := r.proof
	d := p.drift(address)
	if d == nil {
		return
	}
	if d.erratic {
		p.fail()
		return
	}
	if !address.isKnown(r.mask) {
		return
	}
	by := d.at(bits.TrailingZeros64(uint64(r.mask)))
	if r.b != nil && by%contextPeriod != 0 {
		p.fail()
	}
	r.mask.each(func(l int) {
		if d.at(l) != by {
			p.fail()
		}
		p.within(int64(address.at(l)), by, -farthestByte, farthestByte)
	})
	if r.addresses != nil {
		r.addresses.drift = by
	}
}
