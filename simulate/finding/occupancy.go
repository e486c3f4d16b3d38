package finding

import (
	"fmt"

	"gpupipe/simulate"
)

// occupancy: one more group at once, and what it takes. Where that saves nothing, it is named if less than 80% of the
// warps are resident (rule TheoreticalOccupancy of Nsight Compute).
func occupancy(r *Run) ([]trial, error) {
	o := &r.Result.Occupancy
	step, ok := r.stepUp()
	if !ok {
		return nil, nil
	}
	unit, have := "registers per work item", o.Registers
	if step.Resource != "registers" {
		unit, have = "bytes of local memory per group", o.LocalBytes
	}
	t := r.trial(Finding{
		What:   fmt.Sprintf("occupancy is limited by %s", o.Limit),
		Proof:  fmt.Sprintf("%d of at most %d warps with %d %s", o.Warps, o.MaxWarps, have, unit),
		Remedy: fmt.Sprintf("%d groups at once need at most %d %s", step.Groups, step.Amount, unit),
	})
	t.config.Concurrent = step.Groups
	t.quiet = o.Warps*5 >= o.MaxWarps*4
	return []trial{t}, nil
}

// stepUp is what one more group at once takes of what limits their number; false if nothing of the kernel does, or the
// launch has no other group.
func (r *Run) stepUp() (simulate.OccupancyStep, bool) {
	o := &r.Result.Occupancy
	if o.Groups >= r.Result.Groups {
		return simulate.OccupancyStep{}, false
	}
	return o.StepUp(r.Mapping.Device, r.Result.WarpsPerGroup)
}
