package unroll

import (
	"math"

	"gpupipe/lower"
)

// How long the contents of values that drift stay where they are: a proof holds
// for as many periods.

// farContents bounds the contents of 64 bits that may drift, so that sums do not
// overflow.
const farContents = 1 << 62

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
