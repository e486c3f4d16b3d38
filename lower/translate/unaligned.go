package translate

import (
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/lower"
)

// alignment is how many bytes the address of a run is known to be a multiple of: fewer than its elements have in a
// packed struct.
func (p place) alignment(r run) int64 {
	p.part(p.typ, r.off)
	bits := p.whole.offset | p.whole.align
	return bits & -bits
}

// inPieces reports whether the elements of a run are accessed in pieces that are aligned, as nvcc does with members of
// packed structs: not where the run is aligned, nor private variables, which are in registers. Such a run has the
// alignment of its place.
func (l *lowerer) inPieces(p place, r *run, pos Pos) bool {
	bytes := p.alignment(*r)
	if bytes >= r.typ.Size() {
		return false
	}
	r.align = bytes
	return l.spaceOf(p, pos) != idg.SpacePrivate
}

// pieces are the accesses of a run that is accessed in pieces.
func pieces(p place, r run, access func(piece place, r run, element, at int)) {
	bytes := r.align
	p.whole, p.typ = whole{}, ctypes.Scalar(ctypes.UnsignedOf(bytes))
	for i := range r.n {
		for at := int64(0); at < r.typ.Size(); at += bytes {
			off := r.off + int64(i)*r.typ.Size() + at
			access(p, run{n: 1, typ: lower.IrType(p.typ), off: off, align: bytes}, i, int(at))
		}
	}
}

// loadPieces reads a run in pieces.
func (l *lowerer) loadPieces(p place, r run, pos Pos) []Operand {
	ops := make([]Operand, r.n)
	t := lower.IrType(ctypes.Scalar(ctypes.UnsignedOf(r.typ.Size())))
	pieces(p, r, func(p place, one run, element, at int) {
		x := l.convertOperand(l.loadRun(p, one, pos)[0], t, "", pos)
		if at > 0 {
			x = l.op(lower.Or, t, pos, ops[element], l.op(lower.Shl, t, pos, x, number(t, float64(8*at))))
		}
		ops[element] = x
	})
	for i := range ops {
		ops[i] = l.bits(ops[i], r.typ, pos)
	}
	return ops
}

// storePieces writes a run in pieces.
func (l *lowerer) storePieces(p place, r run, ops []Operand, pos Pos) {
	t := lower.IrType(ctypes.Scalar(ctypes.UnsignedOf(r.typ.Size())))
	pieces(p, r, func(p place, one run, element, at int) {
		x := l.op(lower.Shr, t, pos, l.bits(ops[element], t, pos), number(t, float64(8*at)))
		l.storeRun(p, one, []Operand{l.convertOperand(x, one.typ, "", pos)}, pos)
	})
}
