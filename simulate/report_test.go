package simulate

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/idg"
)

// TestLines accounts for a run by hand: two warps, a load (λ 2, Λ 10), a sum of
// two values (λ 1, Λ 4) and a store (λ 2), with the first warp issuing at 0, 10
// and 14 and the second at 2, 12 and 16. They end at 16 and 18.
func TestLines(t *testing.T) {
	f := newFixture(t, 2, "alu", "mem")
	f.chain(f.class("ld.global", "mem", "2", "10"), f.class("add.f32", "alu", "1", "4"),
		f.class("st.global", "mem", "2", "50"))
	r := f.run(f.graph(1), Config{})
	if r.Cycles.String() != "18" || r.Issued != 6 || len(r.Lines) != 3 {
		t.Fatalf("%v cycles, %d issued, %d lines", r.Cycles, r.Issued, len(r.Lines))
	}
	for i, want := range []struct {
		busy, critical        string
		share, waited, queued float64
		subsystem             string
	}{
		{"4", "10", 0.5, 10, 1, "mem"}, // the second warp queues for 2
		{"2", "4", 0, 4, 0, "alu"},
		{"4", "2", 0.5, 2, 0, "mem"},
	} {
		l := r.Lines[i]
		if l.Pos != (idg.Pos{File: "k.cl", Line: i + 1}) || l.Issued != 2 || l.Busy.String() != want.busy ||
			l.Critical.String() != want.critical ||
			l.Share != want.share || l.Waited != want.waited || l.Queued != want.queued ||
			l.Subsystem != want.subsystem {
			t.Errorf("line %d: %+v, want %+v", i+1, l, want)
		}
		if l.BusyIn[0].String() != map[string]string{"alu": want.busy, "mem": "0"}[want.subsystem] {
			t.Errorf("line %d: %v busy in alu", i+1, l.BusyIn[0])
		}
	}
	if w := r.Waiting; w != (Waiting{Resident: 17, Latency: 16, Queued: 1}) {
		t.Errorf("%+v", w)
	}
	if a, m := r.Subsystems[0], r.Subsystems[1]; a.Utilization != 2./18 || m.Utilization != 8./18 ||
		m.Busy.String() != "8" {
		t.Errorf("%+v, %+v", a, m)
	}
	if b := r.LowerBounds; b.Throughput.String() != "8" || b.Subsystem != "mem" || !b.Issue.IsZero() ||
		b.Latency.String() != "16" {
		t.Errorf("%+v", b)
	}
	if r.GroupAlone != r.Cycles {
		t.Errorf("the only group takes %v alone", r.GroupAlone)
	}
}

// TestRandomAccounts checks the invariants of doc.go on random runs: no run is
// below its bounds, every warp's life is accounted for, the shares add up.
func TestRandomAccounts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for run := range 1500 {
		f, g, cfg := randomRun(t, r)
		cfg.Profile = false
		res := f.run(g, cfg) // with Verify
		waited, queued, share := 0.0, 0.0, 0.0
		critical := 0.0
		for _, l := range res.Lines {
			waited += l.Waited
			queued += l.Queued
			share += l.Share
			critical += l.Critical.Float()
		}
		w := res.Waiting
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(b)) }
		waves := float64((res.Groups-1)/res.ConcurrentGroups + 1)
		chain := res.LowerBounds.Latency.Float() - (waves-1)*f.mapping.Device.GroupReplacement.Float()
		switch {
		case !near(waited+queued, w.Resident), !near(queued, w.Queued), !near(share, 1), !near(critical*waves, chain):
			t.Fatalf("run %d: lines wait %v and queue %v of %+v, shares add to %v, critical paths to %v of %v", run,
				waited, queued, w, share, critical, chain)
		case res.GroupAlone.Float() < critical-1e-9:
			t.Fatalf("run %d: a group alone takes %v, its critical path %v", run, res.GroupAlone, critical)
		}
	}
}

// TestVerifyFindsErrors: every check of Verify can fail.
func TestVerifyFindsErrors(t *testing.T) {
	f := exampleKernel(t)
	g := f.graph(20)
	for name, spoil := range map[string]func(*Result){
		"cycles":        func(r *Result) { r.Cycles = cycles(t, "0") },
		"latency bound": func(r *Result) { r.LowerBounds.Latency = cycles(t, "100000") },
		"extrapolated":  func(r *Result) { r.Extrapolated = true },
		"concurrent":    func(r *Result) { r.ConcurrentGroups = 21 },
		"utilization":   func(r *Result) { r.Subsystems[0].Utilization = 1.01 },
		"issue slots":   func(r *Result) { r.IssueUtilization = -0.1 },
		"counts":        func(r *Result) { r.Issued++ },
		"lines":         func(r *Result) { r.Lines[1].Issued++ },
		"waiting":       func(r *Result) { r.Waiting.Queued++ },
	} {
		r := f.run(g, Config{})
		spoil(r)
		if r.Verify() == nil {
			t.Errorf("%s: not found", name)
		}
	}
}

func TestBounds(t *testing.T) {
	for _, c := range []struct {
		name      string
		warps     int
		limit     string
		groups, m int64
		kind      string
		text      string
	}{
		{"saturated", 1, "", 400, 16, BoundThroughput, "the throughput of mem"},
		{"issue limit", 1, "0.3", 400, 16, BoundIssue, "the issue limit: "},
		{"few warps", 1, "", 400, 1, BoundLatency,
			"about 4 warps are needed to hide it, there is 1 (limited by --concurrent)"},
		{"short run that queues", 1, "", 9, 9, BoundThroughput,
			"(start and end of a short run included), 100% of that with k.cl:1"},
		{"shorter run", 1, "", 4, 4, BoundLatency, "the run is short (no more groups than are resident at once), so"},
		{"short run", 1, "", 8, 4, BoundLatency, "the run is short (2 times the groups"},
	} {
		f := newFixture(t, c.warps, "alu", "mem")
		if c.limit != "" {
			f.mapping.Device.IssueLimit = cycles(t, c.limit)
		}
		f.chain(f.class("ld.global", "mem", "4", "10"), f.class("add.f32", "alu", "1", "4"))
		r := f.run(f.graph(c.groups), Config{Concurrent: c.m})
		if r.Bound.Kind != c.kind || !strings.Contains(r.Bound.Text, c.text) {
			t.Errorf("%s: %s: %q, want %s: %q", c.name, r.Bound.Kind, r.Bound.Text, c.kind, c.text)
		}
	}
}
