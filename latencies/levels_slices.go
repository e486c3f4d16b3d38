package latencies

import (
	"cmp"
	"slices"

	"gpupipe/idg"
)

// passesOf is what L2 does for the updates of one execution.
type passesOf struct {
	sectors float64 // passes over sectors: lanes that update different words of one share a pass
	lines   float64 // passes over lines: the most of any sector of each
}

// updatePasses counts the passes that an execution's updates take (measured: 32 lanes over 8 words of a sector take as
// many requests as lanes meet at the word with the most).
func updatePasses(a *idg.Access, sector, line int64) (p passesOf) {
	words := slices.Clone(a.Offsets)
	slices.Sort(words)
	var most, mostOfLine int
	for i := 0; i < len(words); {
		n := 1
		for i+n < len(words) && words[i+n] == words[i] {
			n++
		}
		most = max(most, n)
		next := i + n
		ends := func(unit int64) bool {
			return next == len(words) || floorDiv(words[next], unit) != floorDiv(words[i], unit)
		}
		if ends(sector) {
			p.sectors += float64(most)
			mostOfLine, most = max(mostOfLine, most), 0
		}
		if ends(line) {
			p.lines += float64(mostOfLine)
			mostOfLine = 0
		}
		i = next
	}
	return p
}

// bySlice charges an atomic's updates to L2: the sectors to the path of the compute unit, and to the lines and
// slices of the whole launch what all its units update there. With U units at work, s passes over sectors and l over
// lines, of L lines and K slices that the launch updates,
//
//	λ = U·max(s·line/L, l·float_line/L, s·slice/K)
func (d *Device) bySlice(c *context, in *idg.Instr, a *idg.Access, h *hierarchy, bytes float64, combined bool) error {
	m, line := d.Memory.Atomics, cmp.Or(d.Memory.L2.LineBytes, int64(d.Memory.SegmentBytes))
	p := h.passes(a, int(in.Lanes), line)
	if combined {
		p = passesOf{1, 1}
	}
	x := exact{}
	if most := mostAtOneAddress(a.Offsets); most > 1 && !combined {
		again := x.mul(WholeCycles(uint32(most-1)), d.Memory.GlobalAtomicTurn)
		c.timing.Latency = x.add(c.timing.Latency, again)
	}
	sectors := lowest(max(1, int64(100*p.sectors+0.5)), 100)
	if own := x.bounded(x.mul(sectors, m.Sector), c.timing); own.Cmp(c.path[l2Pipe]) > 0 && c.path != (path{}) {
		c.path[l2Pipe] = own
		if own.Cmp(c.timing.CPI) > 0 {
			c.timing.CPI = own
		}
		c.also("a sector at a time")
	}
	if bytes <= 0 {
		return x.err
	}
	lines, parts := max(1, bytes/float64(line)), max(1, bytes/float64(m.SliceBytes))
	units := float64(h.atWork.Groups) / float64(h.atWork.PerUnit)
	apart := max(p.sectors*m.Line.Float()/lines, p.sectors*m.Slice.Float()/parts)
	if isFloat(in) {
		apart = max(apart, p.lines*m.FloatLine.Float()/lines)
	}
	turns := lowest(max(1, int64(100*units*apart+0.5)), 100)
	if turns.Cmp(c.timing.CPI) > 0 {
		c.timing.CPI, c.turns, c.subsystem = turns, turns, atomicsSubsystem
		c.also("the launch's groups take turns at lines and slices of L2")
	}
	return x.err
}

// passes are those of an execution: of addresses that are not known, the mean of what they can be.
func (h *hierarchy) passes(a *idg.Access, lanes int, line int64) passesOf {
	if a.Known() {
		return updatePasses(a, h.sector, line)
	}
	by := func(of func(passesOf) float64) float64 {
		return byChance(a, lanes, func(a *idg.Access) int { return int(of(updatePasses(a, h.sector, line))) })
	}
	if a.Within == 0 {
		return passesOf{float64(lanes), float64(lanes)}
	}
	return passesOf{by(func(p passesOf) float64 { return p.sectors }), by(func(p passesOf) float64 { return p.lines })}
}
