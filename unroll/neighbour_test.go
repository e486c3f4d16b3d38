package unroll_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"gpupipe/internal/target"
	"gpupipe/internal/tools"
	"gpupipe/lower"
	"gpupipe/unroll"
	"gpupipe/unroll/locality"
)

var neighbourKernels = flag.Int("neighbour.kernels", tools.Cases(200, 16), "random kernels of TestNeighbours")

// TestNeighbours resolves the warps of other groups of random kernels of which it
// was proved where their accesses go: there they go, in the same order.
func TestNeighbours(t *testing.T) {
	count := *neighbourKernels
	warps, accesses, repeats, failed := 0, 0, 0, 0
	for seed := range uint64(count) {
		text := generateKernel(seed)
		if seed%4 == 0 {
			text = generateLoops(seed)
		}
		k := lowerKernel(t, text)
		rng := rand.New(rand.NewPCG(seed, 11))
		opt := unroll.Options{
			Target: unroll.Target{Level: unroll.Level(1 + rng.IntN(2)), Compiler: unroll.Compiler(1 + rng.IntN(3)),
				MachineCode: rng.IntN(3) == 0, Pairs: seed%2 == 0, Packed: seed%2 == 1,
				Uniform: target.InScalarRegisters}, Locality: unroll.LaunchLocality,
			Local: [3]int64{8 << rng.IntN(4), 1 + rng.Int64N(3)}, Groups: [3]int64{9 + rng.Int64N(9), 1 + rng.Int64N(5),
				1 + rng.Int64N(3)}, AssumeTrips: 200, MaxInstructions: 100_000, EveryIteration: rng.IntN(3) == 0,
			Args: map[string]unroll.ArgValue{},
		}
		for _, p := range k.Params {
			if p.Type != lower.Ptr && rng.IntN(5) > 0 {
				opt.Args[p.Name] = unroll.ArgValue{Int: rng.Int64N(300)}
			}
		}
		got, want, err := unroll.Neighbours(k, opt)
		if err != nil {
			failed++ // too large
			continue
		}
		for i := range want {
			warps++
			accesses += len(want[i].Touches)
			repeats += len(want[i].Repeats)
			if got[i].Cut || want[i].Cut {
				if got[i].Cut != want[i].Cut {
					t.Fatalf("seed %d: cut %v, want %v", seed, got[i].Cut, want[i].Cut)
				}
				continue
			}
			if a, b := everyTouch(&got[i]), everyTouch(&want[i]); !slices.Equal(a, b) {
				t.Fatalf("seed %d, %+v\n%s\nwarp %d: proved\n%v\nresolved\n%v", seed, opt, text, want[i].Number, a, b)
			}
		}
	}
	t.Logf("%d kernels, %d not resolved: %d warps of other groups, %d accesses, %d repeats", count, failed, warps,
		accesses, repeats)
	if warps < count/2 || accesses < count {
		t.Errorf("only %d warps with %d accesses were proved", warps, accesses)
	}
}

// everyTouch lists the accesses of a warp, repeats unfolded.
func everyTouch(w *locality.Warp) []locality.Touch {
	var out []locality.Touch
	done := 0
	for _, r := range w.Repeats {
		out = append(out, w.Touches[done:r.TouchesEnd]...)
		done = r.TouchesEnd
		for n := int64(1); n <= r.Copies && len(r.Drifts) > 0; n++ {
			for i, x := range w.Touches[r.TouchesFrom:r.TouchesEnd] {
				x.At, x.Start = x.At+n*r.Length, x.Start+n*r.Drifts[i]
				out = append(out, x)
			}
		}
	}
	return append(out, w.Touches[done:]...)
}
