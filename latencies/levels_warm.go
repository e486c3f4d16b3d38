package latencies

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/internal/diag"
)

// leftBefore lets the first cache that holds what the launch touches, or a part of it, serve what device memory
// would: a launch that touched the same before, in the same order, has left it there. Where there is none
// (warmCache), nothing is left, as the least recently used sector is evicted.
func (h *hierarchy) leftBefore(g *idg.Graph) {
	name := h.warmCache()
	h.kept = 1
	unwritten := 1.0
	if name == "L2" {
		written := int64(0)
		if g.Footprint != nil {
			written = g.Footprint.LaunchWrittenBytes
		}
		h.kept = h.leftInL2()
		unwritten = min(h.kept, h.residency.unwritten(written))
	}
	for _, by := range []map[idg.InstrID]Served{h.byInstr, h.waited} {
		for id, s := range by {
			in := g.Instr(id)
			kept := h.kept
			if a := g.Access(in.Access); a != nil && a.Store && in.Operation().Verb != isa.Atomic {
				kept = unwritten
			}
			if name == "L2" {
				s.L2 += kept * s.Memory
			} else {
				s.L3 += kept * s.Memory
			}
			s.Memory, s.WrittenBack, s.Filled = (1-kept)*s.Memory, (1-unwritten)*s.WrittenBack, (1-h.kept)*s.Filled
			by[id] = s
		}
	}
}

// leftInL2 is the part of what the launch touches that an earlier one has left in L2.
func (h *hierarchy) leftInL2() float64 {
	return h.residency.leftBy(h.launch, h.atWork.Groups <= h.resident)
}

// warmCache is the first cache shared by all compute units that holds some of what the launch touches; empty if there
// is none, or if that is not known.
func (h *hierarchy) warmCache() string {
	switch {
	case h.launch == 0:
		return ""
	case h.launch <= h.l2, h.l3 == 0 && h.leftInL2() > 0:
		return "L2"
	case h.launch <= h.l3:
		return "L3"
	}
	return ""
}

// warnOfWarm says what became of Options.Warm.
func (m *mapping) warnOfWarm() {
	text := "the graph does not tell what the launch touches, so that nothing of an earlier launch is taken to " +
		"be in a cache"
	if h := m.levels; h != nil && h.launch > 0 {
		touched := fmt.Sprintf("the %d bytes that the launch touches", h.launch)
		if name := h.warmCache(); name == "L2" && h.kept < 1 {
			text = fmt.Sprintf("%.0f%% of %s are in L2 when it begins, where an earlier launch has left them",
				100*h.kept, touched)
		} else if name != "" {
			text = fmt.Sprintf("%s are in %s when it begins, where an earlier launch has left them", touched, name)
		} else {
			text = touched + " fit in no cache, so that nothing is left of an earlier launch"
		}
	}
	m.out.Warnings.Add(diag.Notef(diag.Pos{}, "WARM", "%s", text))
}
