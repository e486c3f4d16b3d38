package walk

import (
	"math/bits"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// boundDepth is how many operations are followed behind an address: twice LLVM's MaxAnalysisRecursionDepth
// (ValueTracking.h), as the pointer and its subscript are one chain here.
const boundDepth = 12

// between is an interval of integers, or of bytes of an object.
type between struct{ lo, hi int64 }

// farthest bounds intervals that say something: a subscript of which only the type is known says nothing.
const farthest = 1 << 40

func (a between) limited() (between, bool) { return a, a.lo > -farthest && a.hi < farthest }

// within is how many bytes of an object the lanes touch at most at an address that is not known, with so many bytes
// each; 0: any. That is what the object has, or what its subscripts can be (computeKnownBits, LLVM's ValueTracking),
// with the arguments of the launch at hand.
func (w *warp) within(at *ir.Value, id ir.ObjectID, lanes uint64, width int64) int64 {
	if id == 0 {
		return 0
	}
	size := w.c.code.Func.Object(id).Size
	if b, ok := w.bound(at, lanes, boundDepth); ok {
		if n := b.hi - b.lo + width; size == 0 || n < size {
			return n
		}
	}
	return size
}

// bound is the interval of what lanes hold; ok: it is known.
func (w *warp) bound(v *ir.Value, lanes uint64, depth int) (between, bool) {
	if p := w.value(v); p.known&lanes == lanes {
		return p.interval(lanes, v.Type == lower.Ptr), true
	}
	if depth > 0 && v.Kind == ir.Result && len(v.Def.Args) > 0 {
		if b, ok := w.boundOf(v.Def, lanes, depth-1); ok {
			return b.limited()
		}
	}
	switch v.Type {
	case lower.U8:
		return between{0, 1<<8 - 1}, true
	case lower.S8:
		return between{-1 << 7, 1<<7 - 1}, true
	case lower.U16:
		return between{0, 1<<16 - 1}, true
	case lower.S16:
		return between{-1 << 15, 1<<15 - 1}, true
	}
	return between{}, false
}

// interval is that of what lanes hold that are known: of pointers, their places in objects.
func (p *value) interval(lanes uint64, pointer bool) between {
	var b between
	for m := lanes; m != 0; m &= m - 1 {
		x := int64(p.at(bits.TrailingZeros64(m)))
		if pointer {
			_, x = place(uint64(x))
		}
		if m == lanes {
			b = between{x, x}
		}
		b = between{min(b.lo, x), max(b.hi, x)}
	}
	return b
}

// boundOf is the interval of the result of an operation.
func (w *warp) boundOf(in *ir.Instr, lanes uint64, depth int) (between, bool) {
	var a [2]between
	var ok [2]bool
	for i := range min(len(in.Args), 2) {
		if in.Op != lower.Select && in.Args[i].Type != lower.Pred {
			a[i], ok[i] = w.bound(in.Args[i], lanes, depth)
		}
	}
	for i := range a {
		if !ok[i] && in.Type == lower.U32 && (in.Op == lower.Shr || in.Op == lower.Div || in.Op == lower.Min) {
			a[i], ok[i] = between{0, 1<<32 - 1}, true
		}
	}
	natural := [2]bool{ok[0] && a[0].lo >= 0, ok[1] && a[1].lo >= 0}
	switch in.Op {
	case lower.And:
		switch {
		case natural[0] && natural[1]:
			return between{0, min(a[0].hi, a[1].hi)}, true
		case natural[0]:
			return between{0, a[0].hi}, true
		}
		return between{0, a[1].hi}, natural[1]
	case lower.Rem:
		if !ok[1] || a[1].lo <= 0 {
			return between{}, false
		}
		if in.Type.IsSigned() && !natural[0] {
			return between{1 - a[1].hi, a[1].hi - 1}, true
		}
		return between{0, a[1].hi - 1}, true
	case lower.Shr:
		if natural[1] && ok[0] && a[1].hi < 64 {
			return between{a[0].lo >> a[1].lo, a[0].hi >> a[1].lo}, natural[0]
		}
	case lower.Div:
		if natural[0] && natural[1] {
			return between{a[0].lo / max(a[1].hi, 1), a[0].hi / max(a[1].lo, 1)}, true
		}
	case lower.Min:
		return between{min(a[0].lo, a[1].lo), min(a[0].hi, a[1].hi)}, ok[0] && ok[1]
	case lower.Max:
		return between{max(a[0].lo, a[1].lo), max(a[0].hi, a[1].hi)}, ok[0] && ok[1]
	case lower.Select:
		b, known := w.bound(in.Args[1], lanes, depth)
		c, also := w.bound(in.Args[2], lanes, depth)
		return between{min(b.lo, c.lo), max(b.hi, c.hi)}, known && also
	case lower.Convert, lower.Bitcast:
		return a[0], ok[0] && in.From.IsInteger() && in.Fn == "" && a[0].fits(in.Type)
	case lower.Mov:
		return a[0], ok[0]
	}
	if !ok[0] || !ok[1] {
		return between{}, false
	}
	return linear(in, a[0], a[1])
}

// linear is the interval of a sum or a multiple, as long as it does not wrap.
func linear(in *ir.Instr, a, b between) (between, bool) {
	scale := func(k int64) (between, bool) {
		lo, hi := min(a.lo*k, a.hi*k), max(a.lo*k, a.hi*k)
		return between{lo, hi}, k == 0 || lo/k == a.lo || lo/k == a.hi
	}
	var r between
	ok := true
	switch in.Op {
	case lower.Add:
		r = between{a.lo + b.lo, a.hi + b.hi}
	case lower.Sub:
		r = between{a.lo - b.hi, a.hi - b.lo}
	case lower.Mul:
		if b.lo != b.hi {
			if a, b = b, a; b.lo != b.hi {
				return between{}, false
			}
		}
		r, ok = scale(b.lo)
	case lower.Shl:
		if b.lo != b.hi || b.lo < 0 || b.lo >= 40 {
			return between{}, false
		}
		r, ok = scale(1 << b.lo)
	case lower.Or, lower.Xor:
		if a.lo < 0 || b.lo < 0 {
			return between{}, false
		}
		return between{0, 1<<bits.Len64(uint64(a.hi|b.hi)) - 1}, true
	case lower.PtrAdd:
		a, b = b, a
		r, ok = scale(in.Scale)
		return between{b.lo + r.lo, b.hi + r.hi}, ok
	default:
		return between{}, false
	}
	return r, ok && r.fits(in.Type)
}

// fits reports whether an integer type holds all numbers of an interval.
func (a between) fits(t lower.Type) bool {
	n := 8 * t.Size()
	switch {
	case !t.IsInteger():
		return false
	case n >= 64:
		return t.IsSigned() || a.lo >= 0
	case t.IsSigned():
		return a.lo >= -1<<(n-1) && a.hi < 1<<(n-1)
	}
	return a.lo >= 0 && a.hi < 1<<n
}
