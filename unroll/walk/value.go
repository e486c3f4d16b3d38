package walk

import (
	"math"
	"math/bits"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/unroll/arithmetic"
)

// levels is how many loops around each other are followed at once.
const levels = 4

// forever says that something holds in all iterations to come.
const forever = math.MaxInt64

// value is what a warp's lanes hold, and how it changes with the iterations of loops that are followed: in the
// nth iteration from now on of the loop at level l, with all others standing still, each lane holds bits + n·d[l],
// for n up to until[l].
type value struct {
	known   uint64 // lanes of which the value is known
	uniform bool   // bits[0] is that of all lanes
	same    bool   // all lanes have the same value, known or not
	from    origin
	bits    []uint64 // as package arithmetic has them
	d       [levels]int64
	until   [levels]int64
}

// steady is until of what does not depend on any iteration.
var steady = [levels]int64{forever, forever, forever, forever}

func uniformOf(u uint64, lanes uint64) value {
	return value{known: lanes, uniform: true, same: true, bits: []uint64{u}, until: steady}
}

// unknownValue has no known lane.
func unknownValue(same bool) value { return value{same: same, until: steady} }

func (v *value) at(lane int) uint64 {
	if v.uniform {
		return v.bits[0]
	}
	return v.bits[lane]
}

// still reports whether a value is the same in all iterations of all loops.
func (v *value) still() bool { return v.d == [levels]int64{} && v.until == steady }

// compact makes a value uniform whose known lanes are all lanes and equal.
func (v *value) compact(lanes uint64) {
	if v.uniform || v.known != lanes || len(v.bits) == 0 {
		return
	}
	first := v.bits[bits.TrailingZeros64(lanes)]
	for m := lanes; m != 0; m &= m - 1 {
		if v.bits[bits.TrailingZeros64(m)] != first {
			return
		}
	}
	v.bits, v.uniform, v.same = []uint64{first}, true, true
}

// bend says that a value that depends on others changes in a way that is not followed, where they change.
func (v *value) bend(args ...*value) {
	if v.known == 0 {
		return
	}
	v.bends(args...)
}

func (v *value) bends(args ...*value) {
	for l := range levels {
		for _, a := range args {
			if a.d[l] != 0 {
				v.until[l] = 0
			}
		}
	}
}

// limit gives a value the least until of others, and where they come from.
func (v *value) limit(args ...*value) {
	for _, a := range args {
		v.from |= a.from
		for l := range levels {
			v.until[l] = min(v.until[l], a.until[l])
		}
	}
}

// combine applies an operation in each lane in which all operands are known; ok: it is defined there.
func combine(lanes uint64, f func(a []uint64) (uint64, bool), args ...*value) value {
	return combineOp(0, 0, lanes, f, args...)
}

// lanewise applies one of two operands.
func lanewise(op lower.Op, t lower.Type, lanes uint64, a, b *value) value {
	binary := func(x []uint64) (uint64, bool) { return arithmetic.Binary(op, t, x[0], x[1]) }
	return combineOp(op, t, lanes, binary, a, b)
}

// combineOp is combine, of two operands perhaps for all lanes at once: op is then the operation.
func combineOp(op lower.Op, t lower.Type, lanes uint64, f func(a []uint64) (uint64, bool), args ...*value) value {
	v := value{known: lanes, uniform: true, same: true, until: steady}
	for _, a := range args {
		v.known &= a.known
		v.uniform = v.uniform && a.uniform
		v.same = v.same && a.same
	}
	v.limit(args...)
	if v.known == 0 {
		v.uniform = false
		v.staysUnknown(args...)
		return v
	}
	var in [4]uint64
	a := in[:len(args)]
	if v.uniform {
		for i, x := range args {
			a[i] = x.bits[0]
		}
		u, ok := f(a)
		if !ok {
			v.known, v.uniform = 0, false
			v.bends(args...)
			return v
		}
		v.bits = []uint64{u}
		return v
	}
	v.bits = make([]uint64, 64-bits.LeadingZeros64(lanes))
	var of [4][]uint64
	for i, x := range args {
		of[i] = x.bits
		if x.uniform {
			a[i], of[i] = x.bits[0], nil
		}
	}
	if op != 0 && v.known == lanes && atOnce(op, t, v.bits, of[0], of[1], a) {
		v.compact(lanes)
		return v
	}
	for m := v.known; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m)
		for i := range a {
			if of[i] != nil {
				a[i] = of[i][l]
			}
		}
		u, ok := f(a)
		if !ok {
			v.known &^= 1 << l
		}
		v.bits[l] = u
	}
	if v.known == 0 {
		v.bends(args...)
	}
	v.compact(lanes)
	return v
}

// atOnce computes all lanes of an operation of two operands, which have a value for each lane, or one for all (nil; the
// value is in uniform), and reports whether it could.
func atOnce(op lower.Op, t lower.Type, r, x, y, uniform []uint64) bool {
	var same [64]uint64
	fill := func(v uint64) []uint64 {
		for i := range r {
			same[i] = v
		}
		return same[:]
	}
	switch {
	case x == nil:
		x = fill(uniform[0])
	case y == nil:
		y = fill(uniform[1])
	}
	return len(x) >= len(r) && len(y) >= len(r) && arithmetic.Lanes(op, t, r, x, y)
}

// staysUnknown says for how long a value is not known that is not because operands are not: as long as one of these is.
func (v *value) staysUnknown(args ...*value) {
	for _, a := range args {
		if a.known != 0 {
			continue
		}
		for l := range levels {
			v.until[l] = max(v.until[l], a.until[l])
		}
	}
}

// within bounds until to what keeps a value of a type inside of its range, where it is kept in fewer bits.
func (v *value) within(t lower.Type) {
	if !t.IsInteger() || t.Size() >= 8 || v.known == 0 || v.d == [levels]int64{} {
		return
	}
	low, high := int64(0), int64(1)<<(8*t.Size())-1
	if t.IsSigned() {
		low, high = -(high+1)/2, high/2
	}
	least, most := v.span()
	for l, d := range v.d {
		switch {
		case d > 0:
			v.until[l] = min(v.until[l], max(0, (high-most)/d))
		case d < 0:
			v.until[l] = min(v.until[l], max(0, (least-low)/-d))
		}
	}
}

// span is the least and the largest known lane, signed.
func (v *value) span() (least, most int64) {
	least, most = math.MaxInt64, math.MinInt64
	if v.uniform && v.known != 0 {
		return int64(v.bits[0]), int64(v.bits[0])
	}
	for m := v.known; m != 0; m &= m - 1 {
		u := int64(v.bits[bits.TrailingZeros64(m)])
		least, most = min(least, u), max(most, u)
	}
	return least, most
}

// linear computes how a result changes with iterations: f of the changes of the operands, ok: it is that. The
// operands' changes at each level are independent.
func (v *value) linear(t lower.Type, f func(d []int64) (int64, bool), args ...*value) {
	if v.known == 0 {
		return
	}
	var in [4]int64
	for l := range levels {
		moves := false
		for i, a := range args {
			in[i] = a.d[l]
			moves = moves || a.d[l] != 0
		}
		if !moves {
			continue
		}
		d, ok := f(in[:len(args)])
		if !ok {
			v.until[l] = 0
			continue
		}
		v.d[l] = d
	}
	v.within(t)
}

// compare is a comparison, and how long it holds.
func compare(op lower.Op, t lower.Type, lanes uint64, a, b *value) value {
	v := lanewise(op, t, lanes, a, b)
	if v.known == 0 {
		return v
	}
	for l := range levels {
		d := a.d[l] - b.d[l]
		if a.d[l] == 0 && b.d[l] == 0 {
			continue
		}
		if t.IsFloat() {
			v.until[l] = 0
			continue
		}
		if d == 0 {
			continue
		}
		for m := v.known; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros64(m)
			v.until[l] = min(v.until[l], holds(op, int64(a.at(lane))-int64(b.at(lane)), d))
			if a.uniform && b.uniform {
				break
			}
		}
	}
	return v
}

// holds is for how many further steps a comparison of a difference with 0 keeps its outcome while the difference
// changes by d with each.
func holds(op lower.Op, diff, d int64) int64 {
	if d < 0 {
		diff, d, op = -diff, -d, op.Mirror()
	}
	switch { // the difference grows
	case diff < 0:
		steps := -diff / d // those after which it is 0 at most
		exact := -diff%d == 0
		switch op {
		case lower.Lt, lower.Ge: // change at 0
			if exact {
				return steps - 1
			}
			return steps
		case lower.Le, lower.Gt: // change behind 0
			return steps
		default: // change at 0 only, and back
			if exact {
				return steps - 1
			}
			return forever
		}
	case diff == 0:
		if op == lower.Lt || op == lower.Ge {
			return forever
		}
		return 0
	}
	return forever
}

// quotient is how a number divided by a constant changes: with multiples of that, else not until the number reaches the
// next one.
func quotient(in *ir.Instr, v, a *value, by int64) {
	least, _ := a.span()
	floor := in.Op == lower.Shr && (in.Type.IsSigned() || in.Type.Size() < 8) || least >= 0
	for l, d := range a.d {
		switch {
		case d == 0 || v.known == 0:
		case d%by == 0 && (in.Op == lower.Shr || least >= 0 && d > 0):
			v.d[l] = d / by
		case !floor:
			v.until[l] = 0
		default:
			for m := v.known; m != 0; m &= m - 1 {
				rest := int64(a.at(trailing(m))) % by
				if rest < 0 {
					rest += by
				}
				if d > 0 {
					rest = by - 1 - rest
				}
				v.until[l] = min(v.until[l], rest/max(d, -d))
				if a.uniform {
					break
				}
			}
		}
	}
	v.within(in.Type)
}
