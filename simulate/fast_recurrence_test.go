package simulate

import (
	"context"
	"fmt"
	"testing"

	"gpupipe/internal/test/cputime"
	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
)

// TestSkippingIsFlat: at low occupancy 10^8 groups take no more simulation than
// 10^4, and the time of one group after the other is exact.
func TestSkippingIsFlat(t *testing.T) {
	for _, mode := range []IssueMode{Dataflow, InOrder, Blocks} {
		for _, s := range latencies.Schedulers() {
			for _, m := range []int64{1, 2, 3} {
				f := tiledKernel(t, 8, 3)
				g := f.graph(1)
				run := func(n int64) *Result {
					r := f.run(g, Config{Groups: n, Concurrent: m, Full: true, Scheduler: s, Issue: mode})
					if r.SimulatedGroups+r.SkippedGroups != n || r.Extrapolated {
						t.Fatalf("%d groups: %d simulated, %d skipped, extrapolated %t", n, r.SimulatedGroups,
							r.SkippedGroups, r.Extrapolated)
					}
					return r
				}
				few, many := run(1e4), run(1e8)
				if few.SimulatedGroups > 1000 || many.SimulatedGroups > 2*few.SimulatedGroups {
					t.Errorf("%v, %v, %d at once: %d groups simulated of 10^4, %d of 10^8", mode, s, m,
						few.SimulatedGroups, many.SimulatedGroups)
				}
				want, err := many.GroupAlone.Mul(latencies.WholeCycles(1e8))
				if m == 1 && (err != nil || many.Cycles != want) {
					t.Errorf("%v, %v: %v cycles, want %v", mode, s, many.Cycles, want)
				}
			}
		}
	}
}

// TestSkippingBeforeExtrapolation: what repeats within the budget is not
// extrapolated.
func TestSkippingBeforeExtrapolation(t *testing.T) {
	f := exampleKernel(t)
	g := f.graph(1)
	groups := int64(tools.Cases(1e6, 1e5))
	skip := f.run(g, Config{Groups: groups, Concurrent: 3, Budget: 10_000})
	full := f.run(g, Config{Groups: groups, Concurrent: 3, Full: true, Engine: EngineReference})
	if d := difference(skip, full); d != "" || skip.SkippedGroups < groups-10_000 || full.SkippedGroups != 0 {
		t.Errorf("%d groups skipped; %s", skip.SkippedGroups, d)
	}
}

// TestNoSkippingWhileRecording: a profile shows every group.
func TestNoSkippingWhileRecording(t *testing.T) {
	f := exampleKernel(t)
	g := f.graph(1)
	r := f.run(g, Config{Groups: 1000, Concurrent: 1, Profile: true})
	if want := 1000 * int(instructions(g)); r.SkippedGroups != 0 || len(r.Profile.Issues) != want {
		t.Errorf("%d groups skipped, %d issues recorded, want %d", r.SkippedGroups, len(r.Profile.Issues), want)
	}
}

// BenchmarkGroups shows that time and memory do not grow with the number of
// groups when the unit's state recurs.
func BenchmarkGroups(b *testing.B) {
	for _, mode := range []IssueMode{Dataflow, InOrder, Blocks} {
		for _, n := range []int64{1e4, 1e6, 1e8} {
			b.Run(fmt.Sprintf("mmul=8x8/concurrent=2/groups=%.0e/issue=%v", float64(n), mode), func(b *testing.B) {
				f := tiledKernel(b, 8, 16)
				g := f.graph(1)
				b.ReportAllocs()
				var r *Result
				start := cputime.Used()
				for b.Loop() {
					var err error
					if r, err = Run(context.Background(), g, &f.mapping,
						Config{Groups: n, Concurrent: 2, Full: true, Issue: mode}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64((cputime.Used()-start).Microseconds())/float64(b.N), "cpu-µs/op")
				b.ReportMetric(float64(r.SimulatedGroups), "groups-simulated")
			})
		}
	}
}

// BenchmarkDetection is a run in which states do not recur (mmul at full
// occupancy), with the search for recurrences and without it.
func BenchmarkDetection(b *testing.B) {
	for _, off := range []bool{true, false} {
		b.Run(fmt.Sprintf("mmul=8x8/groups=400/skipping=%t", !off), func(b *testing.B) {
			f := tiledKernel(b, 8, 16)
			g := f.graph(400)
			b.ReportAllocs()
			var skipped, issued int64
			start := cputime.Used()
			for b.Loop() {
				r, err := Run(context.Background(), g, &f.mapping, Config{Full: true, NoSkipping: off})
				if err != nil {
					b.Fatal(err)
				}
				skipped = r.SkippedGroups
				issued += r.Issued
			}
			b.ReportMetric(float64(issued)/(cputime.Used()-start).Seconds(), "warp-inst/cpu-s")
			b.ReportMetric(float64(skipped), "groups-skipped")
		})
	}
}
