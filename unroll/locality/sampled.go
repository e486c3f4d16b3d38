package locality

import (
	"cmp"
	"math"
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
	a.launchTouches(all.inBlocks())
	others := make([]*touched, 0, total)
	for n := range total {
		others = append(others, groups[n])
	}
	a.shareWith(own, others)
	a.footprint.Estimated = a.own.cut || all.cut || int64(len(a.Warps)) < a.Launch.WarpsPerGroup()
	return nil
}

// someGroups resolves earlier neighbours: the previous group, the one of the previous
// row and plane, and further ones before it, as many as cost about twice
// what the group itself has cost. known says that the launch's traffic is.
func (a *analysis) someGroups(own *touched, known bool) error {
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
	spread, err := a.spread()
	if err != nil {
		return err
	}
	if !known {
		a.grow(own, earlier, groups, spread)
	}
	a.shareWith(own, spread)
	return nil
}

// grow estimates the launch's traffic by what the group, earlier neighbours, and a warp each of groups spread over the
// launch touch.
func (a *analysis) grow(own *touched, earlier []int64, groups map[int64]*touched, spread []*touched) {
	all := newTouched(a.sector)
	all.join(own)
	var read, written growth
	read.group, written.group = own.bytes()
	for _, at := range earlier {
		all.join(groups[at])
		r, w := groups[at].bytes()
		read.neighbours, written.neighbours = addBytes(read.neighbours, r), addBytes(written.neighbours, w)
	}
	r, w := all.bytes()
	read.more, written.more = r-read.group, w-written.group
	first := newTouched(a.sector)
	first.add(a.Shapes, &a.plain[a.example()])
	read.warp, written.warp = first.finish().bytes()
	for _, t := range spread {
		all.join(t)
	}
	if len(spread) > 2 {
		spread = spread[1 : len(spread)-1] // the ends of the launch are few groups
	}
	for _, t := range spread {
		r, w := t.bytes()
		read.warps, written.warps = addBytes(read.warps, r), addBytes(written.warps, w)
		read.samples, written.samples = read.samples+1, written.samples+1
	}
	f := &a.footprint
	f.LaunchReadBytes, f.LaunchWrittenBytes = read.launch(a), written.launch(a)
	a.bounded(all)
}

// growth is how many bytes the groups of a launch add to what others of it touch, in one
// direction of the traffic.
type growth struct {
	group            int64 // the group's own
	neighbours, more int64 // of its neighbours; what of them it has not touched
	warp             int64 // of the group's first warp
	warps            int64 // of the first warps of groups spread over the launch,
	samples          int64 // so many
}

// launch is the bytes of the launch: every group adds that part of its own which the
// neighbours have added. Where groups do not all do the same (every other tile of a
// bitonic sort has nothing to do), a group touches on the average what those spread over
// the launch do, compared warp by warp.
func (g *growth) launch(a *analysis) int64 {
	adds := 1.0 // of what a group touches, the part that none before it has
	if g.neighbours > 0 {
		adds = float64(g.more) / float64(g.neighbours)
	}
	mean := float64(g.warps) / float64(max(g.samples, 1))
	if g.warp > 0 {
		mean *= float64(g.group) / float64(g.warp)
	} else {
		mean *= float64(len(a.Warps))
	}
	return int64(min(maxBytes, math.Round(float64(g.group)+adds*mean*float64(a.Launch.TotalGroups()-1))))
}

// addBytes adds numbers of bytes, to at most what fits.
func addBytes(a, b int64) int64 { return min(maxBytes, a+b) }

// example is the first warp that touches anything: some only have others' copies made.
func (a *analysis) example() int {
	return max(0, slices.IndexFunc(a.plain, func(w Warp) bool { return len(w.Touches) > 0 }))
}

// spread resolves a warp each of groups spread over the launch, in its order.
func (a *analysis) spread() ([]*touched, error) {
	total := a.Launch.TotalGroups()
	samples := min(total, maxSpread, int64(max(8, 2*len(a.Warps))))
	var out []*touched
	for i := range samples {
		w, err := a.warp(a.group(i*(total-1)/max(samples-1, 1)), a.Warps[a.example()].Number)
		if err != nil {
			return nil, err
		}
		t := newTouched(a.sector)
		t.add(a.Shapes, w)
		out = append(out, t.finish())
	}
	return out, nil
}

// bounded bounds the launch's traffic by where its accesses lie: neighbours that share little
// may share it with groups that were not looked at, as in a multiplication of matrices whose
// tiles are dealt out diagonally. all is what was found of the launch. A few samples do not
// find the very first and last byte, so that only what is more than half again as much as their
// reach is taken to be wrong.
func (a *analysis) bounded(all *touched) {
	read, written := all.reach()
	f := &a.footprint
	if f.LaunchReadBytes/3 > read/2 {
		f.LaunchReadBytes = read
	}
	if f.LaunchWrittenBytes/3 > written/2 {
		f.LaunchWrittenBytes = written
	}
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
	p := a.pace(nil)
	others := map[int64]map[BufferID][]placed{}
	for _, at := range earlier {
		others[at] = a.Shapes.places(a.warpsOf(at), nil)
	}
	for _, b := range a.own.buffers {
		open := a.own.firstSectors(b)
		for _, at := range earlier {
			var in set
			in, open = split(open, groups[at].sectors(b))
			if len(in) == 0 {
				continue
			}
			for m, in := range p.apartFrom(others[at][b], 0, b, in) {
				a.own.settle(b, in, toucher{a.number(a.Group) - at, m})
			}
		}
		left[b] = open
	}
	a.settleAll(left)
}

// warpsOf are the warps of a group that have been resolved.
func (a *analysis) warpsOf(number int64) (out []Warp) {
	for i := range a.Warps {
		if w := a.resolved[place{a.group(number), a.Warps[i].Number}]; w != nil {
			out = append(out, *w)
		}
	}
	return out
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
