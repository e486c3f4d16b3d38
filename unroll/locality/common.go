package locality

// shareMoving finds what every group of the launch touches, given how the group's
// accesses move: what stays where it is, in all dimensions. What moves and is met by all
// groups nevertheless, the middle of a window that is wider than the launch, is left out.
func (a *analysis) shareMoving(t *translation) {
	for _, b := range a.own.buffers {
		var all set
		for i := range t.movements {
			if m := &t.movements[i]; m.buffer == b && m.step == ([3]int64{}) {
				all = union(all, a.sector.sectors(m.all))
			}
		}
		a.shared(b, all)
	}
}

// shareWith takes what the group and all of some others touch to be what every group does.
func (a *analysis) shareWith(own *touched, others []*touched) {
	for _, b := range own.buffers {
		all := own.sectors(b)
		for _, x := range others {
			all, _ = split(all, x.sectors(b))
		}
		a.shared(b, all)
	}
}

// shared records that every group touches some sectors of a buffer, among which the
// group's first touches are to be found.
func (a *analysis) shared(b BufferID, sectors set) {
	f := &a.footprint
	f.SharedBytes = min(maxBytes, f.SharedBytes+sectors.size()*int64(a.sector))
	a.own.share(b, sectors)
}
