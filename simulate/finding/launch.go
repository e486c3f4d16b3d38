package finding

import (
	"fmt"

	"gpupipe/idg"
)

// occupancy: one more group at once, and what it takes.
func occupancy(r *Run) ([]trial, error) {
	o := &r.Result.Occupancy
	if o.Limit != "registers" && o.Limit != "local memory" || o.Groups != r.Result.ConcurrentGroups {
		return nil, nil
	}
	step, ok := o.StepUp(r.Mapping.Device, r.Result.WarpsPerGroup)
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
	return []trial{t}, nil
}

// fewGroups: whole waves of groups instead of a last one that is not full.
func fewGroups(r *Run) ([]trial, error) {
	n, m := r.Result.Groups, r.Result.Occupancy.Room()
	if m < 1 || n%m == 0 {
		return nil, nil
	}
	waves := (n-1)/m + 1
	f := Finding{
		What:   "the last wave of groups leaves compute units partly empty",
		Proof:  fmt.Sprintf("%d groups per compute unit are %.2f waves of %d", n, float64(n)/float64(m), m),
		Remedy: "choose a group size or a number of groups that makes whole waves, or let each group do several tiles",
	}
	if waves == 1 {
		f.What = "the launch is too small to fill the GPU"
		f.Proof = fmt.Sprintf("%d of %d groups that a compute unit can hold", n, m)
		f.Remedy = "launch more groups: smaller ones, or less work for each"
	}
	f.Pos = idg.Pos{}
	t := r.trial(f)
	t.config.Groups, t.config.Concurrent = waves*m, m
	return []trial{t}, nil
}
