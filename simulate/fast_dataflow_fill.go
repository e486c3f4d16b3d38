package simulate

import "gpupipe/idg"

// fill makes a block of a traced one.
func (t *flowTranslator) fill(f *flowBlock, b *tracedBlock) {
	n := b.len()
	f.words = b.words
	f.nodes, f.preds, f.lists = make([]flowNode, n), make([]uint8, n), make([]uint32, 2*n+1)
	for _, d := range b.inner {
		f.lists[d]++
	}
	next := 0
	for v := range n {
		count := b.off[v+1] - b.off[v]
		for ; next < len(b.outer) && int(b.outer[next].node) == v; next++ {
			count++
		}
		t.fillNode(f, uint32(v), b.class[v], count)
	}
	f.fillEnds(b)
	for _, d := range b.outer {
		o := outerNeed{flowEnd: f.end(d.node), back: uint32(d.back), order: d.order}
		if d.loop != 0 {
			o.held, o.back = true, t.held[d.key()]
		}
		f.outer = append(f.outer, o)
	}
	for _, r := range b.enters {
		start := loopStart{loop: r.loop - 1, count: t.loops[r.loop-1].count}
		for _, h := range t.holds[r.loop-1] {
			start.holds = append(start.holds, heldProducer{held: h.held, at: uint32(r.at - h.back),
				inner: r.at >= h.back, order: h.order})
		}
		f.enters = append(f.enters, start)
	}
}

// fillNode makes a node with so many dependences.
func (t *flowTranslator) fillNode(f *flowBlock, v, id, count uint32) {
	node, class := &f.nodes[v], &t.classes[id]
	node.hold, node.class, node.subsystem = class.hold, id, class.route
	done, passed := f.lists[2*v] > 0, f.lists[2*v+1] > 0
	node.flags = class.flags(done, passed)
	if class.paired {
		node.flags |= flagApart
	}
	if done {
		node.flags |= flagDone
	}
	if passed {
		node.flags |= flagPassed
	}
	if class.barrier {
		f.barriers = append(f.barriers, idg.NodeID(v))
	}
	if count == 0 {
		f.roots = append(f.roots, v)
	}
	if count > 255 {
		rounds := (count - 1) / 255
		count -= 255 * rounds
		node.flags |= flagMany
		f.many, f.rounds = append(f.many, idg.NodeID(v)), append(f.rounds, rounds)
	}
	f.preds[v] = uint8(count)
}

// fillEnds sorts the dependences within a block by what they are on. The lists have
// their lengths.
func (f *flowBlock) fillEnds(b *tracedBlock) {
	n, total := b.len(), uint32(0)
	for i, length := range f.lists {
		total += length
		f.lists[i] = total
	}
	f.ends = make([]flowEnd, total)
	// From behind: the ends of the lists move down to their beginnings.
	for v := n; v > 0; {
		v--
		end := f.end(uint32(v))
		for _, d := range b.inner[b.off[v]:b.off[v+1]] {
			f.lists[d]--
			f.ends[f.lists[d]] = end
		}
	}
}

// end is the end of a dependence of a node.
func (f *flowBlock) end(v uint32) flowEnd {
	return flowEnd{v, f.nodes[v].subsystem, f.nodes[v].flags & flagMany}
}

// keep notes that later blocks may wait for a node.
func (f *flowBlock) keep(v uint32, order bool) {
	if order {
		f.nodes[v].flags |= flagKept | flagPassed
	} else {
		f.nodes[v].flags |= flagKept | flagDone
	}
}
