package unroll_test

import (
	"fmt"
	"testing"

	"gpupipe/lower"
	"gpupipe/unroll"
)

// BenchmarkLocality measures what the analysis of locality adds to resolving a
// group, in executed warp instructions of the group per second. A group of two
// warps is the worst case: as many or more are followed into other groups.
func BenchmarkLocality(b *testing.B) {
	mmul := func(tile string) *lower.Kernel { return builtin(b, "mmul.cl", "mmul", "BLOCK_SIZE="+tile) }
	gather := lowerKernel(b, `kernel void k(global float *a) {
		float x = 0;
		for (int i = 0; i < 10000; i++)
			x += a[97 * (32 * i + get_local_id(0)) % 1000003];
		a[0] = x;
	}`)
	args := map[string]unroll.ArgValue{"wA": {Int: 1024}, "wB": {Int: 1024}}
	for _, c := range []struct {
		name string
		k    *lower.Kernel
		opt  unroll.Options
	}{
		{"kernel=mmul/warps=2", mmul("8"), unroll.Options{Local: [3]int64{8, 8}, Groups: [3]int64{128, 128},
			Args: args}},
		{"kernel=mmul/warps=8", mmul("16"), unroll.Options{Local: [3]int64{16, 16}, Groups: [3]int64{64, 64},
			Args: args}},
		{"kernel=gather/warps=8", gather, unroll.Options{Local: [3]int64{256}, Groups: [3]int64{64}}},
	} {
		for _, c.opt.Locality = range []unroll.LocalityChoice{unroll.WithoutLocality, unroll.GroupLocality,
			unroll.LaunchLocality} {
			b.Run(fmt.Sprintf("%s/locality=%v", c.name, c.opt.Locality), func(b *testing.B) {
				b.ReportAllocs()
				executed := int64(0)
				for b.Loop() {
					executed += instructions(resolve(b, c.k, c.opt).Graph)
				}
				b.ReportMetric(float64(executed)/b.Elapsed().Seconds(), "warp-inst/s")
			})
		}
	}
}
