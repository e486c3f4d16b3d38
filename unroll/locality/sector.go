package locality

// sectorSize is the bytes of a sector, the unit of what is counted: a power of two.
type sectorSize int64

// of is the sectors that a range of bytes lies in. Buffers begin at a multiple of a
// sector; offsets before their beginning are negative.
func (z sectorSize) of(x span) span {
	return span{floorDiv(x.lo, int64(z)), floorDiv(x.hi-1, int64(z)) + 1}
}

// sectors is the set of sectors that bytes lie in.
func (z sectorSize) sectors(s set) set {
	out := make(set, len(s))
	for i, x := range s {
		out[i] = z.of(x)
	}
	return merged(out)
}

// whole is the bytes of the sectors that a range of bytes lies in.
func (z sectorSize) whole(x span) span {
	x = z.of(x)
	return span{x.lo * int64(z), x.hi * int64(z)}
}

// allWhole is the bytes of the sectors that bytes lie in.
func (z sectorSize) allWhole(s set) set {
	out := make(set, len(s))
	for i, x := range s {
		out[i] = z.whole(x)
	}
	return merged(out)
}

// moves reports whether what moves by so many bytes moves from sectors to sectors.
func (z sectorSize) moves(step int64) bool { return step%int64(z) == 0 }
