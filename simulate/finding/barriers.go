package finding

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/remedy"
)

// barriers: all of a kernel's are removed, since what one no longer waits for the next would.
func barriers(r *Run) ([]trial, error) {
	share, top := 0.0, idg.Pos{}
	for _, i := range r.executed() {
		in := &r.Graph.Instrs()[i]
		if !in.IsBarrier() {
			continue
		}
		if s := r.share(in.Pos, cause.Barrier); s > share {
			share, top = s, in.Pos
		}
	}
	if share < Least {
		return nil, nil
	}
	return r.remedied(nil, Finding{
		Pos:    top,
		What:   "warps wait at barriers for the slowest warp of their group",
		Proof:  fmt.Sprintf("%.0f%% of the time, longest at this one", 100*r.share(idg.Pos{}, cause.Barrier)),
		Remedy: "use smaller groups, or two buffers in turn so that one barrier per iteration is enough",
	}, remedy.Change{Kind: remedy.Removed, Pick: (*idg.Instr).IsBarrier})
}
