package latencies

import (
	"fmt"
	"math"
	"slices"

	"gpupipe/idg"
)

// bypassingBytes is the width of asynchronous copies that bypass L1 (PTX ISA, cp.async: .cg, which
// is for 16 bytes alone; LDGSTS.BYPASS in nvcc's machine code).
const bypassingBytes = 16

// Served says which level of the memory serves the sectors that the executions of
// an instruction class request in one group, on the average over the launch: one of
// four groups may bring a sector that the others find. The zero value: not known.
type Served struct {
	L1, L2, L3, Memory float64
	// WrittenBack are the sectors that device memory gets back because atomics have
	// changed them, beside those that it serves.
	WrittenBack float64
	// Filled are the sectors that device memory is read for because stores write them in part.
	Filled float64
}

// Total is the number of requested sectors.
func (s Served) Total() float64 { return s.L1 + s.L2 + s.L3 + s.Memory }

// String lists the levels with their share of the sectors: "L1 50%, memory 50%".
func (s Served) String() string {
	text := ""
	for _, level := range []struct {
		name    string
		sectors float64
	}{{"L1", s.L1}, {"L2", s.L2}, {"L3", s.L3}, {"memory", s.Memory}, {"written back", s.WrittenBack},
		{"filled", s.Filled}} {
		if level.sectors > 0 {
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("%s %.4g%%", level.name, 100*level.sectors/s.Total())
		}
	}
	return text
}

// hierarchy turns reuse distances into levels, for a launch on a device of which
// M groups are on each compute unit at once.
//
// Caches are taken to evict the least recently used sector. A group's distance of d
// bytes lies M·d apart in the L1 that it shares with M - 1 others, and M·P·d in what all
// compute units share, as the others touch meanwhile as much as it does; but never more than
// all that so many groups touch, what every group of the launch touches counted once (between),
// or the launch. Nor, where all share, is it more than what
// the groups touch that run while one of them does: 2·M·P consecutive ones, which share data. From a
// group to the one n before it there is what n consecutive groups touch (sinceGroup); groups that
// run at the same time find each other's data if they come for it at the same time, as the later request meets the
// earlier one on its way, and else as a group finds its own if as much is touched between; in L1 what
// every group touches, as the others on the unit do (foundInL1). Where all are resident at once that holds of what they
// read again beyond L2, too (sharedAgain).
type hierarchy struct {
	perUnit  int64 // M
	resident int64 // M·P: groups of the launch at once
	l1       int64 // bytes of L1 that are left beside local memory
	l2, l3   int64 // bytes; 0 = none
	launch   int64 // bytes that the launch touches; 0 = not known
	perGroup int64 // bytes that a group adds to them
	// bytes that a group touches: those that others do not, and those that all do
	own, common int64
	inFlight    int64                    // bytes that groups touch while one of them runs, at most
	consecutive func(groups int64) int64 // bytes that so many consecutive groups touch; 0 = not known
	// bytes between two times at which groups at once come for a sector, at least; 0 = not known
	sinceLast int64
	fresh     float64 // the part of what groups at once read that none has read before, see freshReads
	atWork    UnitsAtWork
	units     int64 // P
	cachedBy  CachedLoads
	l2Timing  Timing // 0 = no figures
	l3Timing  Timing
	byInstr   map[idg.InstrID]Served
	waited    map[idg.InstrID]Served // what is waited for of those of which that is not what serves them
	sector    int64                  // bytes
	// sectors that device memory reads and writes for a group, on the average over the launch
	read, written float64
	mixing        float64                 // how many times as long it takes for these as for reads alone
	sparse        map[idg.InstrID]float64 // how many times as many bytes the lines of these have
	updated       map[idg.InstrID]float64 // words that an updating class updates in the launch: see countUpdated
	evicted       float64                 // sectors that L2 writes back for a group, on the average over the launch
	unwritten     float64                 // bytes in these that nobody stores
	l2Line        int64                   // bytes of a tag of L2
	crossing      float64                 // the part of L2 that is in its farther half
	l2All         int64                   // bytes of L2 without copies in its nearer half
	residency     residency               // of L2
	turns         []int64                 // of turnsOf
	inTurns       bool                    // groups begin one after the other and stay so far behind: see betweenGroups
	all, buffers  []touching              // classes with a locality; those of them that access no private memory
	random        map[idg.InstrID]bool    // classes that touch places by chance
	chance        places                  // of those at known addresses
	// classes at unknown addresses, what the launch touches with them, and the sectors that it reads of that for a
	// group
	unknown        []unknownAccess
	touchedUnknown float64
	unknownRead    float64
	// the part of what the launch touches that an earlier one has left in a cache
	kept   float64
	merged map[idg.InstrID]float64 // the part of the sectors of storing classes that go to L2 with earlier ones
	lines  float64                 // bytes of the lines that the launch touches, for each that it touches
	pairs  float64                 // how many times as many sectors device memory fetches as reads miss
}

// newHierarchy returns nil for a graph without locality. ratios are R of the classes of which it is given, patterns
// the accesses, and what their addresses are taken to be if they are not known (nil: nothing).
func newHierarchy(d *Device, g *idg.Graph, o Options, ratios map[idg.InstrID]Cycles,
	patterns []reached) *hierarchy {
	if g.Locality == nil {
		return nil
	}
	h := &hierarchy{perUnit: o.ConcurrentGroups, byInstr: make(map[idg.InstrID]Served, len(g.Locality)),
		waited: map[idg.InstrID]Served{}, random: map[idg.InstrID]bool{}, sector: g.SectorBytes(),
		updated: map[idg.InstrID]float64{}, sparse: map[idg.InstrID]float64{}, lines: 1, all: touchings(g),
		own: math.MaxInt64, inFlight: math.MaxInt64, mixing: 1}
	h.buffers = slices.DeleteFunc(slices.Clone(h.all), touching.private)
	total := g.Launch.TotalGroups()
	h.resident = min(mulCapped(h.perUnit, int64(o.ComputeUnits)), total)
	h.units = int64(o.ComputeUnits)
	h.atWork = UnitsAtWork{total, (total-1)/h.units + 1}
	if f := g.Footprint; f != nil {
		h.launch = addCapped(addCapped(f.LaunchReadBytes, fresh(g, h.all)), mulCapped(f.UnknownBytes, total))
		h.perGroup = perGroup(h.launch, total)
		group := addCapped(f.ReadBytes, f.WrittenBytes)
		h.own, h.common = group-min(group, f.SharedBytes)+f.UnknownBytes, f.SharedBytes
		h.consecutive = func(n int64) int64 { return consecutive(f, &g.Launch, n) }
		h.sinceLast = sinceLast(f, &g.Launch, h.resident)
		h.fresh = freshReads(f, &g.Launch, h.resident)
		if h.inFlight = consecutive(f, &g.Launch, addCapped(1, mulCapped(2, h.resident))); h.inFlight == 0 {
			h.inFlight = addCapped(h.own+h.common, mulCapped(h.perGroup, mulCapped(2, h.resident)))
		}
	}
	h.turns = turnsOf(g)
	h.inTurns = h.resident < total && h.straight(g)
	m := &d.Memory
	if l1 := m.L1; l1 != nil {
		h.cachedBy, h.l1 = l1.Loads, l1.Bytes
		if l1.Unified {
			h.l1 = max(0, l1.Bytes-mulCapped(h.perUnit, g.Resources.LocalBytes+d.Limits.LocalReserved))
		}
	}
	if m.L2 != nil {
		h.l2, h.l2All, h.l2Timing, h.l2Line = m.L2.Holds(), m.L2.Bytes, m.L2.Timing, m.L2.LineBytes
		h.residency = m.L2.residency()
		h.crossing = m.L2.Crossing.Float()
		if far := m.L2.FarLatency; !far.IsZero() && (h.launch == 0 || h.launch > h.l2/2) {
			h.l2Timing.Latency = middle(m.L2.Latency, far)
		}
	}
	h.keepLines(g, m)
	if m.L3 != nil {
		h.l3, h.l3Timing = m.L3.Bytes, m.L3.scaled(h.shareOf(m.L3.CPI))
	}
	if patterns != nil {
		h.serveUnknown(g, m, patterns)
	}
	h.serve(g, m)
	warm := o.Warm && h.warmCache() != ""
	if warm {
		h.leftBefore(g)
	}
	h.servePrivate(g)
	h.giveRatios(g, ratios)
	h.makeConsecutive(g, m, o.Consecutive)
	if o.LeastTraffic {
		h.moveLeast(g)
	}
	if o.WholeWrites {
		h.writeWhole()
	}
	read, written := h.moved(g, h.all, warm)
	h.mixing = mixing(read, written, m.CopyCost)
	h.read, h.written = h.moved(g, h.buffers, warm)
	return h
}

// ofMemory is the timing of device memory in this launch, for an entry of it.
func (h *hierarchy) ofMemory(t Timing) Timing { return t.scaled(h.mixing * h.shareOf(t.CPI)) }

// scaled is the timing with so many times its λ.
func (t Timing) scaled(factor float64) Timing {
	x := exact{}
	if cpi := x.mul(permille(factor, 1), t.CPI); factor != 1 && x.err == nil {
		t.CPI = cpi
	}
	return t
}

// shareOf is what is left of a λ that is an equal part for each compute unit of what all
// share, on the average over the groups of a unit that runs most of them: k that every unit runs,
// and one more that only some run. These share out what the others do not ask for, so that together they
// move as much as the memory can. What one gets from L2 with all at work is taken
// for the most that it can get from beyond.
func (h *hierarchy) shareOf(cpi Cycles) float64 {
	k, rest := h.atWork.Groups/h.units, float64(h.atWork.Groups%h.units)/float64(h.units)
	if rest == 0 || h.l2Timing.CPI.IsZero() || h.l2Timing.CPI.Cmp(cpi) >= 0 {
		return 1
	}
	rest = max(rest, h.l2Timing.CPI.Float()/cpi.Float())
	return (float64(k) + rest) / float64(k+1)
}

// working is the part of the compute units that ask for what L2 gives all together, on the average over the waves.
func (h *hierarchy) working() float64 {
	return float64(h.atWork.Groups) / float64(h.atWork.PerUnit*h.units)
}

// serve decides for every class which levels serve it.
func (h *hierarchy) serve(g *idg.Graph, m *Memory) {
	c := newCompulsory(g, h.buffers)
	h.chance = h.knownPlaces(g)
	together, beyond := make([]atOnce, len(h.buffers)), make([]Served, len(h.buffers))
	for i, t := range h.buffers {
		l, through := t.Locality, h.throughL1(t.in, t.a)
		left := h.leftInL1(l, through)
		s, others := h.served(l, left, c.brought(t.kind), h.filled(t.a))
		if h.chance.requested > 0 && t.kind == reading && !pattern(t.a) && l.Cold > 0 {
			known := *l
			known.Cold = 0
			s, others = h.served(&known, left, 1, 1)
			s = s.plus(h.servedByChance(l, m))
		}
		again := h.touchedAgain(l, through)
		beyond[i] = h.sharedAgain(t.kind, l, again)
		h.byInstr[l.Instr], together[i] = s.plus(again.less(beyond[i])), others
		c.inL1[l.Instr] = left
	}
	for _, t := range h.buffers {
		c.count(t, h.byInstr[t.Instr])
	}
	h.countUpdated(g)
	for i, t := range h.buffers {
		s, met := h.meetAgain(c.fill(t, h.byInstr[t.Instr]), t.Locality, beyond[i])
		h.byInstr[t.Instr] = s
		together[i].all += met
	}
	h.fillPartial(g, c, m.PartialWriteCost)
	h.mergeStores(g, m.WriteMerge)
	h.fetchPairs()
	h.pending(g, together)
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
func (h *hierarchy) throughL1(in *idg.Instr, a *idg.Access) bool {
	if a == nil || a.Store || in.IsAsync() && a.Width >= bypassingBytes {
		return false
	}
	return h.cachedBy == AllLoads || h.cachedBy == ReadOnly && a.Space == idg.SpaceImage
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

// atOnce are sectors that are found because other groups touch them at the same time, and those of them that these
// touch at the same place of their programs.
type atOnce struct{ all, inStep float64 }

// served decides for each sector that the group touches for the first time which level it comes from. left says how
// many first touches L1 serves, brought which part of the sectors that nobody touched
// before come from device memory: the others do because other groups touch them at the same time, or, where that would
// be fewer groups than are not resident at once if the launch's sectors were touched in turns, before. filled is the
// part of a sector that the group touches: its neighbours touch the rest. together are those of the sectors that are
// found because of these.
func (h *hierarchy) served(l *idg.Locality, left, brought, filled float64) (s Served, together atOnce) {
	s.Memory = brought * float64(l.Cold)
	together.all = float64(l.Cold) - s.Memory
	turn := brought / filled
	if apart := turn * float64(h.atWork.Groups); turn < 1 && apart > float64(h.resident) {
		h.shared(&s, h.between(h.own, int64(apart)), together.all, false)
	} else {
		h.shared(&s, 0, together.all, true)
	}
	s.L1 += left
	for _, r := range l.Groups {
		n := float64(r.Sectors) * (1 - left/float64(firstTouches(l)))
		bytes, before := h.betweenGroups(&r), s.L2
		h.shared(&s, bytes, n, bytes == 0)
		if r.Groups >= h.resident || r.Distance > 0 {
			continue
		}
		if bytes > 0 {
			n = s.L2 - before
		}
		together.all += n
		if r.InStep {
			together.inStep += n
		}
	}
	if h.resident < h.atWork.Groups { // what all groups touch some touch at any time, which are at other places
		others := max(0, float64(l.Shared)-left)
		together = atOnce{max(0, together.all-others), max(0, together.inStep-others)}
	}
	return s, together
}

// filled is the part of the sectors that an access touches which its lanes touch; 1 where that is not known.
func (h *hierarchy) filled(a *idg.Access) float64 {
	if !a.Known() {
		return 1
	}
	return float64(Transactions(a, 1)) / float64(int64(Transactions(a, int(h.sector)))*h.sector)
}

// leftInL1 is how many of the sectors that earlier groups have touched, and that the group touches for the
// first time, these have left in L1.
func (h *hierarchy) leftInL1(l *idg.Locality, throughL1 bool) float64 {
	if !throughL1 {
		return 0
	}
	return h.foundInL1() * float64(min(l.Shared, firstTouches(l)))
}

// foundInL1 is the part of what all groups touch that a group finds in L1 when it touches it for
// the first time, on the average: thanks to the M - 1 others that are resident, which touch
// it at the same time if they are in step, or else an M-th of a group's time earlier, in which M
// groups touch no more than one has of its own; and thanks to the one before, if L1 holds what
// the M last groups and those now resident touch. The first group on each unit finds nothing.
func (h *hierarchy) foundInL1() float64 {
	found := 0.0
	if h.common > 0 && addCapped(h.own, h.common) <= h.l1 {
		found = 1 - 1/float64(h.perUnit)
	}
	if h.common > 0 && addCapped(mulCapped(h.own, mulCapped(2, h.perUnit)), h.common) <= h.l1 {
		found = 1
	}
	return min(found, 1-float64(min(h.units, h.atWork.Groups))/float64(h.atWork.Groups))
}

// between is what n resident groups touch between two touches by one of them that are so many
// bytes of its own apart: each as much, but together no more than the n own parts and what
// all groups have in common. A footprint in which the distance, rounded up to a power of two, has
// no place is that of a part of the group.
func (h *hierarchy) between(bytes, n int64) int64 {
	b := h.apart(bytes, n)
	if addCapped(h.own, h.common) <= bytes/2 {
		return b
	}
	return min(b, addCapped(mulCapped(h.own, max(n, 1)), h.common))
}

// betweenGroups is how many bytes all groups touch between the touches of a group and an earlier one. Groups that run
// at the same time are taken to have begun together, but those of a straight program: such a group has all its requests
// under way at once, ends when they are served, one group after the other, and makes room for the next. So they are in
// turns, each a part of a group's time behind the one before, and a group that comes for a sector early meets one that
// does late in its own program: a stencil that reads the next plane last finds it (AMD lab notes, finite differences on
// one MI250X die: planes are read once if the reads are in the order of the planes, and 1.7 times if not).
func (h *hierarchy) betweenGroups(r *idg.GroupReuse) int64 {
	apart := r.Distance - r.Distance/4 // rounded up to a power of two
	if r.Ahead {
		apart = -apart
	}
	switch {
	case r.Groups >= h.resident && h.inTurns:
		return max(0, h.sinceGroup(r.Groups)+apart*h.resident)
	case r.Groups >= h.resident:
		return h.sinceGroup(r.Groups)
	case h.inTurns:
		behind := int64(float64(addCapped(h.own, h.common)) * float64(r.Groups) / float64(h.resident))
		apart = max(behind+apart, -behind-apart)
	case r.Distance == 0:
		return 0
	default:
		apart = r.Distance
	}
	return min(h.between(apart, h.resident), h.inFlight)
}

// straight reports whether no warp repeats anything or waits for others.
func (h *hierarchy) straight(g *idg.Graph) bool {
	if slices.ContainsFunc(g.Programs(), func(p *idg.Program) bool { return len(p.Repeats()) > 0 }) {
		return false
	}
	for class, n := range h.turns {
		if n > 0 && g.Instr(idg.InstrID(class+1)).IsBarrier() {
			return false
		}
	}
	return true
}

// sinceGroup is how many bytes lie between a group and the one n before it: what n consecutive
// groups touch, or, where rows and planes of groups are not known, n times what each of the launch
// adds on the average. In a launch of several rows that is too little: a group of a matrix product adds
// next to nothing to the launch, but a row of them reads all of the second factor.
func (h *hierarchy) sinceGroup(n int64) int64 {
	if h.consecutive != nil {
		if bytes := h.consecutive(n); bytes > 0 {
			return h.apart(bytes, 1)
		}
	}
	return h.apart(h.perGroup, n)
}

// apart is n times so many bytes, at most what the launch touches.
func (h *hierarchy) apart(bytes, n int64) int64 {
	b := mulCapped(bytes, max(n, 1))
	if h.launch > 0 {
		b = min(b, h.launch)
	}
	return b
}

// shared adds sectors to the level of the whole GPU that holds so many bytes, which other groups may have touched.
func (h *hierarchy) shared(s *Served, bytes int64, sectors float64, atOnce bool) {
	if !h.l2Timing.CPI.IsZero() {
		held := sectors
		if !atOnce {
			held *= h.residency.found(bytes)
		}
		s.L2, sectors = s.L2+held, sectors-held
	}
	h.beyondL2(s, bytes, sectors, atOnce)
}

// ownAgain adds sectors that a group touches again after so many bytes, on its unit: it finds them in the half of L2
// that it has had them from (one H100, eight sweeps by groups that stay: up to 52 MB nothing comes from device memory
// twice).
func (h *hierarchy) ownAgain(s *Served, bytes int64, sectors float64) {
	if !h.l2Timing.CPI.IsZero() && bytes <= h.l2All {
		s.L2 += sectors
		return
	}
	h.beyondL2(s, bytes, sectors, false)
}

func (h *hierarchy) beyondL2(s *Served, bytes int64, sectors float64, atOnce bool) {
	if l3 := !h.l3Timing.CPI.IsZero(); l3 && (atOnce || bytes <= h.l3) {
		s.L3 += sectors
		return
	}
	s.Memory += sectors
}
