package profile

import "testing"

// A profile has what it states, and leaves the one that it is like as it was.
func TestLikeAnother(t *testing.T) {
	old, err1 := Lookup("nvcc-11.8")
	next, err2 := Lookup("nvcc-12")
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	a, b := old.Unroll.Costs.Calls, next.Unroll.Costs.Calls
	if a["pow"] != 133 || b["pow"] != 103 || b["exp"] != a["exp"] {
		t.Errorf("pow has %d and %d, exp %d and %d", a["pow"], b["pow"], a["exp"], b["exp"])
	}
	if old.VIADD || !next.VIADD || next.LocalBytes != old.LocalBytes {
		t.Errorf("VIADD: %v and %v; local memory: %d and %d", old.VIADD, next.VIADD, old.LocalBytes, next.LocalBytes)
	}
}
