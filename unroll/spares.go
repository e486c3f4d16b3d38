package unroll

// spares is memory that the resolution of one warp leaves to that of the next: there
// are many, and most of what they need is needed for as long as one takes. Only
// one warp at a time is resolved.
type spares struct {
	values pool[value]
	lanes  pool[uint64]
	levels []table // empty ones, of numbering
}

// maxSpareBlocks bounds the blocks that are kept: 5 MB of values, 8 MB of lanes. What
// a long trace needs beyond is given up as soon as nothing refers to it.
const maxSpareBlocks = 1 << 10

// pool hands out blocks of equal lengths.
type pool[T any] struct {
	kept [][]T
	used int // of them
}

// take returns a block of n zero elements.
func (b *pool[T]) take(n int) []T {
	if b.used < len(b.kept) {
		x := b.kept[b.used]
		b.used++
		clear(x)
		return x
	}
	x := make([]T, n)
	if len(b.kept) < maxSpareBlocks {
		b.kept = append(b.kept, x)
		b.used++
	}
	return x
}

// begin prepares for another warp: values of the one before are not looked at any
// more.
func (s *spares) begin() { s.values.used, s.lanes.used = 0, 0 }

// keepTables takes over the tables of a warp.
func (s *spares) keepTables(levels []table) {
	for i := range levels {
		levels[i].drop()
	}
	s.levels = levels
}
