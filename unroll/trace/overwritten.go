package trace

import (
	"slices"
	"sort"

	"gpupipe/idg/isa"
)

// overwrite is a store that writes the bytes that another one has written, in the same lanes.
type overwrite struct {
	by, gone NodeID
}

// Overwrites notes that a store writes what an earlier one has written, in the same lanes, and that both are
// executed if one is.
func (t *Trace) Overwrites(by, gone NodeID) { t.overwrites = append(t.overwrites, overwrite{by, gone}) }

// dropOverwritten removes stores that nothing reads before another one of straight code overwrites them. Whatever may
// read one waits for it.
func dropOverwritten(t *Trace, live []bool) {
	into := replaced{}
	for _, o := range t.overwrites {
		if !t.unread(o, into) {
			continue
		}
		before := slices.Clone(t.order(t.node(o.gone)))
		t.change(t.node(o.gone), func(c *content) { c.flags &^= Root })
		t.change(t.node(o.by), func(c *content) {
			others := slices.DeleteFunc(slices.Clone(c.order), func(id NodeID) bool { return id == o.gone })
			c.order = Union(others, before)
		})
		into[o.gone] = o.by
	}
	for gone := range into {
		into[gone] = into.of(gone)
	}
	t.redirect(live, into)
}

// replaced are stores that are gone, each with the one that overwrites it.
type replaced map[NodeID]NodeID

// of is the store that takes the place of another, which may be itself.
func (r replaced) of(id NodeID) NodeID {
	for r[id] != 0 {
		id = r[id]
	}
	return id
}

// unread reports whether a store can go: all that follows up to the other is straight code of one iteration of which
// nothing waits for it, or for one whose place it has taken.
func (t *Trace) unread(o overwrite, into replaced) bool {
	next := sort.Search(len(t.marks), func(i int) bool { return t.marks[i].at >= uint32(o.gone) })
	if next < len(t.marks) && t.marks[next].at < uint32(o.by) {
		return false
	}
	waits := func(ids []NodeID) bool {
		return slices.ContainsFunc(ids, func(id NodeID) bool { return into.of(id.Node()) == o.gone })
	}
	for id := o.gone + 1; id < o.by; id++ {
		n := t.node(id)
		if n.flags&Gate != 0 || t.kinds.of(n.kind).is.Verb == isa.Fence || waits(t.order(n)) || waits(t.deps(n)) {
			return false
		}
	}
	return true
}
