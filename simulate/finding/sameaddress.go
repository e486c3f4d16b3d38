package finding

import (
	"fmt"

	"gpupipe/simulate/remedy"
)

// sameAddress: updates of one word wait for each other.
func sameAddress(r *Run) ([]trial, error) {
	return r.atSites(remedy.Spread, func(s *site) Finding {
		return Finding{
			What:   fmt.Sprintf("atomics on %s update one address one after the other", s.access.Buffer),
			Proof:  fmt.Sprintf("%.3g of the %.3g cycles of each", s.entry.Turns.Float(), s.entry.Timing.CPI.Float()),
			Remedy: "combine the values of a warp or work group first (shuffles, local memory), then update once",
		}
	})
}
