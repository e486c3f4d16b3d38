package latencies

import (
	"fmt"
	"math"

	"gpupipe/idg"
)

// Served says which level of the memory serves the sectors that the executions of
// an instruction class request in one group. The zero value: not known.
type Served struct{ L1, L2, L3, Memory int64 }

// Total is the number of requested sectors.
func (s Served) Total() int64 { return s.L1 + s.L2 + s.L3 + s.Memory }

// String lists the levels with their share of the sectors: "L1 50%, memory 50%".
func (s Served) String() string {
	text := ""
	for _, level := range []struct {
		name    string
		sectors int64
	}{{"L1", s.L1}, {"L2", s.L2}, {"L3", s.L3}, {"memory", s.Memory}} {
		if level.sectors > 0 {
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("%s %.4g%%", level.name, 100*float64(level.sectors)/float64(s.Total()))
		}
	}
	return text
}

// hierarchy turns reuse distances into levels, for a launch on a device of which
// M groups are on each compute unit at once.
//
// Caches are taken to evict the least recently used sector. A group's distance of d
// bytes lies M·d apart in the L1 that it shares with M - 1 others, and M·P·d in what all
// compute units share; but never more than what the launch touches in all. From a
// group to the one n before it there are n times the bytes that each group of the
// launch adds on the average; groups that run at the same time find each other's
// data in any case, because the later request meets the earlier one on its way.
type hierarchy struct {
	perUnit  int64 // M
	resident int64 // M·P: groups of the launch at once
	l1       int64 // bytes of L1 that are left beside local memory
	l2, l3   int64 // bytes; 0 = none
	launch   int64 // bytes that the launch touches; 0 = not known
	perGroup int64 // bytes that a group adds to them
	atWork   int   // compute units that the launch has groups for
	units    int   // P
	cachedBy CachedLoads
	l2Timing Timing // 0 = no figures
	l3Timing Timing
	byInstr  map[idg.InstrID]Served
}

// newHierarchy returns nil for a graph without locality.
func newHierarchy(d *Device, g *idg.Graph, o Options) *hierarchy {
	if g.Locality == nil {
		return nil
	}
	h := &hierarchy{perUnit: o.ConcurrentGroups, byInstr: make(map[idg.InstrID]Served, len(g.Locality))}
	total := g.Launch.TotalGroups()
	h.resident = min(mulCapped(h.perUnit, int64(o.ComputeUnits)), total)
	h.units, h.atWork = o.ComputeUnits, int(min(total, int64(o.ComputeUnits)))
	if f := g.Footprint; f != nil {
		h.launch = addCapped(f.LaunchReadBytes, f.LaunchWrittenBytes)
		h.perGroup = perGroup(h.launch, total)
	}
	m := &d.Memory
	if l1 := m.L1; l1 != nil {
		h.cachedBy, h.l1 = l1.Loads, l1.Bytes
		if l1.Unified {
			h.l1 = max(0, l1.Bytes-mulCapped(h.perUnit, g.Resources.LocalBytes+d.Limits.LocalReserved))
		}
	}
	if m.L2 != nil {
		h.l2, h.l2Timing = m.L2.Bytes, m.L2.Timing
		if far := m.L2.FarLatency; !far.IsZero() && (h.launch == 0 || h.launch > h.l2/2) {
			h.l2Timing.Latency = middle(m.L2.Latency, far)
		}
	}
	if m.L3 != nil {
		h.l3, h.l3Timing = m.L3.Bytes, h.shareOf(m.L3.Timing)
	}
	h.serve(g)
	return h
}

// shareOf is a timing of what all compute units share, of which λ is an equal part for
// each, for those that have a group: a launch of fewer groups than there are compute units
// leaves the others' part to them. What one gets from L2 with all at work is taken for
// the most that it can get from beyond.
func (h *hierarchy) shareOf(t Timing) Timing {
	if h.l2Timing.CPI.IsZero() || h.l2Timing.CPI.Cmp(t.CPI) >= 0 {
		return t
	}
	x := exact{}
	cpi := x.mul(permille(int64(h.atWork), int64(h.units)), t.CPI)
	if x.err != nil {
		return t
	}
	if cpi.Cmp(h.l2Timing.CPI) < 0 {
		cpi = h.l2Timing.CPI
	}
	return Timing{cpi, t.Latency}
}

// serve decides for every class which levels serve it.
func (h *hierarchy) serve(g *idg.Graph) {
	var reads, writes shortfall
	if f := g.Footprint; f != nil {
		sectors := mulCapped(g.Launch.TotalGroups(), idg.SectorBytes)
		reads.sectors = perGroup(f.LaunchReadBytes, sectors)
		if f.LaunchWrittenBytes >= sectors { // else groups write the same places
			writes.sectors = perGroup(f.LaunchWrittenBytes, sectors)
		}
	}
	for i := range g.Locality {
		l := &g.Locality[i]
		a := g.Access(g.Instrs()[l.Instr-1].Access)
		s := h.served(l, h.throughL1(a))
		h.byInstr[l.Instr] = s
		if a != nil && a.Store {
			writes.count(s, s.L2+s.L3)
		} else {
			reads.count(s, firstTouches(l))
		}
	}
	for i := range g.Locality {
		l := &g.Locality[i]
		if a := g.Access(g.Instrs()[l.Instr-1].Access); a != nil && a.Store {
			s := h.byInstr[l.Instr]
			h.byInstr[l.Instr] = writes.fill(s, s.L2+s.L3)
		} else {
			h.byInstr[l.Instr] = reads.fill(h.byInstr[l.Instr], firstTouches(l))
		}
	}
	h.likeOthers(g)
}

// perGroup is a launch's bytes for each of so many parts, rounded up.
func perGroup(bytes, parts int64) int64 {
	if bytes <= 0 {
		return 0
	}
	return (bytes-1)/parts + 1
}

// throughL1 reports whether L1 may serve an access.
func (h *hierarchy) throughL1(a *idg.Access) bool {
	if a == nil || a.Store {
		return false
	}
	return h.cachedBy == AllLoads || h.cachedBy == ReadOnly && a.Space == idg.SpaceImage
}

// shortfall makes up for what one group, and the place of an access, cannot show. The
// group that the graph is of may find everything in the caches because earlier groups have
// brought it there, yet the groups of the launch together bring all of it once. And
// what a store finds there because a load has brought it is written to device memory
// all the same, once, when it is evicted. So of the sectors that a group reads there
// thanks to others, and of those that it writes there, as many are taken from device memory as its part of
// the launch's compulsory traffic is more than what it moves there itself.
type shortfall struct {
	sectors int64 // still to be taken from device memory
	cached  int64 // from which they may be taken, of the classes that have not been filled
}

func (f *shortfall) count(s Served, cached int64) {
	f.sectors -= s.Memory
	f.cached += cached
}

// fill takes the class's part of the shortfall from L2 and L3.
func (f *shortfall) fill(s Served, cached int64) Served {
	if f.sectors <= 0 || f.cached <= 0 || cached == 0 {
		f.cached -= cached
		return s
	}
	part := min(int64(math.Ceil(float64(f.sectors)*float64(cached)/float64(f.cached))), f.sectors, s.L2+s.L3)
	f.sectors -= part
	f.cached -= cached
	fromL2 := min(part, s.L2)
	s.L2, s.L3, s.Memory = s.L2-fromL2, s.L3-(part-fromL2), s.Memory+part
	return s
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

// middle is the latency of a cache whose halves are asked equally often. Data of
// up to half the capacity are held in both halves, so that each compute unit finds
// them in its own (gpu-benches, A100: 213 cycles up to 16 MiB, 427 at 31 MiB).
func middle(near, far Cycles) Cycles {
	x := exact{}
	sum := x.mul(x.add(near, far), Cycles{1, 2})
	if x.err != nil {
		return near
	}
	return sum
}

// served decides for each sector of a class which level it comes from. throughL1
// says that L1 may serve it.
func (h *hierarchy) served(l *idg.Locality, throughL1 bool) Served {
	s := Served{Memory: l.Cold}
	for _, list := range [][]idg.Reuse{l.Warp, l.Group} {
		for _, r := range list {
			if throughL1 && h.apart(r.Distance, h.perUnit) <= h.l1 {
				s.L1 += r.Sectors
				continue
			}
			h.shared(&s, h.apart(r.Distance, h.resident), r.Sectors, false)
		}
	}
	for _, r := range l.Groups {
		h.shared(&s, h.apart(h.perGroup, r.Groups), r.Sectors, r.Groups < h.resident)
	}
	return s
}

// apart is n times so many bytes, at most what the launch touches.
func (h *hierarchy) apart(bytes, n int64) int64 {
	b := mulCapped(bytes, max(n, 1))
	if h.launch > 0 {
		b = min(b, h.launch)
	}
	return b
}

// shared adds sectors to the level of the whole GPU that holds so many bytes.
func (h *hierarchy) shared(s *Served, bytes, sectors int64, atOnce bool) {
	switch l2, l3 := !h.l2Timing.CPI.IsZero(), !h.l3Timing.CPI.IsZero(); {
	case l2 && (atOnce || bytes <= h.l2):
		s.L2 += sectors
	case l3 && (atOnce || bytes <= h.l3):
		s.L3 += sectors
	default:
		s.Memory += sectors
	}
}

// Traffic is what a launch moves between device memory and its caches.
type Traffic struct {
	ReadBytes, WrittenBytes int64
	// CompulsoryReadBytes and CompulsoryWrittenBytes are what no cache can avoid
	// (idg.Footprint); Estimated says that they rest on some of the groups.
	CompulsoryReadBytes, CompulsoryWrittenBytes int64
	Estimated                                   bool
}

// traffic adds up what the classes move; nil without locality.
func (h *hierarchy) traffic(g *idg.Graph, entries []Entry) *Traffic {
	if h == nil || g.Footprint == nil {
		return nil
	}
	f := g.Footprint
	t := &Traffic{CompulsoryReadBytes: f.LaunchReadBytes, CompulsoryWrittenBytes: f.LaunchWrittenBytes, Estimated: f.Estimated}
	for i := range g.Locality { // of the group that stands for the launch
		id := g.Locality[i].Instr
		bytes := mulCapped(mulCapped(entries[id-1].Served.Memory, idg.SectorBytes), g.Launch.TotalGroups())
		if a := g.Access(g.Instr(id).Access); a != nil && a.Store {
			t.WrittenBytes = addCapped(t.WrittenBytes, bytes)
		} else {
			t.ReadBytes = addCapped(t.ReadBytes, bytes)
		}
	}
	return t
}
