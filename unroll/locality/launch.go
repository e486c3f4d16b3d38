package locality

// launchOf computes what the launch touches, from how the group's accesses move.
func (a *analysis) launchOf(t *translation) {
	f := &a.footprint
	var exact bool
	f.LaunchReadBytes, exact = a.launchBytes(t, func(m *movement) set { return m.read })
	written, alsoExact := a.launchBytes(t, func(m *movement) set { return m.written })
	f.LaunchWrittenBytes = written
	if !exact || !alsoExact {
		a.note("the launch touches memory in too many pieces: what groups have in common counts more than once in its traffic")
	}
	// What lies before a buffer is cut off, of the group's own bytes too.
	f.LaunchReadBytes, f.LaunchWrittenBytes = max(f.LaunchReadBytes, f.ReadBytes), max(f.LaunchWrittenBytes, f.WrittenBytes)
}

// launchBytes is the size of the sectors that the launch reads, or writes, and
// whether none counts twice.
func (a *analysis) launchBytes(t *translation, of func(*movement) set) (total int64, exact bool) {
	exact = true
	for _, b := range a.own.buffers {
		var all set
		for i := range t.movements {
			m := &t.movements[i]
			if m.buffer != b || len(of(m)) == 0 {
				continue
			}
			s, copies := a.everywhere(m, of(m))
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

// everywhere is the union of some bytes of a movement over all groups. Where that
// would be too many spans, it is what some groups touch, and how many times
// that many groups there are.
func (a *analysis) everywhere(m *movement, s set) (all set, copies int64) {
	s = s.shifted(moved(m.step, [3]int64{}, a.Group))
	copies = 1
	for d := range 3 {
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
