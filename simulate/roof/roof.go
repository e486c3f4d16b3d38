// Package roof says how far a launch is from what its device can do at most: floating-point
// operations and bytes of each memory level per second, beside their peaks.
//
// It consumes a simulated run with its graph and mapping and produces a Roof, of what the
// graph tells: bytes of the caches and of device memory need its locality. The
// peaks are λ of the device's entries, the width of its banks and the pin bandwidth.
//
// Williams, Waterman, Patterson, Roofline, CACM 2009; for several memory levels Ilic, Pratas, Sousa 2014.
package roof

import (
	"cmp"
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// Use is what a launch does of one kind.
type Use struct {
	Name      string  // "FP32", "tensor", "L2", ...
	Bytes     bool    // else floating-point operations
	Amount    float64 // of the whole launch
	PerSecond float64
	Peak      float64 // per second; 0 = not known
}

// Share is the part of the peak that is reached; 0 if that is not known.
func (u *Use) Share() float64 {
	if u.Peak <= 0 {
		return 0
	}
	return u.PerSecond / u.Peak
}

// Roof is what a launch does of each kind.
type Roof struct {
	Uses      []Use   // those nearest to their peak first
	Private   float64 // bytes of device memory for spilled registers and arrays of work items
	Intensity float64 // floating-point operations for each byte of device memory; 0 = not known, or none
}

// Of is the roof of a run. It is empty if the compute unit ran other groups than its share of the launch.
func Of(g *idg.Graph, mapper *latencies.Mapper, m *latencies.Mapping, r *simulate.Result) Roof {
	total := g.Launch.TotalGroups()
	if r.Seconds <= 0 || r.Groups != (total-1)/int64(max(m.Device.ComputeUnits, 1))+1 {
		return Roof{}
	}
	c := counter{graph: g, mapper: mapper, mapping: m, run: r, whole: float64(total) / float64(r.Groups)}
	c.arithmetic()
	c.onChip()
	operations := c.sum
	c.deviceMemory()
	if operations > 0 && c.bytes > 0 {
		c.out.Intensity = operations / c.bytes
	}
	for i := range c.out.Uses {
		c.out.Uses[i].PerSecond = c.out.Uses[i].Amount / r.Seconds
	}
	slices.SortStableFunc(c.out.Uses, func(a, b Use) int { return cmp.Compare(b.Share(), a.Share()) })
	return c.out
}

type counter struct {
	graph   *idg.Graph
	mapper  *latencies.Mapper
	mapping *latencies.Mapping
	run     *simulate.Result
	whole   float64 // launches for each compute unit
	sum     float64 // floating-point operations
	bytes   float64 // of device memory
	out     Roof
}

// perSecond is a rate per cycle of one compute unit as one of the GPU.
func (c *counter) perSecond(perCycle float64) float64 {
	d := c.mapping.Device
	return perCycle * float64(d.ComputeUnits) * float64(d.ClockHz)
}

func (c *counter) add(u Use) {
	if u.Amount > 0 {
		c.out.Uses = append(c.out.Uses, u)
	}
}

// arithmetic counts floating-point operations by type.
func (c *counter) arithmetic() {
	types := []Use{{Name: "FP32"}, {Name: "FP64"}, {Name: "FP16"}, {Name: "tensor"}}
	best := "" // of the products of matrices, by operations per cycle
	rate := 0.0
	for i := range c.run.Classes {
		x := &c.run.Classes[i]
		op := x.Instr.Operation()
		n := op.FloatOperations(int(x.Instr.Lanes))
		if n == 0 || x.Issued == 0 {
			continue
		}
		at := 0
		switch {
		case op.Class() == isa.Tensor:
			at = 3
			if r := n / x.Entry.Timing.CPI.Float(); r > rate {
				rate, best = r, x.Instr.Op
			}
		case op.Type == isa.F64:
			at = 1
		case op.Type == isa.F16 || op.Type == isa.BF16:
			at = 2
		}
		types[at].Amount += n * float64(x.Issued) * c.whole
	}
	warp := c.mapping.Device.WarpSize
	types[0].Peak = c.peak(warp, "fma.f32", "fma.dual.f32", "fma.packed.f32")
	types[1].Peak = c.peak(warp, "fma.f64")
	types[2].Peak = c.peak(warp, "fma.f16", "fma.packed.f16")
	types[3].Peak = c.peak(warp, best)
	for _, u := range types {
		c.sum += u.Amount
		c.add(u)
	}
}

// peak is the highest rate of some ops.
func (c *counter) peak(warp int, ops ...string) float64 {
	most := 0.0
	for _, op := range ops {
		if t, ok := c.mapper.Timing(op); ok {
			most = max(most, isa.Parse(op).FloatOperations(warp)/t.CPI.Float())
		}
	}
	return c.perSecond(most)
}

// wordBytes is the unit in which lanes that access the same bytes count once.
const wordBytes = 4

// onChip counts the bytes that warps read and write in local memory and L1, and those that pass L2.
func (c *counter) onChip() {
	d := c.mapping.Device
	local, l1, l2 := Use{Name: d.TitleOf("local"), Bytes: true}, Use{Name: "L1", Bytes: true},
		Use{Name: "L2", Bytes: true}
	cache := d.Memory.L1
	into := &local // what L1 serves
	if cache == nil || cache.Subsystem != "local" {
		into = &l1
	}
	for i := range c.run.Classes {
		x := &c.run.Classes[i]
		a := c.graph.Access(x.Instr.Access)
		if a == nil || !a.Known() {
			continue
		}
		n := float64(x.Issued) * c.whole
		words := float64(latencies.Transactions(a, wordBytes)) * wordBytes * n
		s := &x.Entry.Served
		switch {
		case a.Space == idg.SpaceLocal:
			local.Amount += words
		case s.Total() > 0:
			if cache != nil && !a.Store && (cache.Loads == latencies.AllLoads || s.L1 > 0) {
				into.Amount += words
			}
			l2.Amount += n * float64(x.Entry.Transactions*d.Memory.SegmentBytes) * (1 - s.L1/s.Total())
		}
	}
	m := &d.Memory
	local.Peak = c.perSecond(float64(m.LocalBanks * m.LocalBankBytes))
	if cache != nil && !cache.CPI.IsZero() {
		l1.Peak = c.perSecond(float64(d.WarpSize*wordBytes) / cache.CPI.Float())
	}
	if m.L2 != nil && !m.L2.CPI.IsZero() {
		l2.Peak = c.perSecond(float64(d.WarpSize*wordBytes) / m.L2.CPI.Float())
	}
	c.add(local)
	c.add(l1)
	c.add(l2)
}

// deviceMemory counts what device memory moves.
func (c *counter) deviceMemory() {
	t := c.mapping.Traffic
	if t == nil || t.Partial {
		return
	}
	for i := range c.run.Classes {
		x := &c.run.Classes[i]
		s, a := &x.Entry.Served, c.graph.Access(x.Instr.Access)
		if a == nil || a.Space != idg.SpacePrivate {
			continue
		}
		share := 0.0
		if total := s.Total(); total > 0 {
			share = (s.Memory + s.WrittenBack + s.Filled) / total
		} else if c.mapping.Subsystems[x.Entry.Subsystem] == "global" {
			share = 1 // no cache is known to hold it
		}
		c.out.Private += share * float64(x.Issued) * c.whole *
			float64(x.Entry.Transactions*c.mapping.Device.Memory.SegmentBytes)
	}
	c.bytes = float64(t.ReadBytes+t.WrittenBytes) + c.out.Private
	c.add(Use{Name: "DRAM", Bytes: true, Amount: c.bytes, Peak: c.mapping.Device.Memory.PeakGBs.Float() * 1e9})
}
