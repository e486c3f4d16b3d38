package latencies

import (
	"math"

	"gpupipe/idg"
)

// residency is what L2 holds of lines that are touched again by other groups, or by the next launch, after so many
// other bytes. Lines fall into sets by a hash. Of a sweep over N bytes that comes again those are found whose set has
// no more lines than places, and the numbers of lines in sets are distributed about normally, with the mean N. So the
// part is that of a normal distribution above N: one H100 finds 0.94 of 28 MB that are read again, 0.76 of 34, 0.38
// of 40, 0.11 of 44 and none of 50. Lines that are written are copied to device memory when half of L2 has such lines
// (of 30 MB that are written again and again 25).
// Where nothing was measured, the other lines in a line's set are distributed as chance throws them there (Poisson),
// and it is found where they are fewer than the set has ways: half of the time at a third of a line less than these
// (the median of the distribution), give or take the square root of them.
type residency struct {
	kept, spread       float64 // bytes
	inPlace            float64 // kept, where all groups are on the unit where they were
	dirty, dirtySpread float64
	all                float64 // what the cache holds
}

func (c *Cache) residency() residency {
	bytes := float64(c.Bytes)
	r := residency{bytes * c.Kept.Float(), bytes * c.KeptSpread.Float(), bytes * c.KeptInPlace.Float(),
		bytes * c.Dirty.Float(), bytes * c.DirtySpread.Float(), bytes}
	if c.Kept.IsZero() {
		r.kept = float64(c.Holds())
		if ways := float64(c.Ways); ways > 0 {
			r.kept, r.spread = r.kept*(1-1/(3*ways)), r.kept/math.Sqrt(ways)
		}
	}
	if c.KeptInPlace.IsZero() { // what fits
		r.inPlace = bytes
	}
	if c.Dirty.IsZero() {
		r.dirty = r.kept
	}
	return r
}

// times is that of so large a part of the cache.
func (r residency) times(part float64) residency {
	return residency{part * r.kept, part * r.spread, part * r.inPlace, part * r.dirty, part * r.dirtySpread,
		part * r.all}
}

// found is the part of the lines that are found after so many bytes.
func (r residency) found(bytes int64) float64 { return above(float64(bytes), r.kept, r.spread) }

// leftBy is what an earlier launch that touched so many bytes has left, inPlace if its groups were on the same units,
// as those of launches that are resident at once are: nothing if there was no room for more.
func (r residency) leftBy(bytes int64, inPlace bool) float64 {
	switch {
	case inPlace && float64(bytes) >= r.all:
		return 0
	case inPlace:
		return above(float64(bytes), r.inPlace, r.spread)
	}
	return r.found(bytes)
}

// unwritten is the part of so many bytes that are written again and again that are not written back.
func (r residency) unwritten(written int64) float64 {
	return above(float64(written), r.dirty, r.dirtySpread)
}

// left is the part of what a launch has written, all the time, that is not written back when it has touched so many
// bytes: what it wrote since it touched as many as are kept of such lines.
func (r residency) left(launch int64) float64 {
	if r.dirty <= 0 {
		return 0
	}
	return min(1, r.dirty/float64(max(1, launch)))
}

// above is the part of a normal distribution that is above x, without its ends beyond three standard deviations.
func above(x, mean, deviation float64) float64 {
	switch d := x - mean; {
	case d <= -3*deviation:
		return 1
	case d >= 3*deviation:
		return 0
	default:
		return math.Erfc(d/deviation/math.Sqrt2) / 2
	}
}

// fresh are the bytes of the launch's written sectors that are not read before: what is updated in place is touched
// once. It is the part that the group's stores are the first to touch there.
func fresh(g *idg.Graph, all []touching) int64 {
	f, first, stores := g.Footprint, int64(0), false
	for _, t := range all {
		if t.kind != reading {
			first, stores = first+firstTouches(t.Locality)+t.Cold, true
		}
	}
	if group := f.WrittenBytes / g.SectorBytes(); stores && first < group {
		return int64(float64(f.LaunchWrittenBytes) * float64(first) / float64(group))
	}
	return f.LaunchWrittenBytes
}
