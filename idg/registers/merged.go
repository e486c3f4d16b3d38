package registers

import (
	"maps"
	"slices"
	"strings"

	"gpupipe/idg"
)

// operands is the most values that an instruction uses: three, of two numbers six, or the words that
// are stored and their address.
func (c *Classes) operands(in *idg.Instr) int {
	if a := c.g.Access(in.Access); a != nil && in.IsStore() {
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
func (c *Classes) merged(f *idg.Flat) *idg.Flat {
	type place struct {
		pos idg.Pos
		op  string
	}
	gone := map[idg.NodeID][]idg.NodeID{}  // by user: producers that it does not use itself
	added := map[idg.NodeID][]idg.NodeID{} // by producer: the one before it
	for v := range idg.NodeID(f.Len()) {
		from, kind := f.Preds(v)
		operands := c.operands(c.g.Instr(f.Instr(v)))
		if len(from) <= operands {
			continue
		}
		same := map[place][]idg.NodeID{}
		for i, u := range from {
			if in := c.g.Instr(f.Instr(u)); kind[i] == idg.Data {
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
	return f.Rewired(func(v idg.NodeID) (from []idg.NodeID, kind []idg.EdgeKind) {
		uses := map[idg.NodeID]idg.EdgeKind{}
		was, kinds := f.Preds(v)
		for i, u := range was {
			uses[u] = kinds[i]
		}
		for _, u := range gone[v] {
			delete(uses, u)
		}
		for _, u := range added[v] {
			uses[u] = idg.Data
		}
		for _, u := range slices.Sorted(maps.Keys(uses)) {
			from, kind = append(from, u), append(kind, uses[u])
		}
		return from, kind
	})
}
