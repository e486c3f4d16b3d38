package simulate

import (
	"cmp"
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
}

// result reports a run with outcome o, where a group alone takes alone.
func (s *setup) result(o *outcome, alone Tick) (*Result, error) {
	var x exact
	end, err := s.extent.time(s.work, o)
	if err != nil {
		return nil, err
	}
	cycles := s.work.time.cycles(end)
	bounds := s.lowerBounds(&x)
	extrapolated := s.extent.extrapolates(o)
	if extrapolated {
		for _, low := range []latencies.Cycles{bounds.Throughput, bounds.Issue, bounds.Latency} {
			if cycles.Cmp(low) < 0 {
				cycles = low
			}
		}
	}
	n, w := s.extent.total, int64(len(s.work.byWarp))
	r := &Result{
		Cycles: cycles, Groups: n, ConcurrentGroups: s.occupancy.Groups, WarpsPerGroup: w,
		OccupancyWarps: s.occupancy.Warps, OccupancyLimit: s.occupancy.Limit, Occupancy: s.occupancy,
		GroupAlone:      s.work.time.cycles(alone),
		Issued:          n * s.work.perGroup,
		WarpsPerCycle:   float64(n) * float64(w) / cycles.Float(),
		SimulatedGroups: o.ended - o.skipped, SkippedGroups: o.skipped, Extrapolated: extrapolated,
		LowerBounds: bounds, Notes: s.notes,
	}
	if s.device.ClockHz > 0 {
		r.Seconds = s.device.Seconds(cycles)
	}
	if r.Extrapolated {
		r.Notes = append(r.Notes, s.extent.note(s.work, o))
	}
	s.addUse(r, o, &x)
	s.addWaits(r, o)
	if x.err != nil {
		return nil, diag.Errorf(diag.Pos{}, "TIME", "the run is too long to be counted exactly: %v", x.err)
	}
	r.Bound = s.bound(r)
	r.Profile = o.profile
	return r, nil
}

// addUse reports what was issued where, over all groups.
func (s *setup) addUse(r *Result, o *outcome, x *exact) {
	names := s.work.mapping.Subsystems
	r.Subsystems = make([]SubsystemUse, len(names))
	for i, name := range names {
		r.Subsystems[i].Name = name
	}
	lines := map[idg.Pos]*LineUse{}
	perGroup := s.work.countPerGroup()
	for i, count := range perGroup {
		if count == 0 {
			continue
		}
		c := &s.work.classes[i]
		issued := count * r.Groups
		busy := x.mul(x.count(issued), s.work.time.cycles(c.cpi))
		use := &r.Subsystems[c.subsystem]
		use.Issued += issued
		use.Busy = x.add(use.Busy, busy)
		pos := s.work.graph.Instrs()[i].Pos
		pos.Column = 0
		l := lines[pos]
		if l == nil {
			l = &LineUse{Pos: pos, BusyIn: make([]latencies.Cycles, len(names))}
			lines[pos] = l
		}
		l.Issued += issued
		l.Busy = x.add(l.Busy, busy)
		l.BusyIn[c.subsystem] = x.add(l.BusyIn[c.subsystem], busy)
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

// addUtilization sets the shares of the run in which subsystems and issue
// valves were busy, without what lies beyond its end.
func (s *setup) addUtilization(r *Result, o *outcome) {
	cores := float64(s.hw.partitions)
	total := r.Cycles.Float()
	for i := range r.Subsystems {
		use := &r.Subsystems[i]
		use.Utilization = max(0, use.Busy.Float()-s.work.time.float(o.beyond[i])/cores) / total
	}
	if perIssue := s.work.time.float(s.hw.valveTicks) / cores; perIssue > 0 {
		r.IssueUtilization = max(0, float64(r.Issued)*perIssue-s.work.time.float(o.beyondSlots)/cores) / total
	}
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

// countPerGroup is how many instructions of each class a group executes.
func (w *workload) countPerGroup() []int64 {
	count := make([]int64, len(w.classes))
	for _, p := range w.programs {
		for _, c := range p.class {
			count[c] += p.warps
		}
	}
	return count
}

// addWaits reports how the warps spent their time: all of those that were not
// extrapolated.
func (s *setup) addWaits(r *Result, o *outcome) {
	warps := float64(o.stats.warps) * float64(s.work.time.perCycle)
	critical := s.work.criticalPath()
	r.Waiting.Resident = o.stats.resident.float() / warps
	for i := range s.work.classes {
		waited, queued := o.stats.waited[i].float()/warps, o.stats.queued[i].float()/warps
		if s.work.classes[i].barrier {
			r.Waiting.Barrier += waited
		} else {
			r.Waiting.Latency += waited
		}
		r.Waiting.Queued += queued
		pos := s.work.graph.Instrs()[i].Pos
		pos.Column = 0
		k, ok := slices.BinarySearchFunc(r.Lines, pos, func(l LineUse, p idg.Pos) int { return l.Pos.Compare(p) })
		if !ok {
			continue // a class that no warp executes
		}
		l := &r.Lines[k]
		l.Waited += waited
		l.Queued += queued
		if c, err := l.Critical.Add(s.work.time.cycles(critical.byClass[i])); err == nil {
			l.Critical = c
		}
	}
}

// lowerBounds computes them for the whole run.
func (s *setup) lowerBounds(x *exact) LowerBounds {
	var b LowerBounds
	n, m := s.extent.total, s.extent.concurrent
	busy := make([]latencies.Cycles, len(s.work.mapping.Subsystems))
	for i, count := range s.work.countPerGroup() {
		c := &s.work.classes[i]
		busy[c.subsystem] = x.add(busy[c.subsystem], x.mul(x.mul(x.count(count), x.count(n)), s.work.time.cycles(c.cpi)))
	}
	for i, name := range s.work.mapping.Subsystems {
		if b.Subsystem == "" || busy[i].Cmp(b.Throughput) > 0 {
			b.Throughput, b.Subsystem = busy[i], name
		}
	}
	if !s.hw.valve.IsZero() {
		perIssue := x.div(s.hw.valve, x.count(int64(s.hw.partitions)))
		b.Issue = x.mul(x.count(n*s.work.perGroup), perIssue)
	}
	waves := (n-1)/m + 1
	chain := x.mul(x.count(waves), s.work.time.cycles(s.work.criticalPath().length))
	b.Latency = x.add(chain, x.mul(x.count(waves-1), s.hw.replacement))
	return b
}

// top returns the line with the largest value, the first of equals.
func (r *Result) top(value func(*LineUse) float64) *LineUse {
	l := slices.MaxFunc(r.Lines, func(a, b LineUse) int { return cmp.Compare(value(&a), value(&b)) })
	return &l
}
