package latencies

import (
	"fmt"
	"math"

	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Module is what the memory analysis module of A 6.3 describes an access by. The mapper finds it
// from the access's addresses and their reuse; a rule may give it, as measured with a profiler.
type Module struct {
	Ratio     Factor // R: bytes moved from or to device memory / bytes that the lanes request
	Conflicts Factor // D: the conflict degree in local and constant memory, 0 = no conflict
}

// Factor is an R or a D; the zero value is none, as D is of an access of device memory.
type Factor struct {
	Value Cycles
	Known bool
}

// String is the factor as the tables have it, "-" for none.
func (f Factor) String() string {
	if !f.Known {
		return "-"
	}
	return fmt.Sprintf("%.4g", f.Value.Float())
}

// ratioOf is R of bytes moved and requested.
func ratioOf(moved, requested float64) Factor {
	if requested <= 0 {
		return Factor{}
	}
	return Factor{lowest(int64(moved/requested*ratioScale+0.5), ratioScale), true}
}

// ratioScale bounds the denominators of R where it is found; 2^20 takes what 128 bytes are of the reuse of
// 8192 warps.
const ratioScale = 1 << 20

// byRatio applies the rule for R of A 6.3 to an access of device memory that requests a part s of
// warp size × 4 bytes; see Device.globalContext.
func (x *exact) byRatio(r, s Cycles, memory, l2 Timing) Timing {
	one := WholeCycles(1)
	t := Timing{x.mul(r, memory.CPI), memory.Latency}
	if r.Cmp(one) < 0 {
		rest := x.keep(one.Sub(r))
		t.CPI = x.add(t.CPI, x.mul(rest, l2.CPI))
		t.Latency = x.add(x.mul(r, memory.Latency), x.mul(rest, l2.Latency))
	}
	if moved := x.mul(r, s); moved.Cmp(one) > 0 {
		t.Latency = x.add(t.Latency, x.mul(x.keep(moved.Sub(one)), memory.CPI))
	}
	return Timing{x.bounded(x.mul(s, t.CPI), memory), x.bounded(t.Latency, memory)}
}

// ratioRule names the rule for R.
func ratioRule(r Cycles, requested, reference int64) string {
	if requested == reference {
		return fmt.Sprintf("A 6.3: R = %v", r)
	}
	return fmt.Sprintf("A 6.3, scaled to %d of %d bytes: R = %v", requested, reference, r)
}

// givenRatio is an access of device memory of which a rule gives R: λ and Λ are A 6.3's, on the
// entry's subsystem, whatever the graph tells of its locality.
func (d *Device) givenRatio(c context, r Cycles, lanes int, a *idg.Access) (context, error) {
	m, x := &d.Memory, exact{}
	requested, reference := int64(lanes)*int64(a.Width), int64(d.WarpSize)*referenceBytes
	c.module.Ratio = Factor{r, true}
	l2 := c.timing
	if m.L2 != nil {
		l2 = m.L2.Timing
	}
	c.rule = ratioRule(r, requested, reference) + " (--set)"
	c.timing = x.byRatio(r, lowest(requested, reference), c.timing, l2)
	if m.SegmentBytes > 0 {
		inMemory := r.Float() * float64(requested) / float64(m.SegmentBytes)
		c.transactions = max(c.transactions, 1, int(math.Ceil(inMemory)))
		c.served = Served{L2: float64(c.transactions) - inMemory, Memory: inMemory}
	}
	return c, x.err
}

// giveRatios lets device memory move what given R say, by class.
func (h *hierarchy) giveRatios(g *idg.Graph, ratios map[idg.InstrID]Cycles) {
	for id, r := range ratios {
		s, a := h.byInstr[id], g.Access(g.Instr(id).Access)
		if s.Total() == 0 || !a.Known() {
			continue
		}
		touched := int64(Transactions(a, int(h.sector))) * h.sector
		n := s.Total() * r.Float() * float64(int64(len(a.Offsets))*int64(a.Width)) / float64(max(1, touched))
		h.byInstr[id] = Served{L2: max(0, s.Total()-n), Memory: n}
	}
}

// takes reports whether an access is of the memory that R and D are about.
func takes(in *idg.Instr, a *idg.Access) (ratio, conflicts bool) {
	if !in.Operation().Memory() {
		return false, false
	}
	switch spaceOf(in, a) {
	case idg.SpaceLocal, idg.SpaceConstant:
		return false, true
	case idg.SpacePrivate:
		return false, false
	}
	return true, false
}

// spaceOf is the address space of an access; of its op, where the graph has no access.
func spaceOf(in *idg.Instr, a *idg.Access) idg.Space {
	if a != nil {
		return a.Space
	}
	if s := in.Operation().Space; s != 0 {
		return s
	}
	return idg.SpaceGlobal
}

// checkModule reports what of a given R or D cannot be, once for a rule.
func (m *mapping) checkModule(in *idg.Instr, a *idg.Access, set chosen) {
	bad := func(r *Rule, format string, args ...any) *diag.Error {
		e := diag.Errorf(in.Pos, "SET", "--set %q: %s", r.Text, fmt.Sprintf(format, args...))
		if !m.refused[r] {
			m.refused[r] = true
			m.errs.Add(e)
		}
		return e
	}
	if r := set.ratio; r != nil && m.dev.Memory.L2 == nil && r.Module.Ratio.Value.Cmp(WholeCycles(1)) < 0 {
		bad(r, "R below 1 needs λ and Λ of L2, which %s does not have", m.dev.Title).
			WithNote("give those of the access: --set '%s:cpi=N,latency=N'", in.Op)
	}
	if r := set.conflicts; r != nil {
		lanes, width := int64(max(in.Lanes, 1)), int64(referenceBytes)
		if a != nil {
			width = max(width, int64(a.Width))
			if a.Known() {
				lanes = int64(max(len(a.Offsets), 1))
			}
		}
		if most := lanes*width/referenceBytes - 1; r.Module.Conflicts.Value.Cmp(Cycles{num: most}) > 0 {
			bad(r, "D of %s is at most %d, with %d lanes of %d bytes one after the other", in.Op, most, lanes, width)
		}
	}
}

// checkModules reports rules whose R or D is of none of the instructions that they pick.
func (m *mapping) checkModules(g *idg.Graph) {
	for i := range m.rules {
		r := &m.rules[i]
		var first *idg.Instr
		ratio, conflicts := !r.Module.Ratio.Known, !r.Module.Conflicts.Known
		for k := range g.Instrs() {
			in := &g.Instrs()[k]
			a := g.Access(in.Access)
			if _, ok := r.Selector.match(in, a); !ok {
				continue
			}
			if first == nil {
				first = in
			}
			isRatio, isConflicts := takes(in, a)
			ratio, conflicts = ratio || isRatio, conflicts || isConflicts
		}
		if first == nil {
			continue // SET-UNUSED says so
		}
		none := func(what, note string) {
			e := diag.Errorf(first.Pos, "SET", "--set %q: %s, and it picks none (%s)", r.Text, what, first.Op)
			m.errs.Add(e.WithNote("%s", note))
		}
		if !ratio {
			none("R is of accesses of device memory", "D=N is the conflict degree of local and constant memory")
		}
		if !conflicts {
			none("D is of accesses of local and constant memory", "R=N is bytes in device memory / bytes requested")
		}
	}
}
