package simulate

import "math"

// classRing is where the events of a class go.
type classRing struct {
	done, passed uint32
	order        uint16 // of its completions among those of the same ring and time
}

// addRings makes a ring for each kind and delay of event that occurs, in the
// order of workload.events. Classes of which each has completions of its own, for their
// latencies depend on the load, share a ring if there is none between theirs in that order:
// an unrolled program may have thousands of them.
func (e *dataflow) addRings() {
	used := e.eventsUsed()
	e.rings = make([]classRing, len(e.classes))
	added := map[queueKey]uint32{}
	order, shared := uint16(0), false // of the last ring
	ring := func(k queueKey) uint32 {
		if !used[k] {
			return 0
		}
		id, ok := added[k]
		if !ok && k.class > 0 && shared && order < math.MaxUint16 {
			order++
			return uint32(len(e.futures.rings) - 1)
		}
		if !ok {
			order, shared = 0, k.class > 0
			id = e.futures.add(k)
			added[k] = id
		}
		return id
	}
	for i := range e.classes {
		done, passed := e.classes[i].events()
		r := &e.rings[i]
		r.done, r.order = ring(done), order
		r.passed = ring(passed)
		e.table[i].ring = r.done
	}
	if e.blocked {
		e.allowed = e.futures.add(queueKey{eventAllowed, e.interval, 0})
	}
}

// eventsUsed says which events the nodes of all programs have.
func (e *dataflow) eventsUsed() map[queueKey]bool {
	flags := make([]nodeFlags, len(e.classes))
	for i := range e.kinds {
		for _, p := range e.kinds[i].programs {
			for b := range p.flow.blocks {
				block := &p.flow.blocks[b]
				for v := range block.preds {
					flags[block.nodes[v].class] |= block.nodes[v].flags
				}
			}
		}
	}
	used := map[queueKey]bool{}
	for i, f := range flags {
		done, passed := e.classes[i].events()
		if f&flagDone != 0 {
			used[done] = true
		}
		if f&flagPassed != 0 {
			used[passed] = true
		}
	}
	return used
}
