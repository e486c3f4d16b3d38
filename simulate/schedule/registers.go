package schedule

import (
	"gpupipe/idg"
	"gpupipe/internal/target"
	"gpupipe/latencies"
)

// Registers is how many registers a work item can have without fewer groups
// fitting on a compute unit than its other resources allow: the limit under which
// compilers schedule that put occupancy first (LLVM's GCNMaxOccupancySchedStrategy).
func Registers(g *idg.Graph, d *latencies.Device) int64 {
	l := &d.Limits
	warps, items := g.Launch.WarpsPerGroup(), g.Launch.WorkItems()
	most := l.RegistersPerItem
	if most == 0 {
		most = target.RegisterCap
	}
	groups, number := int64(1), l.GroupsOf(warps)
	fits := func(n int64) bool {
		return (l.Warps == 0 || n*warps <= l.Warps) && (number == 0 || n <= number) && (l.WorkItems == 0 ||
			n*items <= l.WorkItems)
	}
	for (l.Warps > 0 || number > 0 || l.WorkItems > 0) && fits(groups+1) {
		groups++
	}
	if m := d.GroupsByLocalMemory(g.Resources.LocalBytes); m > 0 {
		groups = min(groups, m)
	}
	for r := most; r > 1; r-- {
		if m := d.GroupsByRegisters(warps, r); m < 0 || m >= groups {
			return r
		}
	}
	return 1
}
