package walk

import (
	"fmt"
	"slices"
	"testing"

	"gpupipe/internal/diag"
)

// A loop that the compiler unrolls, or not, by a size near its limit is noted: 134 iterations of a multiply-add and the
// counter are unrolled whole, 135 are not.
func TestDecisionsNearLimits(t *testing.T) {
	for n, want := range map[int]bool{100: false, 134: true, 135: true, 160: false} {
		_, notes := graph(t, fmt.Sprintf(`kernel void k(global float *o, float a, float b) { float s = o[0];
			for (int k = 0; k < %d; k++) s = s * a + b; o[0] = s; }`, n), nil)
		got := slices.ContainsFunc(notes, func(e *diag.Error) bool { return e.Code == "UNROLL-LIMIT" })
		if got != want {
			t.Errorf("%d iterations: noted %v, want %v: %v", n, got, want, notes)
		}
	}
}
