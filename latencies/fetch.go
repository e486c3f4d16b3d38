package latencies

import (
	"math"

	"gpupipe/idg"
)

// FetchSubsystem is what instructions of long code keep busy beside their own subsystem.
const FetchSubsystem = "fetch"

// chargeFetches charges instructions for being fetched, where the code is longer than the instruction cache of a
// compute unit (Device.InstructionCache). It then no longer has the first instructions when the last have been there,
// and each group fetches what does not repeat, each iteration a body that is longer than the cache, and each
// execution of a loop a shorter one. The resident warps, which follow each other closely as they wait for the same
// instructions, share that. Instructions that keep two subsystems busy leave theirs to others.
func (m *mapping) chargeFetches(g *idg.Graph, o Options) {
	if m.dev.InstructionCache == 0 || !g.MachineCode || g.Resources.Instructions <= m.dev.InstructionCache {
		return
	}
	fetched := g.Fetches(m.dev.InstructionCache)
	var all, charged int64
	for i, n := range fetched {
		all += n
		if m.out.Entries[i].Second == (Charge{}) {
			charged += n
		}
	}
	if charged == 0 {
		return
	}
	each := m.dev.InstructionFetch.Float() * float64(all) / float64(charged) /
		float64(o.ConcurrentGroups*g.Launch.WarpsPerGroup())
	unit := m.subsystemNamed(FetchSubsystem)
	for i, executed := range g.GroupTally() {
		e := &m.out.Entries[i]
		if fetched[i] == 0 || e.Second != (Charge{}) {
			continue
		}
		if hundredths := int64(math.Round(100 * each * float64(fetched[i]) / float64(executed))); hundredths > 0 {
			e.Second = Charge{unit, lowest(hundredths, 100)}
		}
	}
}
