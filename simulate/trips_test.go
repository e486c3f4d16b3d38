package simulate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/test/cputime"
	"gpupipe/internal/test/tools"
	"gpupipe/latencies"
)

// tripKernel is a loop of so many iterations, of loads from on-chip memory,
// multiply-adds, a loop instruction and, for groups of several warps, a barrier. Its graph is
// made as a file is read, so that it costs the body only.
func tripKernel(t testing.TB, warps int, trips int64) (*fixture, *idg.Graph) {
	f := newFixture(t, warps, "alu", "memory")
	f.mapping.Device.IssueLimit = cycles(t, "2")
	ld, fma, loop := f.class("ld.local", "memory", "2", "30"), f.class("fma.f32", "alu", "0.25", "6"),
		f.class("loop", "alu", "0.75", "18")
	barrier := f.class("barrier", "memory", "1", "5")
	f.begin()
	b := f.builder
	first := b.Add(ld)
	sum, gate := first, first
	b.BeginLoop()
	for i := range 50 {
		if i > 0 {
			b.NextIteration()
		}
		x := b.Add(ld, control(gate))
		y := b.Add(ld, control(gate))
		v := b.Add(fma, data(x), data(y))
		if first < sum {
			sum = b.Add(fma, data(first), data(sum), data(v))
		} else {
			sum = b.Add(fma, data(first), data(v))
		}
		gate = b.Add(loop, control(gate))
		if warps > 1 {
			gate = b.Add(barrier, control(gate))
		}
	}
	b.EndLoop()
	b.Add(fma, data(sum), control(gate))
	text := regexp.MustCompile(`"repeat":4\d`).ReplaceAllString(encoded(t, f.graph(1)),
		fmt.Sprintf(`"repeat":%d`, trips))
	text = regexp.MustCompile(`"(nodes|edges)":\d+,`).ReplaceAllString(text, "")
	g := decoded(t, text)
	if n := g.Programs()[0].Len(); n < trips*5 || n > trips*6+20 {
		t.Fatalf("%d instructions in %d iterations: %s", n, trips, text)
	}
	return f, g
}

// encoded is the document of a graph, with what repeats written once.
func encoded(t testing.TB, g *idg.Graph) string {
	var doc bytes.Buffer
	if err := (idg.EncodeOptions{Fold: true}).Encode(&doc, g); err != nil {
		t.Fatal(err)
	}
	return doc.String()
}

func decoded(t testing.TB, document string) *idg.Graph {
	g, err := idg.Decode(bytes.NewReader([]byte(document)), "graph")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// folded is a graph with what repeats stored once, as it is read from a file.
func folded(t testing.TB, g *idg.Graph) *idg.Graph { return decoded(t, encoded(t, g)) }

// TestTrips: loops are simulated as they are stored. The result is that of the
// expanded graph, and 10^8 iterations simulate no more than 10^3, by dataflow no more
// than 10^5: there warps come into step with each other late.
func TestTrips(t *testing.T) {
	for _, mode := range []IssueMode{Dataflow, InOrder, Blocks} {
		for _, warps := range []int{1, 2, 8} {
			for _, s := range latencies.Schedulers()[:tools.Cases(4, 1)] {
				simulated := map[int64]int64{}
				for _, trips := range []int64{1000, 1e8} {
					f, g := tripKernel(t, warps, trips)
					cfg := Config{Groups: 3, Concurrent: 2, Scheduler: s, Issue: mode, Full: true, MaxEvents: 1e6,
						walkedFrom: 1000}
					if mode == Dataflow {
						cfg.MaxEvents = 2e6
					}
					r := f.run(g, cfg)
					simulated[trips] = r.Issued - r.SkippedIssues
					if trips > 1000 {
						continue
					}
					cfg.Engine = EngineReference
					if d := difference(r, f.run(g, cfg)); d != "" {
						t.Errorf("%v, %d warps, %v: %s", mode, warps, s, d)
					}
				}
				few, many := simulated[1000], simulated[1e8]
				if few > 20_000*int64(warps) || mode != Dataflow && many > 2*few || warps < 8 && many > 5000 {
					t.Errorf("%v, %d warps, %v: %d instructions simulated of 10^3 iterations, %d of 10^8", mode, warps,
						s, few, many)
				}
			}
		}
	}
}

// TestLongLoopsExpanded: where repetitions must be expanded, too many are an error
// that says so.
func TestLongLoopsExpanded(t *testing.T) {
	f, g := tripKernel(t, 1, 1e9)
	for _, cfg := range []Config{{Issue: Dataflow, Engine: EngineReference},
		{Issue: Dataflow, Engine: EngineReference, MaxEvents: 1e18}, {Issue: InOrder, Profile: true},
		{Issue: Blocks, Profile: true}, {Issue: Dataflow, Profile: true}} {
		_, err := Run(context.Background(), g, &f.mapping, cfg)
		var e *diag.Error
		if !errors.As(err, &e) || e.Code != "TOO-LARGE" || !slices.Contains(e.Notes, foldedNote) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// BenchmarkTrips shows that time and memory do not grow with the trip count where
// the unit's state recurs: with 8 warps a group in every issue mode, and by dataflow,
// where warps come into step late, with fewer warps, too.
func BenchmarkTrips(b *testing.B) {
	for _, at := range []struct {
		mode       IssueMode
		warps      int
		concurrent int64
	}{{Dataflow, 1, 2}, {Dataflow, 4, 1}, {Dataflow, 8, 2}, {InOrder, 8, 2}, {Blocks, 8, 2}} {
		for _, trips := range []int64{1e2, 1e4, 1e6, 1e8} {
			b.Run(fmt.Sprintf("warps=%d/groups=%d/trips=%.0e/issue=%v", at.warps, at.concurrent, float64(trips),
				at.mode), func(b *testing.B) {
				f, g := tripKernel(b, at.warps, trips)
				b.ReportAllocs()
				var r *Result
				start := cputime.Used()
				for b.Loop() {
					var err error
					if r, err = Run(context.Background(), g, &f.mapping,
						Config{Groups: 3, Concurrent: at.concurrent, Full: true, Issue: at.mode}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64((cputime.Used()-start).Microseconds())/float64(b.N), "cpu-µs/op")
				b.ReportMetric(float64(r.Issued-r.SkippedIssues), "inst-simulated")
			})
		}
	}
}

// repeated is a graph with another count for all its repetitions.
func repeated(t testing.TB, g *idg.Graph, count string) *idg.Graph {
	t.Helper()
	text := regexp.MustCompile(`"repeat":\d+`).ReplaceAllString(encoded(t, g), `"repeat":`+count)
	return decoded(t, regexp.MustCompile(`"(nodes|edges)":\d+,`).ReplaceAllString(text, ""))
}

// TestLongLoopsWithFreeBarriers: where an instruction behind a barrier does not
// wait for it, loops are expanded, and too many iterations are an error that says so.
func TestLongLoopsWithFreeBarriers(t *testing.T) {
	f := newFixture(t, 2, "alu")
	barrier, add := f.class("barrier", "alu", "1", "5"), f.class("add.f32", "alu", "1", "4")
	f.begin()
	f.builder.BeginLoop()
	for i := range 50 {
		if i > 0 {
			f.builder.NextIteration()
		}
		f.builder.Add(barrier)
		f.builder.Add(add)
	}
	f.builder.EndLoop()
	g := repeated(t, f.graph(1), "1000000000")
	for _, mode := range []IssueMode{InOrder, Blocks} {
		_, err := Run(context.Background(), g, &f.mapping, Config{Issue: mode, MaxEvents: 1e18, Full: true})
		var e *diag.Error
		if !errors.As(err, &e) || e.Code != "TOO-LARGE" || !slices.Contains(e.Notes, freeNote) {
			t.Errorf("%v: %v", mode, err)
		}
		if r, err := Run(context.Background(), g, &f.mapping, Config{Issue: mode}); err != nil || r.LeftOutIssues == 0 {
			t.Errorf("%v: %+v, %v", mode, r, err)
		}
	}
}
