package simulate

import (
	"math/rand/v2"
	"testing"
)

// TestAgenda compares the wheel with a plain list, for buckets of one tick and
// for coarse ones, over many turns.
func TestAgenda(t *testing.T) {
	for _, longest := range []Tick{1, 100, 1022, 1023, 1e6, 1e15, 1 << 60} {
		r := rand.New(rand.NewPCG(4, uint64(longest)))
		a := newAgenda(longest)
		want := map[int]Tick{}
		now, coarse := Tick(0), 0
		for range 20_000 {
			for range r.IntN(3) {
				place := r.IntN(maxFastPlaces)
				if _, ok := want[place]; ok {
					continue
				}
				at := now + 1 + Tick(r.Int64N(int64(longest)))
				if r.IntN(3) == 0 {
					at = now + 1 + min(longest-1, Tick(r.IntN(3)))
				}
				a.push(place, at)
				want[place] = at
			}
			if r.IntN(200) == 0 {
				by := Tick(r.Int64N(1 << 20))
				a.shiftBy(by)
				now += by
				for place := range want {
					want[place] += by
				}
			}
			first, due := never, uint64(0)
			for place, at := range want {
				if at < first {
					first, due = at, 0
				}
				if at == first {
					due |= 1 << place
				}
			}
			if a.first != first {
				t.Fatalf("longest %d: first event at %d, want %d", longest, a.first, first)
			}
			if first == never || first > maxTime {
				now, coarse = 0, coarse+1
				a, want = newAgenda(longest), map[int]Tick{}
				continue
			}
			now = first
			if got := a.pop(); got != due {
				t.Fatalf("longest %d, at %d: places %x, want %x", longest, now, got, due)
			}
			for place, at := range want {
				if at == first {
					delete(want, place)
				}
			}
		}
		if longest < 1e15 && coarse > 15_000 {
			t.Errorf("longest %d: mostly empty", longest)
		}
	}
}
