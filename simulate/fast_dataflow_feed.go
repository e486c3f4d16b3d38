package simulate

import "sort"

// fed is what some block needs, as seen from a block before which it lies.
type fed struct {
	block uint32
	back  int64 // so far before its first instruction
	order bool
}

// maxFed is how many of these are looked at: a second's work.
const maxFed = 1 << 22

// feed finds the instructions for which later blocks wait, on any way that the
// program can take. If it looked at more than so many places, it may be any instruction.
func (t *flowTranslator) feed(most int) {
	before := t.before()
	runs := runsOf(before, t.p.blocks)
	seen := map[fed]bool{}
	var todo []fed
	need := func(f fed) {
		if id, at, ok := runs.find(f); ok {
			t.p.blocks[id].keep(at, f.order)
		} else if f = runs.toHead(f); !seen[f] {
			seen[f] = true
			todo = append(todo, f)
		}
	}
	for i := range t.p.blocks {
		b := &t.p.blocks[i]
		for _, o := range b.outer {
			if !o.held {
				need(fed{uint32(i), int64(o.back), o.order})
			}
		}
		for _, start := range b.enters {
			for _, h := range start.holds {
				if h.inner {
					b.keep(h.at, h.order)
				} else {
					need(fed{uint32(i), int64(-h.at), h.order})
				}
			}
		}
	}
	for len(todo) > 0 && len(seen) < most {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, id := range before[f.block] {
			b := &t.p.blocks[id]
			if n := int64(len(b.preds)); f.back > n {
				need(fed{id, f.back - n, f.order})
			} else {
				b.keep(uint32(n-f.back), f.order)
			}
		}
	}
	for i := range t.p.blocks {
		b := &t.p.blocks[i]
		for v := range uint32(len(b.preds)) {
			if len(todo) > 0 {
				b.keep(v, false)
				b.keep(v, true)
			}
			if b.nodes[v].flags&flagKept != 0 {
				b.kept = append(b.kept, v)
			}
		}
	}
}

// runsOfBlocks are the blocks in runs of which each block but the first, the head, can come
// after the one before it only. What a block of a run needs of the same run is found without
// going back block by block.
type runsOfBlocks struct {
	blocks [][]uint32 // of each run
	run    []uint32   // by block
	start  []int64    // by block: the number of its first instruction in the run
}

func runsOf(before [][]uint32, blocks []flowBlock) *runsOfBlocks {
	r := &runsOfBlocks{run: make([]uint32, len(blocks)), start: make([]int64, len(blocks))}
	for i := range blocks {
		if b := before[i]; len(b) == 1 && int(b[0]) < i {
			run := r.run[b[0]]
			if of := r.blocks[run]; of[len(of)-1] == b[0] {
				r.run[i], r.start[i] = run, r.start[b[0]]+int64(len(blocks[b[0]].preds))
				r.blocks[run] = append(of, uint32(i))
				continue
			}
		}
		r.run[i] = uint32(len(r.blocks))
		r.blocks = append(r.blocks, []uint32{uint32(i)})
	}
	return r
}

// find is the block of the same run that has what a block needs, and where in it.
func (r *runsOfBlocks) find(f fed) (block, at uint32, ok bool) {
	number := r.start[f.block] - f.back
	if number < 0 || f.back <= 0 {
		return 0, 0, false
	}
	of := r.blocks[r.run[f.block]]
	i := sort.Search(len(of), func(i int) bool { return r.start[of[i]] > number }) - 1
	return of[i], uint32(number - r.start[of[i]]), true
}

// toHead is the same need as the head of the run has it.
func (r *runsOfBlocks) toHead(f fed) fed {
	f.back -= r.start[f.block]
	f.block = r.blocks[r.run[f.block]][0]
	return f
}
