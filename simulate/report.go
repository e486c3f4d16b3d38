package simulate

import (
	"cmp"
	"math/big"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// LowerBounds is what the run cannot be faster than, in cycles, from the graph
// and the device alone.
type LowerBounds struct {
	Throughput latencies.Cycles // the busiest subsystem's Σ λ over all groups
	Subsystem  string           // which one that is
	Issue      latencies.Cycles // instructions / issue limit; 0 without a limit
	Latency    latencies.Cycles // ceil(N/M) groups one after the other, each its longest dependence chain
	// Reads is what the ports of the registers take for all words read, less what of it may
	// come after the last issue; 0 without a limit, or if they never hold back an issue.
	Reads latencies.Cycles
	// the start of the last group at the pace of the GPU and the shortest dependence chain of a group; 0 without a pace
	Starts latencies.Cycles
}

// Longest is the largest of them.
func (b *LowerBounds) Longest() latencies.Cycles {
	longest := b.Throughput
	for _, c := range []latencies.Cycles{b.Issue, b.Latency, b.Reads, b.Starts} {
		if c.Cmp(longest) > 0 {
			longest = c
		}
	}
	return longest
}

// result reports a run with outcome o, where a group alone takes alone.
func (s *setup) result(o *outcome, alone Tick) (*Result, error) {
	var x exact
	end, err := s.extent.time(s.work, o)
	if err != nil {
		return nil, err
	}
	cycles := s.work.time.cycles(end)
	words := s.countWords(&x)
	reads := s.readTime(words, &x)
	bounds := s.lowerBounds(reads, &x)
	extrapolated := s.extent.extrapolates(o) || o.fewer != nil
	if extrapolated { // the last reads and slots count whole, as the last λ do, so that no share exceeds the run
		slots := s.slotTime(s.work.issueSlots(), &x)
		for _, low := range []latencies.Cycles{bounds.Throughput, slots, bounds.Latency, reads, bounds.Starts} {
			if cycles.Cmp(low) < 0 {
				cycles = low
			}
		}
	}
	n, w := s.extent.total, int64(s.work.perSlot)
	r := &Result{
		Cycles: cycles, Groups: n, ConcurrentGroups: s.occupancy.Groups, WarpsPerGroup: w,
		OccupancyWarps: s.occupancy.Warps, OccupancyLimit: s.occupancy.Limit, Occupancy: s.occupancy,
		GroupAlone:      s.work.time.cycles(alone),
		Issued:          s.extent.issues,
		WarpsPerCycle:   float64(n) * float64(w) / cycles.Float(),
		SimulatedGroups: o.ended - o.skipped, SkippedGroups: o.skipped, SkippedIssues: o.unsimulated,
		LeftOutIssues: o.leftOut(), Extrapolated: extrapolated,
		LowerBounds: bounds, RegisterReads: reads, Notes: s.notes,
	}
	if s.device.ClockHz > 0 {
		r.LaunchSeconds, r.Seconds = s.launchSeconds(), s.seconds(cycles)
	}
	if r.Extrapolated {
		s.addSampling(r, o)
	}
	for i := range s.work.kinds {
		if s.work.criticalPath(i).unknown {
			r.Notes = append(r.Notes, "the longest chain of dependences could not be found without expanding loops "+
				"of many iterations: there is no lower bound by latency")
			break
		}
	}
	s.addClasses(r)
	s.addUse(r, o, &x)
	s.addReads(r, o, words, &x)
	s.addContention(r, o)
	s.addWaits(r, o)
	if x.err != nil {
		return nil, diag.Errorf(diag.Pos{}, "TIME", "the run is too long to be counted exactly: %v", x.err)
	}
	for i := range s.work.kinds {
		r.Kinds = append(r.Kinds, KindUse{Groups: s.work.kinds[i].groups, Simulated: o.groups[i]})
	}
	r.Bound = s.bound(r)
	r.Profile = o.profile
	return r, nil
}

// seconds is what a launch takes of which a compute unit is at work for so many cycles.
func (s *setup) seconds(c latencies.Cycles) float64 { return s.device.Seconds(c) + s.launchSeconds() }

func (s *setup) launchSeconds() float64 { return s.device.LaunchNs.Float() / 1e9 }

// addSampling says what was left out, and how exact the rest is.
func (s *setup) addSampling(r *Result, o *outcome) {
	if o.fewer != nil {
		if o.fewer.bound == 0 { // of a Launch that is Brief
			return
		}
		r.Sampling = &Sampling{Asked: s.cfg.Precision, Bound: o.fewer.bound}
		r.Notes = append(r.Notes, o.fewer.note())
		return
	}
	if sm := &o.sampler; sm.converged {
		r.Sampling = &Sampling{Asked: sm.precision, Bound: sm.bound,
			Waves: int64(sm.to-sm.from) / s.extent.concurrent}
	}
	r.Notes = append(r.Notes, s.extent.note(o))
}

// addClasses reports how often each class was issued.
func (s *setup) addClasses(r *Result) {
	for i, issued := range s.work.countIssues() {
		c := &s.work.classes[i]
		r.Classes = append(r.Classes, ClassUse{Kind: c.kind, Instr: c.source, Entry: c.entry, Issued: issued})
	}
}

// addUse reports what was issued where, over all groups.
func (s *setup) addUse(r *Result, o *outcome, x *exact) {
	names := s.work.subsystems
	r.Subsystems = make([]SubsystemUse, len(names))
	for i, name := range names {
		r.Subsystems[i].Name = name
	}
	lines := map[idg.Pos]*LineUse{}
	for i := range r.Classes {
		issued := r.Classes[i].Issued
		if issued == 0 {
			continue
		}
		c := &s.work.classes[i]
		pos := c.line()
		l := lines[pos]
		if l == nil {
			l = &LineUse{Pos: pos, BusyIn: make([]latencies.Cycles, len(names))}
			lines[pos] = l
		}
		r.Subsystems[c.charges[0].subsystem].Issued += issued
		l.Issued += issued
		for _, c := range c.charges {
			busy, use := x.mul(x.count(issued), s.work.time.cycles(c.cpi)), &r.Subsystems[c.subsystem]
			use.Busy = x.add(use.Busy, busy)
			l.Busy = x.add(l.Busy, busy)
			l.BusyIn[c.subsystem] = x.add(l.BusyIn[c.subsystem], busy)
		}
	}
	for _, l := range lines {
		r.Lines = append(r.Lines, *l)
	}
	slices.SortFunc(r.Lines, func(a, b LineUse) int { return a.Pos.Compare(b.Pos) })
	s.addUtilization(r, o)
	busiest := r.busiest()
	for i := range r.Lines {
		l := &r.Lines[i]
		top := 0
		for k := range l.BusyIn {
			if l.BusyIn[k].Cmp(l.BusyIn[top]) > 0 {
				top = k
			}
		}
		l.Subsystem = names[top]
		l.Share = l.BusyIn[busiest].Float() / r.Subsystems[busiest].Busy.Float()
	}
}

// addContention reports the loaded latency of device memory.
func (s *setup) addContention(r *Result, o *outcome) {
	if s.work.load.capacity == 0 {
		return
	}
	c := &Contention{
		Constants: *s.device.Memory.Contention, Accesses: o.load.accesses,
		Longest: s.work.time.cycles(o.load.longest),
	}
	if c.Accesses > 0 {
		c.Mean = o.load.latency.float() / float64(c.Accesses) / float64(s.work.time.perCycle)
	}
	r.Contention = c
}

// addUtilization sets the shares of the run in which subsystems and issue
// valves were busy, without what lies beyond its end.
func (s *setup) addUtilization(r *Result, o *outcome) {
	total := r.Cycles.Float()
	for i := range r.Subsystems {
		use := &r.Subsystems[i]
		use.Utilization = s.within(big.NewRat(use.Busy.Num(), use.Busy.Den()), o.beyond[i]) / total
	}
	slots := big.NewRat(int64(s.hw.valveTicks), s.work.time.perCycle)
	slots.Mul(slots, big.NewRat(s.work.issueSlots(), int64(s.hw.partitions)))
	r.IssueUtilization = s.within(slots, o.beyondSlots) / total
}

// within is how many cycles of busy lie before the end of the run; beyond, summed
// over the sub-cores, is what does not. Of a λ far longer than the run nearly all is
// beyond, and the difference of rounded numbers would be noise.
func (s *setup) within(busy *big.Rat, beyond Tick) float64 {
	late := big.NewRat(int64(beyond), s.work.time.perCycle)
	late.Mul(late, big.NewRat(1, int64(s.hw.partitions)))
	rest, _ := late.Sub(busy, late).Float64()
	return max(0, rest)
}

// busiest is the subsystem with the largest Σ λ, the first of equals.
func (r *Result) busiest() int {
	top := 0
	for i := range r.Subsystems {
		if r.Subsystems[i].Busy.Cmp(r.Subsystems[top].Busy) > 0 {
			top = i
		}
	}
	return top
}

// countIssues is how many instructions of each class all groups execute.
func (w *workload) countIssues() []int64 {
	count := make([]int64, len(w.classes))
	for i := range w.kinds {
		for _, p := range w.kinds[i].programs {
			for c, n := range p.tally {
				count[int(p.first)+c] += n * p.warps * w.kinds[i].groups
			}
		}
	}
	return count
}

// slotTime is how long all sub-cores together take for so many issue slots.
func (s *setup) slotTime(slots int64, x *exact) latencies.Cycles {
	return x.mul(x.count(slots), x.div(s.hw.valve, x.count(int64(s.hw.partitions))))
}

// issueSlots is how many issue slots all groups take.
func (w *workload) issueSlots() int64 {
	sum := int64(0)
	for i, n := range w.countIssues() {
		sum += n * int64(w.classes[i].slots)
	}
	return sum
}

// mostSlots is how many slots beyond one an instruction takes, of which the run does not wait
// for the last one's.
func (w *workload) mostSlots() int64 {
	most := 1
	for i := range w.classes {
		most = max(most, w.classes[i].slots)
	}
	return int64(most - 1)
}

// addWaits reports how the warps spent their time: all of those that were not
// extrapolated.
func (s *setup) addWaits(r *Result, o *outcome) {
	warps := float64(o.stats.warps) * float64(s.work.time.perCycle)
	critical := s.work.criticalPath(s.work.usual())
	r.Waiting.Resident = o.stats.resident.float() / warps
	for i := range s.work.classes {
		waited, queued := o.stats.waited[i].float()/warps, o.stats.queued[i].float()/warps
		if s.work.classes[i].barrier {
			r.Waiting.Barrier += waited
		} else {
			r.Waiting.Latency += waited
		}
		r.Waiting.Queued += queued
		r.Classes[i].Waited, r.Classes[i].Queued = waited, queued
		pos := s.work.classes[i].line()
		l := r.line(pos)
		if l == nil {
			continue // a class that no warp executes
		}
		l.Waited += waited
		l.Queued += queued
		if c, err := l.Critical.Add(s.work.time.cycles(critical.byClass[i])); err == nil {
			l.Critical = c
		}
	}
}

// line is the use of a line; nil if no warp executes any instruction of it.
func (r *Result) line(pos idg.Pos) *LineUse {
	k, ok := slices.BinarySearchFunc(r.Lines, pos, func(l LineUse, p idg.Pos) int { return l.Pos.Compare(p) })
	if !ok {
		return nil
	}
	return &r.Lines[k]
}

// lowerBounds computes them for the whole run, whose registers are read for so long.
func (s *setup) lowerBounds(reads latencies.Cycles, x *exact) LowerBounds {
	before := s.work.looked
	defer func() { s.looked(s.work.looked - before) }()
	b := LowerBounds{Reads: s.readsBound(reads, x)}
	busy := make([]latencies.Cycles, len(s.work.subsystems))
	for i, count := range s.work.countIssues() {
		for _, c := range s.work.classes[i].charges {
			busy[c.subsystem] = x.add(busy[c.subsystem], x.mul(x.count(count), s.work.time.cycles(c.cpi)))
		}
	}
	for i, name := range s.work.subsystems {
		if b.Subsystem == "" || busy[i].Cmp(b.Throughput) > 0 {
			b.Throughput, b.Subsystem = busy[i], name
		}
	}
	if !s.hw.valve.IsZero() {
		b.Issue = s.slotTime(max(0, s.work.issueSlots()-int64(s.hw.partitions)*s.work.mostSlots()), x)
	}
	if !s.hw.pace.IsZero() {
		b.Starts = x.add(x.mul(x.count(s.extent.total-1), s.hw.pace), s.chains(1, x))
	}
	waves := (s.extent.total-1)/s.extent.concurrent + 1
	b.Latency = x.add(s.chains(waves, x), x.mul(x.count(waves-1), s.hw.replacement))
	for i := range s.work.kinds {
		if one := s.work.time.cycles(s.work.criticalPath(i).length); s.work.kinds[i].groups > 0 &&
			one.Cmp(b.Latency) > 0 {
			b.Latency = one
		}
	}
	return b
}

// chains is how long the n groups with the shortest dependence chains take one
// after the other: in some place so many groups follow each other.
func (s *setup) chains(n int64, x *exact) latencies.Cycles {
	order := make([]int, len(s.work.kinds))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(s.work.criticalPath(a).length, s.work.criticalPath(b).length)
	})
	var sum latencies.Cycles
	for _, i := range order {
		groups := min(n, s.work.kinds[i].groups)
		sum = x.add(sum, x.mul(x.count(groups), s.work.time.cycles(s.work.criticalPath(i).length)))
		n -= groups
	}
	return sum
}

// top returns the line with the largest value, the first of equals.
func (r *Result) top(value func(*LineUse) float64) *LineUse {
	l := slices.MaxFunc(r.Lines, func(a, b LineUse) int { return cmp.Compare(value(&a), value(&b)) })
	return &l
}
