package locality

// Guards at the edges of the data make the first and the last group of a dimension touch something
// else than those between, which move alike. So a launch is divided into parts: in each dimension the first
// group, the last, and those between. In a part everything follows from one group, as long as that and its
// neighbours in the part move by constants.

// stretchOfGroups is the groups of a dimension from one to another, and the one that stands for them.
type stretchOfGroups struct{ from, end, group int64 }

// dividedAtEdges divides n groups of a dimension; own is the analysed one.
func dividedAtEdges(n, own int64) []stretchOfGroups {
	if n <= 3 {
		out := make([]stretchOfGroups, n)
		for g := range n {
			out[g] = stretchOfGroups{g, g + 1, g}
		}
		return out
	}
	if own < 2 || own > n-2 { // it has no neighbour before it
		own = n / 2
	}
	return []stretchOfGroups{{0, 1, 0}, {1, n - 1, own}, {n - 1, n, n - 1}}
}

// launchByEdges is how many bytes the launch reads and writes, found part by part; known is false if that
// would cost too much, or if the groups of a part do not move by constants.
func (a *analysis) launchByEdges() (read, written int64, known bool, err error) {
	var divided [3][]stretchOfGroups
	parts := int64(1)
	for d := range 3 {
		divided[d] = dividedAtEdges(a.Launch.Groups[d], a.Group[d])
		parts *= int64(len(divided[d]))
	}
	if a.instructions() > edgeInstructions/parts {
		return 0, 0, false, nil
	}
	reads, writes := map[BufferID]set{}, map[BufferID]set{}
	for _, z := range divided[2] {
		for _, y := range divided[1] {
			for _, x := range divided[0] {
				p, err := a.part([3]stretchOfGroups{x, y, z})
				if err != nil || p == nil {
					return 0, 0, false, err
				}
				t, err := p.translation()
				if err != nil || t == nil {
					return 0, 0, false, err
				}
				if !p.joinLaunch(t, reads, func(m *movement) set { return m.read }) ||
					!p.joinLaunch(t, writes, func(m *movement) set { return m.written }) {
					return 0, 0, false, nil
				}
			}
		}
	}
	return a.bytesOf(reads), a.bytesOf(writes), true, nil
}

// edgesFollow reports whether the launch's first group and its last, which are at the edges of all dimensions, touch
// what the steps lead to, as they do without guards.
func (a *analysis) edgesFollow(t *translation) (bool, error) {
	last := [3]int64{a.Launch.Groups[0] - 1, a.Launch.Groups[1] - 1, a.Launch.Groups[2] - 1}
	for _, group := range [][3]int64{{}, last} {
		for i := range a.plain {
			w, err := a.warp(group, a.plain[i].Number)
			if err != nil || !a.follows(t, i, group, w) {
				return false, err
			}
		}
	}
	return true, nil
}

// part is the analysis of a part of the launch as if that were all of it; nil if it is not known in whole.
func (a *analysis) part(at [3]stretchOfGroups) (*analysis, error) {
	in := *a.Input
	p := &analysis{Input: &in, sector: a.sector, resolved: map[place]*Warp{}, unfolded: a.unfolded}
	var first, group [3]int64
	for d, s := range at {
		first[d], group[d] = s.from, s.group
		in.Launch.Groups[d], in.Group[d] = s.end-s.from, s.group-s.from
	}
	in.Resolve = func(g [3]int64, warp uint32) (Warp, error) {
		for d := range 3 {
			g[d] += first[d]
		}
		w, err := a.warp(g, warp)
		if err != nil {
			return Warp{}, err
		}
		return *w, nil
	}
	for i := range a.Warps {
		w, err := a.warp(group, a.Warps[i].Number)
		if err != nil {
			return nil, err
		}
		if w.Cut {
			return nil, nil
		}
		p.plain = append(p.plain, *w)
	}
	in.Warps = p.plain
	for i := range p.plain {
		p.resolved[place{in.Group, p.plain[i].Number}] = &p.plain[i]
	}
	return p, nil
}

// joinLaunch adds the sectors that all groups touch, given how those of one move. It reports false if that is too
// many pieces of memory.
func (a *analysis) joinLaunch(t *translation, to map[BufferID]set, of func(*movement) set) bool {
	for i := range t.movements {
		m := &t.movements[i]
		if len(of(m)) == 0 {
			continue
		}
		s, c := a.everywhere(m, 3, of(m))
		if !c.whole() {
			return false
		}
		if to[m.buffer] = union(to[m.buffer], a.sector.sectors(s)); len(to[m.buffer]) > maxSpans {
			return false
		}
	}
	return true
}

// bytesOf is the size of sectors of several buffers, without what lies before these.
func (a *analysis) bytesOf(sectors map[BufferID]set) (total int64) {
	for _, s := range sectors {
		_, inside := split(s, set{{minSector, 0}})
		total += inside.size() * int64(a.sector)
	}
	return min(total, maxBytes)
}
