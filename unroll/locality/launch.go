package locality

import (
	"cmp"
	"slices"

	"gpupipe/idg"
)

// launchOf computes what the launch touches, from how the group's accesses move.
func (a *analysis) launchOf(t *translation) {
	read, exact := a.launchBytes(t, 3, func(m *movement) set { return m.read })
	written, alsoExact := a.launchBytes(t, 3, func(m *movement) set { return m.written })
	a.launchTouches(read, written)
	if !exact || !alsoExact {
		a.note("the launch touches memory in too many pieces: what groups have in common counts more than once in " +
			"its traffic")
	}
}

// launchTouches notes what the launch touches.
func (a *analysis) launchTouches(read, written inBlocks) {
	f := &a.footprint
	f.LaunchReadBytes, f.LaunchWrittenBytes = read.sectors, written.sectors
	if read.pairs > read.sectors {
		f.PairBytes = read.pairs
	}
	if lines := addBytes(read.lines, written.lines); lines > addBytes(read.sectors, written.sectors) {
		f.LineBytes = lines
	}
}

// partsOf computes what a row and a plane of the launch touch, where these are neither the
// group nor the launch.
func (a *analysis) partsOf(t *translation) {
	f, groups := &a.footprint, a.Launch.Groups
	for _, part := range []struct {
		dimensions int
		bytes      *int64
		groups     int64
	}{{1, &f.RowBytes, groups[0]}, {2, &f.PlaneBytes, groups[0] * groups[1]}} {
		if part.groups == 1 || part.groups == a.Launch.TotalGroups() || part.dimensions == 2 && groups[1] == 1 {
			continue
		}
		if bytes, exact := a.launchBytes(t, part.dimensions, func(m *movement) set { return m.all }); exact {
			// groups at the edges may touch less
			*part.bytes = min(bytes.sectors, addBytes(f.LaunchReadBytes, f.LaunchWrittenBytes))
		}
	}
}

// inBlocks is the size of the sectors, pairs and lines in which bytes lie.
type inBlocks struct{ sectors, pairs, lines int64 }

// launchBytes is the size of what the groups touch that differ from the group in the
// first so many dimensions only, all 3 for those of the launch, and whether none counts twice.
func (a *analysis) launchBytes(t *translation, dimensions int, of func(*movement) set) (total inBlocks, exact bool) {
	exact = true
	blocks := [...]struct {
		size  sectorSize
		total *int64
	}{{a.sector, &total.sectors}, {max(a.sector, idg.PairBytes), &total.pairs},
		{max(a.sector, idg.LineBytes), &total.lines}}
	for _, b := range a.own.buffers {
		var all [len(blocks)]set
		for i := range t.movements {
			m := &t.movements[i]
			if m.buffer != b || len(of(m)) == 0 {
				continue
			}
			s, c := a.everywhere(m, dimensions, of(m))
			exact = exact && c.apart
			for k, x := range blocks {
				if c.whole() {
					all[k] = union(all[k], x.size.sectors(s))
					continue
				}
				n := float64(x.size.sectors(s).size()) * float64(c.n) / float64(c.of)
				*x.total = addBytes(*x.total, int64(min(n*float64(x.size), maxBytes)))
			}
		}
		for k, x := range blocks {
			_, inside := split(all[k], set{{minSector, 0}})
			*x.total = addBytes(*x.total, scaled(inside.size(), int64(x.size)))
		}
	}
	return total, exact
}

// copies says that a set stands for n copies of it, of which it has so many; apart: none of the others meets these.
type copies struct {
	n, of int64
	apart bool
}

func (c copies) whole() bool { return c.n == c.of }

// everywhere is the union of some bytes of a movement over all groups that differ in the first so
// many dimensions only, those that move least first, as their copies may meet. Where that would be too many spans, it
// is what some groups touch.
func (a *analysis) everywhere(m *movement, dimensions int, s set) (all set, c copies) {
	from := a.Group
	clear(from[:dimensions])
	s = s.shifted(moved(m.step, from, a.Group))
	order := []int{0, 1, 2}[:dimensions]
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(abs(m.step[i]), abs(m.step[j])) })
	c = copies{1, 1, true}
	for _, d := range order {
		n, step := a.Launch.Groups[d], m.step[d]
		switch {
		case n == 1 || step == 0:
		case !c.whole():
			c.apart = c.apart && float64(extent(s))*float64(c.n)/float64(c.of) <= float64(abs(step))
			c.n = scaled(c.n, n)
		default:
			var have int64
			if s, have = repeated(s, step, n, maxSpans); have < n {
				c = copies{n, have, extent(s) <= abs(step)*have}
			}
		}
	}
	return s, c
}

// extent is from the first byte to the last.
func extent(s set) int64 {
	if len(s) == 0 {
		return 0
	}
	return s[len(s)-1].hi - s[0].lo
}

func abs(x int64) int64 { return max(x, -x) }

// repeated is the union of n copies of a set, each moved by step from the one
// before, found by doubling. If it has more spans than limit, it is a union of fewer copies.
func repeated(s set, step, n int64, limit int) (all set, have int64) {
	have = 1
	for have < n && len(s) <= limit {
		more := min(have, n-have)
		s = union(s, s.shifted(step*more))
		have += more
	}
	return s, have
}
