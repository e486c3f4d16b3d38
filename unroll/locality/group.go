package locality

import (
	"cmp"
	"math/bits"
	"slices"

	"gpupipe/idg"
)

// first is a sector that the group touches for the first time.
type first struct {
	sector int64
	instr  idg.InstrID
}

// firstRow is sectors that a repeat touches for the first time: first, moved by
// step for each of n repetitions, by 0 in the first of them.
type firstRow struct {
	buffer BufferID
	first
	step, n int64
}

// within is how many of them are in a span.
func (f *firstRow) within(s span) int64 {
	// sector + k*step in s
	lo, hi, step := s.lo-f.sector, s.hi-f.sector, f.step
	if step < 0 {
		lo, hi, step = 1-hi, 1-lo, -step
	}
	return max(0, min(f.n, -floorDiv(-hi, step))-max(0, -floorDiv(-lo, step)))
}

// in is how many of them are in a set.
func (f *firstRow) in(sectors set) (n int64) {
	lo, hi := f.sector, f.sector+(f.n-1)*f.step
	lo, hi = min(lo, hi), max(lo, hi)
	from, _ := slices.BinarySearchFunc(sectors, lo, func(s span, lo int64) int { return cmp.Compare(s.hi, lo+1) })
	end, _ := slices.BinarySearchFunc(sectors, hi, func(s span, hi int64) int { return cmp.Compare(s.lo, hi+1) })
	sectors = sectors[from:end]
	if int64(len(sectors)) < f.n/few {
		for _, s := range sectors {
			n += f.within(s)
		}
		return n
	}
	step := max(f.step, -f.step)
	for _, s := range sectors {
		for ; lo < s.lo; lo += step {
		}
		for ; lo < s.hi && lo <= hi; lo += step {
			n++
		}
	}
	return n
}

// few is how many sectors are passed over in the time of two divisions.
const few = 16

// group is what one group touches.
type group struct {
	sector sectorSize
	counts map[idg.InstrID]*counts
	order  []idg.InstrID // of counts, ascending
	// firsts are, by buffer, the group's first touches in ascending order.
	firsts  map[BufferID][]first
	rows    []firstRow // more of them
	buffers []BufferID // of both, ascending
	touched int64      // sectors, over all instructions
	cut     bool       // not all touches are counted
	// distinct is how many different sectors were counted.
	distinct int64
}

// counts are the sectors of one class by distance: element k counts distances of
// 2^k sectors.
type counts struct {
	total       int64
	warp, group distances
	cold        int64
	first       [warpSlots]int64 // first touches by warp
	warps       uint64           // a bit for each warp that executes the class
	groups      map[toucher]int64
	shared      int64 // of the first touches, those of sectors that every group touches
}

// warpSlots is how many warps are told apart: at least as many as the groups of GPUs have.
const warpSlots = 64

// counter counts the reuse within a group.
type counter struct {
	*group
	shapes *Shapes
	table  *table
	stack  *stack
	limit  int64 // of sectors that are counted one by one
	work   int64 // how many were
	search int64 // rows of strides that were looked at
	walks  int64 // sectors of the table that were
	given  bool  // too many were

	whole    bool        // every repetition is counted one by one
	quiet    int64       // phases up to which no stretch is looked for
	unknown  bool        // reuse is not counted: it is known
	recorded *[]position // what is touched is noted here; nil = nobody asks
	hits     []hit       // what was taken out of strides in the current unit
}

// analyse counts the reuse within a group, up to a limit of sector touches that are
// counted one by one.
func analyse(shapes *Shapes, warps []Warp, sector sectorSize, limit int64) *group {
	c := newCounter(shapes, warps, sector, limit)
	if c.count(newOrder(warps, sector)); c.given {
		c = newCounter(shapes, warps, sector, limit)
		c.whole = true
		c.count(newOrder(warps, sector))
	}
	return c.finish()
}

func newCounter(shapes *Shapes, warps []Warp, sector sectorSize, limit int64) *counter {
	g := &group{sector: sector, counts: map[idg.InstrID]*counts{}, firsts: map[BufferID][]first{}}
	for i := range warps {
		g.cut = g.cut || warps[i].Cut
	}
	t := newTable(len(warps))
	return &counter{group: g, shapes: shapes, table: t, stack: newStack(t), limit: limit}
}

// count goes through the touches of a group.
func (c *counter) count(o *order) {
	for o.begin() {
		if o.begun > maxPhases {
			c.cut = true
			return
		}
		if !c.whole && o.begun > c.quiet {
			if s := o.stretchOfPhases(); s != nil {
				c.repeat(s)
				c.quiet = o.begun + s.left()
			}
		}
		for {
			if o.entered && !c.whole && !o.stopped {
				o.entered = false
				if s := o.stretchOfTurns(); s != nil {
					c.repeat(s)
				}
			}
			if !o.step(c.visit) {
				break
			}
		}
	}
}

// visit counts the sectors of a touch.
func (c *counter) visit(w int, x *Touch, start, drift int64) bool {
	if c.work >= c.limit || c.given {
		c.cut = true
		return false
	}
	n := c.counts[x.Instr]
	if n == nil {
		n = &counts{}
		c.counts[x.Instr] = n
	}
	n.warps |= 1 << (w % warpSlots)
	sh := c.shapes.at(x.Shape)
	next := int64(minSector)
	for _, sp := range sh.spans {
		r := c.sector.of(span{sp.lo + start, sp.hi + start})
		for sector := max(r.lo, next); sector < r.hi; sector++ {
			c.work++
			if c.recorded != nil {
				*c.recorded = append(*c.recorded, position{sh.buffer, drift, sector})
			}
			p, i := c.table.at(sh.buffer, sector)
			var same bool
			var d int
			if p.time[i] == 0 && len(c.stack.strides) > 0 {
				d, same = c.recall(p, i, w, sector, x.Instr)
			} else {
				same, d = c.table.mark(p, i, w), c.stack.touch(p, i)
			}
			if c.unknown {
				continue
			}
			c.touched++
			n.total++
			switch {
			case d == 0:
				c.firsts[sh.buffer] = append(c.firsts[sh.buffer], first{sector, x.Instr})
				n.first[w%warpSlots]++
			case same:
				n.warp[classOf(int64(d))]++
			default:
				n.group[classOf(int64(d))]++
			}
		}
		next = r.hi
	}
	return true
}

// maxSearch bounds the rows of strides that are looked at.
const maxSearch = 1 << 28

// recall touches a sector that is not in the table, but may be in a stride. It returns its
// distance, 0 if it is in none, and whether the warp has touched it before.
func (c *counter) recall(p *page, i, w int, sector int64, instr idg.InstrID) (distance int, same bool) {
	distance, at := c.stack.take(p.key.buffer, sector)
	if distance > 0 {
		copy(c.table.warps(p, i), at.seen)
		for _, s := range c.stack.strides {
			c.search += int64(s.pieces())
		}
		c.given = c.given || c.search > maxSearch
	}
	same = c.table.mark(p, i, w)
	if distance > 0 {
		c.hits = append(c.hits, hit{at, instr, sector, distance, same})
	}
	c.stack.touch(p, i)
	return distance, same
}

func (c *counter) finish() *group {
	g := c.group
	g.distinct = int64(c.stack.live)
	for _, s := range c.stack.strides {
		g.distinct += int64(s.live)
	}
	// Stores at unknown addresses count for the others' distances only.
	delete(g.counts, 0)
	delete(g.firsts, unknownBuffer)
	g.rows = slices.DeleteFunc(g.rows, func(r firstRow) bool { return r.buffer == unknownBuffer })
	for b, list := range g.firsts {
		slices.SortFunc(list, func(a, b first) int { return cmp.Compare(a.sector, b.sector) })
		g.addBuffer(b)
	}
	for i := range g.rows {
		g.addBuffer(g.rows[i].buffer)
	}
	for id := range g.counts {
		g.order = append(g.order, id)
	}
	slices.Sort(g.order)
	return g
}

func (g *group) addBuffer(b BufferID) {
	if i, found := slices.BinarySearch(g.buffers, b); !found {
		g.buffers = slices.Insert(g.buffers, i, b)
	}
}

// minSector is below every sector.
const minSector = -1 << 62

// locality returns the records of the group's classes.
func (g *group) locality() []idg.Locality {
	out, leader := make([]idg.Locality, 0, len(g.order)), g.leader()
	for _, id := range g.order {
		c := g.counts[id]
		l := idg.Locality{Instr: id, Sectors: c.total, Warp: g.reuses(&c.warp), Group: g.reuses(&c.group), Cold: c.cold,
			Shared: c.shared}
		for n, sectors := range c.groups {
			l.Groups = append(l.Groups, idg.GroupReuse{Groups: n.back, Distance: n.apart, Ahead: n.ahead,
				InStep: n.inStep, Sectors: sectors})
		}
		first := c.cold
		for _, sectors := range c.groups {
			first += sectors
		}
		if n := min(c.first[leader]*int64(bits.OnesCount64(c.warps)), c.total); n > first {
			l.Leading = n
		}
		slices.SortFunc(l.Groups, idg.GroupReuse.Compare)
		out = append(out, l)
	}
	return out
}

// leader is the warp that touches most for the first time.
func (g *group) leader() (warp int) {
	var first [warpSlots]int64
	for _, c := range g.counts {
		for w, n := range c.first {
			first[w] += n
		}
	}
	for w, n := range first {
		if n > first[warp] {
			warp = w
		}
	}
	return warp
}

func (g *group) reuses(by *distances) []idg.Reuse {
	var out []idg.Reuse
	for k, n := range by {
		if n > 0 {
			out = append(out, idg.Reuse{Distance: int64(g.sector) * mostOf(k), Sectors: n})
		}
	}
	return out
}

// toucher is the nearest earlier group that touches a sector; the zero value: there is none.
type toucher struct {
	back int64 // how many groups earlier
	meeting
}

// settle says which the nearest earlier toucher is of the first touches of a buffer's sectors in a set.
func (g *group) settle(b BufferID, sectors set, by toucher) {
	g.firstIn(b, sectors, func(c *counts, n int64) { c.settle(n, by) })
}

// share says that every group touches some sectors of a buffer.
func (g *group) share(b BufferID, sectors set) {
	g.firstIn(b, sectors, func(c *counts, n int64) { c.shared += n })
}

// firstIn calls found for the first touches of a buffer's sectors in a set, class by class
// and a number of them at a time.
func (g *group) firstIn(b BufferID, sectors set, found func(c *counts, n int64)) {
	list := g.firsts[b]
	for _, s := range sectors {
		i, _ := slices.BinarySearchFunc(list, s.lo, func(f first, lo int64) int { return cmp.Compare(f.sector, lo) })
		for ; i < len(list) && list[i].sector < s.hi; i++ {
			found(g.counts[list[i].instr], 1)
		}
	}
	for i := range g.rows {
		f := &g.rows[i]
		if f.buffer == b {
			found(g.counts[f.instr], f.in(sectors))
		}
	}
}

func (c *counts) settle(sectors int64, by toucher) {
	switch {
	case sectors == 0:
		return
	case by == toucher{}:
		c.cold += sectors
		return
	case c.groups == nil:
		c.groups = map[toucher]int64{}
	}
	c.groups[by] += sectors
}

// firstSectors is the set of a buffer's sectors that the group touches.
func (g *group) firstSectors(b BufferID) set {
	var out builder
	for _, f := range g.firsts[b] {
		out.add(span{f.sector, f.sector + 1})
	}
	type together struct{ step, n int64 }
	var keys []together
	alike := map[together][]span{}
	for i := range g.rows {
		if f := &g.rows[i]; f.buffer == b {
			k := together{f.step, f.n}
			if alike[k] == nil {
				keys = append(keys, k)
			}
			alike[k] = append(alike[k], span{f.sector, f.sector + 1})
		}
	}
	all := out.set()
	for _, k := range keys {
		s, _ := repeated(normalised(alike[k]), k.step, k.n, maxSpans)
		all = union(all, s)
	}
	return all
}
