package simulate

import (
	"context"
	"reflect"
	"sync"
	"testing"

	"gpupipe/latencies"
)

// TestLaunchIsRun holds that what runs of a launch share changes no number, also when
// they run at the same time, and that a group alone runs once for all occupancies.
func TestLaunchIsRun(t *testing.T) {
	differ := 0
	for seed := range uint64(6) {
		f := randomKernel(t, seed)
		g := f.graph(1)
		l := NewLaunch(g, &f.mapping)
		alone := map[latencies.Cycles]bool{}
		var want []*Result
		var cfgs []Config
		for _, scheduler := range []Scheduler{RoundRobin, GreedyThenOldest} {
			for _, issue := range []IssueMode{Dataflow, InOrder} {
				for _, limit := range []string{"1/8", "1"} {
					for m := int64(1); m <= 4; m++ {
						cfg := Config{Scheduler: scheduler, Issue: issue, IssueLimit: cycles(t, limit), Groups: 5 + m,
							Concurrent: m, Full: m%2 == 0}
						cfgs, want = append(cfgs, cfg), append(want, f.run(g, cfg))
						alone[want[len(want)-1].GroupAlone] = true
					}
				}
			}
		}
		if len(alone) > 1 {
			differ++
		}
		for _, jobs := range []int{1, 4} { // the second time, all groups alone are known
			var workers sync.WaitGroup
			for j := range jobs {
				workers.Go(func() {
					for i := j; i < len(cfgs); i += jobs {
						got, err := l.Run(context.Background(), cfgs[i])
						if err != nil || !reflect.DeepEqual(got, want[i]) {
							t.Errorf("kernel %d, %+v: %+v, %v; a run of its own: %+v", seed, cfgs[i], got, err, want[i])
						}
					}
				})
			}
			workers.Wait()
		}
		if len(l.alone) != 8 {
			t.Errorf("kernel %d: a group alone was kept %d times, want 8", seed, len(l.alone))
		}
	}
	if differ < 3 {
		t.Errorf("in %d kernels only does a group alone take different times: little could be mixed up", differ)
	}
}

// TestLaunchOfKinds holds that the group alone is of the kind that most groups of a
// run are of, which differs from run to run.
func TestLaunchOfKinds(t *testing.T) {
	f := exampleKernel(t)
	short := GroupKind{f.graph(1), &f.mapping, 2}
	other := f.sibling()
	other.chain(repeat(40, other.class("add.f32", "comp", "1", "4"))...)
	l := &Launch{kinds: []GroupKind{short, {other.graph(1), &other.mapping, 3}}}
	var alone [2]latencies.Cycles
	for range 2 { // the second time, both are known
		for i, n := range []int64{2, 5} { // 1 and 1 of the kinds, the first of equals; 2 and 3
			cfg := Config{Groups: n, Concurrent: 1}
			got, err := l.Run(context.Background(), cfg)
			if want := f.runKinds(l.kinds, cfg); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%d groups: %+v, %v; a run of its own: %+v", n, got, err, want)
			}
			alone[i] = got.GroupAlone
		}
	}
	if alone[0].Cmp(alone[1]) >= 0 || len(l.alone) != 2 {
		t.Errorf("groups of the two kinds take %v alone, %d were kept", alone, len(l.alone))
	}
}

// TestLaunchOfAnError holds that a run that is ended leaves nothing behind.
func TestLaunchOfAnError(t *testing.T) {
	f := exampleKernel(t)
	l := NewLaunch(f.graph(1), &f.mapping)
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := l.Run(ended, Config{Groups: 3}); err == nil || len(l.alone) != 0 {
		t.Errorf("%v, %d groups alone kept", err, len(l.alone))
	}
	if _, err := l.Run(context.Background(), Config{Groups: 3}); err != nil || len(l.alone) != 1 {
		t.Errorf("%v, %d groups alone kept", err, len(l.alone))
	}
}

// TestAllAtOnce: where all groups of a unit start at once it is the one with the most work, up to as many groups as it
// holds; with one more they are there in proportion.
func TestAllAtOnce(t *testing.T) {
	f := newFixture(t, 1, "alu")
	f.chain(repeat(10, f.class("add.f32", "alu", "1", "4"))...)
	heavy := f.sibling()
	heavy.chain(repeat(1000, heavy.class("add.f32", "alu", "1", "4"))...)
	kinds := []GroupKind{{f.graph(1), &f.mapping, 31}, {heavy.graph(1), &heavy.mapping, 1}}
	for groups, longest := range map[int64]bool{1: true, 4: true, 5: false} {
		r := f.runKinds(kinds, Config{Groups: groups, Concurrent: 4})
		if got := r.Cycles.Float() >= 4000; got != longest {
			t.Errorf("%d groups: %v cycles, that of the most work: %t", groups, r.Cycles, longest)
		}
	}
}

// TestBriefLaunch: a launch that is mapped anew is as one of its own, and of one where nobody asks for a group alone
// only that is missing, which is not simulated.
func TestBriefLaunch(t *testing.T) {
	for seed := range uint64(6) {
		f := randomKernel(t, seed)
		g := f.graph(1)
		l := NewLaunch(g, &latencies.Mapping{}).Mapped(&f.mapping)
		l.Brief = true
		cfg := Config{Groups: 5, Concurrent: 2}
		want := f.run(g, cfg)
		got, err := l.Run(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if len(l.alone) > 0 || !got.GroupAlone.IsZero() || l.words != nil {
			t.Errorf("kernel %d: a group alone takes %v; words %v", seed, got.GroupAlone, l.words)
		}
		got.GroupAlone, got.Bound.NeededWarps, got.Bound.Text = want.GroupAlone, want.Bound.NeededWarps, want.Bound.Text
		if !reflect.DeepEqual(got, want) {
			t.Errorf("kernel %d: %+v, and not %+v", seed, got, want)
		}
	}
}

// TestWithin: a run that is to take less is predicted from fewer iterations, simulates about as much as its plan says,
// and is refused where that is not allowed.
func TestWithin(t *testing.T) {
	for seed := range uint64(4) {
		f := longLoopKernel(t, seed, 1, []int{4000})
		g := f.graph(1)
		for _, most := range []int64{1 << 30, 50_000} {
			l := NewLaunch(g, &f.mapping)
			p, err := l.Plan(Config{Groups: 40, Concurrent: 2, Scheduler: GreedyThenOldest})
			if err != nil {
				t.Fatal(err)
			}
			looked, whole := l.Work(), p.Simulates
			p.Within(50_000, most)
			if looked < 1 || l.Work() != looked || !p.Shortens || p.Simulates > whole/4 {
				t.Fatalf("kernel %d: work %d, then %d; %d of %d, shortened: %t", seed, looked, l.Work(), p.Simulates,
					whole, p.Shortens)
			}
			l.Brief = true
			_, err = p.Run(t.Context(), most)
			limit := min(most, 2*p.Simulates) + stepsPerCheck
			if err != nil && (!TooLarge(err) || most > 50_000) || l.Simulated() > limit {
				t.Errorf("kernel %d: %d simulated, at most %d: %v", seed, l.Simulated(), limit, err)
			}
		}
	}
}
