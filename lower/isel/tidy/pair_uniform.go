package tidy

import (
	"maps"
	"slices"
	"strings"
)

// pairUniform loads two neighbours of constant memory into a pair of registers of the warp where the alignment of the
// first is known (nvcc 11.8 and 13: ULDC.64 of the copies of an unrolled loop over a table).
func pairUniform(s *Selected) { rewriteLists(s.Code.Body, s.pairs) }

// pairs pairs the loads of a block.
func (s *Selected) pairs(nodes []Node) []Node {
	type place struct {
		base   Reg
		object int32
		offset int64
	}
	first := map[place]int{} // loads that may begin a pair
	second := map[int]*Instr{}
	gone := map[int]bool{} // second ones
	for i, n := range nodes {
		in, ok := n.(*Instr)
		if !ok {
			clear(first)
			continue
		}
		if in.Op == "ULDC" && in.Mem != nil && in.Guard.Reg == 0 && len(in.Uses) == 1 && in.Uses[0].Kind == InReg {
			at := place{in.Uses[0].Reg, int32(in.Mem.Object), in.Mem.Offset}
			before := at
			before.offset -= 4
			if k, ok := first[before]; ok {
				second[k], gone[i] = in, true
				delete(first, before)
			} else if in.From != nil && in.From.Align >= 8 {
				first[at] = i
			}
			continue
		}
		maps.DeleteFunc(first, func(p place, _ int) bool { return slices.Contains(in.Defs, p.base) })
	}
	if len(second) == 0 {
		return nodes
	}
	out := make([]Node, 0, len(nodes)+len(second))
	for i, n := range nodes {
		if gone[i] {
			continue
		}
		other, ok := second[i]
		if !ok {
			out = append(out, n)
			continue
		}
		in := n.(*Instr)
		pair := *in
		wide := s.Code.NewReg(RegInfo{Class: Uniform, Words: 2})
		mem := *in.Mem
		mem.Bytes = 8
		pair.Op, pair.Mem, pair.Defs = strings.Replace(in.Op, "ULDC", "ULDC.64", 1), &mem, []Reg{wide}
		m := &Moves{Pos: in.Pos, For: in.From}
		for k, d := range []Reg{in.Defs[0], other.Defs[0]} {
			m.List = append(m.List, Move{To: d, Span: 1, From: Operand{Kind: InReg, Reg: wide, Word: k}})
		}
		s.Moves = append(s.Moves, m)
		out = append(out, &pair, m)
	}
	return out
}
