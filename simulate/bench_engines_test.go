package simulate

import (
	"context"
	"fmt"
	"testing"
	"time"

	"gpupipe/internal/test/cputime"
)

// BenchmarkEngines compares the engines in one run: 48 warps of 10,000
// instructions each, and mmul 8x8 at 1024x1024 on one of ten compute units of a
// GTX 1060 (1,639 groups, 13 million warp instructions), nothing skipped or
// extrapolated. The engines take turns, so that both meet the same machine, and
// processor time is counted.
func BenchmarkEngines(b *testing.B) {
	for _, c := range []struct {
		name   string
		f      *fixture
		groups int64
		mode   IssueMode
		folded bool
	}{
		{"warps=48/nodes=10k/issue=dataflow", mixedKernel(b, 10_000), 48, Dataflow, false},
		{"warps=48/nodes=10k/issue=in-order", mixedKernel(b, 10_000), 48, InOrder, false},
		{"warps=48/nodes=10k/issue=blocks", mixedKernel(b, 10_000), 48, Blocks, false},
		{"mmul=8x8/groups=1639/issue=dataflow", tiledKernel(b, 8, 128), 1639, Dataflow, false},
		{"mmul=8x8/groups=1639/issue=in-order", tiledKernel(b, 8, 128), 1639, InOrder, false},
		{"mmul=8x8/groups=1639/issue=blocks", tiledKernel(b, 8, 128), 1639, Blocks, false},
		{"mmul=8x8/folded/groups=1639/issue=dataflow", tiledKernel(b, 8, 128), 1639, Dataflow, true},
		{"mmul=8x8/folded/groups=1639/issue=blocks", tiledKernel(b, 8, 128), 1639, Blocks, true},
		{"mmul=8x8/folded/groups=1639/issue=in-order", tiledKernel(b, 8, 128), 1639, InOrder, true},
	} {
		c.f.mapping.Device.IssueLimit = cycles(b, "4")
		g := c.f.graph(c.groups)
		if c.folded {
			g = folded(b, g)
		}
		for _, s := range []Scheduler{RoundRobin, GreedyThenOldest} {
			b.Run(fmt.Sprintf("%s/scheduler=%v", c.name, s), func(b *testing.B) {
				run := func(e Engine) (*Result, time.Duration) {
					start := cputime.Used()
					r, err := Run(context.Background(), g, &c.f.mapping, Config{Issue: c.mode, Scheduler: s, Full: true,
						Engine: e, NoSkipping: true})
					if err != nil {
						b.Fatal(err)
					}
					return r, cputime.Used() - start
				}
				b.ReportAllocs()
				var issued int64
				var fast, reference time.Duration
				for b.Loop() {
					r, t := run(EngineFast)
					fast += t
					issued += r.Issued
					b.StopTimer()
					want, t := run(EngineReference)
					reference += t
					if r.Cycles != want.Cycles {
						b.Fatalf("%v cycles, the reference %v", r.Cycles, want.Cycles)
					}
					b.StartTimer()
				}
				b.ReportMetric(float64(issued)/fast.Seconds(), "warp-inst/cpu-s")
				b.ReportMetric(reference.Seconds()/fast.Seconds(), "x-reference")
			})
		}
	}
}
