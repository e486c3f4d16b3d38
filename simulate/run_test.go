package simulate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

func wantError(t *testing.T, f *fixture, g *idg.Graph, cfg Config, code string) {
	t.Helper()
	r, err := Run(context.Background(), g, &f.mapping, cfg)
	var e *diag.Error
	if !errors.As(err, &e) || e.Code != code || r != nil {
		t.Errorf("got %v, %v; want an error %s", r, err, code)
	}
}

// TestBadInput: everything that cannot be simulated is a clear error, in time.
func TestBadInput(t *testing.T) {
	for _, c := range []struct {
		name string
		code string
		do   func(f *fixture) Config
	}{
		{"zero λ", "LATENCY", func(f *fixture) Config {
			f.mapping.Entries[0].Timing.CPI = latencies.Cycles{}
			return Config{}
		}},
		{"zero Λ", "LATENCY", func(f *fixture) Config {
			f.mapping.Entries[0].Timing.Latency = latencies.Cycles{}
			return Config{}
		}},
		{"no such subsystem", "LATENCY", func(f *fixture) Config {
			f.mapping.Entries[0].Subsystem = 7
			return Config{}
		}},
		{"mapping of another graph", "LATENCY", func(f *fixture) Config { f.mapping.Entries = nil; return Config{} }},
		{"no common denominator", "TIME", func(f *fixture) Config {
			d := f.mapping.Device
			f.mapping.Entries[0].Timing = latencies.Timing{CPI: cycles(f.t, "1/999999937"),
				Latency: cycles(f.t, "1/999999929")}
			d.IssueInterval, d.GroupReplacement = cycles(f.t, "1/999999893"), cycles(f.t, "1/999999883")
			return Config{}
		}},
		{"too long for the time step", "TIME", func(f *fixture) Config {
			f.mapping.Entries[0].Timing = latencies.Timing{CPI: cycles(f.t, "0.000000001"),
				Latency: cycles(f.t, "999999999999999999")}
			return Config{}
		}},
		{"time beyond the limit", "TIME", func(f *fixture) Config {
			f.mapping.Entries[0].Timing.Latency = cycles(f.t, "999999999999999999")
			return Config{Groups: 5, Concurrent: 1, Full: true}
		}},
		{"extrapolated beyond the limit", "TIME", func(f *fixture) Config {
			f.mapping.Entries[0].Timing.CPI = cycles(f.t, "99999999")
			return Config{Groups: 1e12, Concurrent: 1}
		}},
		{"everything at once", "TOO-LARGE", func(f *fixture) Config { return Config{Groups: 1e12, Concurrent: 1e12} }},
		{"all of 10^12 groups", "TOO-LARGE", func(f *fixture) Config {
			return Config{Groups: 1e12, Concurrent: 8, Full: true, NoSkipping: true}
		}},
		{"more than can be counted", "TOO-LARGE", func(f *fixture) Config {
			return Config{Groups: 1 << 62, Concurrent: 8}
		}},
		{"limit of events", "TOO-LARGE", func(f *fixture) Config { return Config{Groups: 10, MaxEvents: 29} }},
		{"negative groups", "CONFIG", func(f *fixture) Config { return Config{Groups: -1} }},
		{"negative concurrency", "CONFIG", func(f *fixture) Config { return Config{Concurrent: -1} }},
		{"negative registers", "CONFIG", func(f *fixture) Config { return Config{Registers: -1} }},
		{"negative limit", "CONFIG", func(f *fixture) Config { return Config{MaxEvents: -1} }},
		{"negative budget", "CONFIG", func(f *fixture) Config { return Config{Budget: -1} }},
		{"no such engine", "CONFIG", func(f *fixture) Config { return Config{Engine: 9} }},
		{"no such scheduler", "CONFIG", func(f *fixture) Config { return Config{Scheduler: 9} }},
		{"no such issue mode", "CONFIG", func(f *fixture) Config { return Config{Issue: 9} }},
		{"device with no such scheduler", "CONFIG", func(f *fixture) Config {
			f.mapping.Device.Scheduler = 9
			return Config{}
		}},
		{"device with no such issue mode", "CONFIG", func(f *fixture) Config {
			f.mapping.Device.Issue = 9
			return Config{}
		}},
		{"too many sub-cores", "CONFIG", func(f *fixture) Config {
			f.mapping.Device.Partitions = 1000
			return Config{}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, 1, "alu")
			f.chain(repeat(3, f.class("add.f32", "alu", "1", "4"))...)
			g := f.graph(2)
			wantError(t, f, g, c.do(f), c.code)
		})
	}
}

func TestEmptyProgram(t *testing.T) {
	f := newFixture(t, 2, "alu")
	f.begin()
	wantError(t, f, f.graph(3), Config{}, "EMPTY")
}

// TestExtremes: sizes at the edge are simulated, not refused.
func TestExtremes(t *testing.T) {
	t.Run("λ of a billionth of a cycle", func(t *testing.T) {
		f := newFixture(t, 3, "alu")
		f.chain(repeat(2, f.class("add.f32", "alu", "0.000000001", "4"))...)
		if r := f.run(f.graph(1), Config{}); r.Cycles != cycles(t, "8.000000002") {
			t.Errorf("%v cycles", r.Cycles)
		}
	})
	t.Run("10^12 groups", func(t *testing.T) {
		f := newFixture(t, 1, "alu")
		f.chain(repeat(3, f.class("add.f32", "alu", "1", "4"))...)
		g := f.graph(1e12)
		r := f.run(g, Config{Concurrent: 4})
		if want := cycles(t, "3000000000003"); r.Cycles != want || r.SkippedGroups < 1e12-1000 { // Eq. 1
			t.Errorf("%v cycles, want %v; %d groups skipped", r.Cycles, want, r.SkippedGroups)
		}
		r = f.run(g, Config{Concurrent: 4, NoSkipping: true})
		if want := cycles(t, "3000000000003"); r.Cycles != want || !r.Extrapolated {
			t.Errorf("%v cycles, want %v, extrapolated %t", r.Cycles, want, r.Extrapolated)
		}
	})
	t.Run("65,536 warps", func(t *testing.T) {
		for _, s := range latencies.Schedulers() {
			f := newFixture(t, 32768, "alu")
			f.chain(repeat(2, f.class("add.f32", "alu", "1", "4"))...)
			if r := f.run(f.graph(2), Config{Scheduler: s}); r.Cycles.Cmp(cycles(t, "131075")) < 0 ||
				r.OccupancyWarps != 65536 {
				t.Errorf("%v: %v cycles of %d warps", s, r.Cycles, r.OccupancyWarps)
			}
		}
	})
	t.Run("10^6 warps", func(t *testing.T) {
		f := newFixture(t, 31250, "alu")
		f.chain(f.class("add.f32", "alu", "1", "4"))
		g := f.graph(32)
		wantError(t, f, g, Config{}, "TOO-LARGE")
		if r := f.run(g, Config{Concurrent: 2}); r.Cycles != cycles(t, "1000003") {
			t.Errorf("%v cycles", r.Cycles)
		}
	})
}

func TestCancelled(t *testing.T) {
	f := newFixture(t, 1, "alu")
	f.chain(f.class("add.f32", "alu", "1", "4"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, f.graph(1), &f.mapping, Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestSameInputSameResult(t *testing.T) {
	f := tiledKernel(t, 16, 3)
	g := f.graph(40)
	cfg := Config{Profile: true, Scheduler: GreedyThenOldest}
	if d := cmp.Diff(f.run(g, cfg), f.run(g, cfg), cmp.Comparer(latencies.Cycles.Equal)); d != "" {
		t.Error(d)
	}
}

// TestDefaults: what the configuration leaves open is the device's.
func TestDefaults(t *testing.T) {
	f := newFixture(t, 2, "alu")
	d := f.mapping.Device
	in := f.class("add.f32", "alu", "1", "9")
	f.begin()
	first := f.builder.Add(in)
	f.builder.Add(in, data(first))
	f.builder.Add(in)
	g := f.graph(1)
	run := func(cfg Config) string { return f.run(g, cfg).Cycles.String() }
	// Dataflow issues the third instruction before the second, 0, 1, 2, 3 and
	// then 9, 10 (rr); in order it is the last, 0, 1, 9, 10, 11, 12.
	if got := run(Config{}); got != "19" {
		t.Errorf("dataflow: %s cycles, want 19", got)
	}
	d.Issue = InOrder
	if got := run(Config{}); got != "21" {
		t.Errorf("in-order by the device: %s cycles, want 21", got)
	}
	if got := run(Config{Issue: Dataflow}); got != "19" {
		t.Errorf("dataflow given: %s cycles, want 19", got)
	}
	d.Issue = Blocks // there is one
	if got := run(Config{}); got != "19" {
		t.Errorf("blocks by the device: %s cycles, want 19", got)
	}
	d.Issue = InOrder
	d.IssueLimit = cycles(t, "0.25") // issues at 0, 4, 9, 13, 17, 21
	if got := run(Config{}); got != "30" {
		t.Errorf("issue limit of the device: %s cycles, want 30", got)
	}
	if got := run(Config{IssueLimit: cycles(t, "1")}); got != "21" {
		t.Errorf("issue limit given: %s cycles, want 21", got)
	}
	d.Scheduler = GreedyThenOldest
	if cfg := (Config{}).withDefaults(d, &idg.Graph{}); cfg.Scheduler != GreedyThenOldest {
		t.Errorf("%v", cfg.Scheduler)
	}
}

// TestDeviceFilesNameModes: a device file may name every issue mode and scheduler.
func TestDeviceFilesNameModes(t *testing.T) {
	file := func(key, name string) error {
		_, err := latencies.ParseDevice("d.yaml",
			fmt.Appendf(nil, "version: 1\nname: d\ntitle: D\nextends: gtx1060\n%s: {value: %s, source: S}\n",
				key, name))
		return err
	}
	for _, m := range latencies.IssueModes() {
		if err := file("issue", m.String()); err != nil {
			t.Error(err)
		}
	}
	for _, s := range latencies.Schedulers() {
		if err := file("scheduler", s.String()); err != nil {
			t.Error(err)
		}
	}
	if file("issue", "best") == nil {
		t.Error("an unknown mode is accepted")
	}
}

func TestNames(t *testing.T) {
	for _, s := range latencies.Schedulers() {
		if got, err := latencies.ParseScheduler(s.String()); got != s || err != nil {
			t.Errorf("%v: %v, %v", s, got, err)
		}
	}
	for _, m := range latencies.IssueModes() {
		if got, err := latencies.ParseIssueMode(m.String()); got != m || err != nil {
			t.Errorf("%v: %v, %v", m, got, err)
		}
	}
	if !strings.HasPrefix(Engine(0).String(), "invalid") {
		t.Errorf("%v", Engine(0))
	}
	_, err1 := latencies.ParseScheduler("fifo")
	_, err2 := latencies.ParseIssueMode("")
	if err1 == nil || err2 == nil || !strings.Contains(err1.Error(), "gto") {
		t.Errorf("%v, %v", err1, err2)
	}
	if s, m := Scheduler(0).String(), IssueMode(7).String(); !strings.HasPrefix(s, "invalid") ||
		!strings.HasPrefix(m, "invalid") {
		t.Errorf("%q, %q", s, m)
	}
}

// TestSubCores: warp w runs on sub-core w mod n, which has its share of each
// partitioned subsystem and of the issue limit.
func TestSubCores(t *testing.T) {
	for _, c := range []struct {
		name              string
		warps, partitions int
		partitioned       bool
		limit             string
		want              string
	}{
		// 4 independent instructions each of λ = 1/4, Λ = 6.
		{"one warp, the paper's model", 1, 1, true, "4", "6.75"},
		{"one warp, four sub-cores: λ = 1 for it", 1, 4, true, "4", "9"},
		{"four warps, four sub-cores", 4, 4, true, "4", "9"},
		{"five warps, one shares", 5, 4, true, "4", "13"},
		{"one warp, shared subsystem, the valve limits", 1, 4, false, "4", "9"},
		{"one warp, shared subsystem, no limit", 1, 4, false, "", "6.75"},
		{"four warps, shared subsystem, no limit", 4, 4, false, "", "9.75"},
	} {
		f := newFixture(t, c.warps, "alu")
		d := f.mapping.Device
		d.Partitions, d.Subsystems[0].Partitioned = c.partitions, c.partitioned
		if c.limit != "" {
			d.IssueLimit = cycles(t, c.limit)
		}
		in := f.class("add.f32", "alu", "0.25", "6")
		f.begin()
		for range 4 {
			f.builder.Add(in)
		}
		if r := f.run(f.graph(1), Config{}); r.Cycles != cycles(t, c.want) {
			t.Errorf("%s: %v cycles, want %s", c.name, r.Cycles, c.want)
		}
	}
}

// Sub-cores take warps in turns over the places of all groups, not over those of each: a group's
// only working warp is on another sub-core than the next group's, unless groups are of a multiple
// of four warps.
func TestSubCoresOfGroups(t *testing.T) {
	for _, c := range []struct {
		warps int
		want  string
	}{
		// 4 groups in which one warp has 4 independent instructions of λ = 1 on its sub-core, Λ = 6.
		{1, "9"}, {3, "9"}, {4, "21"}, {5, "9"}, {6, "13"}, {8, "21"},
	} {
		f := newFixture(t, c.warps, "alu", "other")
		d := f.mapping.Device
		d.Partitions, d.Subsystems[0].Partitioned = 4, true
		work, idle := f.class("add.f32", "alu", "0.25", "6"), f.class("branch", "other", "0.01", "1")
		f.builder.Begin(0)
		for range 4 {
			f.builder.Add(work)
		}
		for w := 1; w < c.warps; w++ {
			f.builder.Begin(uint32(w))
			f.builder.Add(idle)
		}
		if r := f.run(f.graph(4), Config{Concurrent: 4}); r.Cycles != cycles(t, c.want) {
			t.Errorf("groups of %d warps: %v cycles, want %s", c.warps, r.Cycles, c.want)
		}
	}
}

// TestGroupsPerUnit: the groups of a launch are divided, rounded up, as long as they can be counted.
func TestGroupsPerUnit(t *testing.T) {
	for _, c := range []struct {
		groups [3]int64
		units  int
		want   int64 // 0: refused
	}{
		{[3]int64{10, 1, 1}, 4, 3}, {[3]int64{2, 3, 2}, 4, 3}, {[3]int64{5, 1, 1}, 0, 5}, {[3]int64{0, 1, 1}, 4, 0},
		{[3]int64{math.MaxInt64, 1, 1}, 1, math.MaxInt64}, {[3]int64{math.MaxInt64, 2, 1}, 4, 0},
		{[3]int64{3, math.MaxInt64 / 3, 1}, 1, math.MaxInt64 / 3 * 3}, {[3]int64{1, 1, -1}, 4, 0},
	} {
		got, err := groupsPerUnit(&idg.Launch{Groups: c.groups}, &latencies.Device{ComputeUnits: c.units})
		if got != c.want || (err != nil) != (c.want == 0) {
			t.Errorf("%v groups on %d units: %d, %v", c.groups, c.units, got, err)
		}
	}
}
