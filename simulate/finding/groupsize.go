package finding

import (
	"fmt"

	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
)

// groupItems are the work items of a group that a remedy for small groups has: the most that the CUDA C++ Best
// Practices Guide recommends to begin with (Thread and Block Heuristics: 128 to 256).
const groupItems = 256

// idleLanes: groups whose last warp is not full, as of one work item. Full warps would be fewer.
func idleLanes(r *Run) ([]trial, error) {
	warp, items := int64(r.Mapping.Device.WarpSize), r.Graph.Launch.WorkItems()
	warps := r.Result.WarpsPerGroup
	if warp < 2 || items < 1 || items >= warps*warp {
		return nil, nil
	}
	share := float64(items) / float64(warps*warp)
	return r.larger(Finding{
		What:   "groups are not whole warps: lanes of their warps are idle",
		Proof:  fmt.Sprintf("a group has %d of the %d lanes of its warps: %.0f%%", items, warps*warp, 100*share),
		Remedy: fmt.Sprintf("make groups of a multiple of %d work items, such as 128 or 256", warp),
	}, share), nil
}

// smallGroups: groups of whole warps, of which a compute unit holds no more, though it has places for other warps, or
// which the GPU starts too slowly (CUDA C++ Best Practices Guide, Thread and Block Heuristics).
func smallGroups(r *Run) ([]trial, error) {
	o, items, warps := &r.Result.Occupancy, r.Graph.Launch.WorkItems(), r.Result.WarpsPerGroup
	few := o.Limit == "groups" && o.Groups == r.Result.ConcurrentGroups
	slow := r.Result.Bound.Kind == simulate.BoundStarts || r.Causes.Busiest.Kind == cause.Starts
	if !few && !slow || items >= groupItems/2 || items < warps*int64(r.Mapping.Device.WarpSize) {
		return nil, nil
	}
	f := Finding{
		What:   fmt.Sprintf("small groups: a compute unit holds no more than %d of them", o.Groups),
		Proof:  fmt.Sprintf("%d of %d warps are resident, in groups of %d", o.Warps, o.MaxWarps, warps),
		Remedy: fmt.Sprintf("make groups of 128 or more work items (simulated for %d)", groupItems),
	}
	if !few {
		f.What = "small groups: the GPU starts them one after the other"
		f.Proof = fmt.Sprintf("%.0f%% of the time, with %d work items in each",
			100*r.share(f.Pos, cause.Starts), items)
	}
	return r.larger(f, 1), nil
}

// larger has the trial of groups of groupItems work items with the same work, or the share of it that full warps are of
// it: as many of them as other limits leave are resident, and as many fewer are started.
func (r *Run) larger(f Finding, share float64) []trial {
	t := r.trial(f)
	d := *r.Mapping.Device
	warps := r.Result.WarpsPerGroup
	merged := max(1, groupItems/(warps*int64(d.WarpSize))) // groups in one
	t.config.Groups = max(1, int64(float64(r.Result.Groups)*share+0.5))
	t.groups, t.floor = float64(t.config.Groups), r.trafficSeconds()
	for _, c := range r.Result.Occupancy.Candidates {
		if n := max(1, c.Groups/merged) * merged; c.Resource != "groups" && c.Resource != "launch" &&
			(t.config.Concurrent == 0 || n < t.config.Concurrent) {
			t.config.Concurrent = min(n, t.config.Groups)
		}
	}
	d.GroupStart, _ = latencies.NewCycles(d.GroupStart.Num(), d.GroupStart.Den()*merged)
	m := *r.Mapping
	m.Device, t.Mapping = &d, &m
	return []trial{t}
}
