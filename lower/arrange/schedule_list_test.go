package arrange

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gpupipe/internal/test/tools"
)

// TestTried orders blocks of random code with many limits: what is remembered of another limit is what an attempt
// makes.
func TestTried(t *testing.T) {
	remembered, seeds := 0, tools.Cases(20, 8)
	for seed := range uint64(seeds) {
		s := newScheduler(randomCode(t, [...]string{"sm_90", "sm_61"}[seed%2], rand.New(rand.NewPCG(seed, 7)), 60))
		for i, b := range s.blocks {
			if b.alone {
				continue
			}
			rank := positions(b.written())
			for n := range 200 {
				limits := s.limits([...]int{4, 9, 14, 30, 200}[n%5])
				early, rank := 1+n*7%40, [...][]int32{nil, rank}[n/5%2]
				before := slices.Clone(b.tried)
				got, want := b.try(limits, early, rank), b.attempt(limits, early, rank, nil)
				if !slices.Equal(got.order, want.order) || !slices.Equal(got.issue, want.issue) ||
					got.peak != want.peak {
					t.Fatalf("seed %d block %d, limits %v, %d for early ones: %v, want %v", seed, i, limits, early,
						got.order, want.order)
				}
				if slices.Contains(before, got) {
					remembered++
				}
			}
		}
	}
	if remembered < 50*seeds {
		t.Errorf("%d orders are remembered", remembered)
	}
}
