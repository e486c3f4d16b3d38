package registers

import (
	"testing"

	"gpupipe/idg"
)

// TestConnected checks when the sums of a sliding window are connected behind the cut:
// when the steps behind it are more than the sums' distance.
func TestConnected(t *testing.T) {
	const sums, lag = 8, 60
	for steps := 300; steps < 520; steps += 3 {
		g := slidingWindow(t, sums, steps, lag)
		l := ClassesOf(g).whole(g.Programs()[0])
		s := &saver{Live: l, users: l.dataUsers(), last: l.lastUsers()}
		behind := (sums*steps + steps + (sums-1)*lag - idg.OrderedTogether) / (sums + 1)
		if got, want := s.connected(0, idg.NodeID(l.Len())), behind > lag; got != want {
			t.Errorf("%d steps, %d of them behind the cut: connected %t, want %t", steps, behind, got, want)
		}
	}
}
