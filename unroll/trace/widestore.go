package trace

import (
	"slices"
)

// Stores to adjacent elements of an array in local memory become one of 64 or 128 bits as
// loads do (wide.go), as kernels compiled for the purpose show it (TestWideStores):
//
//   - A pair or all four; of three, two.
//   - Up to a load of local memory or a store whose address differs by more than a constant,
//     which may touch the same bytes. Accesses of global memory may stand between.
//   - The wide store stands where the last of them stood, when all values are there.

// replaceStores makes the last of several stores the wide one, unless something
// between them waits for one.
func (t *Trace) replaceStores(list []NarrowAccess, w wideAccess, live []bool, into map[NodeID]NodeID) {
	nodes := make([]NodeID, len(w.parts))
	for i, p := range w.parts {
		nodes[i] = list[p].Node
	}
	last, first := slices.Max(nodes), slices.Min(nodes)
	var deps, order []NodeID
	for id := first; id <= last; id++ {
		if !live[id-1] {
			continue
		}
		n := t.node(id)
		part := slices.Contains(nodes, id)
		for _, d := range t.deps(n) {
			if slices.Contains(nodes, d) {
				return
			}
		}
		for _, d := range t.order(n) {
			switch inside := slices.Contains(nodes, d); {
			case inside:
				return
			case part:
				order = Union(order, []NodeID{d})
			}
		}
		if part {
			deps = Union(deps, slices.Clone(t.dataSet(n))) // t has room for four sets
		}
	}
	l := &list[w.parts[slices.Index(nodes, last)]]
	access := t.Wide(l, w.offset-l.At, w.size)
	t.change(t.node(last), func(c *content) { c.access, c.deps, c.order = access, deps, order })
	for _, id := range nodes {
		if id != last {
			live[id-1] = false
			into[id] = last
		}
	}
}
