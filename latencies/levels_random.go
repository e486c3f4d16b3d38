package latencies

import (
	"cmp"
	"math"

	"gpupipe/idg"
	"gpupipe/idg/isa"
)

// Accesses to places by chance - of known addresses without a pattern, as those of a hash, and of unknown ones that
// are taken to be scattered - find in L2 what happens to be there; for each of the rest device memory fetches a few
// sectors.

// places is an object that accesses by chance touch.
type places struct {
	bytes     float64 // that they can touch; 0 = any, and no place twice
	requested float64 // sectors in the launch
	beside    float64 // bytes that the launch touches elsewhere
}

// foundByChance is the part of the requests to an object that L2 holds, and inL1 that the L1 of a compute unit does,
// through which the unit's share of the requests goes, and of what the launch touches elsewhere. A line is there if
// it was touched within the last requests that together fill the cache (H. Che et al., Hierarchical Web Caching
// Systems, JSAC 2002): with the probability r for which
//
//	bytes·r + beside/requested·lines·(-ln(1 - r)) = capacity
//
// A line of k parts, each of which is fetched when it is asked for, holds the part asked for if the line was there
// when it was touched last, and the part was the same one or was there: r/k / (1 - (k - 1)·r/k). The first
// request for each part finds nothing.
func (h *hierarchy) foundByChance(p places, fetch int64) float64 {
	if h.l2Timing.CPI.IsZero() {
		return 0
	}
	return p.found(float64(h.l2), h.l2Line, fetch)
}

// found is the part of the requests that a cache of so many bytes holds.
func (p places) found(capacity float64, lineBytes, fetch int64) float64 {
	if p.bytes == 0 || p.requested == 0 {
		return 0
	}
	line := float64(max(lineBytes, fetch))
	r := 1.0
	if p.bytes+p.beside > capacity {
		low, high := 0.0, 1.0
		for range 40 {
			r = (low + high) / 2
			if p.bytes*r-p.beside/p.requested*p.bytes/line*math.Log(1-r) > capacity {
				high = r
			} else {
				low = r
			}
		}
	}
	k := line / float64(fetch)
	first := min(1, p.bytes/float64(fetch)/p.requested)
	return (1 - first) * r / (k - (k-1)*r)
}

// inL1 is the part of the requests of reads that are scattered over an object that the L1 of a compute unit holds.
func (h *hierarchy) inL1(m *Memory, o *unknownObject, u unknownAccess) float64 {
	if u.as != Scattered || u.a.Store || o.bytes == 0 || h.l1 == 0 || !h.throughL1(u.in, u.a) {
		return 0
	}
	units := float64(min(h.units, h.atWork.Groups))
	mine := places{bytes: o.bytes, requested: o.requested / units, beside: o.beside / units}
	return mine.found(float64(h.l1), m.L1.LineBytes, h.sector)
}

// pattern reports whether the lanes of an access have places in some order: of three differences between neighbours at
// most, as those of lanes in rows.
func pattern(a *idg.Access) bool {
	different := map[int64]bool{}
	for i := 1; i < len(a.Offsets); i++ {
		different[a.Offsets[i]-a.Offsets[i-1]] = true
	}
	return len(different) <= 3
}

// fetched is how many bytes device memory fetches for a read by chance that misses L2.
func (m *Memory) fetched(sector int64) int64 { return max(sector, m.FetchBytes) }

// reached is an access, and what its addresses are taken to be if they are not known.
type reached struct {
	as Addresses
	a  *idg.Access
}

// unknownAccess is a class of accesses at unknown addresses of device memory.
type unknownAccess struct {
	id        idg.InstrID
	in        *idg.Instr
	a         *idg.Access
	as        Addresses
	sectors   int     // of an execution
	again     float64 // the part of the sectors that is in L1, as the lane was there before
	found     float64 // likewise, or as another one was
	requested float64 // sectors in the launch
}

// nearInL1 is the part of an access's sectors in which its lanes were before, so many bytes away: as far as L1 has
// a line for each lane of the resident warps.
func (h *hierarchy) nearInL1(g *idg.Graph, m *Memory, in *idg.Instr, a *idg.Access) float64 {
	if a.Near <= 0 || a.Near >= h.sector || h.l1 == 0 || !h.throughL1(in, a) {
		return 0
	}
	lines := float64(h.perUnit) * float64(g.Launch.WorkItems()) * float64(max(h.sector, m.L1.LineBytes))
	return (1 - float64(a.Near)/float64(h.sector)) * min(1, float64(h.l1)/lines)
}

// unknownObject are those to one buffer.
type unknownObject struct {
	places
	accesses        []unknownAccess
	scattered, read bool
	anywhere        bool    // how much some of them can reach is not known
	distinct        float64 // bytes that the launch touches of it
	loaded          float64 // bytes of these that it loads
}

// unknowns collects the accesses at unknown addresses by buffer, of which patterns are taken to be as given.
func (h *hierarchy) unknowns(g *idg.Graph, m *Memory, patterns []reached) (list []*unknownObject) {
	executed := make([]float64, len(g.Instrs()))
	for _, k := range g.GroupKinds() {
		for class, n := range k.Graph.GroupTally() {
			executed[class] += float64(n) * float64(k.Groups)
		}
	}
	by := map[string]*unknownObject{}
	for i := range g.Instrs() {
		in := &g.Instrs()[i]
		a := patterns[i].a
		if a == nil || a.Known() || a.Space != idg.SpaceGlobal || !in.Operation().Memory() || executed[i] == 0 {
			continue
		}
		o := by[a.Buffer]
		if o == nil {
			o = &unknownObject{}
			by[a.Buffer] = o
			list = append(list, o)
		}
		u := unknownAccess{id: idg.InstrID(i + 1), in: in, a: a, as: patterns[i].as}
		u.sectors = u.as.segments(m, a, max(1, int(in.Lanes)))
		u.again = h.nearInL1(g, m, in, a)
		u.requested = executed[i] * float64(u.sectors)
		o.accesses, o.requested = append(o.accesses, u), o.requested+(1-u.again)*u.requested
		o.scattered, o.read = o.scattered || u.as == Scattered, o.read || !a.Store
		if !a.Store {
			o.loaded += (1 - u.again) * u.requested
		}
		o.bytes, o.anywhere = max(o.bytes, float64(a.Within)), o.anywhere || a.Within == 0
	}
	for _, o := range list {
		if o.anywhere {
			o.bytes = 0
		}
		each := float64(h.sector)
		if o.scattered && o.read {
			each = float64(m.fetched(h.sector))
		}
		if o.distinct = o.requested * each; o.bytes > 0 {
			o.distinct = min(o.distinct, o.bytes)
		}
		o.loaded = min(o.distinct, o.loaded*each)
	}
	return list
}

// serveUnknown decides which levels serve accesses at unknown addresses. What they can reach counts in what the launch
// touches; where nothing is known of that they touch no place twice.
func (h *hierarchy) serveUnknown(g *idg.Graph, m *Memory, patterns []reached) {
	if g.Footprint == nil {
		return
	}
	list, groups := h.unknowns(g, m, patterns), float64(g.Launch.TotalGroups())
	stores := float64(g.Footprint.UnknownBytes) * groups // counted as coalesced ones already
	for _, o := range list {
		h.unknown = append(h.unknown, o.accesses...)
		h.touchedUnknown += o.distinct
		if o.read {
			h.unknownRead += o.loaded / groups / float64(h.sector)
		}
	}
	known := float64(h.launch) - min(stores, float64(h.launch))
	h.launch = int64(min(known+h.touchedUnknown, math.MaxInt64/4))
	for _, o := range list {
		o.beside = float64(h.launch) - o.distinct
		fetch := h.sector
		if o.scattered && o.read {
			fetch = m.fetched(h.sector)
		}
		beyond := o.places // L1
		for i := range o.accesses {
			u := &o.accesses[i]
			near := h.inL1(m, o, *u) * (1 - u.again)
			u.found = u.again + near
			beyond.requested -= near * u.requested
		}
		found := h.foundByChance(beyond, fetch)
		for _, u := range o.accesses {
			h.byInstr[u.id] = h.unknownServed(u, u.requested/groups, found, fetch, m)
			h.random[u.id] = u.as == Scattered && u.again == 0
		}
	}
}

// unknownServed says which levels serve so many sectors, of which L2 holds a part.
func (h *hierarchy) unknownServed(u unknownAccess, sectors, found float64, fetch int64, m *Memory) (s Served) {
	s = Served{L1: u.found * sectors}
	sectors -= s.L1
	s.L2, s.Memory = found*sectors, (1-found)*sectors
	if u.as != Scattered {
		return s
	}
	switch {
	case !u.a.Store && u.again > 0: // the lane goes on to the sectors beside
	case !u.a.Store:
		s.Filled = s.Memory * (float64(fetch)/float64(h.sector) - 1)
	case u.in.Operation().Verb == isa.Atomic:
		s.WrittenBack = s.Memory
	case int64(u.a.Width) < h.sector:
		s.Filled = s.Memory * max(0, cmp.Or(m.PartialWriteCost.Float(), 1)-1)
	}
	return s
}

// knownPlaces are what reads of known addresses without a pattern touch in the launch, which for want of an order may
// be anywhere in what it reads: those that no group was found to have touched before.
func (h *hierarchy) knownPlaces(g *idg.Graph) (p places) {
	if g.Footprint == nil || h.launch <= h.l2 {
		return p
	}
	groups := float64(g.Launch.TotalGroups())
	for _, t := range h.buffers {
		if t.kind == reading && !pattern(t.a) {
			p.requested += t.share * float64(t.Cold) * groups
		}
	}
	p.bytes = float64(g.Footprint.LaunchReadBytes)
	p.beside = float64(g.Footprint.LaunchWrittenBytes)
	return p
}

// servedByChance serves sectors of such a class that nobody is known to have touched before.
func (h *hierarchy) servedByChance(l *idg.Locality, m *Memory) Served {
	fetch := m.fetched(h.sector)
	found := h.foundByChance(h.chance, fetch)
	s := Served{L2: found * float64(l.Cold), Memory: (1 - found) * float64(l.Cold)}
	s.Filled = s.Memory * (float64(fetch)/float64(h.sector) - 1)
	h.random[l.Instr] = true
	return s
}
