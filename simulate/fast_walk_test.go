package simulate

import (
	"context"
	"errors"
	"testing"

	"gpupipe/internal/diag"
	"gpupipe/internal/test/tools"
)

// runAhead is a loop whose own instructions are faster than the rest, so that all
// iterations begin long before the first ones have ended.
func runAhead(t testing.TB, trips int64) *setup {
	f, g := tripKernel(t, 1, trips)
	for i := range f.mapping.Entries {
		if e := &f.mapping.Entries[i]; f.mapping.Device.Subsystems[e.Subsystem].Name == "memory" {
			e.Timing.CPI = cycles(t, "20")
		}
	}
	s, err := (&Launch{kinds: []GroupKind{{g, &f.mapping, 1}}}).prepare(Config{Groups: 2, Concurrent: 2,
		Issue: Dataflow, Full: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestWindowOverflow: where windows become large, loops are expanded if they can
// be, else that is an error; the result is the reference's.
func TestWindowOverflow(t *testing.T) {
	tools.Heavy(t)
	s := runAhead(t, 40_000)
	if s.work.expanded {
		t.Fatal("the loop is not walked")
	}
	got, err := s.simulate(context.Background())
	if err != nil || !s.work.expanded {
		t.Fatalf("%v; expanded %t", err, s.work.expanded)
	}
	s.cfg.Engine = EngineReference
	if err := s.translate(); err != nil {
		t.Fatal(err)
	}
	want, err := s.simulate(context.Background())
	if err != nil || got.end != want.end || got.stats.issued != want.stats.issued ||
		got.stats.resident != want.stats.resident {
		t.Errorf("%v; %v, the reference %v", err, got.end, want.end)
	}
	var e *diag.Error
	if _, err := runAhead(t, 60_000_000).simulate(context.Background()); !errors.As(err, &e) || e.Code != "TOO-LARGE" {
		t.Errorf("60,000,000 iterations: %v", err)
	}
}

// runningWalk is an engine some time after all warps have begun another iteration.
func runningWalk(t *testing.T) *dataflow {
	f, g := tripKernel(t, 2, 5000)
	s, err := (&Launch{kinds: []GroupKind{{g, &f.mapping, 1}}}).prepare(Config{Groups: 2, Concurrent: 2,
		Issue: Dataflow, Full: true, NoSkipping: true, walkedFrom: 100})
	if err != nil {
		t.Fatal(err)
	}
	e := newDataflow(s)
	for slot := range e.slots {
		e.start(slot)
	}
	for e.issued < 2000 {
		e.now = min(e.next(), e.futures.first)
		if e.now == e.futures.first {
			e.endInstrs()
		}
		e.issueCore(&e.cores[0])
	}
	return e
}

// TestWindowIsState: the state of a window is the same wherever it lies in memory,
// and another one when any part of it is.
func TestWindowIsState(t *testing.T) {
	same := func(do func(w *flow)) bool {
		e := runningWalk(t)
		var s stateWalk
		s.begin(false)
		e.machine.visit(&s)
		do(&e.flows[1])
		s.begin(true)
		e.machine.visit(&s)
		return s.same && s.complete() && len(s.turned) == 0
	}
	last := func(w *flow) *windowSlot { return &w.walk.slots[w.walk.size-1] }
	if !same(func(*flow) {}) || !same(func(w *flow) { w.walk.slide(w, w.walk.first&^63) }) || !same(func(w *flow) {
		w.walk.grow(w, 1<<15)
	}) {
		t.Error("a window differs from itself")
	}
	for name, do := range map[string]func(w *flow){
		"next block":     func(w *flow) { w.walk.next++ },
		"size":           func(w *flow) { w.walk.size-- },
		"block":          func(w *flow) { w.walk.blocks[len(w.walk.blocks)-1].id++ },
		"place":          func(w *flow) { w.walk.blocks[len(w.walk.blocks)-1].number++ },
		"dependences":    func(w *flow) { w.waits[w.walk.size-1]++ },
		"end":            func(w *flow) { last(w).node ^= slotDone },
		"end of λ":       func(w *flow) { last(w).node ^= slotPassed },
		"ready":          func(w *flow) { w.ready.add(0, w.walk.size-1) },
		"iterations":     func(w *flow) { w.left[0]-- },
		"held":           func(w *flow) { w.walk.held = append(w.walk.held, 7) },
		"barriers":       func(w *flow) { w.walk.barriers = append(w.walk.barriers, walkedBarrier{}) },
		"many":           func(w *flow) { w.walk.many = append(w.walk.many, manyRounds{w.base + w.walk.size - 1, 1}) },
		"barriers ahead": func(w *flow) { w.passed++ },
	} {
		if same(do) {
			t.Errorf("another %s is not seen", name)
		}
	}
}
