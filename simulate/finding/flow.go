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
	}, remedy.Removed, (*idg.Instr).IsBarrier)
}

// loopOverhead: the counter's increment, the comparison and the branch of rolled loops.
func loopOverhead(r *Run) (out []trial, err error) {
	seen := map[idg.Pos]bool{}
	for _, i := range r.executed() {
		in := &r.Graph.Instrs()[i]
		if !in.IsRolledLoop() || seen[in.Pos] {
			continue
		}
		seen[in.Pos] = true
		share := 0.0
		for k := range r.Result.Classes {
			if c := &r.Result.Classes[k]; c.Instr.Pos == in.Pos {
				share += float64(c.Issued)
			}
		}
		out, err = r.remedied(out, Finding{
			Pos:    in.Pos,
			What:   "loop overhead: the loop stays rolled",
			Proof:  fmt.Sprintf("%.0f%% of all instructions are its counter, comparison and branch", 100*share/float64(r.Result.Issued)),
			Remedy: "#pragma unroll, with a factor where the trip count is not a constant",
		}, remedy.Removed, func(x *idg.Instr) bool { return x.Pos == in.Pos })
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// latency: the line whose results warps wait for longest.
func latency(r *Run) ([]trial, error) {
	for i := range r.Causes.Causes {
		c := &r.Causes.Causes[i]
		if c.Kind != cause.Data || !c.Pos.IsValid() {
			continue
		}
		have, need := r.Result.OccupancyWarps, r.Result.Bound.NeededWarps
		enough := fmt.Sprintf("%d resident warps should be enough, but run in lockstep", have)
		if need > have {
			enough = fmt.Sprintf("about %d warps would hide it, %d are resident", need, have)
		}
		return r.remedied(nil, Finding{
			Pos:    c.Pos,
			What:   fmt.Sprintf("latency is not hidden: warps wait for results of %s", c.Subsystem),
			Proof:  fmt.Sprintf("%.0f%% of the time; %s", 100*r.share(c.Pos, cause.Data), enough),
			Remedy: "more resident warps, or more independent work in each: several elements per work item, loads ahead of their use",
		}, remedy.Hidden, func(in *idg.Instr) bool { return sameLine(in.Pos, c.Pos) })
	}
	return nil, nil
}
