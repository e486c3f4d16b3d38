package main

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gpupipe/simulate/sweep"
)

// cutLoop is a kernel of the experiments whose outer loop an argument shortens.
type cutLoop struct {
	kernel     []string // idgen's arguments
	arg        string   // idgen's argument, less the number of iterations × step
	step       int
	iterations int
	cuts       [][2]int // pairs of fewer iterations
}

var cutLoops = []cutLoop{
	{[]string{"nbody", "--local", "64"}, "sources", 128, 16, [][2]int{{2, 4}, {2, 8}, {4, 8}}},
	{[]string{"mmul-08", "--groups", "128x128", "--arg", "wB=1024"}, "wA", 8, 128,
		[][2]int{{4, 8}, {8, 16}, {16, 32}, {16, 64}}},
}

// occupancies is the cycles of a graph's configurations, every group simulated, by
// device and number of groups at once.
func (l *cutLoop) occupancies(t testing.TB, dir string, iterations int) map[string]float64 {
	args := append([]string{"--builtin"}, l.kernel...)
	args = append(args, "--arg", fmt.Sprintf("%s=%d", l.arg, iterations*l.step))
	g := graphFile(t, dir, fmt.Sprintf("%s-%d.json", l.kernel[0], iterations), args...)
	cycles := map[string]float64{}
	for _, r := range records(t, sweepOf(t, "--gpu", "gtx480,gtx1060,rtx2070", "--full", g)) {
		cycles[r["gpu"]+" "+r["concurrent"]] = numberIn(t, r["cycles"])
	}
	return cycles
}

// BenchmarkCutLoops tells how far off a launch would be, in percent, if a loop were
// simulated with two smaller numbers of iterations and the cycles extrapolated on a
// line: what a sweep does not do.
func BenchmarkCutLoops(b *testing.B) {
	for _, l := range cutLoops {
		dir := b.TempDir()
		full := l.occupancies(b, dir, l.iterations)
		for _, cut := range l.cuts {
			b.Run(fmt.Sprintf("%s/iterations=%d,%d,of=%d", l.kernel[0], cut[0], cut[1], l.iterations),
				func(b *testing.B) {
					var errs []float64
					for b.Loop() {
						errs = errs[:0]
						low, high := l.occupancies(b, dir, cut[0]), l.occupancies(b, dir, cut[1])
						for at, want := range full {
							got := low[at] + (high[at]-low[at])*float64(l.iterations-cut[0])/float64(cut[1]-cut[0])
							errs = append(errs, math.Abs(got/want-1))
						}
					}
					slices.Sort(errs)
					over := 0.0
					for _, e := range errs {
						if e > sweep.Precision {
							over++
						}
					}
					b.ReportMetric(float64(len(errs)), "rows")
					b.ReportMetric(over, "beyond-the-precision")
					b.ReportMetric(100*quantile(errs, 0.5), "%-median")
					b.ReportMetric(100*quantile(errs, 0.95), "%-at-95")
					b.ReportMetric(100*quantile(errs, 1), "%-most")
				})
		}
	}
}
