package latencies

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/idg/isa"
)

// of says which levels serve a class, the zero value where that is not known.
func (h *hierarchy) of(id idg.InstrID) Served {
	if h == nil {
		return Served{}
	}
	return h.byInstr[id]
}

// levelContext mixes the latencies of the levels that serve an access, as A 6.3 does for R < 1, but over all of
// them and with what warps wait for: with
// f the share of its sectors that a level serves, w the share for which a warp waits for
// it (hierarchy.pending; f if nobody else has asked for them), and m the bytes moved /
// (warp size × 4),
//
//	Λ = Σ w·Λ over all levels + max(0, m - 1)·Σ w·λ over those below L1
//
// For sectors that all come from device memory that is A 6.3's rule for R ≥ 1. Where Λ of places by chance was
// measured, Λ grows to it by equal steps, one for each further transaction (V16 T.6.7). λ is not
// mixed: L2, L3 and device memory move different bytes at the same time, so that each
// access keeps a pipe busy with what of it passes there,
//
//	λ = m·λ of the pipe·Σ f over the levels that are reached through it
//
// and L1, which the whole access passes, for l1CPI. It is charged to the two pipes that are the launch's
// busiest, or that it keeps busy longest (mapping.chargeBusiest).
func (d *Device) levelContext(c context, in *idg.Instr, a *idg.Access, t Timing, h *hierarchy, id idg.InstrID,
	s Served) (context, error) {
	m := &d.Memory
	c.served, c.rule = s, "by level: "+s.String()
	w := h.waitedFor(id)
	if text := w.String(); text != s.String() {
		c.rule += ", waited for as " + text
	}
	if a.Space != idg.SpacePrivate {
		moved := float64(c.transactions) * float64(m.SegmentBytes) * (s.Memory + s.WrittenBack + s.Filled) / s.Total()
		c.module.Ratio = ratioOf(moved, float64(len(a.Offsets))*float64(a.Width))
	}

	x := exact{}
	var below Cycles
	latency := Cycles{}
	for _, level := range []struct {
		sectors float64
		timing  Timing
	}{{w.L2, h.l2Timing}, {w.L3, h.l3Timing}, {w.Memory, h.ofMemory(t)}} {
		f := permille(level.sectors, w.Total())
		below = x.add(below, x.mul(f, level.timing.CPI))
		latency = x.add(latency, x.mul(f, level.timing.Latency))
	}
	moved, reference := int64(c.transactions)*int64(m.SegmentBytes), int64(d.WarpSize)*referenceBytes
	if far := m.RandomLatency; h.random[id] && c.transactions > 1 && far.Cmp(t.Latency) > 0 {
		further := x.mul(lowest(int64(c.transactions-1), int64(d.WarpSize)-1), x.keep(far.Sub(t.Latency)))
		latency = x.add(latency, x.mul(permille(w.Memory, w.Total()), further))
	} else if moved > reference {
		latency = x.add(latency, x.mul(lowest(moved-reference, reference), below))
	}
	passing := s.passing()
	passing[l2Pipe] *= h.unmerged(id) * m.L2.sends(a, h.sector)
	for p, cpi := range h.pipeCPI(t) {
		c.path[p] = x.bounded(x.mul(lowest(moved, reference), x.mul(permille(passing[p], s.Total()), cpi)), t)
	}
	if each := m.WriteRequest; a.Store && in.Operation().Verb != isa.Atomic && !each.IsZero() && passing[l2Pipe] > 0 {
		packets := c.transactions
		if h.filled(a) < 1 { // a mask of bytes beside them
			packets += Transactions(a, int(max(h.l2Line, h.sector)))
		}
		requests := x.mul(permille(h.unmerged(id)*float64(packets)*h.working(), 1), each)
		if requests.Cmp(c.path[l2Pipe]) > 0 {
			c.path[l2Pipe] = x.bounded(requests, t)
			c.also(fmt.Sprintf("%d packets to L2", packets))
		}
	}
	if each := m.RandomAccess; h.random[id] && !each.IsZero() {
		rows := s.Memory + s.WrittenBack
		if a.Store {
			rows += s.Filled
		}
		byChance := x.mul(WholeCycles(uint32(c.transactions)), x.mul(permille(rows, s.Total()), each))
		if byChance.Cmp(c.path[memoryPipe]) > 0 {
			c.path[memoryPipe] = x.bounded(byChance, t)
			c.also(fmt.Sprintf("%v cycles for each place by chance", each))
		}
	}
	if scalar, ok := d.scalarCache(in); ok {
		latency = x.add(latency, x.mul(permille(w.L1, w.Total()), scalar.Latency))
		c.path[scalarPipe] = scalar.CPI
	} else if h.throughL1(in, a) {
		stage := x.l1CPI(m.L1, a, reference)
		f := permille(w.L1, w.Total())
		latency = x.add(latency, x.mul(f, m.L1.Latency))
		if stage.Cmp(m.L1.CPI) > 0 {
			latency = x.add(latency, x.mul(f, x.keep(stage.Sub(m.L1.CPI))))
		}
		c.path[l1Pipe] = x.bounded(stage, t)
	}
	c.timing = Timing{c.path[c.path.longest()], x.bounded(latency, t)}
	return c, x.err
}

// sends is how many times as long L2 takes for what a read asks for as for as many sectors beside each other.
func (c *Cache) sends(a *idg.Access, sector int64) float64 {
	if c == nil || c.SentBytes <= sector || a.Store || a.Space == idg.SpacePrivate {
		return 1
	}
	bytes := func(part int64) float64 { return float64(int64(Transactions(a, int(part))) * part) }
	return bytes(c.SentBytes) / bytes(sector)
}

// scalarCache is the timing of a load that is the same in all lanes and that the scalar unit's
// cache serves, if the device has one: as a read of constant memory. It is taken to hold what L1
// would (AMD's have 16 KB each, GCN and RDNA whitepapers).
func (d *Device) scalarCache(in *idg.Instr) (Timing, bool) {
	if !in.Operation().Has(isa.Uniform) {
		return Timing{}, false
	}
	for i := range d.Instructions {
		if e := &d.Instructions[i]; e.Match == "ld.constant" {
			return e.Timing, true
		}
	}
	return Timing{}, false
}

// l1CPI is the time for which an access keeps L1 busy: its bytes at L1's rate, the passes over its banks at a cycle
// each, or a look-up of each of its lines, a cycle at least for the first, whichever takes longest. Strided reads of
// floats (gpu-benches, gpu-strides: A100, A40, H200) of 3, 5, 7, 31 and 33 lines without a conflict take 1.63, 2,
// 2.41, 8.5 and 8.8 cycles, those of 2 to 32 passes as many cycles. So neighbouring words that are not aligned take
// 1.25: 1.21 to 1.28 in loops that L1 bounds on one H100 (space_conv), with 1.05 passes counted (lsu_wavefronts).
func (x *exact) l1CPI(l1 *L1, a *idg.Access, reference int64) Cycles {
	cpi := l1.CPI
	if requested := int64(len(a.Offsets)) * int64(a.Width); requested > reference {
		cpi = x.mul(lowest(requested, reference), cpi)
	}
	if l1.Banks > 0 {
		passes := WholeCycles(uint32(BankPasses(a, l1.banks(a))))
		if passes.Cmp(cpi) > 0 {
			cpi = passes
		}
	}
	if !l1.LookupCPI.IsZero() {
		further := uint32(max(1, Transactions(a, int(l1.LineBytes)))) - 1
		first := WholeCycles(1)
		if l1.LookupCPI.Cmp(first) > 0 {
			first = l1.LookupCPI
		}
		lookups := x.add(first, x.mul(WholeCycles(further), l1.LookupCPI))
		if lookups.Cmp(cpi) > 0 {
			cpi = lookups
		}
	}
	return cpi
}

// permille is n / total, rounded to 1/1000 so that denominators stay small; what is
// not nothing is not rounded to it.
func permille(n, total float64) Cycles {
	if n <= 0 || total <= 0 {
		return Cycles{}
	}
	return lowest(max(1, int64(1000*n/total+0.5)), 1000)
}
