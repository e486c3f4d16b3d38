package registers

import (
	"cmp"
	"maps"
	"slices"

	"gpupipe/idg"
)

// Source is a dependence of an instruction as [Classes.Registers] sees it: its kind and the class of
// the producer.
type Source struct {
	Class idg.InstrID
	Kind  idg.EdgeKind
}

// Registers tells, for the dependences of an instruction in program order, which of them is the operand whose
// register has the producer's result: for an operand itself, for a producer of other lanes of its
// register (see [idg.Control]) the operand, and for the rest none, -1. It is nil if there are no producers of
// other lanes.
//
// A graph does not say which operand's register that is. A producer of the same place in the source writes
// the same variable; else it is an operand of the same size, the one with the fewest such producers.
func (c *Classes) Registers(of []Source) []int {
	earlier := func(s Source) bool {
		return s.Kind == idg.Control && !c.gate[s.Class-1] && c.size[s.Class-1] > 0
	}
	if !slices.ContainsFunc(of, earlier) {
		return nil
	}
	at, writers := make([]int, len(of)), make([]int, len(of))
	var operands []int
	for i, s := range slices.Backward(of) {
		at[i] = -1
		switch {
		case s.Kind == idg.Data:
			at[i] = i
			operands = append(operands, i)
		case earlier(s) && len(operands) > 0:
			at[i] = slices.MinFunc(operands, func(a, b int) int {
				return cmp.Or(c.unlike(of[a], s)-c.unlike(of[b], s), writers[a]-writers[b], a-b)
			})
			writers[at[i]]++
		}
	}
	return at
}

// unlike is 0 if two producers are of one place in the source, 1 if their results have the same size, else 2.
func (c *Classes) unlike(a, b Source) int {
	x, y := c.g.Instr(a.Class), c.g.Instr(b.Class)
	switch {
	case x.Pos == y.Pos && x.Op == y.Op:
		return 0
	case c.size[a.Class-1] == c.size[b.Class-1]:
		return 1
	}
	return 2
}

// merged is a program in which a variable that lanes get at different times is one value: each producer is
// taken to be used by the next one, and the last one by what reads the variable.
func (c *Classes) merged(f *idg.Flat) *idg.Flat {
	gone := map[idg.NodeID][]idg.NodeID{}  // by user: producers that it does not use itself
	added := map[idg.NodeID][]idg.NodeID{} // by producer: the one before it
	var sources []Source
	for v := range idg.NodeID(f.Len()) {
		from, kind := f.Preds(v)
		sources = sources[:0]
		for i, u := range from {
			sources = append(sources, Source{f.Instr(u), kind[i]})
		}
		before := map[int]idg.NodeID{} // by operand: the producer before, from the last on
		for i, operand := range slices.Backward(c.Registers(sources)) {
			if operand < 0 {
				continue
			}
			if next, ok := before[operand]; ok {
				gone[v] = append(gone[v], from[i])
				added[next] = append(added[next], from[i])
			}
			before[operand] = from[i]
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
