package latencies

import "testing"

// TestReachedByLocalMemory compares the answer with every allocation that there is.
func TestReachedByLocalMemory(t *testing.T) {
	for _, name := range Names() {
		d := builtin(t, name)
		for _, used := range []int64{0, 1, 1000, 20_000} {
			reached := map[int64]bool{}
			for bytes := max(used, 1); bytes <= d.Limits.LocalBytes; bytes++ {
				reached[d.GroupsByLocalMemory(bytes)] = true
			}
			for groups := int64(1); groups <= 64; groups++ {
				if got, want := d.ReachedByLocalMemory(groups, used), reached[groups]; got != want {
					t.Errorf("%s, %d bytes used: %d groups reached %t, want %t", name, used, groups, got, want)
				}
			}
		}
	}
}
