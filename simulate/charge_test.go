package simulate

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// pair gives a class a second charge.
func (f *fixture) pair(c idg.InstrID, subsystem latencies.SubsystemID, cpi string) {
	f.mapping.Entries[c-1].Second = latencies.Charge{Subsystem: subsystem, CPI: cycles(f.t, cpi)}
}

// An instruction with two charges issues when its first subsystem is free and there is room in front of the second,
// and keeps both busy, each for its own λ.
func TestPairOfCharges(t *testing.T) {
	for _, c := range []struct {
		name string
		// of independent instructions of one warp: p takes a for 3 and b for 5, x takes a for 3, y takes b for 4
		order    string
		queue    int // in front of a
		mode     IssueMode
		issued   []int64
		complete int64
	}{
		{"the second waits in front of b", "pp", 0, InOrder, []int64{0, 3}, 15},
		{"one can wait there: the third when b begins with the second", "ppp", 0, InOrder, []int64{0, 3, 6}, 20},
		{"a is free after 3", "px", 0, InOrder, []int64{0, 3}, 13},
		{"what takes b alone waits until it is free, after 5", "py", 0, InOrder, []int64{0, 5}, 15},
		{"a is free after 3, b after 4", "xyp", 0, InOrder, []int64{0, 0, 3}, 14},
		{"what waits for a does not hold up what waits for b", "pxy", 0, InOrder, []int64{0, 3, 5}, 15},
		{"in order y waits for the pair", "xpy", 0, InOrder, []int64{0, 3, 8}, 18},
		{"by dataflow y goes first", "xpy", 0, Dataflow, []int64{0, 0, 3}, 14},
		{"a has a queue: only b holds up the third", "ppp", 1, InOrder, []int64{0, 0, 5}, 20},
		{"in the queue for a while b is free", "xxp", 1, InOrder, []int64{0, 0, 3}, 16},
	} {
		f := newFixture(t, 1, "a", "b")
		f.mapping.Device.Subsystems[0].Queue = c.queue
		classes := map[rune]idg.InstrID{
			'p': f.class("ld.global", "a", "3", "10"), 'x': f.class("add.f32", "a", "3", "10"),
			'y': f.class("fma.f32", "b", "4", "10"),
		}
		f.pair(classes['p'], 1, "5")
		f.begin()
		for _, k := range c.order {
			f.builder.Add(classes[k])
		}
		r := f.run(f.graph(1), Config{Issue: c.mode, Profile: true})
		for i, is := range r.Profile.Issues {
			if int64(is.Issued) != c.issued[i] {
				t.Errorf("%s: issue %d is at %d, want %d", c.name, i, is.Issued, c.issued[i])
			}
		}
		if want := latencies.WholeCycles(uint32(c.complete)); r.Cycles != want {
			t.Errorf("%s: %v cycles, want %v", c.name, r.Cycles, want)
		}
	}
}

// A store is over, and what waits for its λ goes on, when the longer λ has passed. Both charges count as
// busy time, one as an issue.
func TestPairOfAStore(t *testing.T) {
	for _, mode := range []IssueMode{InOrder, Dataflow, Blocks} {
		f := newFixture(t, 1, "a", "b")
		st := f.class("st.global", "a", "3", "100")
		f.pair(st, 1, "8")
		f.begin()
		f.builder.Add(st)
		f.builder.Add(f.class("add.f32", "a", "1", "1"), order(0))
		r := f.run(f.graph(1), Config{Issue: mode})
		if want := latencies.WholeCycles(9); r.Cycles != want {
			t.Errorf("%v: %v cycles, want %v", mode, r.Cycles, want)
		}
		a, b := r.Subsystems[0], r.Subsystems[1]
		if a.Issued != 2 || a.Busy != latencies.WholeCycles(4) || b.Issued != 0 || b.Busy != latencies.WholeCycles(8) {
			t.Errorf("%v: %+v, %+v", mode, a, b)
		}
		if l := r.Lines[0]; l.Busy != latencies.WholeCycles(11) || l.Subsystem != "b" || l.Share != 1 {
			t.Errorf("%v: line %+v", mode, l)
		}
		if r.LowerBounds.Subsystem != "b" || r.LowerBounds.Throughput != latencies.WholeCycles(8) {
			t.Errorf("%v: bounds %+v", mode, r.LowerBounds)
		}
	}
}

// A subsystem that sub-cores share and one of which each has its share, which is busy for n λ: where the
// first is shared it is free for the other sub-core after λ, where the second is the other has room in front of it.
func TestPairOnSubCores(t *testing.T) {
	for shared, issued := range [][]int64{{0, 2, 4, 6}, {0, 0, 4, 4}} {
		f := newFixture(t, 2, "a", "b")
		f.mapping.Device.Partitions = 2
		f.mapping.Device.Subsystems[1-shared].Partitioned = true
		c := f.class("ld.global", "a", "2", "1")
		f.pair(c, 1, "2")
		f.begin()
		f.builder.Add(c)
		f.builder.Add(c)
		g := f.graph(1)
		for _, mode := range []IssueMode{InOrder, Dataflow} {
			r := f.run(g, Config{Issue: mode, Profile: true})
			for i, want := range issued {
				if got := int64(r.Profile.Issues[i].Issued); got != want {
					t.Errorf("%v, %d shared: issue %d at %d, want %d", mode, shared, i, got, want)
				}
			}
			if want := latencies.WholeCycles(8); r.Subsystems[0].Busy != want || r.Subsystems[1].Busy != want {
				t.Errorf("%v, %d shared: %+v", mode, shared, r.Subsystems)
			}
		}
	}
}

// Two instructions in turns that each need another subsystem long, and both of both: neither subsystem waits for the
// other.
func TestPairsInTurns(t *testing.T) {
	f := newFixture(t, 1, "a", "b")
	long, short := f.class("ld.global", "a", "10", "10"), f.class("ld.local", "b", "4", "10")
	f.pair(long, 1, "4")
	f.pair(short, 0, "0.01")
	f.begin()
	for range 100 {
		f.builder.Add(long)
		f.builder.Add(short)
	}
	g := f.graph(1)
	for _, mode := range []IssueMode{InOrder, Dataflow, Blocks} {
		if r := f.run(g, Config{Issue: mode}); r.Cycles.Float() > 1.02*r.LowerBounds.Throughput.Float() {
			t.Errorf("%v: %v cycles, a is needed for %v", mode, r.Cycles, r.LowerBounds.Throughput)
		}
	}
}

// A second charge must be of another subsystem that there is.
func TestPairErrors(t *testing.T) {
	for _, s := range []latencies.SubsystemID{0, 7} {
		f := newFixture(t, 1, "a", "b")
		c := f.class("ld.global", "a", "2", "1")
		f.pair(c, s, "2")
		f.chain(c)
		_, err := Run(context.Background(), f.graph(1), &f.mapping, Config{})
		if err == nil || !strings.Contains(err.Error(), "there must be two") {
			t.Errorf("subsystem %d: %v", s, err)
		}
	}
}

// The text of a profile shows an instruction with two charges in the rows of both subsystems.
func TestPairInProfile(t *testing.T) {
	f := newFixture(t, 1, "a", "b")
	c := f.class("ld.global", "a", "3", "10")
	f.pair(c, 1, "5")
	f.chain(c)
	r := f.run(f.graph(1), Config{Profile: true})
	var text strings.Builder
	if err := WriteProfile(&text, r.Profile, ProfileOptions{Width: 10}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a           a==\n", "b           a====\n", "λ 3  Λ 10  + b  λ 5"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

// BenchmarkPairs runs programs in which a tenth of the instructions have two charges, beside the same ones without the
// second.
func BenchmarkPairs(b *testing.B) {
	for _, mode := range []IssueMode{Dataflow, InOrder, Blocks} {
		for _, pairs := range []bool{false, true} {
			b.Run(fmt.Sprintf("warps=48/nodes=10k/issue=%v/pairs=%t", mode, pairs), func(b *testing.B) {
				f := mixedKernel(b, 10_000)
				if pairs {
					f.pair(3, 1, "1")
				}
				f.mapping.Device.IssueLimit = cycles(b, "4")
				g := f.graph(48)
				b.ReportAllocs()
				var issued int64
				for b.Loop() {
					r, err := Run(context.Background(), g, &f.mapping, Config{Issue: mode})
					if err != nil {
						b.Fatal(err)
					}
					issued += r.Issued
				}
				b.ReportMetric(float64(issued)/b.Elapsed().Seconds(), "warp-inst/s")
			})
		}
	}
}
