package arrange

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gpupipe/internal/test/tools"
	"gpupipe/lower/machine"
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

// TestBounded orders blocks of random code with bounds of cost: an order is given up, and what it moves not counted to
// the end, only if it costs more. What lives behind its instructions is what was counted at each.
func TestBounded(t *testing.T) {
	given, seeds := 0, tools.Cases(20, 8)
	for seed := range uint64(seeds) {
		s := newScheduler(randomCode(t, [...]string{"sm_90", "sm_61"}[seed%2], rand.New(rand.NewPCG(seed, 9)), 60))
		for i, b := range s.blocks {
			if b.alone {
				continue
			}
			b.rank = positions(b.written())
			for n := range 24 {
				limits, early := s.limits([...]int{4, 9, 14, 30}[n%4]), 1+n*7%40
				want := b.attempt(limits, early, b.rank, nil)
				exact := b.cost(want, limits, math.MaxInt32)
				for _, most := range []int{0, exact / 2, exact - 1, exact, exact + 1} {
					cost := b.cost(want, limits, most)
					if most >= exact && cost != exact || most < exact && cost <= most {
						t.Fatalf("seed %d block %d: cost %d of at most %d is %d", seed, i, exact, most, cost)
					}
					b.tried = nil
					got := b.within(limits, early, most, new([]*attempt))
					if got == nil {
						given++
					}
					if got == nil && exact <= most || got != nil && !slices.Equal(got.order, want.order) {
						t.Fatalf("seed %d block %d: cost %d of at most %d: %v", seed, i, exact, most, got)
					}
				}
				a := b.begin(limits)
				for k, at := range want.order {
					if a.emit(at); int(want.live[k]) != a.now[machine.Vector] {
						t.Fatalf("seed %d block %d: %d live behind %d, not %d", seed, i, a.now[machine.Vector], k,
							want.live[k])
					}
				}
			}
		}
	}
	if given < 20*seeds {
		t.Errorf("%d orders are given up", given)
	}
}

// TestPeeked: what is taken from a heap of which the first ones can be looked at is what a heap gives.
func TestPeeked(t *testing.T) {
	var p peeked
	var h heap
	r := rand.New(rand.NewPCG(1, 1))
	for i := range int32(5000) {
		if key := r.Int32N(50); r.IntN(3) > 0 {
			p.push(key, i)
			h.push(key, i)
		}
		for k := 0; p.has(k) && r.IntN(3) == 0; k++ {
			if r.IntN(2) == 0 { // the k-th one
				var back []int32
				for range k {
					back = append(back, h.key(), h.pop())
				}
				if got, want := p.at(k), h.pop(); got != want {
					t.Fatalf("step %d: %d, want %d", i, got, want)
				}
				for k := 0; k < len(back); k += 2 {
					h.push(back[k], back[k+1])
				}
				p.drop(k)
			}
		}
		if p.n+len(p.rest) != len(h) {
			t.Fatalf("step %d: %d of %d are left", i, p.n+len(p.rest), len(h))
		}
	}
}
