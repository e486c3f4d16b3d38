package simulate

import (
	"context"
	"fmt"
	"testing"
	"time"
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
	}{
		{"warps=48/nodes=10k/issue=dataflow", mixedKernel(b, 10_000), 48, Dataflow},
		{"warps=48/nodes=10k/issue=in-order", mixedKernel(b, 10_000), 48, InOrder},
		{"mmul=8x8/groups=1639/issue=dataflow", tiledKernel(b, 8, 128), 1639, Dataflow},
		{"mmul=8x8/groups=1639/issue=in-order", tiledKernel(b, 8, 128), 1639, InOrder},
	} {
		c.f.mapping.Device.IssueLimit = cycles(b, "4")
		g := c.f.graph(c.groups)
		for _, s := range []Scheduler{RoundRobin, GreedyThenOldest} {
			b.Run(fmt.Sprintf("%s/scheduler=%v", c.name, s), func(b *testing.B) {
				run := func(e Engine) (*Result, time.Duration) {
					start := cpuTime()
					r, err := Run(context.Background(), g, &c.f.mapping, Config{Issue: c.mode, Scheduler: s, Full: true, Engine: e, NoSkipping: true})
					if err != nil {
						b.Fatal(err)
					}
					return r, cpuTime() - start
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
