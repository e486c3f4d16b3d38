package simulate

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
)

// The number of random cases of TestEngines, and how long it may go on beyond
// them:
//
//	go test ./simulate -run TestEngines -fast.cases 100000
//	go test ./simulate -run TestEngines -fast.time 60s
var (
	fastCases = flag.Int("fast.cases", tools.Cases(4000, 300), "random cases on which engines are compared")
	fastTime  = flag.Duration("fast.time", time.Duration(tools.Cases(15, 0))*time.Second,
		"compare engines for at least this long")
	fastSeed = flag.Uint64("fast.seed", 2026, "seed of the random cases")
)

// randomLaunch makes a graph, a device and a configuration, larger than
// randomRun does, since no oracle has to step through them.
func randomLaunch(t testing.TB, r, p *rand.Rand) (*fixture, []GroupKind, Config) {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	names := []string{"a", "b", "c", "d", "e"}[:1+r.IntN(5)]
	f := newFixture(t, 1+r.IntN(1+r.IntN(12)), names...)
	d := f.mapping.Device
	if r.IntN(3) == 0 {
		d.Partitions = 2 + r.IntN(3)
	}
	for i := range d.Subsystems {
		d.Subsystems[i].Partitioned = r.IntN(2) == 0
	}
	spans := []string{"1", "2", "3", "5", "7", "18", "40", "1/2", "1/3", "3/4", "2.57", "0.01", "401.3"}
	if r.IntN(8) == 0 {
		spans = append(spans, "1234567.891", "0.000001") // a wheel of coarse buckets
	}
	spans = spans[r.IntN(6) : 6+r.IntN(len(spans)-5)]
	if r.IntN(2) == 0 {
		d.IssueLimit = cycles(t, pick("1", "2", "4", "1/2", "4/3"))
	}
	if r.IntN(4) == 0 {
		d.IssueInterval = cycles(t, pick(spans...))
	}
	if r.IntN(3) == 0 {
		d.RegisterReads = cycles(t, pick("2", "1", "1/2", "1/3", "1/10"))
	}
	if r.IntN(4) == 0 {
		d.GroupReplacement = cycles(t, pick(spans...))
	}
	if r.IntN(4) == 0 {
		d.GroupStart, d.ComputeUnits = cycles(t, pick(spans...)), 1+r.IntN(4)
	}
	if r.IntN(3) == 0 {
		d.Memory.Contention = &latencies.Contention{
			Unloaded: cycles(t, "1"), Queueing: cycles(t, pick(spans...)),
			Capacity: cycles(t, pick("0.7", "12", "50", "130", "1000", "20000")),
		}
	}
	randomGroup := func(f *fixture) {
		var classes []idg.InstrID
		for _, op := range []string{"add.f32", "ld.global", pick("st.global", "loop"), pick("fma.f32", "branch"),
			"st.local", "loop"}[:1+r.IntN(6)] {
			classes = append(classes, f.class(op, pick(names...), pick(spans...), pick(spans...)))
		}
		other := len(classes)
		if r.IntN(2) == 0 {
			for range 1 + r.IntN(2) {
				classes = append(classes, f.class("barrier", pick(names...), pick(spans...), pick(spans...)))
			}
		}
		randomPairs(f, p, spans)
		for i := range f.mapping.Entries {
			f.mapping.Entries[i].MoreSlots = []int{-1, 0, 0, 0, 1}[p.IntN(5)]
		}
		randomWarps(f, r, classes, idg.InstrID(other))
	}
	randomGroup(f)
	concurrent := 1 + r.Int64N(int64(min(8, maxFastPlaces/int(f.warps))))
	if r.IntN(10) == 0 {
		concurrent = int64(maxFastPlaces / int(f.warps))
	}
	cfg := Config{
		Groups: 1 + r.Int64N(3*concurrent+1), Concurrent: concurrent, Full: true,
		Scheduler: Scheduler(1 + r.IntN(len(latencies.Schedulers()))), Issue: IssueMode(1 + r.IntN(3)),
	}
	if r.IntN(3) == 0 {
		cfg.Groups += r.Int64N(60)
	}
	if r.IntN(3) > 0 {
		cfg.walkedFrom = 2 + r.Int64N(100)
	}
	if r.IntN(4) == 0 {
		cfg.Full, cfg.Budget = false, 1+r.Int64N(400)
	} else if r.IntN(6) == 0 {
		cfg.Full, cfg.Precision = false, []float64{0.3, 0.1, 0.02, 0.005}[r.IntN(4)]
		cfg.Groups += 20 * concurrent
		if r.IntN(3) == 0 {
			cfg.Budget = 1 + r.Int64N(4000)
		}
	}
	kinds := []GroupKind{{f.graph(1), &f.mapping, 1}}
	for r.IntN(4) == 0 {
		other := f.sibling()
		randomGroup(other)
		kinds[0].Count = 1 + r.Int64N(30)
		if r.IntN(4) == 0 {
			kinds[0].Count *= 200
			cfg.Groups += r.Int64N(200)
		}
		kinds = append(kinds, GroupKind{other.graph(1), &other.mapping, 1 + r.Int64N(10)})
	}
	return f, kinds, cfg
}

// randomQueues gives a third of the devices queues.
func randomQueues(d *latencies.Device, r *rand.Rand) {
	if r.IntN(3) > 0 {
		return
	}
	for i := range d.Subsystems {
		if r.IntN(2) == 0 {
			d.Subsystems[i].Queue = 1 + r.IntN(6)
		}
	}
}

// randomWarps gives the warps up to three programs, some of them empty. Classes
// above barriers are barriers.
func randomWarps(f *fixture, r *rand.Rand, classes []idg.InstrID, barriers idg.InstrID) {
	programs := make([][]uint32, 1+r.IntN(min(3, int(f.warps))))
	for w := range f.warps {
		i := int(w)
		if i >= len(programs) {
			i = r.IntN(len(programs))
		}
		programs[i] = append(programs[i], w)
	}
	for i, warps := range programs {
		f.builder.Begin(warps...)
		if r.IntN(3) == 0 {
			randomLoops(f, r, classes, barriers)
			continue
		}
		n := r.IntN(1 + r.IntN(40))
		if r.IntN(100) == 0 {
			n = 600 // more dependences than a byte counts, and summary words
		}
		if i == 0 {
			n++ // at least one instruction in the group
		}
		reach := 1 + r.IntN(12)
		all := r.IntN(n + 1) // an instruction that depends on all others
		barrier := -1
		for v := range n {
			kinds := map[idg.Executed]idg.EdgeKind{}
			for range r.IntN(4) {
				if v > 0 {
					kinds[idg.Executed(v-1-r.IntN(min(v, reach)))] = idg.EdgeKind(1 + r.IntN(3))
				}
			}
			if barrier >= 0 && r.IntN(4) > 0 {
				kinds[idg.Executed(barrier)] = idg.Control
			}
			var edges []idg.Edge
			for u := range idg.Executed(v) {
				if k, ok := kinds[u]; ok {
					edges = append(edges, idg.Edge{From: u, Kind: k})
				} else if v == all {
					edges = append(edges, order(u))
				}
			}
			c := classes[r.IntN(len(classes))]
			if c > barriers {
				barrier = v
			}
			f.builder.Add(c, edges...)
		}
	}
}

// randomLoops makes a program of nested loops, whose instructions depend on ones
// some distance back, and on ones before a loop. Mostly the instruction behind a barrier
// waits for it, as it does in idgen's graphs.
func randomLoops(f *fixture, r *rand.Rand, classes []idg.InstrID, barriers idg.InstrID) {
	gated := r.IntN(5) > 0
	number := idg.Executed(0)
	after := false // a barrier
	var block func(depth int, starts []idg.Executed) func(starts []idg.Executed)
	block = func(depth int, starts []idg.Executed) func(starts []idg.Executed) {
		var parts []func(starts []idg.Executed)
		for range 1 + r.IntN(3) {
			if depth < 3 && r.IntN(3) == 0 {
				count := 2 + r.IntN(3)
				if depth == 0 && r.IntN(2) == 0 {
					count = 5 + r.IntN(30)
				}
				body := block(depth+1, nil)
				parts = append(parts, func(starts []idg.Executed) {
					starts = append(starts[:len(starts):len(starts)], number)
					f.builder.BeginLoop()
					for i := range count {
						if i > 0 {
							f.builder.NextIteration()
						}
						body(starts)
					}
					f.builder.EndLoop()
				})
				continue
			}
			class := classes[r.IntN(len(classes))]
			type dependence struct {
				kind idg.EdgeKind
				base int // loops around that it is held over, 0 = none; -1 = from the program's start
				back idg.Executed
			}
			var deps []dependence
			for range r.IntN(4) {
				d := dependence{idg.EdgeKind(1 + r.IntN(3)), max(0, r.IntN(depth+3)-2),
					idg.Executed(1 + r.IntN(1+r.IntN(12)))}
				if r.IntN(10) == 0 {
					d.base = -1
				}
				deps = append(deps, d)
			}
			parts = append(parts, func(starts []idg.Executed) {
				kinds := map[idg.Executed]idg.EdgeKind{}
				for _, d := range deps {
					from := number - d.back
					switch {
					case d.base > 0:
						from = starts[len(starts)-d.base] - d.back
					case d.base < 0:
						from = d.back - 1
					}
					if from >= 0 && from < number {
						kinds[from] = d.kind
					}
				}
				if after && gated {
					kinds[number-1] = idg.Control
				}
				var edges []idg.Edge
				for _, u := range slices.Sorted(maps.Keys(kinds)) {
					edges = append(edges, idg.Edge{From: u, Kind: kinds[u]})
				}
				f.builder.Add(class, edges...)
				after = class > barriers
				number++
			})
		}
		return func(starts []idg.Executed) {
			for _, part := range parts {
				part(starts)
			}
		}
	}
	block(0, nil)(nil)
}

// TestEngines compares the fast engine with the reference, and exact skipping
// with simulation, on random cases: all numbers of the result are the same.
func TestEngines(t *testing.T) {
	r, q, p := rand.New(rand.NewPCG(*fastSeed, 3)), rand.New(rand.NewPCG(*fastSeed, 4)),
		rand.New(rand.NewPCG(*fastSeed, 5))
	var folded, turns, queues, sampled, loaded, several, severalSkipped, barriers, mixed, subCores, intervals, replaced,
		paced, extrapolated, skipped, inOrder, blocks, walked, walkedTurns, flowed, flowedTurns, ports, pairs,
		pairsSkipped int
	start := time.Now()
	n := 0
	for ; n < *fastCases || time.Since(start) < *fastTime; n++ {
		f, kinds, cfg := randomLaunch(t, r, p)
		randomQueues(f.mapping.Device, q)
		describe := func() string {
			return fmt.Sprintf("case %d: %v, %v, %d groups, %d at once, device %+v", n, cfg.Scheduler, cfg.Issue,
				cfg.Groups, cfg.Concurrent, f.mapping.Device)
		}
		cfg.Engine, cfg.NoSkipping = EngineReference, true
		want := f.runKinds(kinds, cfg)
		cfg.Engine = EngineFast
		fast := f.runKinds(kinds, cfg)
		if d := difference(fast, want); d != "" {
			t.Fatalf("%s\nfast engine: %s", describe(), d)
		}
		cfg.NoSkipping = false
		skip := f.runKinds(kinds, cfg)
		if want.Extrapolated && !skip.Extrapolated { // skipping made it exact
			cfg.Full, cfg.Precision = true, 0
			cfg.Engine = EngineReference
			want = f.runKinds(kinds, cfg)
		}
		if d := difference(skip, want); d != "" {
			t.Fatalf("%s\nwith skipping: %s", describe(), d)
		}
		d := f.mapping.Device
		for _, c := range []struct {
			n  *int
			ok bool
		}{
			{&barriers, want.Waiting.Barrier > 0}, {&mixed, len(kinds[0].Graph.Programs()) > 1},
			{&subCores, d.Partitions > 1},
			{&intervals, !d.IssueInterval.IsZero()},
			{&replaced, !d.GroupReplacement.IsZero() && cfg.Groups > cfg.Concurrent},
			{&paced, !d.GroupStart.IsZero() && cfg.Groups > 1},
			{&extrapolated, want.Extrapolated}, {&skipped, skip.SkippedGroups > 0}, {&inOrder, cfg.Issue == InOrder},
			{&blocks, cfg.Issue == Blocks},
			{&walked, cfg.Issue == Blocks && len(kinds[0].Graph.Programs()[0].Repeats()) > 0},
			{&walkedTurns, cfg.Issue == Blocks && skip.SkippedIssues > 0 && skip.SkippedGroups == 0},
			{&flowed, cfg.Issue == Dataflow && cfg.walkedFrom > 0 && len(kinds[0].Graph.Programs()[0].Repeats()) > 0},
			{&flowedTurns, cfg.Issue == Dataflow && skip.SkippedIssues > 0 && skip.SkippedGroups == 0},
			{&folded, len(kinds[0].Graph.Programs()[0].Repeats()) > 0},
			{&turns, skip.SkippedIssues > 0 && skip.SkippedGroups == 0}, {&sampled, want.Sampling != nil},
			{&ports, want.ReadUtilization > 0}, {&pairs, f.pairs > 0},
			{&pairsSkipped, f.pairs > 0 && skip.SkippedIssues > 0},
			{&queues, slices.ContainsFunc(d.Subsystems, func(s latencies.Subsystem) bool { return s.Queue > 0 })},
			{&loaded, want.Contention != nil && want.Contention.Accesses > 0}, {&several, len(kinds) > 1},
			{&severalSkipped, len(kinds) > 1 && skip.SkippedGroups > 0},
		} {
			if c.ok {
				*c.n++
			}
		}
	}
	t.Logf("%d cases; with barriers waited at %d, different programs %d, sub-cores %d, issue interval %d, "+
		"replacement time %d, pace of starts %d, extrapolation %d, groups skipped %d, in-order %d, in basic blocks "+
		"%d (repetitions walked %d, only iterations skipped %d), by dataflow with repetitions that may be walked %d "+
		"(only iterations skipped %d), repetitions %d, only iterations skipped %d, loaded memory %d, queues %d, "+
		"limited reads of registers %d, pairs of charges %d (skipped %d), sampled %d, kinds of groups %d (and groups "+
		"skipped %d)",
		n, barriers, mixed, subCores, intervals, replaced, paced, extrapolated, skipped, inOrder, blocks, walked,
		walkedTurns, flowed, flowedTurns, folded, turns, loaded, queues, ports, pairs, pairsSkipped, sampled, several,
		severalSkipped)
	for _, k := range []int{barriers, mixed, subCores, intervals, replaced, paced, skipped, inOrder, blocks, loaded,
		queues, ports, several, folded, pairs} {
		if k < n/20 {
			t.Errorf("only %d of the random cases have one of these", k)
		}
	}
	if extrapolated < n/100 || walked < n/40 || sampled < n/200 || turns < n/400 || walkedTurns < n/1000 ||
		flowed < n/40 || flowedTurns < n/2000 || severalSkipped < n/200 {
		t.Errorf("only %d of the random cases are extrapolated, %d walk loops by basic blocks, %d sampled, %d of "+
			"several kinds and skipped, %d skip iterations, %d of them by basic blocks; %d by dataflow with loops, "+
			"%d of them skip iterations", extrapolated, walked, sampled, severalSkipped, turns, walkedTurns, flowed,
			flowedTurns)
	}
}

// difference names the first field in which two results differ that should be
// the same but for how much was skipped.
func difference(got, want *Result) string {
	if got.SimulatedGroups+got.SkippedGroups != want.SimulatedGroups+want.SkippedGroups {
		return fmt.Sprintf("%d groups simulated, %d skipped, want %d in all", got.SimulatedGroups, got.SkippedGroups,
			want.SimulatedGroups+want.SkippedGroups)
	}
	a, b := reflect.ValueOf(*got), reflect.ValueOf(*want)
	for i := range a.NumField() {
		name := a.Type().Field(i).Name
		if name == "SimulatedGroups" || name == "SkippedGroups" || name == "SkippedIssues" {
			continue
		}
		if x, y := a.Field(i).Interface(), b.Field(i).Interface(); !reflect.DeepEqual(x, y) {
			return fmt.Sprintf("%s is\n%+v, want\n%+v", name, x, y)
		}
	}
	return ""
}

// TestEngineFallback: with more warps than the fast engine holds the reference
// engine runs, and gives the same result for a number that both can hold.
func TestEngineFallback(t *testing.T) {
	f := tiledKernel(t, 8, 2)
	f.mapping.Device.Limits.Warps = 0
	g := f.graph(100)
	r, err := Run(context.Background(), g, &f.mapping, Config{Concurrent: 33})
	if err != nil || r.OccupancyWarps != 66 || r.SkippedGroups != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
