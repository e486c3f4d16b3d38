package simulate

import (
	"math"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// Occupancy is how many work groups a compute unit holds at once, and what
// decides it: M = min over resources of floor(available / required).
type Occupancy struct {
	Groups     int64  // M
	Warps      int64  // M × warps per group
	Limit      string // the resource that decides M, as in Result.OccupancyLimit
	MaxWarps   int64  // what the device can hold; 0 = not known
	Registers  int64  // per work item as used here; 0 = not limiting
	LocalBytes int64  // per group

	RegistersEstimated bool  // nobody gave their number
	RegistersSpilled   int64 // per work item: what an estimate has beyond them

	// Candidates lists M for each resource that limits it, in the order in which
	// ties are resolved.
	Candidates []OccupancyCandidate
}

// OccupancyCandidate is how many groups one resource allows.
type OccupancyCandidate = latencies.GroupLimit

// fitAll computes the occupancy of a launch of n groups of several kinds: that of
// the kind of which the fewest fit, the first of equals.
func fitAll(kinds []GroupKind, d *latencies.Device, cfg Config, n int64) (Occupancy, error) {
	var least Occupancy
	for i, k := range kinds {
		o, err := fit(k.Graph, d, cfg, n)
		if err != nil {
			return o, err
		}
		if i == 0 || o.Groups < least.Groups {
			least = o
		}
	}
	return least, nil
}

// fit computes the occupancy of a launch of n groups on one compute unit. A
// launch of which not even one group fits is an error.
func fit(g *idg.Graph, d *latencies.Device, cfg Config, n int64) (Occupancy, error) {
	warps, items, limits := g.Launch.WarpsPerGroup(), g.Launch.WorkItems(), &d.Limits
	regs := d.RegistersOf(g, cfg.Registers)
	o := Occupancy{MaxWarps: limits.Warps, Registers: regs, LocalBytes: g.Resources.LocalBytes}
	if cfg.Registers == 0 && g.Resources.RegistersEstimated {
		o.RegistersEstimated, o.RegistersSpilled = true, int64(g.Resources.Registers)-regs
	}
	if limits.GroupWorkItems > 0 && items > limits.GroupWorkItems {
		return o, doesNotFit(d, "a work group has %d work items; the device takes at most %d", items,
			limits.GroupWorkItems).
			WithNote("choose a smaller work group (idgen --local)")
	}
	if limits.RegistersPerItem > 0 && regs > limits.RegistersPerItem {
		return o, doesNotFit(d, "a work item uses %d registers; the device has at most %d for each", regs,
			limits.RegistersPerItem)
	}
	o.Candidates = d.GroupLimits(latencies.Group{Items: items, Warps: warps, Registers: regs,
		LocalBytes: g.Resources.LocalBytes})
	for _, c := range o.Candidates {
		if c.Groups < 1 {
			return o, doesNotFit(d, "not even one work group of %d work items (%d warps, %d bytes of local memory, "+
				"%d registers per work item) fits on a compute unit: too many %s",
				items, warps, g.Resources.LocalBytes, regs, plural(c.Resource))
		}
	}
	o.Candidates = append(o.Candidates, OccupancyCandidate{Resource: "launch", Groups: n})
	o.Groups = n
	for i := len(o.Candidates) - 1; i >= 0; i-- {
		if c := o.Candidates[i]; c.Groups <= o.Groups {
			o.Groups, o.Limit = c.Groups, c.Resource
		}
	}
	if cfg.Concurrent > 0 && cfg.Concurrent < n {
		o.Groups, o.Limit = cfg.Concurrent, "--concurrent"
	} else if cfg.Concurrent > 0 {
		o.Groups, o.Limit = n, "launch"
	}
	o.Warps = o.Groups * warps
	return o, nil
}

// allowed is what M would be without Config.Concurrent.
func (o *Occupancy) allowed() int64 {
	m := o.Candidates[0].Groups
	for _, c := range o.Candidates {
		m = min(m, c.Groups)
	}
	return m
}

// Room is how many groups the resources hold, however many the launch has; math.MaxInt64 if nothing limits them.
func (o *Occupancy) Room() int64 {
	m := int64(math.MaxInt64)
	for _, c := range o.Candidates {
		if c.Resource != "launch" {
			m = min(m, c.Groups)
		}
	}
	return m
}

func plural(resource string) string {
	if resource == "local memory" {
		return "bytes of local memory"
	}
	return resource
}

func doesNotFit(d *latencies.Device, format string, args ...any) *diag.Error {
	return diag.Errorf(diag.Pos{}, "OCCUPANCY", format, args...).WithNote("device: %s", d.Name)
}
