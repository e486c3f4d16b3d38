package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"gpupipe/idg"
)

// mixedKernel is a program of n instructions on three subsystems, each with up
// to two dependences on recent ones.
func mixedKernel(t testing.TB, n int) *fixture {
	r := rand.New(rand.NewPCG(7, 9))
	f := newFixture(t, 1, "alu", "sfu", "mem")
	classes := []idg.InstrID{
		f.class("fma.f32", "alu", "0.25", "6"), f.class("cos.f32", "sfu", "1", "24"),
		f.class("ld.global", "mem", "4", "200"),
	}
	f.begin()
	for v := range n {
		var edges []idg.Edge
		for range min(2, v) {
			edges = append(edges, data(idg.Executed(v-1-r.IntN(min(12, v)))))
		}
		class := classes[0]
		switch x := r.IntN(10); {
		case x == 9:
			class = classes[2]
		case x >= 7:
			class = classes[1]
		}
		f.builder.Add(class, edges...)
	}
	return f
}

func BenchmarkRun(b *testing.B) {
	for _, warps := range []int64{8, 48, 64, 72} { // 72: the reference engine
		for _, mode := range []IssueMode{Dataflow, InOrder, Blocks} {
			for _, s := range []Scheduler{RoundRobin, GreedyThenOldest} {
				b.Run(fmt.Sprintf("warps=%d/nodes=10k/issue=%v/scheduler=%v", warps, mode, s), func(b *testing.B) {
					f := mixedKernel(b, 10_000)
					f.mapping.Device.IssueLimit = cycles(b, "4")
					g := f.graph(warps)
					b.ReportAllocs()
					var issued int64
					for b.Loop() {
						r, err := Run(context.Background(), g, &f.mapping, Config{Issue: mode, Scheduler: s})
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
}

// BenchmarkMmul is the default mode on mmul 8x8 at 1024x1024 on a tenth of a GTX
// 1060: 13 million warp instructions, of which some waves are simulated.
func BenchmarkMmul(b *testing.B) {
	for _, full := range []bool{false, true} {
		b.Run(fmt.Sprintf("size=8x8/groups=1639/full=%t", full), func(b *testing.B) {
			f := tiledKernel(b, 8, 128)
			g := f.graph(1639)
			b.ReportAllocs()
			var simulated int64
			for b.Loop() {
				r, err := Run(context.Background(), g, &f.mapping, Config{Full: full})
				if err != nil {
					b.Fatal(err)
				}
				simulated += r.SimulatedGroups * instructions(g)
			}
			b.ReportMetric(float64(simulated)/b.Elapsed().Seconds(), "warp-inst/s")
		})
	}
}
