package simulate

import (
	"math"
	"math/bits"

	"gpupipe/idg"
)

// flowTranslator translates a program for dataflow issue.
type flowTranslator struct {
	*workload
	*tracer
	p      *flowProgram
	traced []tracedBlock
	exits  map[uint32]flowExit // by the last stored instruction of a block
	limit  int64               // dependences from here on are left out: they have certainly ended
	held   map[heldKey]uint32
	holds  [][]tracedHold // by repetition
	walks  bool           // blocks are those of a window: see walked
}

// flowExit is what follows the end of a block.
type flowExit struct {
	turns []loopTurn
	after uint32
}

// tracedHold is a dependence that is held over a repetition.
type tracedHold struct {
	held  uint32
	back  int64 // so far before the repetition's first instruction
	order bool
}

// flow translates a program for dataflow issue, in one block or in basic blocks, for
// m groups at once. Repetitions are expanded, apart from those in which basic blocks
// end, unless barriers are free, and from long ones if there are no basic blocks.
func (w *workload) flow(p *program, mode IssueMode, hw *hardware, m int64) (*flowProgram, error) {
	note := foldedNote
	most := min(w.mostExpanded, maxStates/w.places(m)) // instructions of a block or a window
	if mode == Blocks {
		note = freeNote
		t, err := w.newFlowTranslator(p, p.source, most, w.blockEnds(p.source, p.first, mode))
		if err != nil {
			return nil, err
		}
		if t.gated() {
			t.limit = t.reach(hw)
			return t.program()
		}
	} else if q, err := w.walked(p, w.walkedFrom, m, most); q != nil || err != nil {
		return q, err
	} else if err := w.checkResident(m, false); err != nil {
		return nil, err
	}
	flat, err := w.expand(p, note)
	if err != nil {
		return nil, err
	}
	src := &expanded{flat: flat}
	t, err := w.newFlowTranslator(p, src, idg.MaxExpanded, w.blockEnds(src, p.first, mode))
	if err != nil {
		return nil, err
	}
	t.p.free = true
	return t.program()
}

// blockEnds says which stored instructions end a block from which a warp issues.
func (w *workload) blockEnds(src code, first classID, mode IssueMode) []bool {
	ends := make([]bool, src.StaticLen())
	for s := range ends {
		ends[s] = endsBlock(mode, &w.classes[first+classID(src.StaticInstr(idg.StaticID(s))-1)])
	}
	return ends
}

// newFlowTranslator traces the blocks of a program, each of so many instructions
// at most, that end with some of the stored ones.
func (w *workload) newFlowTranslator(p *program, src code, most int64, ends []bool) (*flowTranslator, error) {
	r, err := newTracer(p, src, most, ends)
	if err != nil {
		return nil, err
	}
	t := &flowTranslator{workload: w, tracer: r, p: &flowProgram{}, exits: map[uint32]flowExit{},
		held: map[heldKey]uint32{}, limit: math.MaxInt64}
	t.holds = make([][]tracedHold, len(t.loops))
	if _, err := t.exit(0, false); err != nil {
		return nil, err
	}
	for i := 0; i < len(t.traced); i++ {
		b := &t.traced[i]
		t.p.most = max(t.p.most, b.len())
		last := b.last
		if _, ok := t.exits[last]; ok {
			continue
		}
		x := flowExit{after: noNode}
		if t.ends[last] {
			var err error
			if x, err = t.exit(last+1, true); err != nil {
				return nil, err
			}
		}
		t.exits[last] = x
	}
	return t, nil
}

// exit traces the blocks that can follow.
func (t *flowTranslator) exit(from uint32, behind bool) (flowExit, error) {
	x := flowExit{}
	for n := 0; ; n++ {
		b, again, err := t.trace(from, behind, n)
		if err != nil {
			return x, err
		}
		id := noNode
		if b.len() > 0 {
			id = uint32(len(t.traced))
			t.traced = append(t.traced, b)
		}
		if again == 0 {
			x.after = id
			return x, nil
		}
		x.turns = append(x.turns, loopTurn{again - 1, id})
	}
}

// followers visits the blocks that can follow.
func (t *flowTranslator) followers(b *tracedBlock, visit func(id uint32)) {
	x := t.exits[b.last]
	for _, turn := range x.turns {
		visit(turn.block)
	}
	if x.after != noNode {
		visit(x.after)
	}
}

// before finds the blocks that each can follow.
func (t *flowTranslator) before() [][]uint32 {
	before := make([][]uint32, len(t.traced))
	for i := range t.traced {
		t.followers(&t.traced[i], func(id uint32) { before[id] = append(before[id], uint32(i)) })
	}
	return before
}

// gated reports whether the block behind a barrier always waits for it.
func (t *flowTranslator) gated() bool {
	all := true
	for i := range t.traced {
		b := &t.traced[i]
		if !t.classes[b.class[b.len()-1]].barrier {
			continue
		}
		t.followers(b, func(id uint32) {
			waits := false
			for _, d := range t.traced[id].outer {
				waits = waits || d.back == 1 && d.loop == 0 && !d.order
			}
			all = all && waits
		})
	}
	return all
}

// reach is how far back a dependence must reach to have certainly ended. What
// is issued between two instructions are at least the blocks between their blocks.
func (t *flowTranslator) reach(hw *hardware) int64 {
	seen := make([]bool, len(t.classes))
	var used []classID
	for i := range t.traced {
		for _, c := range t.traced[i].class {
			if !seen[c] {
				seen[c] = true
				used = append(used, classID(c))
			}
		}
	}
	n, blocks := t.workload.reach(hw, used, t.idle(&t.layout, t.src, t.first)), 2*int64(t.p.most)
	return n + min(blocks, math.MaxInt64-n)
}

// program makes the program of what was traced.
func (t *flowTranslator) program() (*flowProgram, error) {
	t.p.loops = len(t.loops)
	furthest := int64(0)
	for i := range t.traced {
		b := &t.traced[i]
		b.reduce(t.limit)
		b.reduceInner(t.classes)
		for _, d := range b.outer {
			furthest = max(furthest, d.back)
			if d.loop != 0 {
				t.hold(d)
			}
		}
		t.p.outer = max(t.p.outer, len(b.outer))
	}
	t.p.held = len(t.held)
	if furthest > maxRing && !t.walks {
		return nil, tooFar(furthest, t.limit)
	}
	if furthest > 0 && !t.walks {
		t.p.ring = 1 << bits.Len64(uint64(furthest)+uint64(t.p.most)-1)
	}
	t.p.blocks = make([]flowBlock, len(t.traced))
	for i := range t.traced {
		b, f := &t.traced[i], &t.p.blocks[i]
		t.fill(f, b)
		x := t.exits[b.last]
		f.turns, f.after = x.turns, x.after
		if t.ends[b.last] {
			for r := t.innermost(b.last); r != 0; r = t.loops[r-1].parent {
				f.within = append(f.within, r-1)
			}
		}
	}
	t.feed(maxFed)
	return t.p, nil
}

// hold gives a dependence that is held over a loop a place.
func (t *flowTranslator) hold(d tracedNeed) {
	k := d.key()
	if _, ok := t.held[k]; !ok {
		id := uint32(len(t.held))
		t.held[k] = id
		t.holds[d.loop-1] = append(t.holds[d.loop-1], tracedHold{id, d.back, d.order})
	}
}

// key names what a need is on.
func (d *tracedNeed) key() heldKey {
	k := heldKey{d.loop, 2 * d.back}
	if d.order {
		k.off--
	}
	return k
}

// reduce leaves out the needs that have certainly ended when the block begins,
// and those on which an instruction waits that an instruction waits for in turn.
func (b *tracedBlock) reduce(limit int64) {
	if len(b.outer) == 0 {
		return
	}
	bit := map[heldKey]uint64{}
	waits := make([]uint64, b.len()) // by node: for which needs it waits, directly or not
	kept, next := b.outer[:0], 0
	for v := range waits {
		has := uint64(0)
		for _, u := range b.inner[b.off[v]:b.off[v+1]] {
			has |= waits[u>>1]
		}
		for ; next < len(b.outer) && int(b.outer[next].node) == v; next++ {
			d := b.outer[next]
			if d.back >= limit {
				continue
			}
			k := d.key()
			x, ok := bit[k]
			if !ok && len(bit) < 64 {
				x = 1 << len(bit)
				bit[k] = x
			}
			if has&x == 0 {
				kept = append(kept, d)
			}
			has |= x
		}
		waits[v] = has
	}
	b.outer = kept
}
