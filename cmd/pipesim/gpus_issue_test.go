package main

import (
	"context"
	"math"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// independentRate is the instructions per cycle that so many warps, each a group, reach
// with instructions that wait for nothing, of the given ops in turn.
func independentRate(t testing.TB, d *latencies.Device, warps int64, ops ...string) float64 {
	t.Helper()
	m, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	cycles := func(n int) float64 {
		b := idg.NewBuilder()
		b.Begin(0)
		for i := range n {
			op := ops[i%len(ops)]
			in := idg.Instr{Op: op, Lanes: uint8(d.WarpSize), Pos: idg.Pos{File: "k.cl", Line: 1}}
			if op == "ld.local" {
				a := idg.Access{Space: idg.SpaceLocal, Width: 4}
				for lane := range d.WarpSize {
					a.Offsets = append(a.Offsets, int64(lane)*4)
				}
				in.Type, in.Access = "f32", b.Access(a)
			}
			b.Add(b.Instr(in))
		}
		g, err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{int64(d.WarpSize), 1, 1},
			Groups: [3]int64{1, 1, 1}, WarpSize: d.WarpSize}})
		if err != nil {
			t.Fatal(err)
		}
		mapping, err := m.Map(g)
		if err != nil {
			t.Fatal(err)
		}
		r, err := simulate.Run(context.Background(), g, mapping, simulate.Config{Groups: warps, Concurrent: warps,
			Full: true})
		if err != nil {
			t.Fatal(err)
		}
		return r.Cycles.Float()
	}
	const n = 600
	return float64(warps) * n / (cycles(2*n) - cycles(n))
}

// One warp's independent instructions on devices of which the interval between two
// issues of a warp is known (V16 3.7; the GCN whitepaper for CDNA), and on one where
// only its scheduler limits it.
func TestIssueIntervals(t *testing.T) {
	for _, c := range []struct {
		gpu  string
		ops  []string
		want float64 // instructions per cycle of one warp
	}{
		{"gtx480", []string{"add.f32"}, 1. / 6},
		{"gtx680", []string{"add.f32"}, 1. / 3},
		{"gtx680", []string{"add.f32", "ld.local"}, 1. / 3}, // the hardware can issue such a pair together
		{"gtx980", []string{"add.f32"}, 1},                  // its block's CUDA cores are a warp wide
		{"mi210", []string{"add.f32"}, 1. / 4},
		// up to five instructions a cycle, but of different wavefronts
		{"mi210", []string{"add.f32", "ld.local"}, 1. / 4},
		{"mi300x", []string{"add.f32"}, 1. / 4}, // the rate of 1/2 on a SIMD takes two wavefronts
	} {
		d, err := latencies.Builtin(c.gpu)
		if err != nil {
			t.Fatal(err)
		}
		if got := independentRate(t, d, 1, c.ops...); math.Abs(got/c.want-1) > 1e-9 {
			t.Errorf("%s, %v: %v instructions per cycle, want %v", c.gpu, c.ops, got, c.want)
		}
	}
}

// Where dual issue is left out on Kepler: with the interval of 3 cycles the issue limit
// of 4 takes 12 warps of independent instructions, and 4 without. From there on
// pairs would change nothing; docs/reference/devices.md names the 12.
func TestKeplerDualIssue(t *testing.T) {
	kepler, err := latencies.Builtin("gtx680")
	if err != nil {
		t.Fatal(err)
	}
	free := *kepler
	free.IssueInterval = latencies.Cycles{}
	for _, c := range []struct {
		d    *latencies.Device
		want int64
	}{{kepler, 12}, {&free, 4}} {
		w := int64(4)
		for w < 64 && independentRate(t, c.d, w, "add.f32") < 3.999 {
			w += 4
		}
		if w != c.want {
			t.Errorf("interval %v: %d warps reach the issue limit, want %d", c.d.IssueInterval, w, c.want)
		}
	}
}
