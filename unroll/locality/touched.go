package locality

import (
	"slices"

	"gpupipe/idg"
)

// touched is what some warps touch, by buffer.
type touched struct {
	buffers []BufferID // ascending
	of      map[BufferID]*bytes
	sweep   sweep
	cut     bool // not all is there
}

// bytes is what is touched of one buffer.
type bytes struct {
	read, written builder // of bytes
}

func newTouched(sector sectorSize) *touched {
	return &touched{of: map[BufferID]*bytes{}, sweep: sweep{sector: sector}}
}

// add adds what a warp touches.
func (t *touched) add(shapes *Shapes, w *Warp) {
	for i := range w.Touches {
		x := &w.Touches[i]
		sh := shapes.at(x.Shape)
		to := t.bufferOf(sh.buffer)
		for _, s := range sh.spans {
			// In whole sectors: nothing moves these any more.
			to.add(sh.reads, sh.writes, t.sweep.sector.whole(span{s.lo + x.Start, s.hi + x.Start}))
		}
	}
	for i := range w.Repeats {
		r := &w.Repeats[i]
		for k, drift := range r.Drifts {
			x := &w.Touches[r.TouchesFrom+k]
			sh := shapes.at(x.Shape)
			t.sweep.add(t.bufferOf(sh.buffer), sh, x.Start, drift, r.Copies, true)
		}
	}
}

// finish adds what repeats touch, behind the last warp.
func (t *touched) finish() *touched {
	t.cut = !t.sweep.copies()
	t.sweep = sweep{sector: t.sweep.sector}
	return t
}

func (t *touched) bufferOf(b BufferID) *bytes {
	x := t.of[b]
	if x == nil {
		x = &bytes{}
		t.of[b] = x
		i, _ := slices.BinarySearch(t.buffers, b)
		t.buffers = slices.Insert(t.buffers, i, b)
	}
	return x
}

// add adds what is read, written, or both.
func (b *bytes) add(reads, writes bool, s span) {
	if reads {
		b.read.add(s)
	}
	if writes {
		b.written.add(s)
	}
}

// bytes is the size of the sectors read and of those written.
func (t *touched) bytes() (read, written int64) {
	for _, b := range t.buffers {
		read += t.of[b].read.set().size()
		written += t.of[b].written.set().size()
	}
	return read, written
}

// inBlocks is the size of the sectors, pairs and lines read and of those written.
func (t *touched) inBlocks() (read, written inBlocks) {
	for _, b := range t.buffers {
		for _, x := range []struct {
			of *builder
			to *inBlocks
		}{{&t.of[b].read, &read}, {&t.of[b].written, &written}} {
			s := x.of.set()
			x.to.sectors += s.size()
			x.to.pairs += max(t.sweep.sector, idg.PairBytes).allWhole(s).size()
			x.to.lines += max(t.sweep.sector, idg.LineBytes).allWhole(s).size()
		}
	}
	return read, written
}

// reach is the bytes from the first that is read of each buffer to the last, and likewise
// of those written.
func (t *touched) reach() (read, written int64) {
	from := func(s set) int64 {
		if len(s) == 0 {
			return 0
		}
		return s[len(s)-1].hi - s[0].lo
	}
	for _, b := range t.buffers {
		read += from(t.of[b].read.set())
		written += from(t.of[b].written.set())
	}
	return min(read, maxBytes), min(written, maxBytes)
}

// sectors is what is touched of a buffer, in sectors.
func (t *touched) sectors(b BufferID) set {
	x := t.of[b]
	if x == nil {
		return nil
	}
	return t.sweep.sector.sectors(union(x.read.set(), x.written.set()))
}
