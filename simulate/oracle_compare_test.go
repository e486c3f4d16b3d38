package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
)

// oracleRuns is the number of random runs compared with the oracle.
var oracleRuns = tools.Cases(1600, 200)

// TestAgainstStepper compares whole runs with the oracle: the end, and the place,
// readiness, issue and completion of every instruction, in order.
func TestAgainstStepper(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 11))
	var barriers, mixed, subCores, fractions, intervals, replaced, paced, loaded, queues, ports, pairs int
	for run := range oracleRuns {
		f, g, cfg := randomRun(t, r)
		res := f.run(g, cfg)
		s := newStepper(t, g, &f.mapping, cfg)
		end := s.run(100_000)
		if err := compare(res, s, end); err != nil {
			t.Fatalf("run %d: %v, %v, %d groups, %d at once, device %+v: %v", run, cfg.Scheduler, cfg.Issue, cfg.Groups,
				cfg.Concurrent, f.mapping.Device, err)
		}
		// The same without a profile, by the fast engine.
		cfg.Profile, cfg.Engine = false, EngineFast
		if err := compareCounts(f.run(g, cfg), s, end); err != nil {
			t.Fatalf("run %d, fast engine: %v, %v, %d groups, %d at once, device %+v: %v", run, cfg.Scheduler,
				cfg.Issue, cfg.Groups, cfg.Concurrent, f.mapping.Device, err)
		}
		d := f.mapping.Device
		count := func(n *int, ok bool) {
			if ok {
				*n++
			}
		}
		count(&barriers, res.Waiting.Barrier > 0)
		count(&mixed, len(g.Programs()) > 1)
		count(&subCores, d.Partitions > 1)
		count(&fractions, s.unit > 1)
		count(&intervals, s.interval > 0)
		count(&loaded, res.Contention != nil && res.Contention.Accesses > 0)
		count(&paced, s.pace > 0 && cfg.Groups > 1)
		count(&replaced, s.replacement > 0 && cfg.Groups > cfg.Concurrent)
		count(&queues, len(s.turns) > 0)
		count(&ports, res.ReadUtilization > 0)
		count(&pairs, f.pairs > 0)
	}
	t.Logf("%d runs; with barriers waited at %d, different programs %d, sub-cores %d, fractions of a cycle %d, issue "+
		"interval %d, replacement time %d, pace of starts %d, loaded memory %d, queues %d, limited reads of "+
		"registers %d, pairs of charges %d",
		oracleRuns, barriers, mixed, subCores, fractions, intervals, replaced, paced, loaded, queues, ports, pairs)
	for _, n := range []int{barriers, mixed, subCores, fractions, intervals, replaced, paced, loaded, queues,
		ports, pairs} {
		if n < oracleRuns/20 {
			t.Errorf("only %d of the random runs have one of these", n)
		}
	}
}

// compare compares a result and its profile with the oracle.
func compare(r *Result, s *stepper, end int64) error {
	if err := compareCounts(r, s, end); err != nil {
		return err
	}
	if len(r.Profile.Issues) != len(s.log) {
		return fmt.Errorf("%d issues profiled, the oracle %d", len(r.Profile.Issues), len(s.log))
	}
	for i, o := range s.log {
		is := r.Profile.Issues[i]
		at := func(t Tick) int64 { return int64(t) * s.unit / r.Profile.TicksPerCycle }
		got := steppedIssue{
			group: is.Group, warp: int(is.Warp), place: int(is.Place), core: is.SubCore, node: is.Node,
			ready: at(is.Ready), issued: at(is.Issued), turn: at(is.Turn), passed: at(is.Passed),
			second: [2]int64{at(is.Second.From), at(is.Second.To)}, complete: at(is.Complete), of: o.of,
		}
		if got != o {
			return fmt.Errorf("issue %d:\n got %+v\nwant %+v", i, got, o)
		}
	}
	return nil
}

// compareCounts compares the end, what each subsystem did, and how warps spent
// their time with the oracle.
func compareCounts(r *Result, s *stepper, end int64) error {
	if end < 0 {
		return fmt.Errorf("the oracle does not end; simulated %v cycles", r.Cycles)
	}
	want, err := latencies.NewCycles(end, s.unit)
	if err != nil {
		return err
	}
	if r.Cycles != want || r.Issued != int64(len(s.log)) {
		return fmt.Errorf("%v cycles and %d issues, the oracle %v and %d", r.Cycles, r.Issued, want, len(s.log))
	}
	busy := make([]latencies.Cycles, len(r.Subsystems))
	count := make([]int64, len(r.Subsystems))
	for _, o := range s.log {
		e := s.entry(o.warp, o.node)
		for _, c := range e.Charges() {
			if busy[c.Subsystem], err = busy[c.Subsystem].Add(c.CPI); err != nil {
				return err
			}
		}
		count[e.Subsystem]++
	}
	for i, u := range r.Subsystems {
		if u.Busy != busy[i] || u.Issued != count[i] {
			return fmt.Errorf("subsystem %s: %d issued, busy %v, the oracle %d and %v", u.Name, u.Issued, u.Busy,
				count[i], busy[i])
		}
	}
	if queued := s.queued(r); math.Abs(r.Waiting.Queued-queued) > 1e-9*(1+queued) {
		return fmt.Errorf("warps are queued for %v cycles, the oracle %v", r.Waiting.Queued, queued)
	}
	return nil
}

// queued is the time for which a warp of the run had something ready and issued
// nothing, on average over the warps, in cycles.
func (s *stepper) queued(r *Result) float64 {
	type warpOf struct {
		group int64
		warp  int
	}
	byWarp := map[warpOf][]steppedIssue{}
	for _, o := range s.log {
		k := warpOf{o.group, o.warp}
		byWarp[k] = append(byWarp[k], o)
	}
	sum := int64(0)
	for _, issues := range byWarp {
		for i, o := range issues {
			// Something is ready from when the first of those still to be issued
			// became ready, but not before the issue before this one.
			since := o.ready
			for _, later := range issues[i:] {
				since = min(since, later.ready)
			}
			if i > 0 {
				since = max(since, issues[i-1].issued)
			}
			sum += o.issued - since
		}
	}
	return float64(sum) / float64(s.unit) / float64(r.Groups*r.WarpsPerGroup)
}
