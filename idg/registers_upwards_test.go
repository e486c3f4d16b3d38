package idg

import (
	"math/rand/v2"
	"testing"
)

// TestUpwards holds that an order from the end has every instruction once, behind
// its operands.
func TestUpwards(t *testing.T) {
	for seed := range uint64(200) {
		g := randomGraph(t, rand.New(rand.NewPCG(seed, 78)))
		if seed%2 == 0 {
			g = randomLoopsBy(t, seed, 3, true)
		}
		for _, p := range g.Programs() {
			l := newLiveness(g, p, g.ResultWords())
			last := l.lastUsers()
			n := NodeID(l.f.Len())
			first := NodeID(seed) % 7 % n
			placed := make([]bool, n)
			order := l.upwards(last, first, n)
			if len(order) != int(n-first) {
				t.Fatalf("seed %d: %d instructions in order, of %d", seed, len(order), n-first)
			}
			for _, v := range order {
				if v < first || placed[v] {
					t.Fatalf("seed %d: instruction %d is twice in the order, or of another stretch", seed, v)
				}
				from, _ := l.f.Preds(v)
				for _, u := range from {
					if u >= first && !placed[u] {
						t.Fatalf("seed %d: instruction %d stands in front of its operand %d", seed, v, u)
					}
				}
				placed[v] = true
			}
		}
	}
}
