package unroll

import (
	"gpupipe/unroll/trace"
	"slices"
)

// storeSet is a set of a class's stores since the last clobber, by index.
type storeSet [maxRecords / 64]uint64

func (s *storeSet) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s *storeSet) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }

func (s *storeSet) unite(o *storeSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

func (s *storeSet) meets(o *storeSet) bool {
	for i := range s {
		if s[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// storesBefore returns the stores that must have been issued before an access: those that may touch
// the same bytes, but for those that another of these waits for. All that it waits for so
// come with them. What they are follows from the records alone, so that in a steady loop it is the same in every
// period. Only stores lead on to others: they are never swept, as loads may be.
func (c *aliasClass) storesBefore(list []trace.NodeID, rec *accessRecord) ([]trace.NodeID, storeSet) {
	var after storeSet
	for i := len(c.stores) - 1; i >= 0; i-- {
		if s := &c.stores[i]; s.node != 0 && !after.has(i) && !s.disjoint(rec) {
			list = append(list, s.node)
			after.add(i)
			after.unite(&s.after)
		}
	}
	slices.Reverse(list)
	return list, after
}

// noteOverwritten notes which stores another one of the same straight code overwrites. Those before one to the same
// place are noted already.
func (r *resolver) noteOverwritten(class *aliasClass, rec *accessRecord) {
	for i := range slices.Backward(class.stores) {
		s := &class.stores[i]
		if s.straight != rec.straight {
			return
		}
		if s.mask != rec.mask || !rec.covers(s) {
			continue
		}
		r.trace.Overwrites(rec.node, s.node)
		if s.samePlace(rec) {
			return
		}
	}
}

// addStore appends a store to the class's. One to the place of the last stands for both: it waits for that.
func (c *aliasClass) addStore(rec accessRecord) {
	c.written = true
	rec.seq, c.next = c.next, c.next+1
	if at := c.indexFor(&rec); rec.node != 0 && at < len(c.stores) {
		c.stores[at] = rec
		return
	}
	if len(c.stores) >= maxRecords {
		c.clobber(0)
		rec.after = storeSet{}
	}
	c.stores = append(c.stores, rec)
}

// indexFor is where the record of a store that is recorded will stand.
func (c *aliasClass) indexFor(rec *accessRecord) int {
	if n := len(c.stores); n > 0 && c.stores[n-1].node != 0 && c.stores[n-1].samePlace(rec) {
		return n - 1
	}
	return len(c.stores)
}

// storeOrder returns the accesses that must have been issued before a store, in
// program order: those that may touch the same bytes, unless a store among them or the stored
// value waits for them anyway. It notes in the records what the store waits for.
func (r *resolver) storeOrder(class *aliasClass, rec *accessRecord, deps []trace.NodeID) []trace.NodeID {
	order, after := class.storesBefore(r.order[:0], rec)
	rec.after = after
	loads, index := class.loads.all(), class.indexFor(rec)
	for i := range loads {
		l := &loads[i]
		if l.node == 0 || !l.before.meets(&after) && l.disjoint(rec) {
			continue
		}
		if !l.before.meets(&after) {
			order = append(order, l.node)
			r.overtake(l)
		}
		if index < maxRecords {
			l.before.add(index)
		}
	}
	r.order = order
	if len(order) == 0 {
		return nil
	}
	slices.Sort(order)
	r.waited = r.trace.Ancestors(r.waited[:0], deps, 3, order[0])
	return slices.DeleteFunc(order, func(id trace.NodeID) bool {
		_, found := slices.BinarySearch(r.waited, id)
		return found
	})
}
