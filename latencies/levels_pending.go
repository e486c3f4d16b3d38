package latencies

import (
	"math"
	"math/bits"

	"gpupipe/idg"
)

// Warps that read the same sectors one after the other do so at the pace of the one
// that reads each first. It waits for the level that the sector comes from; whoever comes
// while the sector is on its way waits with it, as the later request is merged with the earlier one
// (a hit on a miss: C. Nugteren et al., A Detailed GPU Cache Model Based on Reuse Distance Theory,
// HPCA 2014; "hit reserved" of GPGPU-Sim); and whoever comes later has it at once, and so is
// sooner at the next sector, until it has caught up. However many of them find their sectors in
// L1, the average over their latencies is that of the first (TestPaceOfTheFirst): a matrix product of groups
// of 8 warps that all read the same row of the second factor waits for L2 in each iteration, and not in
// one of eight. The same holds for groups that run at the same time and read the same: those that are behind
// catch up with the first, and those that begin together stay together, also on one compute unit, whose L1 they
// share: bodies that all groups of a launch read wait for L2, whichever group is first (one H100: 160 cycles a load of
// 16 bytes in a sector of 32, TestPendingInL1).

// pending tells what is waited for where that is not what serves. Sectors that L2 serves because groups
// that run at the same time request them come when the first of these gets them; and those that
// another warp of the group requests in the same turn, each executing the instruction as many times as the others
// have, when the first of them come, which are those that the group has not touched shortly before. together
// are, by class, the sectors of the first kind, some of which device memory may serve by now. Where the groups come at
// the same place of their programs, the first of them waits for what serves those that no other group brings (one H200,
// products of 64 by 64 whose groups share rows and columns: 686 cycles an iteration, 70% of the sectors found in L2).
func (h *hierarchy) pending(g *idg.Graph, together []atOnce) {
	for i, t := range h.buffers {
		if t.kind != reading {
			continue
		}
		l, through := t.Locality, h.throughL1(t.in, t.a)
		var own, late, later Served // what the warp has touched before, others in the same turn, and before that
		for _, r := range l.Warp {
			h.again(&own, r, through)
		}
		for i, r := range l.Group {
			if i < inTurn(l, h.turns[l.Instr-1], h.sector) {
				h.again(&late, r, through)
			} else {
				h.again(&later, r, through)
			}
		}
		w := h.byInstr[l.Instr]
		if h.sinceLast == math.MaxInt64 {
			late.L1 += min(h.leftInL1(l, through), max(0, w.L1-own.L1-late.L1))
		}
		if n := min(together[i].all, w.L2-own.L2-late.L2); n > 0 {
			leaders := w.less(own).less(late).less(later).less(Served{L1: w.L1, L2: n})
			inStep := 0.0
			if all := leaders.Total(); all > 0 {
				inStep = h.fresh * min(n, together[i].inStep)
				w = w.less(Served{L2: inStep}).plus(leaders.times(inStep / all))
			}
			if h.sinceLast > 0 {
				w.L2 -= n - inStep
				h.shared(&w, h.sinceLast, n-inStep, false)
			}
		}
		first := w.less(own).less(late)
		if n := first.Total(); n > 0 && late.Total() > 0 {
			part := late.Total() / n
			w = w.less(late).plus(Served{L1: part * first.L1, L2: part * first.L2, L3: part * first.L3,
				Memory: part * first.Memory})
		}
		h.waited[l.Instr] = ofLeader(w, first.less(later), l)
	}
}

// ofLeader is what the warp waits for that touches most sectors first, of a class whose warps wait for w on the
// average, for first where the group has not been: the group lasts as long as its slowest warp, as one that walks
// down a column above which the others have been (one H100, 16 rows by groups of 8 rows: 118 us, and 83 by the
// average over warps).
func ofLeader(w, first Served, l *idg.Locality) Served {
	n, all := first.Total(), w.Total()
	share := float64(l.Leading) / float64(l.Sectors)
	if n <= 0 || share <= n/all {
		return w
	}
	found := w.less(first)
	return first.times(share * all / n).plus(found.times((1 - share) * all / max(found.Total(), 1)))
}

// sinceLast is how many bytes at least are touched between two times at which groups that run at
// the same time come for a sector: what so many consecutive groups touch as are resident, all that there is
// if there are no others, and 0 if it is not known.
func sinceLast(f *idg.Footprint, launch *idg.Launch, resident int64) int64 {
	if resident >= launch.TotalGroups() {
		return math.MaxInt64
	}
	return consecutive(f, launch, resident)
}

// freshReads is the part of what the groups that run at the same time read which no group has read before these: as
// much as they add to what the launch reads, of what as many consecutive ones read, what they write taken to be each
// one's own; 0 if it is not known. Those of a single row may read as much as they do alone, or all that the launch
// reads.
func freshReads(f *idg.Footprint, launch *idg.Launch, resident int64) float64 {
	total := float64(launch.TotalGroups())
	added := float64(f.LaunchReadBytes) / total * float64(resident)
	read := float64(consecutiveKnown(f, launch, resident)) - float64(f.LaunchWrittenBytes)/total*float64(resident)
	if launch.Groups[0] == launch.TotalGroups() {
		read = min(float64(f.LaunchReadBytes), float64(f.ReadBytes)*float64(resident))
	}
	if added <= 0 || read <= 0 {
		return 0
	}
	return min(1, added/read)
}

// consecutive is how many bytes n consecutive groups of the launch touch, 0 if it is not known. Between a
// group, a row, a plane and the launch each further group is taken to add the same. What is both read and
// written may count twice.
func consecutive(f *idg.Footprint, launch *idg.Launch, n int64) int64 {
	if bytes := consecutiveKnown(f, launch, n); bytes > 0 {
		return addCapped(bytes, mulCapped(min(n, launch.TotalGroups()), f.UnknownBytes))
	}
	return 0
}

// consecutiveKnown is consecutive without stores at unknown addresses.
func consecutiveKnown(f *idg.Footprint, launch *idg.Launch, n int64) int64 {
	total, have, bytes := launch.TotalGroups(), int64(1), addCapped(f.ReadBytes, f.WrittenBytes)
	parts := []struct {
		groups, bytes int64
	}{{launch.Groups[0], f.RowBytes}, {launch.Groups[0] * launch.Groups[1], f.PlaneBytes},
		{total, addCapped(f.LaunchReadBytes, f.LaunchWrittenBytes)}}
	for _, part := range parts {
		if part.groups == total {
			part.bytes = parts[2].bytes
		}
		switch {
		case part.groups == have:
			continue
		case part.bytes == 0:
			return 0
		case n < part.groups:
			return bytes + int64(float64(part.bytes-bytes)*float64(n-have)/float64(part.groups-have))
		}
		have, bytes = part.groups, max(bytes, part.bytes)
	}
	return bytes
}

// inTurn is how many of the shortest distances at which a class's sectors were touched by
// another warp are within one turn, in which every warp of the group executes the instruction once: no more
// sectors lie between than the class requests in a turn, without those that are
// requested again in it. Distances are rounded up to powers of two, and so is that.
func inTurn(l *idg.Locality, turns, sector int64) int {
	n, again := 0, int64(0)
	for i, r := range l.Group {
		again += r.Sectors
		inATurn := max(1, (l.Sectors-again)/max(turns, 1))
		if r.Distance <= sector<<bits.Len64(uint64(inATurn-1)) {
			n = i + 1
		}
	}
	return n
}

// turnsOf is how often a warp of the group executes each class at most, by InstrID less one.
func turnsOf(g *idg.Graph) []int64 {
	turns := make([]int64, len(g.Instrs()))
	for i := range g.Programs() {
		for class, n := range g.Programs()[i].Tally(len(turns)) {
			turns[class] = max(turns[class], n)
		}
	}
	return turns
}

// times is so many times the sectors of each level.
func (s Served) times(f float64) Served {
	return Served{L1: f * s.L1, L2: f * s.L2, L3: f * s.L3, Memory: f * s.Memory}
}

// less is what is left of the sectors of each level without some others.
func (s Served) less(t Served) Served {
	return Served{L1: max(0, s.L1-t.L1), L2: max(0, s.L2-t.L2), L3: max(0, s.L3-t.L3),
		Memory: max(0, s.Memory-t.Memory)}
}

// waitedFor says which levels a warp waits for that executes a class.
func (h *hierarchy) waitedFor(id idg.InstrID) Served {
	if w, ok := h.waited[id]; ok {
		return w
	}
	return h.byInstr[id]
}
