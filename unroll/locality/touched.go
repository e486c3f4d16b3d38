package locality

import "slices"

// touched is what some warps touch, by buffer.
type touched struct {
	buffers []BufferID // ascending
	of      map[BufferID]*bytes
}

// bytes is what is touched of one buffer.
type bytes struct {
	read, written builder
}

func newTouched() *touched { return &touched{of: map[BufferID]*bytes{}} }

// add adds what a warp touches.
func (t *touched) add(shapes *Shapes, w *Warp) {
	for i := range w.Touches {
		x := &w.Touches[i]
		sh := shapes.at(x.Shape)
		t.bufferOf(sh.buffer).add(sh, x.Start)
	}
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

// add adds an access, in whole sectors: nothing moves these any more.
func (b *bytes) add(sh *shape, start int64) {
	for _, s := range sh.spans {
		s = sectorsOf(span{s.lo + start, s.hi + start})
		if sh.reads {
			b.read.add(s)
		}
		if sh.writes {
			b.written.add(s)
		}
	}
}

// bytes is the size of the sectors read and of those written.
func (t *touched) bytes() (read, written int64) {
	for _, b := range t.buffers {
		read += t.of[b].read.set().size() * sectorBytes
		written += t.of[b].written.set().size() * sectorBytes
	}
	return read, written
}

// sectors is what is touched of a buffer, in sectors.
func (t *touched) sectors(b BufferID) set {
	x := t.of[b]
	if x == nil {
		return nil
	}
	return union(x.read.set(), x.written.set())
}
