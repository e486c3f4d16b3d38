package simulate

import (
	"cmp"
	"slices"
)

// startWalk starts a warp whose program's loops are walked.
func (e *dataflow) startWalk(place int, w *flow) {
	k := w.own
	w.walk, w.block = k, w.program.joined
	k.reset(w)
	w.unissued++ // while there are blocks to add
	e.addBlock(place, w, 0)
	e.extend(place, w, 0)
}

// node is the number of the node of an instruction that issues, in flowBlock.nodes.
func (w *flow) node(v uint32) uint32 {
	if w.walk == nil {
		return v
	}
	s := &w.walk.slots[v]
	node := s.node & slotNode
	flags := w.block.nodes[node].flags
	if flags&flagDone == 0 {
		s.node |= slotDone // there is no event
	}
	if flags&flagPassed == 0 {
		s.node |= slotPassed
	}
	return node
}

// endWalked handles the end of the Λ, or with order of the λ, of an instruction of a
// window. The warp may have ended since.
func (e *dataflow) endWalked(w *flow, d *delayed, order bool) {
	k, v := w.walk, d.number-w.base
	if v >= k.size {
		return
	}
	s, b := &k.slots[v], w.block
	id := s.node & slotNode
	s.node |= slotEnd(order)
	node, list := &b.nodes[id], 2*id
	if order {
		list++
	}
	ends := b.ends[b.lists[list]:b.lists[list+1]]
	place, base := int(d.place), v-id
	for i := range ends {
		e.satisfyWalked(place, w, base+ends[i].node, ends[i].subsystem, ends[i].flags, node.class)
	}
	if node.flags&flagKept == 0 {
		return
	}
	for at := &s.waiter; *at != 0; {
		x := &k.waiters[*at-1]
		if x.order != order {
			at = &x.next
			continue
		}
		e.satisfyWalked(place, w, x.node-w.base, x.subsystem, x.flags, node.class)
		*at = k.forget(*at)
	}
	if s.node&slotOpens != 0 {
		s.node &^= slotOpens
		e.extend(place, w, node.class)
	}
}

// satisfyWalked takes a dependence off an instruction of a window.
func (e *dataflow) satisfyWalked(place int, w *flow, v uint32, subsystem uint16, flags nodeFlags, cause uint32) {
	left := w.waits[v] - 1
	w.waits[v] = left
	if left == 0 && (flags&flagMany == 0 || !w.anotherWalked(v)) {
		e.makeReady(place, w, v, subsystem, cause)
	}
}

// anotherWalked starts another round of counting the dependences of an instruction,
// if it has one.
func (w *flow) anotherWalked(v uint32) bool {
	m := w.walk.findMany(w.base, v)
	if m.rounds == 0 {
		return false
	}
	m.rounds--
	w.waits[v] = 255
	return true
}

// extend adds the blocks to a window of which instructions could be ready, now that one
// of a class has ended.
func (e *dataflow) extend(place int, w *flow, cause uint32) {
	k := w.walk
	for k.next != noNode && k.opened(&w.program.blocks[k.next]) {
		if !e.addBlock(place, w, cause) {
			return
		}
	}
}

// opened reports whether an instruction has ended at whose end a block must be there.
// If not, these are marked.
func (k *window) opened(b *flowBlock) bool {
	for _, o := range b.opens {
		if o.back > k.size || k.slots[k.size-o.back].node&slotEnd(o.order) != 0 {
			return true
		}
	}
	for _, o := range b.opens {
		k.slots[k.size-o.back].node |= slotOpens
	}
	return false
}

// addBlock adds the next block of a warp to its window, and reports whether there is
// room for it.
func (e *dataflow) addBlock(place int, w *flow, cause uint32) bool {
	k := w.walk
	b := &w.program.blocks[k.next]
	n := uint32(len(b.preds))
	if !k.makeRoom(w, n) {
		e.refused = w.program.overflow
		return false
	}
	v, base := k.size, w.base+k.size
	copy(w.waits[v:], b.preds)
	for i := range k.slots[v:][:n] {
		k.slots[v+uint32(i)] = windowSlot{node: b.first + uint32(i)}
	}
	for i, node := range b.many {
		k.many = append(k.many, manyRounds{base + uint32(node), b.rounds[i]})
	}
	k.blocks = append(k.blocks, windowBlock{base, k.next})
	k.size += n
	w.unissued += int32(n)
	for _, r := range b.roots {
		e.makeReady(place, w, v+r, b.nodes[r].subsystem, b.nodes[r].class)
	}
	for i := range b.outer {
		o := &b.outer[i]
		from := int64(v) - int64(o.back)
		if o.held {
			from = k.held[o.back] - k.origin
		}
		if from < 0 || k.slots[from].node&slotEnd(o.order) != 0 {
			e.satisfyWalked(place, w, v+o.node, o.subsystem, o.flags, cause)
		} else {
			k.wait(&k.slots[from], waiter{flowEnd{base + o.node, o.subsystem, o.flags}, 0, o.order})
		}
	}
	for _, barrier := range b.barriers {
		node := &b.nodes[barrier]
		k.barriers = append(k.barriers, walkedBarrier{flowBarrier{base + uint32(barrier), node.class,
			node.flags}, false})
	}
	if k.next = e.following(w, b, k.origin+int64(v)); k.next == noNode {
		w.unissued--
	}
	return true
}

// following is the block that follows one that begins at an executed instruction.
func (e *dataflow) following(w *flow, b *flowBlock, at int64) uint32 {
	for i := range b.enters {
		w.left[b.enters[i].loop] = b.enters[i].count
		for _, h := range b.enters[i].holds {
			w.walk.held[h.held] = at + int64(int32(h.at))
		}
	}
	for i := range b.turns {
		t := &b.turns[i]
		w.left[t.loop]--
		if w.left[t.loop] > 0 {
			e.looped = true
			return t.block
		}
	}
	return b.after
}

// walkedBarrier counts the barriers of a warp in front of one that it reaches. Other warps
// of its group may be far ahead or behind: there are more counters of barriers when there must be.
func (e *dataflow) walkedBarrier(w *flow, number uint32) int64 {
	i, _ := slices.BinarySearchFunc(w.walk.incomplete(), number-w.base, func(b walkedBarrier, v uint32) int {
		return cmp.Compare(int32(b.number-w.base), int32(v))
	})
	for int64(i) >= e.open {
		e.growBarriers()
	}
	return w.passed + int64(i)
}

// growBarriers doubles the barriers of a group that its warps can be at, at once.
func (e *dataflow) growBarriers() {
	arrived, open := e.arrived, e.open
	e.open *= 2
	e.arrived = make([]uint32, int64(e.slots)*e.open)
	for slot := range int64(e.slots) {
		// Those that are not complete are among the last ones.
		for k := max(0, e.reached[slot]-open); k < e.reached[slot]; k++ {
			e.arrived[slot*e.open+k&(e.open-1)] = arrived[slot*open+k&(open-1)]
		}
	}
}

// passBarrier notes that a warp's k-th barrier is complete.
func (w *flow) passBarrier(k int64) {
	b := w.walk
	b.incomplete()[k-w.passed].complete = true
	for left := b.incomplete(); len(left) > 0 && left[0].complete; left = left[1:] {
		b.complete++
		w.passed++
	}
	if b.complete > len(b.barriers)/2 {
		b.barriers = b.barriers[:copy(b.barriers, b.incomplete())]
		b.complete = 0
	}
}
