package simulate

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/test/tools"
)

// TestBlocksByHand: of two loads with a multiply-add each, the second load waits
// in its block until the block before has issued, and is overtaken by nothing.
func TestBlocksByHand(t *testing.T) {
	for _, c := range []struct {
		unrolled bool // both in one block
		want     map[IssueMode]string
	}{
		// loads at 0 and 1, sums at 10 and 11; in order at 0 and 11, 10 and 21; by blocks at 0 and 10, 10 and 20
		{false, map[IssueMode]string{Dataflow: "15", InOrder: "25", Blocks: "24"}},
		{true, map[IssueMode]string{Dataflow: "15", InOrder: "24", Blocks: "15"}},
	} {
		f := newFixture(t, 1, "alu", "mem")
		ld, fma, loop := f.class("ld.global", "mem", "1", "10"), f.class("fma.f32", "alu", "1", "4"),
			f.class("loop", "alu", "1", "4")
		f.begin()
		for i := range 2 {
			x := f.builder.Add(ld)
			f.builder.Add(fma, data(x))
			if i == 0 && !c.unrolled {
				f.builder.Add(loop)
			}
		}
		g := f.graph(1)
		for mode, want := range c.want {
			for _, engine := range []Engine{EngineFast, EngineReference} {
				if r := f.run(g, Config{Issue: mode, Engine: engine}); r.Cycles != cycles(t, want) {
					t.Errorf("%v, %v, unrolled %t: %v cycles, want %s", mode, engine, c.unrolled, r.Cycles, want)
				}
			}
		}
	}
}

// TestBlocksBetweenTheOthers: a program of one block is issued as by dataflow, one of
// blocks of an instruction in order.
func TestBlocksBetweenTheOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(*fastSeed, 21))
	for n := range tools.Cases(600, 200) {
		f := newFixture(t, 1+r.IntN(4), "a", "b", "c")
		mode, ops := Dataflow, []string{"add.f32", "ld.global", "st.global", "fence", "select.f32"}
		if n%2 > 0 {
			mode, ops = InOrder, []string{"loop", "branch", "barrier"}
		}
		var classes []idg.InstrID
		for _, op := range ops {
			classes = append(classes, f.class(op, []string{"a", "b", "c"}[r.IntN(3)],
				[]string{"1", "2.5", "0.25"}[r.IntN(3)], []string{"3", "40", "18"}[r.IntN(3)]))
		}
		randomWarps(f, r, classes, 99)
		g := f.graph(1)
		cfg := Config{Groups: 1 + r.Int64N(40), Concurrent: 1 + r.Int64N(8), Full: true,
			Scheduler: Scheduler(1 + r.IntN(4)), Issue: mode}
		want := f.run(g, cfg)
		cfg.Issue = Blocks
		got := f.run(g, cfg)
		// One walks the loops that the other expands, so that its bound may be a lower one.
		got.LowerBounds, got.Bound = want.LowerBounds, want.Bound
		if d := difference(got, want); d != "" {
			t.Fatalf("case %d, against %v: %s", n, mode, d)
		}
	}
}

// TestKeepingMore: instructions for which no later block waits may be kept as well.
func TestKeepingMore(t *testing.T) {
	r := rand.New(rand.NewPCG(*fastSeed, 22))
	for n := range tools.Cases(400, 130) {
		_, kinds, cfg := randomLaunch(t, r, r)
		cfg.Issue, cfg.Engine, cfg.NoSkipping = Blocks, EngineFast, true
		s, err := (&Launch{kinds: kinds}).prepare(cfg)
		if err != nil {
			t.Fatal(err)
		}
		want, err := s.simulate(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.work.kinds {
			for _, p := range s.work.kinds[i].programs {
				if p.flow.free {
					continue
				}
				most := int64(idg.MaxExpanded)
				f, err := s.work.newFlowTranslator(p, p.source, most, s.work.blockEnds(p.source, p.first, Blocks))
				if err != nil {
					t.Fatal(err)
				}
				f.limit = f.reach(s.hw)
				exact, err := f.program()
				if err != nil {
					t.Fatal(err)
				}
				for b := range exact.blocks {
					exact.blocks[b].kept = nil
				}
				f.feed(0)
				p.flow = exact
			}
		}
		got, err := s.simulate(context.Background())
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("case %d: %+v, want %+v, %v", n, got, want, err)
		}
	}
}

// TestLongBlocks: a repetition in which no block ends is expanded, if it is not
// too long.
func TestLongBlocks(t *testing.T) {
	for _, c := range []struct {
		count string
		ok    bool
	}{{"100000", true}, {"60000000", false}, {"1000000000000", false}} {
		f := newFixture(t, 1, "alu")
		in := f.class("add.f32", "alu", "1", "4")
		f.begin()
		f.builder.BeginLoop()
		for i := range 50 {
			if i > 0 {
				f.builder.NextIteration()
			}
			f.builder.Add(in)
			f.builder.Add(in)
		}
		f.builder.EndLoop()
		r, err := Run(context.Background(), repeated(t, f.graph(1), c.count), &f.mapping,
			Config{Issue: Blocks, Groups: 2, Concurrent: 1, MaxEvents: 1e18, Full: true})
		var e *diag.Error
		switch {
		case c.ok && (err != nil || r.Cycles != cycles(t, "400006")):
			t.Errorf("%s iterations: %+v, %v", c.count, r, err)
		case !c.ok && (!errors.As(err, &e) || e.Code != idg.CodeTooLarge):
			t.Errorf("%s iterations: %v", c.count, err)
		}
	}
}

// TestMemoryIsState: what a warp remembers of earlier blocks belongs to the state,
// as far as it has not ended.
func TestMemoryIsState(t *testing.T) {
	visited := func(change func(w *flow)) (same bool) {
		f := newFixture(t, 1, "alu", "mem")
		ld, fma, loop := f.class("ld.global", "mem", "1", "10"), f.class("fma.f32", "alu", "1", "4"),
			f.class("loop", "alu", "1", "4")
		f.begin()
		x := f.builder.Add(ld)
		f.builder.Add(loop)
		f.builder.BeginLoop()
		for i := range 10 {
			if i > 0 {
				f.builder.NextIteration()
			}
			f.builder.Add(fma, data(x))
			f.builder.Add(loop)
		}
		f.builder.EndLoop()
		setup, err := (&Launch{kinds: []GroupKind{{f.graph(10), &f.mapping, 1}}}).prepare(Config{Issue: Blocks,
			Concurrent: 1, Full: true})
		if err != nil {
			t.Fatal(err)
		}
		m := setup.newFastEngine()
		m.start(0)
		e := m.engine.(*dataflow)
		e.issueAll() // the load and the loop instruction: the second block has begun
		var w stateWalk
		w.begin(false)
		m.visit(&w)
		change(&e.flows[0])
		w.begin(true)
		m.visit(&w)
		return w.same && w.complete()
	}
	if !visited(func(*flow) {}) {
		t.Error("a state differs from itself")
	}
	for name, change := range map[string]func(w *flow){
		"instruction that is held":           func(w *flow) { w.outer.held[0].number-- },
		"class of an instruction held":       func(w *flow) { w.outer.held[0].class++ },
		"end of an instruction held":         func(w *flow) { w.outer.held[0].waiting = endedOuter },
		"class of an instruction under way":  func(w *flow) { w.outer.at(w.base-2).class++ },
		"number of iterations that are left": func(w *flow) { w.left[0]++ },
	} {
		if visited(change) {
			t.Errorf("another %s is not seen", name)
		}
	}
}

// Places of the ring that no instruction was at say that it has ended: where iterations were skipped, numbers
// lead back to any place.
func TestOuterMemoryIsEmpty(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	rings := 0
	for range 300 {
		_, kinds, cfg := randomLaunch(t, r, r)
		cfg.Issue, cfg.Engine = Blocks, EngineFast
		s, err := (&Launch{kinds: kinds}).prepare(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if s.cfg.Engine != EngineFast {
			continue
		}
		e := newDataflow(s)
		for place := range e.flows {
			m := &e.flows[place].outer
			for number := range uint32(len(m.ring)) {
				rings++
				if o := m.of(number); o.done != endedOuter || o.passed != endedOuter {
					t.Fatalf("instruction %d of %d is waited for", number, len(m.ring))
				}
			}
		}
	}
	if rings == 0 {
		t.Error("no program remembers anything")
	}
}
