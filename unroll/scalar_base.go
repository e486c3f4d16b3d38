package unroll

import (
	enc "encoding/binary"

	"gpupipe/lower"
)

// scalarBase is the sum of a buffer's address, which is in scalar registers, and an offset. A
// vector instruction of GCN and CDNA reads one scalar register, which is the carry where the
// upper halves are added, so that half of the base is moved to a vector register before. It
// stays there for other sums of the same straight code.
const scalarBase = "add.base.s64"

// movesBase reports whether a sum is the first of a buffer's address and an offset in an iteration
// of the innermost rolled loop, with scalar registers.
func (r *resolver) movesBase(root lower.ObjectID, base, sum *value) bool {
	if !r.opt.ScalarUnit() {
		return false
	}
	k := enc.AppendUvarint(append(r.numbering.key[:0], 'h', byte(r.level)), uint64(root))
	if base != nil {
		k = enc.AppendUvarint(k, uint64(base.id))
	}
	r.numbering.key = k
	_, moved := r.numbering.find(k)
	if !moved {
		r.numbering.put(k, entry{v: sum}, r.level, r.level, true)
	}
	return !moved
}
