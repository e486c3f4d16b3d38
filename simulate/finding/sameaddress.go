package finding

import (
	"fmt"

	"gpupipe/simulate/remedy"
)

// sameAddress: updates of one word wait for each other. One of a group's remains.
func sameAddress(r *Run) (out []trial, err error) {
	for _, s := range r.sites(remedy.Spread) {
		out, err = r.remedied(out, Finding{
			Pos:    s.in.Pos,
			What:   fmt.Sprintf("atomics on %s update one address one after the other", s.access.Buffer),
			Proof:  fmt.Sprintf("%.3g of the %.3g cycles of each", s.entry.Turns.Float(), s.entry.Timing.CPI.Float()),
			Remedy: "combine the values of a warp and a work group first (shuffles, local memory), then update once",
		}, remedy.Change{Kind: remedy.Spread, Pick: s.all(r), Share: 1 / float64(r.Graph.Launch.WorkItems())})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
