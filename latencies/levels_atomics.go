package latencies

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/internal/target"
)

// atomicsSubsystem is where an atomic waits for updates of the same words by other
// compute units.
const atomicsSubsystem = "atomics"

// atomicContext adds to an access of device memory what updates of one word take: they
// are performed in L2 one after another, an interval apart (J18 Fig. 4.1), whether they
// come from lanes of a warp or from anywhere in the launch.
//
// Lanes of the warp add an interval each to λ, and a turn (J18, J19 T.4.2) to Λ. Where the
// launch's groups update the same words, all its compute units take turns at each: with U
// units at work, n updates by an execution and W words that the class updates in the launch,
//
//	λ = U·n·interval / W
//
// is the time between two executions by one of the units. It keeps no path to the memory
// busy, so that the access is charged to a subsystem of its own where that is longer.
func (d *Device) atomicContext(c *context, in *idg.Instr, a *idg.Access, h *hierarchy, id idg.InstrID) error {
	interval := d.Memory.atomicInterval(in)
	lanes, most := len(a.Offsets), mostAtOneAddress(a.Offsets)
	if d.combined(in) {
		lanes, most = 1, 1
	}
	if d.Memory.Atomics != nil && h != nil {
		return d.bySlice(c, in, a, h, h.updatedBytes(id, a), d.combined(in))
	}
	if err := c.takeTurns(most-1, interval, d.Memory.GlobalAtomicTurn); err != nil {
		return err
	}
	words := h.words(id)
	if words <= 0 || interval.IsZero() {
		return nil
	}
	units := float64(h.atWork.Groups) / float64(h.atWork.PerUnit)
	apart := lowest(int64(100*units*float64(lanes)*interval.Float()/words+0.5), 100)
	if apart.Cmp(c.timing.CPI) > 0 {
		c.timing.CPI, c.turns, c.subsystem = apart, apart, atomicsSubsystem
		c.also("the launch's groups take turns")
	}
	return nil
}

// atomicInterval is the time between two updates of one word in L2.
func (m *Memory) atomicInterval(in *idg.Instr) Cycles {
	if isFloat(in) && !m.FloatAtomicInterval.IsZero() {
		return m.FloatAtomicInterval
	}
	if m.GlobalAtomicInterval.IsZero() {
		return m.GlobalAtomicTurn
	}
	return m.GlobalAtomicInterval
}

// isFloat reports whether an instruction is of floating-point numbers.
func isFloat(in *idg.Instr) bool { return in.Type == "f32" || in.Type == "f64" || in.Type == "f16" }

// combined reports whether an atomic is one update, however many lanes it has.
func (d *Device) combined(in *idg.Instr) bool {
	return d.Compiler != target.Clang && in.Operation().Has(isa.Combined)
}

// launchSectors is how many sectors a class touches in the launch of a graph, as far as its
// first touches tell: those that nobody has touched before are other ones for each group,
// those that the n-th group before has touched are n groups' in turns.
func launchSectors(t touching, g *idg.Graph) float64 {
	n := float64(t.Cold) * (t.share * float64(g.Launch.TotalGroups()))
	for _, r := range t.Groups {
		n += float64(r.Sectors) * float64(r.Groups)
	}
	return n
}

// takeTurns adds n turns to λ and Λ: lanes that update the same word do so one after the
// other.
func (c *context) takeTurns(n int, cpi, latency Cycles) error {
	if n < 1 || cpi.IsZero() {
		return nil
	}
	x, times := exact{}, WholeCycles(uint32(n))
	c.turns = x.add(c.turns, x.mul(times, cpi))
	c.timing = Timing{x.add(c.timing.CPI, x.mul(times, cpi)), x.add(c.timing.Latency, x.mul(times, latency))}
	c.also(fmt.Sprintf("%d lanes take turns", n+1))
	return x.err
}
