package pass_test

import (
	"testing"

	"gpupipe/frontend"
	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower/pass"
	"gpupipe/lower/profile"
)

// TestUnrollEveryLoop verifies what the passes leave of all kernels with all loops by three.
func TestUnrollEveryLoop(t *testing.T) {
	three := map[int]int{}
	for i := range 100 {
		three[i] = 3
	}
	irtest.Corpus(t, func(t *testing.T, c frontend.Config) {
		for _, f := range irtest.Build(t, c) {
			err := pass.Run(f, &profile.Context{Profile: profileNamed(""), Unroll: three}, "",
				irverify.After)
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	})
}
