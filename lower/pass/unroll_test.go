package pass_test

import (
	"testing"

	"gpupipe/lower/ir"
	"gpupipe/lower/pass"
)

// TestUnrollEveryLoop verifies what the passes leave of all kernels with all loops by three.
func TestUnrollEveryLoop(t *testing.T) {
	three := map[int]int{}
	for i := range 100 {
		three[i] = 3
	}
	for _, c := range sources(t) {
		for _, f := range built(t, c) {
			err := pass.Run(f, &pass.Context{Profile: tested, Unroll: three}, "",
				func(_ string, f *ir.Func) error { return f.Verify() })
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	}
}
