package idg

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// spilled returns the graph as a compiler makes it for at most limit registers per work item: the
// values that they cannot hold are stored to private memory behind the instruction that makes them
// and loaded before those that use them (listing, choice, inserter). Programs that need no more
// than limit stay as they are. nil: a program is too long, or the estimate tells that registers
// run out, but not by how much. That is where code is longer than what NVIDIA's compiler orders
// together (orderedTogether), of which tuned kernels spill between nothing and a third of what the estimate
// says, by LLVM as well, and where LLVM has unrolled a loop partly (docs/fidelity.md, Spilled registers).
//
// The stores and loads depend on each other, on what makes the value and on what gates its user.
// They have the position of the instruction that they serve and private memory's pattern, of
// SpillBuffer: equal words of all lanes are consecutive. With locality they have one too, of the
// spilled values alone: what else caches hold is not counted.
//
// What reads a work item's id is executed again on GPUs without scalar registers (one instruction
// from a special register: NVIDIA, CUDA Binary Utilities, S2R). What a loop reads every
// time, though it was made and spilled in front of it, is loaded in every iteration; compilers may
// load it in front of the loop.
func (g *Graph) spilled(u UniformValues, limit int) *Graph {
	s := &spiller{g: g, uniform: u, limit: int64(limit - noValue(u)), size: g.ResultWords(), b: NewBuilder(), reuse: map[InstrID]map[int64]int64{}}
	for _, a := range g.accesses {
		s.b.Access(a)
	}
	for _, in := range g.instrs {
		s.b.Instr(in)
	}
	h := *g
	if h.programs = s.programs(g.programs, g.Executions()); h.programs == nil {
		return nil
	}
	h.kinds = slices.Clone(g.kinds)
	for i := range h.kinds {
		if h.kinds[i].programs = s.programs(h.kinds[i].programs, nil); h.kinds[i].programs == nil {
			return nil
		}
	}
	h.accesses, h.instrs = s.b.accesses, s.b.instrs
	h.Resources.SpilledBytes = 4 * s.words
	if g.Locality != nil {
		h.Locality = append(slices.Clone(g.Locality), s.locality()...)
	}
	return &h
}

// spiller makes the programs of a graph that spills.
type spiller struct {
	g       *Graph
	uniform UniformValues
	limit   int64 // registers that hold values
	size    []int64
	b       *Builder                    // of classes
	words   int64                       // of the largest frame
	reuse   map[InstrID]map[int64]int64 // executions of a group's warps, by class and reuse distance in bytes of a group
}

// programs are those of a group, of which so many warps execute each; nil = not to be counted.
func (s *spiller) programs(all []*Program, warps []int64) []*Program {
	out := slices.Clone(all)
	for i, p := range all {
		l, loop := classify(s.g, s.size)
		rolled := p.rolled(loop)
		if l.f = p.condensed(maxLiveness, loop); l.f == nil {
			return nil
		}
		order, peak := l.ordered(s.g, s.uniform)
		if peak <= s.limit {
			continue
		}
		if l.longest() > orderedTogether || s.uniform == InScalarRegisters && s.g.partlyUnrolled() {
			return nil
		}
		list := newListing(p, l, order, rolled)
		if s.uniform != InScalarRegisters {
			list.computeAgain(s.g)
		}
		c := choose(list, s.limit)
		q, x := c.insert(s.g, s.b, p, rolled)
		if q == nil {
			return nil
		}
		out[i] = q
		f := c.frame()
		s.words = max(s.words, f.words)
		if warps != nil {
			f.reuses(c, x.touches(), func(t touch, words int64) { s.count(t, words, warps[i]) })
		}
	}
	return out
}

// partlyUnrolled reports whether LLVM left a loop with a pragma rolled that is too large to be unrolled
// fully. It orders the copies in it so that few registers run out, which the estimate does not know.
func (g *Graph) partlyUnrolled() bool {
	return slices.ContainsFunc(g.Loops, func(l Loop) bool { return l.Pragma != "" && 1 < l.Factor && l.Factor < l.Trips })
}

// longest is how many instructions the longest stretch between two gates has.
func (l *liveness) longest() (most NodeID) {
	first := NodeID(0)
	for v := range NodeID(l.f.Len()) {
		if l.gated(v) {
			first = v + 1
		}
		most = max(most, v+1-first)
	}
	return most
}

// computeAgain finds the webs that hold a work item's id.
func (l *listing) computeAgain(g *Graph) {
	for i := range l.webs {
		w := &l.webs[i]
		w.again = true
		for _, turn := range w.makes {
			w.again = w.again && g.Instr(l.class[l.order[turn]]).Op == "index"
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

// locality is that of the classes which were added.
func (s *spiller) locality() []Locality {
	var list []Locality
	for id, at := range s.reuse {
		a := &s.b.accesses[s.b.instrs[id-1].Access-1]
		sectors := (int64(len(a.Offsets))*int64(a.Width) + s.g.SectorBytes() - 1) / s.g.SectorBytes()
		l := Locality{Instr: id}
		for distance, times := range at {
			l.Warp = append(l.Warp, Reuse{distance, times * sectors})
			l.Sectors += times * sectors
		}
		slices.SortFunc(l.Warp, func(a, b Reuse) int { return cmp.Compare(a.Distance, b.Distance) })
		list = append(list, l)
	}
	slices.SortFunc(list, func(a, b Locality) int { return cmp.Compare(a.Instr, b.Instr) })
	return list
}

// Spills is what registers that run out cost a group: what its warps store and load because of it.
type Spills struct {
	Bytes         int64 // of private memory, per work item
	Stores, Loads int64 // warp instructions of a group
	Lines         []Pos // where, one for each line, ascending
}

// Spills returns what is in the graph of them.
func (g *Graph) Spills() Spills {
	s := Spills{Bytes: g.Resources.SpilledBytes}
	at := map[Pos]bool{}
	for i, times := range g.Executions() {
		for id, n := range g.programs[i].Tally(len(g.instrs)) {
			in := &g.instrs[id]
			a := g.Access(in.Access)
			if n == 0 || a == nil || a.Buffer != SpillBuffer {
				continue
			}
			if strings.HasPrefix(in.Op, "st.") {
				s.Stores += n * times
			} else {
				s.Loads += n * times
			}
			at[Pos{File: in.Pos.File, Line: in.Pos.Line}] = true
		}
	}
	for p := range at {
		s.Lines = append(s.Lines, p)
	}
	slices.SortFunc(s.Lines, func(a, b Pos) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	return s
}

// At lists the lines: "line 5", "lines 5, 9 and 12", of many the first ones.
func (s *Spills) At() string {
	const most = 8
	var lines []string
	for _, p := range s.Lines[:min(len(s.Lines), most)] {
		lines = append(lines, strconv.Itoa(p.Line))
	}
	switch n := len(s.Lines); {
	case n == 1:
		return "line " + lines[0]
	case n > most:
		return fmt.Sprintf("lines %s and %s", strings.Join(lines, ", "), plural(int64(n-most), "other"))
	case n > 1:
		return fmt.Sprintf("lines %s and %s", strings.Join(lines[:n-1], ", "), lines[n-1])
	}
	return "no line"
}
