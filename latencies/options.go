package latencies

import (
	"math"

	"gpupipe/idg"
)

// Options is what the levels of the memory depend on beside graph and device: who
// shares the caches. The zero value of each field takes what the device allows.
type Options struct {
	ConcurrentGroups int64 // M: groups on a compute unit at once; 0 = what its resources allow
	ComputeUnits     int   // P: compute units at work; 0 = the device's
	// per work item, where M follows from the resources; 0 = the graph's (0 there = not limiting)
	Registers int
	Warm      bool // the launch follows another one like it, which has left in the caches what they hold

	// Consecutive picks accesses that are mapped as if their lanes had consecutive addresses, where that
	// takes fewer transactions than the addresses that they have; nil = none.
	Consecutive func(idg.InstrID) bool

	// LeastTraffic has device memory move each byte that the launch touches once; L2 serves what is touched again.
	LeastTraffic bool

	// WholeWrites has no store leave bytes of its sectors out.
	WholeWrites bool

	// Scattered has accesses at addresses that neither the graph nor a rule tells touch a place of its own in each
	// lane, Coalesced has their lanes be neighbours, though each has loaded where it goes.
	Scattered, Coalesced bool

	// Instead says as what a class is mapped: another op, or an access of another width; nil = as it is.
	Instead func(idg.InstrID, idg.Instr, *idg.Access) (idg.Instr, *idg.Access)
}

// withDefaults sets the zero fields.
func (o Options) withDefaults(d *Device, g *idg.Graph) Options {
	if o.ComputeUnits <= 0 {
		o.ComputeUnits = max(d.ComputeUnits, 1)
	}
	if o.ConcurrentGroups <= 0 {
		total, p := g.Launch.TotalGroups(), int64(o.ComputeUnits)
		o.ConcurrentGroups = min(d.residentGroups(g, d.RegistersOf(g, o.Registers)), (total-1)/p+1)
	}
	return o
}

// RegistersOf is how many registers a work item of a launch takes: the given
// number, or if that is 0 the graph's; 0 = not known. Of an estimate at most as many as
// the device has for a work item, and as let one group fit: a compiler that is
// told the size of the group spills the others.
func (d *Device) RegistersOf(g *idg.Graph, given int) int64 {
	if given > 0 {
		return int64(given)
	}
	n := int64(g.Resources.Registers)
	if !g.Resources.RegistersEstimated {
		return n
	}
	if most := d.Limits.RegistersPerItem; most > 0 {
		n = min(n, most)
	}
	for n > 1 && d.GroupsByRegisters(g.Launch.WarpsPerGroup(), n) == 0 {
		n--
	}
	return n
}

// residentGroups is how many groups of a launch fit on a compute unit: the least
// over its resources of available / required, and at least one.
func (d *Device) residentGroups(g *idg.Graph, registers int64) int64 {
	m := int64(math.MaxInt64)
	for _, x := range d.GroupLimits(Group{Items: g.Launch.WorkItems(), Warps: g.Launch.WarpsPerGroup(),
		Registers: registers, LocalBytes: g.Resources.LocalBytes}) {
		m = min(m, x.Groups)
	}
	return max(m, 1)
}

// mulCapped multiplies what is not negative; the result is the largest number
// where it does not fit.
func mulCapped(a, b int64) int64 {
	if n, ok := mulInt(a, b); ok {
		return n
	}
	return math.MaxInt64
}

// addCapped adds likewise.
func addCapped(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
