package idg

import (
	"math"
	"math/bits"
)

func (g *Graph) verifyLocality() *violation {
	total, sector := g.Launch.TotalGroups(), g.SectorBytes()
	if bits.OnesCount64(uint64(sector)) != 1 || sector < SectorBytes || sector > MaxSectorBytes {
		return broken(partFootprint, 0, "a sector of %d bytes is not a power of two from %d to %d", sector, SectorBytes,
			MaxSectorBytes)
	}
	for i := range g.Locality {
		l := &g.Locality[i]
		if l.Instr == 0 || int64(l.Instr) > int64(len(g.instrs)) {
			return broken(partLocality, i, "locality of class %d of %d", l.Instr, len(g.instrs))
		}
		if i > 0 && l.Instr <= g.Locality[i-1].Instr {
			return broken(partLocality, i, "locality of class %d stands after that of class %d", l.Instr,
				g.Locality[i-1].Instr)
		}
		if in := g.Instr(l.Instr); in.Access == 0 {
			return broken(partLocality, i, "class %d (%s) accesses no memory and has no locality", l.Instr, in.Op)
		}
		if v := l.verify(i, total, sector); v != nil {
			return v
		}
	}
	f := g.Footprint
	if f == nil {
		return nil
	}
	for _, n := range []int64{f.ReadBytes, f.WrittenBytes, f.LaunchReadBytes - f.ReadBytes,
		f.LaunchWrittenBytes - f.WrittenBytes} {
		if n < 0 {
			return broken(partFootprint, 0,
				"the footprint of a group is %d bytes read and %d written, that of the launch %d and %d",
				f.ReadBytes, f.WrittenBytes, f.LaunchReadBytes, f.LaunchWrittenBytes)
		}
	}
	if f.SharedBytes < 0 || f.SharedBytes-f.ReadBytes > f.WrittenBytes {
		return broken(partFootprint, 0, "groups share %d bytes of a group's %d read and %d written", f.SharedBytes,
			f.ReadBytes, f.WrittenBytes)
	}
	if f.LineBytes < 0 || f.PairBytes < 0 {
		return broken(partFootprint, 0, "the launch touches lines of %d bytes and blocks of %d", f.LineBytes,
			f.PairBytes)
	}
	if f.RowBytes < 0 || f.PlaneBytes < 0 || f.PlaneBytes != 0 && f.PlaneBytes < f.RowBytes ||
		max(f.RowBytes, f.PlaneBytes)-f.LaunchReadBytes > f.LaunchWrittenBytes {
		return broken(partFootprint, 0, "the footprint of a row is %d bytes and that of a plane %d, of the launch's "+
			"%d read and %d written", f.RowBytes, f.PlaneBytes, f.LaunchReadBytes, f.LaunchWrittenBytes)
	}
	if f.UnknownBytes < 0 {
		return broken(partFootprint, 0, "the group stores %d bytes at unknown addresses", f.UnknownBytes)
	}
	for i, n := range f.Sampled {
		if n < 0 || n >= total {
			return broken(partFootprint, 0, "the footprint samples group %d of %d", n, total)
		}
		if i > 0 && n <= f.Sampled[i-1] {
			return broken(partFootprint, 0, "the footprint samples group %d after group %d", n, f.Sampled[i-1])
		}
	}
	return nil
}

// isRounded reports whether a distance has no more than three significant bits.
func isRounded(sectors int64) bool {
	return bits.Len64(uint64(sectors))-bits.TrailingZeros64(uint64(sectors)) <= 3
}

// verify checks that the sectors add up and that each list ascends.
func (l *Locality) verify(i int, total, sector int64) *violation {
	rest := l.Sectors
	take := func(n int64) bool {
		if n < 0 || n > rest {
			return false
		}
		rest -= n
		return true
	}
	for _, list := range [2][]Reuse{l.Warp, l.Group} {
		last := int64(0)
		for _, r := range list {
			if r.Distance < sector || !isRounded(r.Distance/sector) || r.Distance <= last {
				return broken(partLocality, i,
					"locality of class %d: the distance %d after %d is no larger rounded one of %d at least", l.Instr,
					r.Distance, last, sector)
			}
			if last = r.Distance; !take(r.Sectors) {
				return broken(partLocality, i, "locality of class %d counts more than its %d sectors",
					l.Instr, l.Sectors)
			}
		}
	}
	last, first := GroupReuse{Distance: math.MaxInt64}, l.Cold
	for _, r := range l.Groups {
		if r.Compare(last) <= 0 || r.Groups >= total {
			return broken(partLocality, i,
				"locality of class %d: %d groups back and %d bytes, after %d and %d, in a launch of %d",
				l.Instr, r.Groups, r.Distance, last.Groups, last.Distance, total)
		}
		if r.Distance != 0 && (r.Distance < sector || bits.OnesCount64(uint64(r.Distance)) != 1) {
			return broken(partLocality, i,
				"locality of class %d: the distance %d between groups is not a power of two of %d at least", l.Instr,
				r.Distance, sector)
		}
		if r.InStep && r.Distance != 0 {
			return broken(partLocality, i, "locality of class %d: groups in step are %d bytes apart", l.Instr,
				r.Distance)
		}
		if r.Ahead && r.Distance == 0 {
			return broken(partLocality, i, "locality of class %d: a group is ahead by no distance", l.Instr)
		}
		if last = r; !take(r.Sectors) {
			return broken(partLocality, i, "locality of class %d counts more than its %d sectors", l.Instr, l.Sectors)
		}
		first += r.Sectors
	}
	if !take(l.Cold) || rest != 0 {
		return broken(partLocality, i, "locality of class %d counts %d of its %d sectors", l.Instr,
			l.Sectors-rest, l.Sectors)
	}
	if l.Leading != 0 && (l.Leading <= first || l.Leading > l.Sectors) {
		return broken(partLocality, i,
			"locality of class %d: one warp touches %d of %d sectors first, not more than the "+
				"%d of all warps", l.Instr, l.Leading, l.Sectors, first)
	}
	if l.Shared < 0 || l.Shared > first {
		return broken(partLocality, i, "locality of class %d shares %d sectors of the %d that the group touches "+
			"first there", l.Instr, l.Shared, first)
	}
	return nil
}
