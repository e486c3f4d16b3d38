package locality

// commonOf is the size of what every group of the launch touches, given how the group's
// accesses move: of what stays where it is, in all dimensions. What moves and is met by all
// groups nevertheless, the middle of a window that is wider than the launch, is left out.
func (a *analysis) commonOf(t *translation) int64 {
	var total int64
	for _, b := range a.own.buffers {
		var all set
		for i := range t.movements {
			if m := &t.movements[i]; m.buffer == b && m.step == ([3]int64{}) {
				all = union(all, a.sector.sectors(m.all))
			}
		}
		total += all.size() * int64(a.sector)
	}
	return min(total, maxBytes)
}

// common is the size of what is touched in all of a list, too.
func (t *touched) common(others []*touched) int64 {
	var total int64
	for _, b := range t.buffers {
		all := t.sectors(b)
		for _, x := range others {
			all, _ = split(all, x.sectors(b))
		}
		total += all.size() * int64(t.sweep.sector)
	}
	return min(total, maxBytes)
}
