package idg_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
)

// TestBuilderAgain builds loops with iterations that are counted at once, at any
// place where that is taken, and with all of them added.
func TestBuilderAgain(t *testing.T) {
	taken := 0
	for seed := range uint64(tools.Cases(300, 80)) {
		rng := rand.New(rand.NewPCG(seed, 8))
		period, odd, more := 1+rng.IntN(6), rng.IntN(4), 1+rng.IntN(40)
		body := make([]int, period) // instructions of the iterations of a period
		length := 0
		for i := range body {
			body[i] = 1 + rng.IntN(3)
			length += body[i]
		}
		before, behind := odd+period*(2+rng.IntN(4))+rng.IntN(period), period+rng.IntN(3*period)
		build := func(again bool) *idg.Program {
			b := idg.NewBuilder()
			var classes []idg.InstrID
			for i := range 3 {
				classes = append(classes, b.Instr(idg.Instr{Op: fmt.Sprintf("op%d", i), Lanes: 32}))
			}
			b.Begin(0)
			first := b.Add(classes[0])
			last := first
			b.BeginLoop()
			iteration := func(i int) {
				class := classes[0]
				if i >= odd {
					class = classes[1+min(1, i%period)]
				}
				for range body[i%period] {
					edges := []idg.Edge{{From: first, Kind: idg.Order}}
					if last != first {
						edges = append(edges, idg.Edge{From: last, Kind: idg.Data})
					}
					last = b.Add(class, edges...)
				}
			}
			at, rest := 0, more
			for ; at < before+behind+more*period; at++ {
				if at > 0 {
					b.NextIteration()
				}
				if again && at >= before && rest > 0 {
					if n := b.Again(int64(length), int64(rest)); n > 0 {
						if n != int64(rest) {
							t.Fatalf("%d of %d repetitions are taken", n, rest)
						}
						last += idg.Executed(rest * length)
						at += rest * period
						rest = 0
						taken++
					} else if (at-before)%period == period-1 {
						rest--
					}
				}
				iteration(at)
			}
			b.EndLoop()
			b.Add(classes[2], idg.Edge{From: last, Kind: idg.Data})
			g,
				err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1},
				Groups: [3]int64{1, 1, 1}, WarpSize: 32}})
			if err != nil {
				t.Fatal(err)
			}
			return g.Programs()[0]
		}
		want, got := build(false), build(true)
		if want.Len() != got.Len() || want.StaticLen() != got.StaticLen() ||
			fmt.Sprint(want.Repeats()) != fmt.Sprint(got.Repeats()) {
			t.Fatalf("seed %d: %d instructions in %d, %v; want %d in %d, %v", seed, got.Len(), got.StaticLen(),
				got.Repeats(), want.Len(), want.StaticLen(), want.Repeats())
		}
		for s := range idg.StaticID(want.StaticLen()) {
			if want.StaticInstr(s) != got.StaticInstr(s) ||
				!slices.Equal(want.StaticPreds(s), got.StaticPreds(s)) {
				t.Fatalf("seed %d: instruction %d differs", seed, s)
			}
		}
	}
	if taken < tools.Cases(150, 40) {
		t.Errorf("repetitions were taken %d times only", taken)
	}
}
