package unroll_test

import (
	"fmt"
	"testing"

	"gpupipe/lower"
	"gpupipe/unroll"
)

// BenchmarkNest measures resolving a nest of two loops, in executed warp instructions
// per second: bytes do not grow with the iterations.
func BenchmarkNest(b *testing.B) {
	for _, c := range []struct{ name, bound, inner string }{
		{"sum", "n", "x += a[32 * j + get_local_id(0)];"},
		{"affine", "n", "x += a[64 * ((long)i * n + j) + get_local_id(0)]; if (i & 7) x *= 2;"},
		{"stores", "n", "a[32 * j + get_local_id(0)] = i;"},
		{"triangle", "i", "x += a[32 * j + get_local_id(0)];"},
	} {
		k := lowerKernel(b, `kernel void k(global float *a, int n) {
			float x = a[0];
#pragma unroll 1
			for (int i = 0; i < n; i++) {
#pragma unroll 1
				for (int j = 0; j < `+c.bound+`; j++) {
					`+c.inner+`
				}
			}
			a[0] = x;
		}`)
		for _, n := range []int64{100, 1000, 10_000, 100_000, 1_000_000} {
			if c.name == "triangle" && n > 1000 {
				break // each outer iteration is another
			}
			if c.name == "affine" {
				n = min(n, 800_000) // or more than idg.MaxExecuted
			}
			b.Run(fmt.Sprintf("kernel=%s/iterations=%dx%d", c.name, n, n), func(b *testing.B) {
				b.ReportAllocs()
				instructions := 0.0
				for b.Loop() {
					opt := unroll.Options{Target: unroll.Target{Level: unroll.O2}, Local: [3]int64{32},
						Args: map[string]unroll.ArgValue{"n": {Int: n}}}
					instructions += float64(resolve(b, k, opt).Graph.Programs()[0].Len())
				}
				b.ReportMetric(instructions/b.Elapsed().Seconds(), "warp-inst/s")
			})
		}
	}
}

// BenchmarkResolve measures resolving one warp, in executed warp instructions and
// lane operations per second.
func BenchmarkResolve(b *testing.B) {
	rolled := lowerKernel(b, `kernel void k(global float *a, int n) {
		float x = 0;
#pragma unroll 1
		for (int i = 0; i < n; i++)
			x += a[32 * i + get_local_id(0)];
		a[0] = x;
	}`)
	unrolled := lowerKernel(b, `kernel void k(global float *a) {
		float x = 0;
#pragma unroll
		for (int i = 0; i < 100000; i++)
			x += a[32 * i + get_local_id(0)];
		a[0] = x;
	}`)
	mmul := builtin(b, "mmul.cl", "mmul", "BLOCK_SIZE=16")
	nbody := builtin(b, "nbody.cl", "nbody")
	for _, level := range []unroll.Level{unroll.O0, unroll.O2} {
		for _, c := range []struct {
			name string
			k    *lower.Kernel
			opt  unroll.Options
		}{
			{"kernel=mmul/tile=16/width=1024", mmul, unroll.Options{Local: [3]int64{16, 16}, Groups: [3]int64{64, 64},
				Args: map[string]unroll.ArgValue{"wA": {Int: 1024}, "wB": {Int: 1024}}}},
			{"kernel=nbody/sources=16k", nbody, unroll.Options{Local: [3]int64{256}, Groups: [3]int64{64},
				Args: map[string]unroll.ArgValue{"sources": {Int: 16384}}}},
			{"kernel=sum/iterations=100k/rolled", rolled,
				unroll.Options{Local: [3]int64{32}, Args: map[string]unroll.ArgValue{"n": {Int: 100_000}}}},
			{"kernel=sum/iterations=100k/unrolled", unrolled, unroll.Options{Local: [3]int64{32}}},
		} {
			c.opt.Level, c.opt.Warps = level, unroll.FirstWarp
			b.Run(fmt.Sprintf("%s/level=%v", c.name, level), func(b *testing.B) {
				b.ReportAllocs()
				instructions, lanes := 0.0, 0.0
				for b.Loop() {
					g := resolve(b, c.k, c.opt).Graph
					p := g.Programs()[0]
					instructions += float64(p.Len())
					lanes += float64(g.ProgramMix(p).Lanes)
				}
				b.ReportMetric(instructions/b.Elapsed().Seconds(), "warp-inst/s")
				b.ReportMetric(lanes/b.Elapsed().Seconds(), "lane-ops/s")
			})
		}
	}
}
