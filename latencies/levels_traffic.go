package latencies

import (
	"math"

	"gpupipe/idg"
	"gpupipe/idg/isa"
)

// Traffic is what a launch moves between device memory and its caches.
type Traffic struct {
	ReadBytes, WrittenBytes int64
	// LeftBytes are those of WrittenBytes that are still in L2 when the launch ends, which counters of hardware miss.
	LeftBytes int64
	// CompulsoryReadBytes and CompulsoryWrittenBytes are what no cache can avoid: the sectors that are read
	// (idg.Footprint), and the bytes that are stored. Estimated says that they rest on some of the groups.
	CompulsoryReadBytes, CompulsoryWrittenBytes int64
	Estimated                                   bool
	Partial                                     bool // without accesses at addresses that are not known
	// L2ReadSectors, L2WrittenSectors and L2UpdatedSectors are those that L2 serves, of loads, stores and atomics. A
	// sector that passes both halves of L2 counts twice, as counters of hardware do.
	L2ReadSectors, L2WrittenSectors, L2UpdatedSectors float64
}

// compulsory corrects what one group, and the place of an access, cannot show by what
// the launch moves at least. All is in sectors of one group on the average: a
// group that stores 4 bytes moves an eighth of a sector if its neighbours fill the rest.
//
// The group that the graph is of may find everything in the caches because earlier
// groups have brought it there, yet the groups of the launch together bring all of it
// once; or it may be the one that brings what seven others find. And what a store or an
// atomic finds there because a load has brought it is written to device memory all
// the same, once, when it is evicted.
type compulsory struct {
	known         bool
	reads, writes due
	inL1          map[idg.InstrID]float64 // first touches of each class that L1 serves, which move nothing
}

// due is one direction of the traffic.
type due struct {
	all     float64 // the launch's compulsory traffic
	sectors float64 // of it; from count on, what no class moves yet
	cold    float64 // that nobody touched before, as the group shows it
	cached  float64 // from which the rest may be taken, of the classes that have not been filled
}

// newCompulsory adds up what nobody touched before.
func newCompulsory(g *idg.Graph, list []touching) *compulsory {
	c := &compulsory{known: g.Footprint != nil, inL1: map[idg.InstrID]float64{}}
	if !c.known {
		return c
	}
	sectors := float64(g.Launch.TotalGroups()) * float64(g.SectorBytes())
	c.reads.all, c.writes.all = float64(g.Footprint.LaunchReadBytes)/sectors,
		float64(g.Footprint.LaunchWrittenBytes)/sectors
	c.reads.sectors, c.writes.sectors = c.reads.all, c.writes.all
	for _, t := range list {
		c.direction(t.kind).cold += t.share * float64(t.Cold)
	}
	return c
}

// kindOfAccess tells what an access does to a sector.
type kindOfAccess int

const (
	reading kindOfAccess = iota + 1
	writing
	updating // an atomic: both
)

func accessKind(in *idg.Instr, a *idg.Access) kindOfAccess {
	switch {
	case a == nil || !a.Store:
		return reading
	case in.Operation().Verb == isa.Atomic:
		return updating
	}
	return writing
}

// direction is where what an access finds for the first time is counted: an atomic reads it.
func (c *compulsory) direction(k kindOfAccess) *due {
	if k == writing {
		return &c.writes
	}
	return &c.reads
}

// brought is the part of the sectors that nobody touched before which a group brings
// on the average. No more than the launch's compulsory traffic can be such.
func (c *compulsory) brought(k kindOfAccess) float64 {
	d := c.direction(k)
	if !c.known || d.cold <= d.sectors {
		return 1
	}
	return d.sectors / d.cold
}

// count subtracts what a class moves, and adds what of it may be moved besides: what
// a group reads in a cache thanks to others, and what it writes there.
func (c *compulsory) count(t touching, s Served) {
	d := c.direction(t.kind)
	d.sectors -= t.share * s.Memory
	switch t.kind {
	case writing:
		d.cached += t.share * (s.L2 + s.L3)
	case updating:
		c.writes.cached += t.share * s.Total()
		fallthrough
	default:
		d.cached += t.share * c.found(t)
	}
}

// fill takes the class's part of what is due from L2 and L3.
func (c *compulsory) fill(t touching, s Served) Served {
	cached := c.found(t)
	switch t.kind {
	case writing:
		cached = s.L2 + s.L3
	case updating:
		s.WrittenBack = c.writes.part(s.Total(), s.Total(), t.share)
	}
	part := c.direction(t.kind).part(cached, s.L2+s.L3, t.share)
	fromL2 := min(part, s.L2)
	s.L2, s.L3, s.Memory = s.L2-fromL2, s.L3-(part-fromL2), s.Memory+part
	return s
}

// part is the part of what is due of a class with so many cached sectors, most at most, in
// sectors of the group, of which the launch's groups have a share on the average.
func (d *due) part(cached, most, share float64) float64 {
	cached, most = share*cached, share*most
	if d.sectors <= 0 || d.cached <= 0 || cached <= 0 {
		d.cached -= cached
		return 0
	}
	part := min(d.sectors*(cached/d.cached), d.sectors, most)
	d.sectors -= part
	d.cached -= cached
	return part / share
}

// found are the sectors that the group touches for the first time, and that others have
// brought below L1.
func (c *compulsory) found(t touching) float64 {
	return float64(firstTouches(t.Locality)) - c.inL1[t.Instr]
}

// firstTouches are the sectors that the group touches for the first time, after
// other groups.
func firstTouches(l *idg.Locality) int64 {
	n := int64(0)
	for _, r := range l.Groups {
		n += r.Sectors
	}
	return n
}

// passL2 adds up the sectors that pass L2. What is written or updated passes both halves where the farther one has it,
// and what is read only if it is not found: the nearer half keeps a copy.
func (h *hierarchy) passL2(g *idg.Graph, out *Traffic) {
	groups := float64(g.Launch.TotalGroups())
	add := func(id idg.InstrID, in *idg.Instr, a *idg.Access, sectors int, share float64) {
		s := h.byInstr[id]
		n := share * groups * (s.L2 + s.L3 + s.Memory)
		switch {
		case in.Operation().Verb == isa.Atomic:
			passes := h.passes(a, int(in.Lanes), max(h.l2Line, h.sector)).sectors
			out.L2UpdatedSectors += (1 + h.crossing) * n * passes / float64(max(1, sectors))
		case a.Store:
			out.L2WrittenSectors += h.unmerged(id)*(1+h.crossing)*n + share*groups*s.Filled
		default:
			out.L2ReadSectors += n + h.crossing*share*groups*(s.L3+s.Memory+s.Filled)
		}
	}
	for _, t := range h.all {
		add(t.Instr, t.in, t.a, Transactions(t.a, int(h.sector)), t.share)
	}
	for _, u := range h.unknown {
		add(u.id, u.in, u.a, u.sectors, 1)
	}
}

// traffic is what the classes move in all; nil without locality.
func (h *hierarchy) traffic(g *idg.Graph) *Traffic {
	if h == nil || g.Footprint == nil {
		return nil
	}
	f := g.Footprint
	t := &Traffic{CompulsoryReadBytes: f.LaunchReadBytes + wholeBytes(h.unknownRead*float64(g.SectorBytes())*
		float64(g.Launch.TotalGroups())),
		CompulsoryWrittenBytes: f.LaunchWrittenBytes - min(f.LaunchWrittenBytes,
			wholeBytes(h.unwritten*float64(g.Launch.TotalGroups()))), Estimated: f.Estimated}
	all := float64(g.Launch.TotalGroups()) * float64(g.SectorBytes())
	t.ReadBytes, t.WrittenBytes = wholeBytes(h.read*all), wholeBytes(h.written*all)
	if h.kept > 0 { // what an earlier launch has left is not moved
		t.CompulsoryReadBytes = min(t.CompulsoryReadBytes, t.ReadBytes)
		t.CompulsoryWrittenBytes = min(t.CompulsoryWrittenBytes, t.WrittenBytes)
	}
	t.LeftBytes = wholeBytes(float64(t.WrittenBytes) * h.residency.left(h.launch))
	h.passL2(g, t)
	for i := range g.Instrs() {
		a := g.Access(g.Instrs()[i].Access)
		t.Partial = t.Partial || a != nil && a.Space == idg.SpaceGlobal && !a.Known() &&
			h.byInstr[idg.InstrID(i+1)] == (Served{})
	}
	return t
}

// wholeBytes rounds to a number of bytes that fits.
func wholeBytes(bytes float64) int64 {
	if bytes >= math.MaxInt64/2 {
		return math.MaxInt64
	}
	return int64(math.Round(bytes))
}
