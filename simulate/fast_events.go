package simulate

// futures holds the events of dataflow issue that lie a fixed time ahead when
// they are made, or nearly so: a ring per kind and delay (see addRings), each of which is sorted by itself. A
// run has a handful of them, so the earliest is found by looking at all heads;
// for the sake of those that have hundreds, in blocks.
type futures struct {
	first  Tick     // the time of the first event, or never
	blocks []Tick   // by ringsPerBlock rings: the time of the first event of these
	heads  []Tick   // by ring: the time of its first event, or never
	rings  []future // in the order of events at equal times
}

const ringsPerBlock = 8

// future is one ring.
type future struct {
	queueKey
	ring  []delayed // length a power of two
	head  uint32
	count uint32
	list  uint32 // which of a node's lists its events end, see flowBlock.lists
}

// delayed is something that ends at a known time for an instruction of a warp.
type delayed struct {
	at     Tick
	number uint32 // see flow
	place  uint16
	order  uint16 // among events of the ring at one time, see classRing
}

// add makes a ring, behind those that there are, and returns its number.
func (f *futures) add(key queueKey) uint32 {
	q := future{queueKey: key, ring: make([]delayed, 64)}
	if key.kind == eventPassed {
		q.list = 1
	}
	f.rings = append(f.rings, q)
	f.heads = append(f.heads, never)
	if len(f.heads) > ringsPerBlock*len(f.blocks) {
		f.blocks = append(f.blocks, never)
	}
	return uint32(len(f.rings) - 1)
}

// push adds an event that ends the ring's delay after now.
func (f *futures) push(id uint32, now Tick, place int, number uint32) {
	q := &f.rings[id]
	at := now + q.delay
	if q.count == 0 {
		f.heads[id] = at
		f.blocks[id/ringsPerBlock] = min(f.blocks[id/ringsPerBlock], at)
		f.first = min(f.first, at)
	} else if int(q.count) == len(q.ring) {
		q.grow()
	}
	q.ring[(q.head+q.count)&uint32(len(q.ring)-1)] = delayed{at: at, number: number, place: uint16(place)}
	q.count++
}

// insert adds an event to a ring whose events need not be made in their order,
// behind those that end no later.
func (f *futures) insert(id uint32, at Tick, place int, number uint32, order uint16) {
	q := &f.rings[id]
	if int(q.count) == len(q.ring) {
		q.grow()
	}
	mask := uint32(len(q.ring) - 1)
	k := q.count
	for ; k > 0; k-- {
		before := &q.ring[(q.head+k-1)&mask]
		if before.at < at || before.at == at && before.order <= order {
			break
		}
		q.ring[(q.head+k)&mask] = *before
	}
	q.ring[(q.head+k)&mask] = delayed{at, number, uint16(place), order}
	q.count++
	if k == 0 {
		f.heads[id] = at
		f.blocks[id/ringsPerBlock] = min(f.blocks[id/ringsPerBlock], at)
		f.first = min(f.first, at)
	}
}

func (q *future) grow() {
	ring := make([]delayed, 2*len(q.ring))
	head := q.head & uint32(len(q.ring)-1)
	n := copy(ring, q.ring[head:])
	copy(ring[n:], q.ring[:head])
	q.ring, q.head = ring, 0
}

// front is the first event of a ring.
func (q *future) front() *delayed { return &q.ring[q.head&uint32(len(q.ring)-1)] }

// drop removes the first event of a ring and returns the time of the next one.
func (q *future) drop() Tick {
	q.head++
	q.count--
	if q.count == 0 {
		return never
	}
	return q.front().at
}

func (f *futures) visit(w *stateWalk, now Tick, event func(w *stateWalk, d *delayed)) {
	for i := range f.rings {
		q := &f.rings[i]
		w.word(int64(q.count))
		for k := range q.count {
			if !w.same {
				return
			}
			d := &q.ring[(q.head+k)&uint32(len(q.ring)-1)]
			w.word(int64(d.at - now))
			event(w, d)
		}
	}
}

func (f *futures) shift(t Tick) {
	for i := range f.rings {
		q := &f.rings[i]
		for k := range q.count {
			q.ring[(q.head+k)&uint32(len(q.ring)-1)].at += t
		}
		if q.count > 0 {
			f.heads[i] += t
		}
	}
	for b, at := range f.blocks {
		if at != never {
			f.blocks[b] += t
		}
	}
	if f.first != never {
		f.first += t
	}
}
