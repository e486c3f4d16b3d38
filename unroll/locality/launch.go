package locality

// launchOf computes what the launch touches, from how the group's accesses move.
func (a *analysis) launchOf(t *translation) {
	f := &a.footprint
	var exact bool
	f.LaunchReadBytes, exact = a.launchBytes(t, 3, func(m *movement) set { return m.read })
	written, alsoExact := a.launchBytes(t, 3, func(m *movement) set { return m.written })
	f.LaunchWrittenBytes = written
	if !exact || !alsoExact {
		a.note("the launch touches memory in too many pieces: what groups have in common counts more than once in " +
			"its traffic")
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
			*part.bytes = min(bytes, addBytes(f.LaunchReadBytes, f.LaunchWrittenBytes))
		}
	}
}

// launchBytes is the size of the sectors that the groups touch that differ from the group in the
// first so many dimensions only, all 3 for those of the launch, and whether none counts twice.
func (a *analysis) launchBytes(t *translation, dimensions int, of func(*movement) set) (total int64, exact bool) {
	exact = true
	for _, b := range a.own.buffers {
		var all set
		for i := range t.movements {
			m := &t.movements[i]
			if m.buffer != b || len(of(m)) == 0 {
				continue
			}
			s, copies := a.everywhere(m, dimensions, of(m))
			if copies > 1 {
				total += scaled(a.sector.sectors(s).size()*int64(a.sector), copies)
				exact = false
				continue
			}
			all = union(all, a.sector.sectors(s))
		}
		_, inside := split(all, set{{minSector, 0}})
		total += inside.size() * int64(a.sector)
	}
	return min(total, maxBytes), exact
}

// everywhere is the union of some bytes of a movement over all groups that differ in the first so
// many dimensions only. Where that would be too many spans, it is what some groups touch, and how many times
// that many groups there are.
func (a *analysis) everywhere(m *movement, dimensions int, s set) (all set, copies int64) {
	from := a.Group
	clear(from[:dimensions])
	s = s.shifted(moved(m.step, from, a.Group))
	copies = 1
	for d := range dimensions {
		n, step := a.Launch.Groups[d], m.step[d]
		if n == 1 || step == 0 {
			continue
		}
		if copies > 1 {
			copies = scaled(copies, n)
			continue
		}
		s, copies = repeated(s, step, n, maxSpans)
	}
	return s, copies
}

// repeated is the union of n copies of a set, each moved by step from the one
// before, found by doubling. If it has more spans than limit, it is a union of fewer copies
// with how many of these make n.
func repeated(s set, step, n int64, limit int) (all set, copies int64) {
	have := int64(1)
	for have < n {
		if len(s) > limit {
			return s, (n + have - 1) / have
		}
		more := min(have, n-have)
		s = union(s, s.shifted(step*more))
		have += more
	}
	return s, 1
}
