package latencies

import (
	"fmt"
	"slices"

	"gpupipe/idg"
)

// atomicsSubsystem is where an atomic waits for updates of the same words by other
// compute units.
const atomicsSubsystem = "atomics"

// atomicContext adds to an access of device memory what updates of one word take: they
// are performed in L2 one after another, a turn each (J18, J19 T.4.2), whether they
// come from lanes of a warp or from anywhere in the launch.
//
// Lanes of the warp add their turns to λ and Λ. Where the launch's groups update the same
// words, all its compute units take turns at each: with U units at work, n updates by
// an execution and W words that the class updates in the launch,
//
//	λ = U·n·turn / W
//
// is the time between two executions by one of the units. It keeps no path to the memory
// busy, so that the access is charged to a subsystem of its own where that is longer.
func (d *Device) atomicContext(c *context, in *idg.Instr, a *idg.Access, h *hierarchy, id idg.InstrID) error {
	turn := d.Memory.GlobalAtomicTurn
	lanes, most := len(a.Offsets), mostAtOneAddress(a.Offsets)
	if d.combined(in, a) {
		lanes, most = 1, 1
	}
	if err := c.turns(most-1, turn); err != nil {
		return err
	}
	words := h.wordsUpdated(a, id)
	if words <= 0 || turn.IsZero() {
		return nil
	}
	units := float64(h.atWork.Groups) / float64(h.atWork.PerUnit)
	apart := lowest(int64(100*units*float64(lanes)*turn.Float()/words+0.5), 100)
	if apart.Cmp(c.timing.CPI) > 0 {
		c.timing.CPI, c.subsystem = apart, atomicsSubsystem
		c.rule += ", the launch's groups take turns"
	}
	return nil
}

// combined reports whether the compiler combines the lanes' updates into one: nvcc's
// last stage does for 32-bit integers at an address that all lanes share (machine code of
// nvcc 11.8 for sm_70 and sm_80), not for floats.
func (d *Device) combined(in *idg.Instr, a *idg.Access) bool {
	o := parseOp(in.Op)
	return d.Vendor == "NVIDIA" && (in.Type == "s32" || in.Type == "u32") && len(o.parts) > 0 && distinctAddresses(a.Offsets) == 1 &&
		slices.Contains([]string{"add", "sub", "min", "max", "and", "or", "xor"}, o.parts[0])
}

// wordsUpdated is how many words the launch's executions of a class update, 0 where that is
// not known.
func (h *hierarchy) wordsUpdated(a *idg.Access, id idg.InstrID) float64 {
	if h == nil {
		return 0
	}
	return h.launchSectors[id] * float64(distinctAddresses(a.Offsets)) / float64(Transactions(a, int(h.sector)))
}

// countUpdated counts the sectors that each updating class touches in the launch. Where
// every one was touched before in the group by others, as a counter is that is looked at
// before it is updated, or updated in two places, they are somewhere among all that
// the launch touches of that buffer, and taken to be as many.
func (h *hierarchy) countUpdated(g *idg.Graph, c *compulsory) {
	buffers := map[string]float64{}
	for i := range g.Locality {
		l := &g.Locality[i]
		n := launchSectors(l, c.share(l)*float64(g.Launch.TotalGroups()))
		buffers[g.Access(g.Instr(l.Instr).Access).Buffer] += n
		if accessKind(g, l) == updating {
			h.launchSectors[l.Instr] = n
		}
	}
	for id, n := range h.launchSectors {
		if n == 0 {
			h.launchSectors[id] = buffers[g.Access(g.Instr(id).Access).Buffer]
		}
	}
}

// launchSectors is how many sectors a class touches in a launch of so many groups, as far as its
// first touches tell: those that nobody has touched before are other ones for each group,
// those that the n-th group before has touched are n groups' in turns.
func launchSectors(l *idg.Locality, groups float64) float64 {
	n := float64(l.Cold) * groups
	for _, r := range l.Groups {
		n += float64(r.Sectors) * float64(r.Groups)
	}
	return n
}

// turns adds n turns to λ and Λ: lanes that update the same word do so one after the
// other (J18, J19 T.4.2).
func (c *context) turns(n int, turn Cycles) error {
	if n < 1 || turn.IsZero() {
		return nil
	}
	x := exact{}
	all := x.mul(WholeCycles(uint32(n)), turn)
	c.timing = Timing{x.add(c.timing.CPI, all), x.add(c.timing.Latency, all)}
	if c.rule != "" {
		c.rule += ", "
	}
	c.rule += fmt.Sprintf("%d lanes take turns", n+1)
	return x.err
}
