package arrange

import "gpupipe/lower/machine"

// arrangeOccupancy gives code its final form as LLVM does for AMD's devices (GCNScheduleDAGMILive): every block is
// ordered for the most waves that local memory lets be resident; where registers do not allow them, without clusters,
// and at last for as many as the worst block leaves.
func arrangeOccupancy(c *machine.Code, o *machine.Options) {
	s := newStages(c, o)
	s.initial()
	s.unclustered()
	s.lower()
	for i, b := range s.blocks {
		b.b.applyOrder(s.orders[i])
	}
}

// stages are the regions of a kernel with what is known of them.
type stages struct {
	t           *machine.Target
	o           *machine.Options
	code        *machine.Code
	list        *scheduler
	blocks      []*occupancySchedule
	orders      [][]int32
	clusters    []bool
	pressures   []pressure
	again, high []bool // to be scheduled again; a limit was reached
	waves       int    // of a partition, with which the first pass began
	least       int    // that are left
	fewest      int    // that may be left for the sake of latency
	group       int    // that a group of the largest size needs (getWavesPerEU)
}

func newStages(c *machine.Code, o *machine.Options) *stages {
	s := &stages{t: c.Target, o: o, code: c, list: newScheduler(c)}
	s.waves = wavesFor(c.Target, o, c.Resources.LocalBytes)
	s.least = s.waves
	units := c.Target.Partitions * max(1, c.Target.GroupUnits)
	s.group = max(1, (o.MaxThreads+units*c.Target.WarpSize-1)/(units*c.Target.WarpSize))
	for i := range s.list.blocks {
		s.orders = append(s.orders, nil)
		b := s.graph(i)
		s.blocks = append(s.blocks, b)
		s.orders[i] = b.program()
		s.pressures = append(s.pressures, b.peak(s.orders[i]))
	}
	s.clusters = make([]bool, len(s.blocks))
	s.again, s.high = make([]bool, len(s.blocks)), make([]bool, len(s.blocks))
	if fewWaves(c.Func) {
		s.fewest = min(memoryWaves, s.waves)
	} else {
		s.fewest = s.waves
	}
	return s
}

// memoryWaves are the waves that a kernel may come down to which waits for memory (getMinAllowedOccupancy).
const memoryWaves = 4

// graph is that of a region in its present order.
func (s *stages) graph(i int) *occupancySchedule {
	loop := false
	for _, p := range s.list.l.blocks[i].preds {
		loop = loop || p == i
	}
	return newOccupancySchedule(s.list.l, s.list.blocks[i], s.t.WarpSize, loop, s.orders[i])
}

// wavesFor is how many waves of a partition local memory leaves room for (getOccupancyWithLocalMemSize).
func wavesFor(t *machine.Target, o *machine.Options, local int64) int {
	most := t.MaxWarps / t.Partitions
	group := max(1, (max(o.MaxThreads, 1)+t.WarpSize-1)/t.WarpSize)
	if o.MaxThreads == 0 {
		group = (1024 + t.WarpSize - 1) / t.WarpSize
	}
	groups := t.MaxWarps / group
	if local > 0 {
		groups = min(groups, int(t.LocalBytes/local))
	}
	return max(1, min(most, groups*group))
}

// wavesWith is how many waves of a partition have so many registers.
func wavesWith(t *machine.Target, p pressure) int {
	waves := t.Occupancy(int(p.vector), 1, 0).ByRegisters / t.Partitions
	if t.UniformFile > 0 && p.scalar > 0 {
		unit := int32(t.UniformUnit)
		waves = min(waves, t.UniformFile/int((p.scalar+unit-1)/unit*unit))
	}
	return max(1, waves)
}

// margin is what LLVM leaves for what happens between scheduling and allocation (GCNMaxOccupancySchedStrategy).
const margin = 3

// limits are those for so many waves.
func (s *stages) limits(waves int) occupancyLimits {
	t := s.t
	hard, scalar := int32(hardLimit(t, s.o)), int32(t.UniformRegisters)
	l := occupancyLimits{excess: pressure{min(hard, int32(t.MaxOrdinary)) - margin, scalar - margin}}
	l.critical = pressure{min(hard, int32(registersFor(t, waves*t.Partitions))) - margin, scalar - margin}
	if t.UniformFile > 0 {
		l.critical.scalar = min(scalar, int32(t.UniformFile/waves/t.UniformUnit*t.UniformUnit)) - margin
	}
	return l
}

// stage is one of the passes over the regions.
type stage uint8

const (
	initialStage stage = iota + 1
	unclusteredStage
	lowerStage
)

// schedule orders a region and keeps the new order unless it lets fewer waves be resident than before
// (GCNScheduleDAGMILive::schedule).
func (s *stages) schedule(i int, with *occupancySchedule, limits occupancyLimits, at stage) {
	order := with.order(limits)
	s.again[i] = false
	s.high[i] = s.high[i] || with.excess
	after, before := with.peak(order), s.pressures[i]
	if after.scalar <= limits.critical.scalar && after.vector <= limits.critical.vector {
		s.orders[i], s.pressures[i] = order, after
		return
	}
	then, was := wavesWith(s.t, after), wavesWith(s.t, before)
	then, was = min(s.least, then), min(s.least, was)
	least := max(then, was)
	if then < was && then < s.least && then >= s.fewest {
		least = then
	}
	s.least = min(s.least, least)
	if hard := s.limits(1).excess; after.vector > hard.vector+margin || after.scalar > hard.scalar+margin {
		s.again[i], s.high[i] = true, true
	}
	if then >= s.least {
		switch {
		case at == unclusteredStage && !s.less(after, before):
		case then > s.group || s.less(after, before) || !s.again[i]:
			s.orders[i], s.pressures[i] = order, after
			if !s.clusters[i] && at == initialStage {
				s.again[i] = false
			}
			return
		}
	}
	s.again[i] = s.clusters[i] || at != initialStage
}

// less prefers more waves, else fewer registers (GCNRegPressure::less).
func (s *stages) less(p, q pressure) bool {
	if a, b := wavesWith(s.t, p), wavesWith(s.t, q); a != b {
		return a > b
	}
	if p.vector != q.vector {
		return p.vector < q.vector
	}
	return p.scalar < q.scalar
}

func (s *stages) initial() {
	for i, b := range s.blocks {
		s.clusters[i] = b.cluster()
		s.schedule(i, b, s.limits(s.waves), initialStage)
	}
}

// unclustered orders those anew that took too many registers.
func (s *stages) unclustered() {
	for i := range s.blocks {
		if s.again[i] {
			s.schedule(i, s.graph(i), s.limits(s.waves), unclusteredStage)
		}
	}
}

// lower orders those anew that were held back, with the limits of the waves that are left.
func (s *stages) lower() {
	if s.waves <= s.least {
		return
	}
	for i := range s.blocks {
		if s.high[i] || s.clusters[i] {
			b := s.graph(i)
			b.cluster()
			s.schedule(i, b, s.limits(s.least), lowerStage)
		}
	}
}

// applyOrder puts instructions where an order says, and says when each is issued.
func (b *blockSchedule) applyOrder(order []int32) {
	ready := make([]int32, b.graph.nodes)
	cycle := int32(0)
	a := &attempt{order: order}
	for _, i := range order {
		cycle = max(cycle, ready[i])
		a.issue = append(a.issue, cycle)
		for k := b.graph.first[i]; k < b.graph.first[i+1]; k++ {
			to := b.graph.to[k]
			ready[to] = max(ready[to], cycle+b.graph.after[k])
		}
		cycle++
	}
	b.apply(a)
}
