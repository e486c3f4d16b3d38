package latencies

import (
	"gpupipe/idg"
	"gpupipe/idg/isa"
)

// mixing is how many times as long device memory takes for a byte of a launch that reads and
// writes so much as for one that is only read, where a copy takes so many times as long (0 = 1).
//
// Memory loses time when its bus turns from reads to writes and back, none where it has only
// one of them. With a share w of the bytes written that is taken to be 4·w·(1-w) of what a copy
// loses, of which half is written: the shares of reads and of writes that meet the other kind,
// were they in an order by chance.
func mixing(read, written float64, copying Cycles) float64 {
	if copying.IsZero() || read+written == 0 {
		return 1
	}
	w := written / (read + written)
	return 1 + 4*w*(1-w)*(copying.Float()-1)
}

// moved are the sectors that device memory reads and writes for one group, on the average
// over the launch. Unless an earlier launch has left all in a cache (warm), they are the launch's compulsory
// traffic at least: groups at other places of the source than the graph's own bring the rest of it.
func (h *hierarchy) moved(g *idg.Graph, list []touching, warm bool) (read, written float64) {
	for _, t := range list { // of the group that stands for the launch
		s := h.byInstr[t.Instr]
		if t.kind == writing {
			written += t.share * s.Memory
			read += t.share * s.Filled
		} else {
			read += t.share * (s.Memory + s.Filled)
			written += t.share * s.WrittenBack
		}
	}
	for _, u := range h.unknown {
		switch s := h.byInstr[u.id]; {
		case u.in.Operation().Verb == isa.Atomic:
			read, written = read+s.Memory, written+s.WrittenBack
		case u.a.Store:
			read, written = read+s.Filled, written+s.Memory
		default:
			read += s.Memory + s.Filled
		}
	}
	if warm {
		return read, written
	}
	c := newCompulsory(g, list)
	return max(read, h.pairs*c.reads.sectors+h.unknownRead), max(written, c.writes.sectors)
}

// moveLeast has L2 serve what device memory would more often than once.
func (h *hierarchy) moveLeast(g *idg.Graph) {
	h.writeWhole()
	read, written := h.moved(g, h.all, false)
	c := newCompulsory(g, h.all)
	for _, t := range h.all {
		s := h.byInstr[t.Instr]
		kept := min(1, c.reads.all/max(read, 1e-9))
		if t.kind == writing {
			kept = min(1, c.writes.all/max(written, 1e-9))
		}
		s.L2 += s.Memory * (1 - kept)
		s.Memory *= kept
		s.Filled = 0
		h.byInstr[t.Instr] = s
		delete(h.waited, t.Instr)
	}
}
