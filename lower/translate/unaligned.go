package translate

import (
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/lower"
)

// alignment is how many bytes the address of a run is known to be a multiple of: fewer than its elements have in a
// packed struct.
func (p *place) alignment(r run) int64 {
	w := p.whole
	if w.align == 0 {
		w.align = min(p.typ.Align(), maxAccess)
	}
	w = w.moved(r.off)
	for w.offset%w.align != 0 {
		w.align /= 2
	}
	return w.align
}

// unaligned accesses the elements of a run in pieces that are aligned, as nvcc does with members of packed structs;
// false where the run is aligned, or a private variable, which is in registers. Such a run has the alignment of its
// place.
func (l *lowerer) unaligned(p place, r *run, pos Pos, access func(piece place, r run, element, at int)) bool {
	bytes := p.alignment(*r)
	if bytes >= r.typ.Size() {
		return false
	}
	if r.align = bytes; l.spaceOf(p, pos) == idg.SpacePrivate {
		return false
	}
	p.whole, p.typ = whole{}, ctypes.Scalar(ctypes.UnsignedOf(bytes))
	for i := range r.n {
		for at := int64(0); at < r.typ.Size(); at += bytes {
			off := r.off + int64(i)*r.typ.Size() + at
			access(p, run{n: 1, typ: lower.IrType(p.typ), off: off, align: bytes}, i, int(at))
		}
	}
	return true
}

// loadUnaligned reads a run in pieces; nil where one access does.
func (l *lowerer) loadUnaligned(p place, r *run, pos Pos) []Operand {
	ops := make([]Operand, r.n)
	t := lower.IrType(ctypes.Scalar(ctypes.UnsignedOf(r.typ.Size())))
	if !l.unaligned(p, r, pos, func(p place, one run, element, at int) {
		x := l.convertOperand(l.loadRun(p, one, pos)[0], t, "", pos)
		if at > 0 {
			x = l.op(lower.Or, t, pos, ops[element], l.op(lower.Shl, t, pos, x, number(t, float64(8*at))))
		}
		ops[element] = x
	}) {
		return nil
	}
	for i := range ops {
		ops[i] = l.bits(ops[i], r.typ, pos)
	}
	return ops
}

// storeUnaligned writes a run in pieces; false where one access does.
func (l *lowerer) storeUnaligned(p place, r *run, ops []Operand, pos Pos) bool {
	t := lower.IrType(ctypes.Scalar(ctypes.UnsignedOf(r.typ.Size())))
	return l.unaligned(p, r, pos, func(p place, one run, element, at int) {
		x := l.op(lower.Shr, t, pos, l.bits(ops[element], t, pos), number(t, float64(8*at)))
		l.storeRun(p, one, []Operand{l.convertOperand(x, one.typ, "", pos)}, pos)
	})
}
