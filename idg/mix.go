package idg

import (
	"cmp"
	"slices"

	"gpupipe/idg/isa"
)

// Mix is how often instructions are executed, in all and by kind. Each list is
// ordered by falling count, equal counts by name or position.
type Mix struct {
	Instructions int64 // warp instructions
	Lanes        int64 // work-item instructions: the sum of active lanes
	Ops          []OpCount
	Classes      []ClassCount
	Lines        []LineCount
}

// OpCount is the number of warp instructions with one op.
type OpCount struct {
	Op    string
	Count int64
}

// ClassCount is the number of warp instructions of one class.
type ClassCount struct {
	Class isa.Class
	Count int64
}

// LineCount is the number of warp instructions of one source line.
type LineCount struct {
	Pos   Pos // Column 0
	Count int64
}

// ProgramMix counts what one warp executes.
func (g *Graph) ProgramMix(p *Program) *Mix {
	return g.mix(p.Tally(len(g.instrs)))
}

// GroupMix counts what the warps of one group execute, listed by a program or
// not (see ProgramOf).
func (g *Graph) GroupMix() *Mix { return g.mix(g.GroupTally()) }

// GroupTally returns how often the warps of one group execute each instruction
// class: by InstrID less one.
func (g *Graph) GroupTally() []int64 {
	count := make([]int64, len(g.instrs))
	for i, n := range g.Executions() {
		for in, executed := range g.programs[i].Tally(len(count)) {
			count[in] += n * executed
		}
	}
	return count
}

// mix sorts out counts by instruction class. Maps collect, sorting decides the
// order.
func (g *Graph) mix(count []int64) *Mix {
	m := &Mix{}
	ops := map[string]int64{}
	classes := map[isa.Class]int64{}
	lines := map[Pos]int64{}
	for i, n := range count {
		if n == 0 {
			continue
		}
		in := &g.instrs[i]
		m.Instructions += n
		m.Lanes += n * int64(in.Lanes)
		ops[in.Op] += n
		classes[in.Operation().Class()] += n
		lines[Pos{File: in.Pos.File, Line: in.Pos.Line}] += n
	}
	for op, n := range ops {
		m.Ops = append(m.Ops, OpCount{op, n})
	}
	for c, n := range classes {
		m.Classes = append(m.Classes, ClassCount{c, n})
	}
	for p, n := range lines {
		m.Lines = append(m.Lines, LineCount{p, n})
	}
	slices.SortFunc(m.Ops, func(a, b OpCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Op, b.Op))
	})
	slices.SortFunc(m.Classes, func(a, b ClassCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Class, b.Class))
	})
	slices.SortFunc(m.Lines, func(a, b LineCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), a.Pos.Compare(b.Pos))
	})
	return m
}
