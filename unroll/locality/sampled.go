package locality

import (
	"cmp"
	"slices"
)

// everyGroup resolves the whole launch.
func (a *analysis) everyGroup(own *touched) error {
	var earlier []int64
	total := a.Launch.TotalGroups()
	self := a.number(a.Group)
	all := newTouched(a.sector)
	groups := map[int64]*touched{self: own}
	for n := range total {
		if n != self {
			t, err := a.groupBytes(n)
			if err != nil {
				return err
			}
			groups[n] = t
		}
		if n < self {
			earlier = append(earlier, n)
		}
		all.join(groups[n])
	}
	a.settleBy(groups, earlier)
	a.footprint.LaunchReadBytes, a.footprint.LaunchWrittenBytes = all.bytes()
	a.footprint.Estimated = a.own.cut || all.cut || int64(len(a.Warps)) < a.Launch.WarpsPerGroup()
	return nil
}

// someGroups resolves earlier neighbours: the previous group, the one of the previous
// row and plane, and further ones before it, as many as cost about twice
// what the group itself has cost.
func (a *analysis) someGroups(own *touched) error {
	self := a.number(a.Group)
	n := a.Launch.Groups
	var earlier []int64
	budget := max(4, 2*len(a.Warps))
	for _, back := range []int64{1, n[0], n[0] * n[1], 2, 3} {
		if at := self - back; at >= 0 && !slices.Contains(earlier, at) && (len(earlier)+1)*len(a.Warps) <= budget {
			earlier = append(earlier, at)
		}
	}
	groups := map[int64]*touched{}
	for _, at := range earlier {
		t, err := a.groupBytes(at)
		if err != nil {
			return err
		}
		groups[at] = t
	}
	a.settleBy(groups, earlier)
	all := newTouched(a.sector)
	all.join(own)
	read, written := all.bytes()
	for _, at := range earlier {
		all.join(groups[at])
	}
	// The sampled groups together touch so much more than the one: every group of
	// the launch adds as much as they do on average.
	moreRead, moreWritten := all.bytes()
	grown := func(one, some int64) int64 {
		if len(earlier) == 0 {
			return scaled(one, a.Launch.TotalGroups())
		}
		return min(maxBytes, one+scaled(some-one, a.Launch.TotalGroups()-1)/int64(len(earlier)))
	}
	a.footprint.LaunchReadBytes, a.footprint.LaunchWrittenBytes = grown(read, moreRead), grown(written, moreWritten)
	return a.bounded(all)
}

// bounded bounds the launch's traffic by where its accesses lie: neighbours that share little
// may share it with groups that were not looked at, as in a multiplication of matrices whose
// tiles are dealt out diagonally. all is what was found of the launch; a warp each of groups spread over
// it is added. A few samples do not find the very first and last byte, so that only
// what is more than half again as much as their reach is taken to be wrong.
func (a *analysis) bounded(all *touched) error {
	total := a.Launch.TotalGroups()
	samples := min(total, maxSpread, int64(max(8, 2*len(a.Warps))))
	for i := range samples {
		w, err := a.warp(a.group(i*(total-1)/max(samples-1, 1)), a.Warps[0].Number)
		if err != nil {
			return err
		}
		t := newTouched(a.sector)
		t.add(a.Shapes, w)
		all.join(t.finish())
	}
	read, written := all.reach()
	f := &a.footprint
	if f.LaunchReadBytes/3 > read/2 {
		f.LaunchReadBytes = read
	}
	if f.LaunchWrittenBytes/3 > written/2 {
		f.LaunchWrittenBytes = written
	}
	return nil
}

// groupBytes resolves a group of a number.
func (a *analysis) groupBytes(number int64) (*touched, error) {
	t := newTouched(a.sector)
	for i := range a.Warps {
		w, err := a.warp(a.group(number), a.Warps[i].Number)
		if err != nil {
			return nil, err
		}
		t.add(a.Shapes, w)
	}
	return t.finish(), nil
}

// settleBy finds the earlier touchers of the group's first touches among some
// groups.
func (a *analysis) settleBy(groups map[int64]*touched, earlier []int64) {
	slices.SortFunc(earlier, func(x, y int64) int { return cmp.Compare(y, x) })
	left := map[BufferID]set{}
	for _, b := range a.own.buffers {
		open := a.own.firstSectors(b)
		for _, at := range earlier {
			var in set
			in, open = split(open, groups[at].sectors(b))
			a.own.settle(b, in, a.number(a.Group)-at)
		}
		left[b] = open
	}
	a.settleAll(left)
}

// join adds what t touches.
func (all *touched) join(t *touched) {
	all.cut = all.cut || t.cut
	for _, b := range t.buffers {
		x := all.bufferOf(b)
		for _, s := range t.of[b].read.set() {
			x.read.add(s)
		}
		for _, s := range t.of[b].written.set() {
			x.written.add(s)
		}
	}
}
