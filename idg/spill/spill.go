package spill

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/idg/registers"
	"gpupipe/internal/target"
)

// Fit returns the graph with its estimated registers ([registers.Estimate]), but at
// most limit 32-bit registers a work item, and the estimate: what is beyond limit a compiler
// spills, to private memory (spilled). Where it is not known what, or the graph would be too
// long, it has no such accesses. An estimate of 0 is not known; the graph is the same then.
func Fit(g *idg.Graph, u target.UniformValues, limit int) (h *idg.Graph, needed int) {
	if needed = registers.Estimate(g, u); needed == 0 {
		return g, 0
	}
	if h = g; needed > limit {
		if s, err := spilled(g, u, limit); err == nil {
			h = s
		}
	}
	return h.WithRegisters(min(needed, limit), true), needed
}

// errUnknown is that of programs that are too long, or of which it is not known what is spilled.
var errUnknown = errors.New("spill: what a compiler spills is not known")

// spilled returns the graph as a compiler makes it for at most limit registers per work item: the
// values that they cannot hold are stored to private memory behind the instruction that makes them
// and loaded before those that use them (listing, choice, inserter). Programs that need no more
// than limit stay as they are. An error: a program is too long, or the estimate tells that registers
// run out, but not by how much. That is where code is longer than what NVIDIA's compiler orders
// together (idg.OrderedTogether), of which tuned kernels spill between nothing and a third of what the estimate
// says, by LLVM as well, and where LLVM has unrolled a loop partly (docs/evidence/fidelity.md, Spilled registers).
//
// The stores and loads depend on each other, on what makes the value and on what gates its user.
// They have the position of the instruction that they serve and private memory's pattern, of
// idg.SpillBuffer: equal words of all lanes are consecutive. With locality they have one too, of the
// spilled values alone: what else caches hold is not counted.
//
// What reads a work item's id is executed again on GPUs without scalar registers (one instruction
// from a special register: NVIDIA, CUDA Binary Utilities, S2R). What a loop reads every
// time, though it was made and spilled in front of it, is loaded in every iteration; compilers may
// load it in front of the loop.
func spilled(g *idg.Graph, u target.UniformValues, limit int) (*idg.Graph, error) {
	s := &spiller{g: g, uniform: u, limit: int64(limit - registers.Reserved(u)), classes: registers.ClassesOf(g),
		warps: map[*idg.Program]int64{}, reuse: map[idg.InstrID]map[int64]int64{}}
	for i, n := range g.Executions() {
		s.warps[g.Programs()[i]] = n
	}
	h, err := g.Rewrite(s.rewrite)
	if err != nil {
		return nil, err
	}
	h.Resources.SpilledBytes = 4 * s.words
	if g.Locality != nil {
		h.Locality = append(slices.Clone(g.Locality), s.locality(h)...)
	}
	return h, nil
}

// spiller makes the programs of a graph that spills.
type spiller struct {
	g       *idg.Graph
	uniform target.UniformValues
	limit   int64 // registers that hold values
	classes *registers.Classes
	warps   map[*idg.Program]int64 // how many of a group execute the graph's own programs
	words   int64                  // of the largest frame
	// executions of a group's warps, by class and reuse distance in bytes of a group
	reuse map[idg.InstrID]map[int64]int64
}

// rewrite makes the program with what is spilled of one that needs too many registers.
func (s *spiller) rewrite(p *idg.Program, b *idg.Builder) error {
	rolled := s.classes.Rolled(p)
	l := s.classes.Condensed(p, rolled)
	if l == nil {
		return errUnknown
	}
	order, peak := l.Order(s.uniform)
	if peak <= s.limit {
		return nil
	}
	if l.Longest() > idg.OrderedTogether || s.uniform == target.InScalarRegisters && partlyUnrolled(s.g) {
		return errUnknown
	}
	list := newListing(p, l, order, rolled)
	if s.uniform != target.InScalarRegisters {
		list.computeAgain(s.g)
	}
	c := choose(list, s.limit)
	x := c.insert(s.g, b, p, rolled)
	if x == nil {
		return errUnknown
	}
	f := c.frame()
	s.words = max(s.words, f.words)
	if warps, own := s.warps[p]; own { // locality is that of the graph's own programs
		f.reuses(c, x.touches(), func(t touch, words int64) { s.count(t, words, warps) })
	}
	return nil
}

// partlyUnrolled reports whether LLVM left a loop with a pragma rolled that is too large to be unrolled
// fully. It orders the copies in it so that few registers run out, which the estimate does not know.
func partlyUnrolled(g *idg.Graph) bool {
	return slices.ContainsFunc(g.Loops, func(l idg.Loop) bool {
		return l.Pragma != "" && 1 < l.Factor && l.Factor < l.Trips
	})
}

// computeAgain finds the webs that hold a work item's id.
func (l *listing) computeAgain(g *idg.Graph) {
	for i := range l.webs {
		w := &l.webs[i]
		w.again = true
		for _, turn := range w.makes {
			w.again = w.again && g.Instr(l.class[l.order[turn]]).Operation().Verb == isa.Index
		}
	}
}

// count notes that a warp of so many touches words of its frame again.
func (s *spiller) count(t touch, words, warps int64) {
	group := 4 * words * int64(s.g.Launch.WarpSize) * s.g.Launch.WarpsPerGroup()
	distance := max(int64(1)<<bits.Len64(uint64(group-1)), s.g.SectorBytes())
	if s.reuse[t.class] == nil {
		s.reuse[t.class] = map[int64]int64{}
	}
	s.reuse[t.class][distance] += t.times * warps
}

// locality is that of the classes which were added to a graph.
func (s *spiller) locality(h *idg.Graph) []idg.Locality {
	var list []idg.Locality
	for id, at := range s.reuse {
		a := h.Access(h.Instr(id).Access)
		sectors := (int64(len(a.Offsets))*int64(a.Width) + s.g.SectorBytes() - 1) / s.g.SectorBytes()
		l := idg.Locality{Instr: id}
		for distance, times := range at {
			l.Warp = append(l.Warp, idg.Reuse{Distance: distance, Sectors: times * sectors})
			l.Sectors += times * sectors
		}
		slices.SortFunc(l.Warp, func(a, b idg.Reuse) int { return cmp.Compare(a.Distance, b.Distance) })
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b idg.Locality) int { return cmp.Compare(a.Instr, b.Instr) })
	return list
}
