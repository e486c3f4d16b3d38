package finding

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
	"gpupipe/simulate/remedy"
)

// latency: the line whose results warps wait for longest. Where another group could be resident, the rules on
// groups say what helps.
func latency(r *Run) ([]trial, error) {
	if _, _, waves := r.waves(); waves == 1 {
		return nil, nil
	}
	if _, ok := r.stepUp(); ok {
		return nil, nil
	}
	for i := range r.Causes.Causes {
		c := &r.Causes.Causes[i]
		if c.Kind != cause.Data || !c.Pos.IsValid() {
			continue
		}
		if r.share(c.Pos, cause.Data)-r.start(c.Pos) < Least {
			return nil, nil
		}
		have, need := r.Result.OccupancyWarps, r.Result.Bound.NeededWarps
		full := r.Result.Occupancy.MaxWarps > 0 && have >= r.Result.Occupancy.MaxWarps
		enough := fmt.Sprintf("%d resident warps should be enough, but run in lockstep", have)
		if need > have {
			enough = fmt.Sprintf("about %d warps would hide it, %d are resident", need, have)
			if full {
				enough += ", the most that fit"
			}
		}
		remedies := "more independent work in each warp: several elements per work item, wider loads, loads ahead of " +
			"their use"
		if !full && need > have {
			remedies = "more resident warps, or " + remedies
		}
		return r.remedied(nil, Finding{
			Pos: c.Pos,
			What: fmt.Sprintf("latency is not hidden: warps wait for results of %s",
				r.Mapping.Device.TitleOf(c.Subsystem)),
			Proof:  fmt.Sprintf("%.0f%% of the time; %s", 100*r.share(c.Pos, cause.Data), enough),
			Remedy: remedies,
			after:  "histogram", symptom: true, // which has other loads
			last: r.Result.Bound.Kind != simulate.BoundLatency && r.Result.Bound.Kind != simulate.BoundBarrier,
		}, remedy.Change{Kind: remedy.Hidden, Pick: func(in *idg.Instr) bool { return sameLine(in.Pos, c.Pos) }})
	}
	return nil, nil
}

// start is the share of the time in which the first warps wait for a line's results, as nothing else is on its way
// yet: other warps cannot hide that.
func (r *Run) start(pos idg.Pos) float64 {
	longest := 0.0
	for i := range r.Result.Classes {
		if c := &r.Result.Classes[i]; c.Issued > 0 && sameLine(c.Instr.Pos, pos) {
			longest = max(longest, c.Entry.Timing.Latency.Float())
		}
	}
	return longest / r.Causes.Total.Float()
}
