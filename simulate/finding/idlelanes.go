package finding

import (
	"fmt"

	"gpupipe/latencies"
)

// idleLanes: groups whose last warp is not full, as of one work item. Full warps would be fewer.
func idleLanes(r *Run) ([]trial, error) {
	warp, items := int64(r.Mapping.Device.WarpSize), r.Graph.Launch.WorkItems()
	warps := r.Result.WarpsPerGroup
	if warp < 2 || items < 1 || items >= warps*warp {
		return nil, nil
	}
	share := float64(items) / float64(warps*warp)
	t := r.trial(Finding{
		What:   "groups are not whole warps: lanes of their warps are idle",
		Proof:  fmt.Sprintf("a group has %d of the %d lanes of its warps: %.0f%%", items, warps*warp, 100*share),
		Remedy: fmt.Sprintf("make groups of a multiple of %d work items, such as 128 or 256", warp),
	})
	t.config.Groups = max(1, int64(float64(r.Result.Groups)*share+0.5))
	t.groups, t.floor = float64(t.config.Groups), r.trafficSeconds()
	if most := r.Result.Occupancy.MaxWarps; most >= warps {
		t.config.Concurrent = min(most/warps, t.config.Groups)
	}
	m, d := *r.Mapping, *r.Mapping.Device
	d.GroupStart = latencies.Cycles{} // larger groups are fewer
	m.Device, t.Mapping = &d, &m
	return []trial{t}, nil
}
