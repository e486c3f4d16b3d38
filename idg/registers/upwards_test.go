package registers

import (
	"testing"

	"gpupipe/idg"
)

// TestUpwards holds that an order from the end has every instruction once, behind
// its operands.
func TestUpwards(t *testing.T) {
	for seed := range uint64(200) {
		g := randomProgram(t, seed)
		for _, p := range g.Programs() {
			l := ClassesOf(g).whole(p)
			last := l.lastUsers()
			n := idg.NodeID(l.Len())
			first := idg.NodeID(seed) % 7 % n
			placed := make([]bool, n)
			order := l.upwards(last, first, n)
			if len(order) != int(n-first) {
				t.Fatalf("seed %d: %d instructions in order, of %d", seed, len(order), n-first)
			}
			for _, v := range order {
				if v < first || placed[v] {
					t.Fatalf("seed %d: instruction %d is twice in the order, or of another stretch", seed, v)
				}
				from, _ := l.Preds(v)
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
