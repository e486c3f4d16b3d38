package latencies

import (
	"testing"

	"gpupipe/idg"
)

// TestUnaligned: a wide access at an address that is not aligned is served lane by lane, for each 8 bytes of it.
func TestUnaligned(t *testing.T) {
	b := Banks{Count: 32, Bytes: 4, Lanes: 32, Unaligned: 1}
	for _, c := range []struct {
		width  uint16
		first  int64
		passes int
	}{
		{4, 4, 2}, {8, 0, 4}, {8, 4, 64}, {12, 4, 64}, {16, 0, 8}, {16, 4, 128},
	} {
		a := &idg.Access{Space: idg.SpaceLocal, Width: c.width}
		for lane := range int64(64) {
			a.Offsets = append(a.Offsets, c.first+lane*int64(c.width))
		}
		if got := BankPasses(a, b); got != c.passes {
			t.Errorf("%d bytes from %d on: %d passes, want %d", c.width, c.first, got, c.passes)
		}
	}
}
