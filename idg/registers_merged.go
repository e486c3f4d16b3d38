package idg

import (
	"maps"
	"slices"
	"strings"
)

// operands is the most values that an instruction uses: three, of two numbers six, or the words that
// are stored and their address.
func (g *Graph) operands(in *Instr) int {
	if a := g.Access(in.Access); a != nil && in.IsStore() {
		return int(a.Width+3)/4 + 1
	}
	if strings.Contains(in.Op, ".packed.") {
		return 6
	}
	return 3
}

// merged is a program in which a variable that lanes get at different times is one value.
// Where lanes leave a loop in different iterations, what uses its result depends on an
// instruction of each of them; but these write one register, each for its lanes, so that it
// lives from the first to the user. More producers of one place in the source than an
// instruction has operands are such: each is taken to be used by the next.
func (g *Graph) merged(f *Flat) *Flat {
	type place struct {
		pos Pos
		op  string
	}
	gone := map[NodeID][]NodeID{}  // by user: producers that it does not use itself
	added := map[NodeID][]NodeID{} // by producer: the one before it
	for v := range NodeID(f.Len()) {
		from, kind := f.Preds(v)
		operands := g.operands(&g.instrs[f.Instr(v)-1])
		if len(from) <= operands {
			continue
		}
		same := map[place][]NodeID{}
		for i, u := range from {
			if in := &g.instrs[f.Instr(u)-1]; kind[i] == Data {
				same[place{in.Pos, in.Op}] = append(same[place{in.Pos, in.Op}], u)
			}
		}
		for _, of := range same {
			if len(of) <= operands {
				continue
			}
			for i, u := range of[1:] {
				gone[v] = append(gone[v], of[i])
				added[u] = append(added[u], of[i])
			}
		}
	}
	if len(gone) == 0 {
		return f
	}
	out := &Flat{instr: f.instr, off: make([]uint32, 1, len(f.off))}
	for v := range NodeID(f.Len()) {
		from, kind := f.Preds(v)
		uses := map[NodeID]EdgeKind{}
		for i, u := range from {
			uses[u] = kind[i]
		}
		for _, u := range gone[v] {
			delete(uses, u)
		}
		for _, u := range added[v] {
			uses[u] = Data
		}
		for _, u := range slices.Sorted(maps.Keys(uses)) {
			out.from, out.kind = append(out.from, u), append(out.kind, uses[u])
		}
		out.off = append(out.off, uint32(len(out.from)))
	}
	return out
}
