package simulate

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"gpupipe/latencies"
)

// TestEarlyEnds: of an access for which nothing waits, its end is looked at only if
// so few instructions follow that it may be the last of its warp.
func TestEarlyEnds(t *testing.T) {
	const latency = 20
	for _, limit := range []string{"", "1/2", "1", "3"} {
		looked, not := 0, 0
		for after := range 2 * latency {
			f := newFixture(t, 2, "alu", "mem")
			if limit != "" {
				f.mapping.Device.IssueLimit = cycles(t, limit)
			}
			add, load := f.class("add.f32", "alu", "1/2", "4"), f.class("ld.global", "mem", "1", fmt.Sprint(latency))
			f.begin()
			f.builder.Add(add)
			f.builder.Add(load)
			for range after {
				f.builder.Add(add, data(0))
			}
			g := f.graph(6)
			cfg := Config{Issue: InOrder, Concurrent: 2, Full: true, Engine: EngineReference}
			want := f.run(g, cfg)
			cfg.Engine = EngineFast
			if d := difference(f.run(g, cfg), want); d != "" {
				t.Errorf("limit %q, %d instructions behind: %s", limit, after, d)
			}
			s, err := (&Launch{kinds: []GroupKind{{g, &f.mapping, 1}}}).prepare(cfg)
			if err != nil {
				t.Fatal(err)
			}
			if p := s.work.kinds[0].programs[0]; p.ordered.nodes[1].flags&(flagFinal|flagOutlasts) != 0 {
				looked++
				if not > 0 {
					t.Errorf("limit %q: its end is looked at again with %d instructions behind it", limit, after)
				}
			} else {
				not++
				if at := s.work.reach(s.hw, p.classesUsed(), 0); int64(after)+1 < at {
					t.Errorf("limit %q: its end is not looked at with %d instructions behind it, less than %d",
						limit, after, at)
				}
			}
		}
		if looked < latency/2 || limit != "" && limit != "3" && not == 0 {
			t.Errorf("limit %q: of %d programs, %d look at the end of the access", limit, looked+not, looked)
		}
	}
}

// TestLongestRun: of 8 instructions the given ones hold, in repetitions or not.
func TestLongestRun(t *testing.T) {
	for _, c := range []struct {
		loops []repetition
		holds []int
		want  int64
	}{
		{nil, nil, 0},
		{nil, []int{0, 2, 3, 4, 7}, 3},
		{nil, []int{0, 1, 2, 3, 4, 5, 6, 7}, 8},
		{[]repetition{{first: 2, end: 6, count: 3}}, []int{1, 2, 5, 6}, 2},
		{[]repetition{{first: 2, end: 6, count: 3}}, []int{2, 3, 5}, 3},
		{[]repetition{{first: 0, end: 8, count: 3}, {first: 2, end: 6, count: 3, parent: 1}}, []int{0, 1, 4, 5, 6, 7}, 6},
		{[]repetition{{first: 2, end: 4, count: 3}}, []int{2, 3}, math.MaxInt64},
		{[]repetition{{first: 2, end: 4, count: 3}}, []int{3, 4, 5}, 3},
	} {
		l := layout{loops: c.loops}
		if got := l.longestRun(8, func(s int) bool { return slices.Contains(c.holds, s) }); got != c.want {
			t.Errorf("%v in %v: %d instructions in a row, not %d", c.holds, c.loops, got, c.want)
		}
	}
}

// TestReachOfSlotless: instructions that take no issue slot, as those that a remedy removes, do not make what
// a warp remembers as long as the shortest λ could.
func TestReachOfSlotless(t *testing.T) {
	f := newFixture(t, 2, "alu", "mem")
	f.mapping.Device.IssueLimit = cycles(t, "1")
	free, load := f.class("shuffle", "alu", "1/64", "1/64"), f.class("ld.global", "mem", "1", "500")
	f.mapping.Entries[0].MoreSlots = -1
	f.begin()
	for range 4000 {
		f.builder.Add(load)
		f.builder.Add(free)
	}
	s, err := (&Launch{kinds: []GroupKind{{f.graph(2), &f.mapping, 1}}}).prepare(Config{Issue: InOrder})
	if err != nil {
		t.Fatal(err)
	}
	w, p := s.work, s.work.kinds[0].programs[0]
	idle := w.idle(&layout{}, p.source, p.first)
	if reach := w.reach(s.hw, p.classesUsed(), idle); idle != 1 || reach < 1000 || reach > 1010 {
		t.Errorf("%d without a slot in a row, reach %d", idle, reach)
	}
	f.mapping.Device.IssueLimit = latencies.Cycles{}
	f.mapping.Entries[0].Timing.CPI, f.mapping.Entries[1].Timing.CPI = cycles(t, "2"), cycles(t, "2")
	if s, err = (&Launch{kinds: []GroupKind{{f.graph(2), &f.mapping, 1}}}).prepare(Config{Issue: InOrder}); err != nil {
		t.Fatal(err)
	}
	// of two subsystems each takes one instruction in two cycles
	if reach := s.work.reach(s.hw, p.classesUsed(), 0); reach != 2*(500/2+2) {
		t.Errorf("reach %d", reach)
	}
}

// TestTranslationIsLinear has warps with programs and classes of their own: four times as many of them take at most
// six times as much memory to translate.
func TestTranslationIsLinear(t *testing.T) {
	small, large := translated(t, 16), translated(t, 64)
	if large > 6*small {
		t.Errorf("%d bytes, and %d for four times as many warps", small, large)
	}
}

// translated is how many bytes the translation of so many warps allocates, which are unlike each other.
func translated(t *testing.T, warps int) uint64 {
	f := newFixture(t, warps, "alu")
	for w := range warps {
		f.builder.Begin(uint32(w))
		for i := range 100 {
			f.builder.Add(f.class("add", "alu", "1", fmt.Sprint(100*w+i+1)))
		}
	}
	l := &Launch{kinds: []GroupKind{{f.graph(1), &f.mapping, 1}}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := l.prepare(Config{Issue: InOrder}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
