package simulate

import "testing"

// TestCandidates looks for places in cyclic order, in the union of two sets.
func TestCandidates(t *testing.T) {
	a, b, mask := newBitset(200), newBitset(200), newBitset(200)
	for i := range 200 {
		mask.add(i)
	}
	for _, i := range []int{3, 127, 150} {
		a.add(i)
	}
	for _, i := range []int{64, 127, 199} {
		b.add(i)
	}
	mask.remove(150)
	c := candidates{sets: []bitset{a, b}, mask: mask}
	for _, x := range []struct{ last, from, to, want int }{
		{-1, 0, 200, 3}, {3, 0, 200, 64}, {64, 0, 200, 127}, {199, 0, 200, 3}, {140, 0, 200, 199},
		{10, 4, 60, -1}, {64, 64, 65, 64}, {100, 64, 128, 127}, {127, 64, 128, 64}, {500, 64, 128, 64},
		{2, 128, 128, -1},
	} {
		if got := c.firstAfter(x.last, x.from, x.to); got != x.want {
			t.Errorf("after %d in [%d,%d): %d, want %d", x.last, x.from, x.to, got, x.want)
		}
	}
	for _, x := range []struct{ from, to, want int }{
		{0, 200, 199}, {0, 199, 127}, {0, 127, 64}, {0, 64, 3}, {4, 64, -1}, {128, 199, -1}, {127, 128, 127},
		{64, 64, -1},
	} {
		if got := c.lastOf(x.from, x.to); got != x.want {
			t.Errorf("last in [%d,%d): %d, want %d", x.from, x.to, got, x.want)
		}
	}
	if c.has(150) || c.has(2) || !c.has(127) {
		t.Error("has is wrong")
	}
	if a.remove(3); c.firstAfter(-1, 0, 200) != 64 {
		t.Error("a removed place is found")
	}
}
