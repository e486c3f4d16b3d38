package idg

import (
	"math"
	"slices"
)

// A loop that is announced to a Builder is folded while it is executed. Its
// iterations are compared as they end; what a number of them did, the same number
// after them may do again (accesses move through a line of memory with the
// iterations, and their patterns recur with a period). From then on, iterations
// that go on like this are counted and dropped. Where they stop, what was counted
// becomes one item, which is in turn like an iteration of its own: a period may
// have repetitions within it.

// recording is an announced loop that is being executed. Its items stand at the
// end of folding.root, those of the loops within it behind its own.
type recording struct {
	iterations []iteration // in order; those that a run stands for are not in it
	open       iteration   // the current one

	// The run that is being counted, if count is not 0: the items from block to
	// behind are its first period and were executed count times. The iterations
	// from the index pending on came later: the period again, as far as they go.
	count         int64
	block, behind int
	pending       int
	signs         []uint64 // of the period's iterations
	length        Executed // instructions of the period
	moves         []bool   // by free producer of the block: it moves along
}

// iteration is where an iteration begins, or a settled run of them.
type iteration struct {
	items     int // in folding.root
	producers int // in folding.producers
	start     Executed
	sign      uint64 // a hash of its elements
}

const (
	// maxPeriod is how many iterations may pass until they repeat: steps of
	// a byte through the 256 of which access patterns tell the alignment.
	maxPeriod = alignment
	// periodTries is how many periods are tried behind each iteration.
	periodTries = 4
)

// BeginLoop says that a loop of the source begins, and with it its first
// iteration.
func (b *Builder) BeginLoop() {
	if len(b.programs) == 0 {
		b.fail("BeginLoop before Begin")
		return
	}
	if b.fold == nil {
		b.fold = newFolding()
	}
	b.loops = append(b.loops, recording{open: b.fold.here(b.number)})
}

// here is an iteration that begins with an instruction.
func (f *folding) here(v Executed) iteration {
	return iteration{items: len(f.root), producers: len(f.producers), start: v}
}

// NextIteration says that the next iteration of the innermost announced loop
// begins. Iterations that execute what earlier ones did, with the same
// dependences on what was executed since or before the loop, are not stored.
func (b *Builder) NextIteration() {
	if len(b.loops) == 0 {
		b.fail("NextIteration outside of a loop")
		return
	}
	l := &b.loops[len(b.loops)-1]
	b.fold.endIteration(l, b.number)
	l.open = b.fold.here(b.number)
}

// Again says, where an iteration has begun and nothing of it has been added, that
// the last length instructions are executed so many times more, with the same
// dependences on what is executed since or stays. It counts them and returns times
// if the iterations added so far have shown how they repeat; else it does nothing,
// and returns 0.
func (b *Builder) Again(length, times int64) int64 {
	if len(b.loops) == 0 || b.err != nil {
		return 0
	}
	f, l := b.fold, &b.loops[len(b.loops)-1]
	// A third repetition shows that iterations continue the run as they come, which
	// they do not if runs that have been settled are among its own; and what is to be
	// counted must have been executed twice, to tell what moves along.
	if l.count < 3 || len(l.iterations) != l.pending || len(f.root) != l.open.items || length%int64(l.length) != 0 ||
		l.count*int64(l.length) < 2*length {
		return 0
	}
	l.count += length / int64(l.length) * times
	b.number += Executed(length * times)
	l.open = f.here(b.number)
	return times
}

// EndLoop says that the innermost announced loop has ended.
func (b *Builder) EndLoop() {
	if len(b.loops) == 0 {
		b.fail("EndLoop outside of a loop")
		return
	}
	f, last := b.fold, len(b.loops)-1
	l := &b.loops[last]
	f.endIteration(l, b.number)
	for l.count > 0 {
		f.stop(l, b.number)
	}
	b.loops = b.loops[:last]
	if last > 0 {
		return
	}
	s := storer{f: f, p: b.programs[len(b.programs)-1]}
	for _, it := range f.root {
		s.item(it)
	}
	f.root, f.producers = f.root[:0], f.producers[:0]
}

// record adds an instruction to the current iteration.
func (b *Builder) record(v Executed, in InstrID, edges []Edge) {
	f := b.fold
	if len(f.producers)+len(edges) > math.MaxUint32 {
		b.fail("more than 2^32-1 dependences in iterations that do not repeat")
		return
	}
	b.kinds = b.kinds[:0]
	it := item{free: uint32(len(f.producers)), start: v}
	for _, e := range edges {
		b.kinds = append(b.kinds, e.Kind)
		f.producers = append(f.producers, e.From)
	}
	it.id = f.instruction(in, b.kinds)
	f.root = append(f.root, it)
}

// endIteration ends the current iteration before an instruction.
func (f *folding) endIteration(l *recording, end Executed) {
	current := l.open
	if len(f.root) == current.items {
		return // nothing was executed
	}
	current.sign = sign(f.root[current.items:])
	l.iterations = append(l.iterations, current)
	f.advance(l, end)
}

// advance takes notice of the last iteration, which ends before an instruction.
func (f *folding) advance(l *recording, end Executed) {
	if l.count == 0 {
		f.begin(l, end)
		return
	}
	n := len(l.iterations) - l.pending
	if l.iterations[len(l.iterations)-1].sign == l.signs[n-1] {
		if n < len(l.signs) {
			return
		}
		if f.again(l, end) {
			l.count++
			f.drop(l, l.pending)
			return
		}
	}
	f.stop(l, end)
}

// stop ends the run. What came after it is gone through again: with the run, it
// may be part of a longer period.
func (f *folding) stop(l *recording, end Executed) {
	later := slices.Clone(l.iterations[l.pending:])
	if len(later) == 0 {
		f.settle(l)
		f.begin(l, end)
		return
	}
	items, producers := slices.Clone(f.root[later[0].items:]), slices.Clone(f.producers[later[0].producers:])
	f.drop(l, l.pending)
	f.settle(l)
	f.begin(l, later[0].start)
	for i, it := range later {
		itemsEnd, producersEnd, next := len(items), len(producers), end
		if i+1 < len(later) {
			itemsEnd, producersEnd, next = later[i+1].items-later[0].items, later[i+1].producers-later[0].producers,
				later[i+1].start
		}
		again := f.here(it.start)
		again.sign = it.sign
		for _, c := range items[it.items-later[0].items : itemsEnd] {
			c.free -= uint32(it.producers - again.producers)
			f.root = append(f.root, c)
		}
		f.producers = append(f.producers, producers[it.producers-later[0].producers:producersEnd]...)
		l.iterations = append(l.iterations, again)
		f.advance(l, next)
	}
}

// sign is a hash of items' elements.
func sign(s []item) uint64 {
	h := uint64(len(s))
	for _, it := range s {
		h = (h ^ h>>29 ^ uint64(it.id)) * goldenRatio
	}
	return h
}

// drop forgets the iterations from an index on.
func (f *folding) drop(l *recording, from int) {
	first := l.iterations[from]
	f.root, f.producers = f.root[:first.items], f.producers[:first.producers]
	l.iterations = l.iterations[:from]
}

// begin begins a run if the last iterations repeat as many before them.
func (f *folding) begin(l *recording, end Executed) {
	all := l.iterations
	tries := 0
	for period := 1; 2*period <= len(all) && period <= maxPeriod && tries < periodTries; period++ {
		first, second := len(all)-2*period, len(all)-period
		if all[second-1].sign != all[len(all)-1].sign || !slices.EqualFunc(all[first:second], all[second:],
			func(a, b iteration) bool { return a.sign == b.sign }) {
			continue
		}
		tries++
		block, again := f.root[all[first].items:all[second].items], f.root[all[second].items:]
		if !f.equal(block, again) {
			continue
		}
		l.count, l.block, l.behind, l.pending = 2, all[first].items, all[second].items, second
		l.length = end - all[second].start
		l.moves = f.moved(l.moves[:0], block, again)
		l.signs = l.signs[:0]
		for _, it := range all[second:] {
			l.signs = append(l.signs, it.sign)
		}
		f.drop(l, second)
		// The block's iterations are the run from now on.
		l.pending = first
		l.iterations = l.iterations[:first]
		return
	}
}

// equal reports whether items repeat those right before them, and could be
// written so.
func (f *folding) equal(block, again []item) bool {
	if len(block) != len(again) {
		return false
	}
	for i, it := range block {
		if !f.repeats(it, again[i], block[0].start) {
			return false
		}
	}
	_, depth := f.cost(block)
	return depth < maxFoldDepth
}

// again reports whether the pending iterations, which end before an instruction,
// repeat the run's period as its repetitions do: the same producers have moved
// along.
func (f *folding) again(l *recording, end Executed) bool {
	block, current := f.root[l.block:l.behind], f.root[l.behind:]
	if len(block) != len(current) || l.length != end-l.iterations[l.pending].start {
		return false
	}
	moved := Executed(l.count) * l.length
	moves := l.moves
	for i, it := range block {
		if it.id != current[i].id {
			return false
		}
		there := f.of(current[i])
		for k, u := range f.of(it) {
			if moves[k] {
				u += moved
			}
			if u != there[k] {
				return false
			}
		}
		moves = moves[len(there):]
	}
	return true
}

// settle replaces the run, which is the last, by one item, or by its instructions
// if these take no more lines.
func (f *folding) settle(l *recording) {
	block := f.root[l.block:l.behind]
	run := iteration{items: l.block, producers: int(block[0].free), start: block[0].start}
	own := len(f.producers)
	var settled []item
	if f.saves(block, l.count) {
		settled = []item{f.repetition(l.count, block, l.moves)}
	} else {
		settled = f.copies(block, l)
	}
	run.sign = sign(settled)
	// Their producers take the place of the block's.
	for i := range settled {
		settled[i].free -= uint32(own - run.producers)
	}
	f.producers = append(f.producers[:run.producers], f.producers[own:]...)
	f.root = append(f.root[:l.block], settled...)
	l.iterations = append(l.iterations, run)
	l.count = 0
}

// copies writes out the repetitions of a block.
func (f *folding) copies(block []item, l *recording) []item {
	var all []item
	for n := range Executed(l.count) {
		moved := n * l.length
		moves := l.moves
		for _, it := range block {
			c := item{it.id, uint32(len(f.producers)), it.start + moved}
			for k, u := range f.of(it) {
				if moves[k] {
					u += moved
				}
				f.producers = append(f.producers, u)
			}
			moves = moves[f.elements[it.id].free:]
			all = append(all, c)
		}
	}
	return all
}
