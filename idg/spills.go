package idg

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Spills is what registers that run out cost a group: what its warps store and load because of it.
type Spills struct {
	Bytes         int64 // of private memory, per work item
	Stores, Loads int64 // warp instructions of a group
	Lines         []Pos // where, one for each line, ascending
}

// Spills finds it with what the graph's own programs execute.
func (g *Graph) Spills() Spills {
	s := Spills{Bytes: g.Resources.SpilledBytes}
	at := map[Pos]bool{}
	for i, times := range g.Executions() {
		for id, n := range g.Programs()[i].Tally(len(g.Instrs())) {
			in := &g.Instrs()[id]
			a := g.Access(in.Access)
			if n == 0 || a == nil || a.Buffer != SpillBuffer {
				continue
			}
			if in.IsStore() {
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
	slices.SortFunc(s.Lines, func(a, b Pos) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
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
		others := "1 other"
		if n > most+1 {
			others = fmt.Sprintf("%d others", n-most)
		}
		return fmt.Sprintf("lines %s and %s", strings.Join(lines, ", "), others)
	case n > 1:
		return fmt.Sprintf("lines %s and %s", strings.Join(lines[:n-1], ", "), lines[n-1])
	}
	return "no line"
}
