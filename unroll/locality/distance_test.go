package locality

import "testing"

// TestDistanceClasses: a class begins behind the one before, and is at most a quarter wide.
func TestDistanceClasses(t *testing.T) {
	for d := int64(1); d < 5000; d++ {
		c := classOf(d)
		if most := mostOf(c); d > most || 4*most > 5*d+3 {
			t.Fatalf("distance %d is in class %d, up to %d", d, c, most)
		}
		if c > 0 && d <= mostOf(c-1) {
			t.Fatalf("distance %d is in class %d, the one before ends at %d", d, c, mostOf(c-1))
		}
	}
}
