package walk

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower/machine"
)

// Warps of a group with different programs: one has blocks copied, and others wait for them and tell it when their room
// is free again (warp specialisation). A program of the graph knows of no other warp but at barriers of the group, so
// what the first waits for is told by the others: each warp that waits for bytes has its share of them copied itself,
// the same part for all, as soon as it has released what the copy waits for, or the warp has that says so for it. All
// of them do the same, so that they do not run apart. The producer executes its instructions without waiting, and none
// of its copies' bytes. Each iteration is executed, as each has its own copies.

// roles say which warp copies and which wait.
type roles struct {
	producer  uint32
	pos       diag.Pos // of a copy
	waiting   []waiting
	schedules map[[3]int64][]delivery
	mates     map[uint32]uint32 // of warps that wait but never say that room is free: who says so for them
	said      map[uint32][]step // what the latter do
}

// step is what a warp does at a barrier.
type step struct {
	barrier uint64
	await   bool
}

// waiting are the warps that wait at a barrier.
type waiting struct {
	barrier uint64
	warps   []uint32
}

// delivery is what the producer does for others: it waits for the nth arrival at a barrier, or has the blocks copied
// that one phase of a barrier waits for.
type delivery struct {
	barrier uint64
	arrival int64 // 1: the first
	blocks  []block
}

// seen is what a warp does at barriers.
type seen struct {
	issued, awaited []uint64
	steps           []step
	deliveries      []delivery
	phases          map[uint64]int64 // waits
	pos             diag.Pos         // of the first copy
}

func (s *seen) note(list *[]uint64, key uint64) {
	if !slices.Contains(*list, key) {
		*list = append(*list, key)
	}
}

// awaits notes a wait. With a parity, a wait may be for the phase before the first, which is over when the kernel
// begins.
func (s *seen) awaits(key uint64, parity int64) {
	phase := s.phases[key]
	s.phases[key]++
	s.note(&s.awaited, key)
	s.steps = append(s.steps, step{key, true})
	arrival := phase + 1
	if parity >= 0 && parity&1 != phase&1 {
		arrival--
	}
	s.deliveries = append(s.deliveries, delivery{barrier: key, arrival: arrival})
}

// arrives reports whether a warp arrives at one of some barriers.
func (s *seen) arrives(at []uint64) bool {
	return slices.ContainsFunc(s.steps, func(x step) bool { return !x.await && slices.Contains(at, x.barrier) })
}

// look executes a warp to see what it does at barriers.
func (x *execution) look(group [3]int64, number uint32) (*seen, error) {
	b := idg.NewBuilder()
	b.Begin(number)
	w := newWarp(x.s, x.o, group, int(number))
	w.plain = true
	w.out = newRecorder(x.s, b, make([]class, len(x.s.instrs)), nil, int(number))
	w.out.seen = &seen{phases: map[uint64]int64{}}
	if w.run(); w.err == nil {
		w.out.announced(w, nil)
	}
	return w.out.seen, w.err
}

// assignRoles finds the roles of the warps of a group, none if all that have blocks copied wait for them themselves.
func (x *execution) assignRoles() error {
	if !x.s.transactions || x.o.SyncCopies {
		return nil
	}
	var all []*seen
	for n := range uint32(x.launch.WarpsPerGroup()) {
		s, err := x.look(middle(x.o), n)
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	rs := &roles{schedules: map[[3]int64][]delivery{}, mates: map[uint32]uint32{}, said: map[uint32][]step{}}
	found := false
	for w, s := range all {
		for _, key := range s.awaited {
			rs.waits(key, uint32(w))
		}
		apart := slices.ContainsFunc(s.issued, func(key uint64) bool { return !slices.Contains(s.awaited, key) })
		switch {
		case apart && found:
			return diag.Errorf(s.pos, "TRANSACTIONS", "warps %d and %d both have blocks copied that others wait for",
				rs.producer, w).WithNote("let one warp of the group issue all such copies")
		case apart:
			rs.producer, rs.pos, found = uint32(w), s.pos, true
		}
	}
	if !found {
		return nil
	}
	rs.findMates(all)
	x.roles = rs
	warps := map[uint32]bool{}
	for _, y := range rs.waiting {
		for _, w := range y.warps {
			warps[w] = w != rs.producer || warps[w]
		}
	}
	delete(warps, rs.producer)
	x.s.says(diag.Notef(rs.pos, "ROLES", "warp %d has blocks copied for %d others: each of these is taken to have its "+
		"share copied, as soon as it has released the room, and to wait for that share alone", rs.producer, len(warps)))
	return nil
}

// findMates finds who arrives for the warps that do not themselves: often one work item does for its warp group, whose
// warps are never far from each other.
func (rs *roles) findMates(all []*seen) {
	room := all[rs.producer].awaited
	waits := func(w int) bool { return uint32(w) != rs.producer && len(all[w].awaited) > 0 }
	var mates []uint32
	for w := range all {
		if waits(w) && all[w].arrives(room) {
			mates = append(mates, uint32(w))
		}
	}
	for w := range all {
		if !waits(w) || all[w].arrives(room) || len(mates) == 0 {
			continue
		}
		mate := mates[0]
		if i := slices.IndexFunc(mates, func(m uint32) bool { return m/warpsShare == uint32(w)/warpsShare }); i >= 0 {
			mate = mates[i]
		}
		rs.mates[uint32(w)], rs.said[mate] = mate, all[mate].steps
	}
}

// waits notes that a warp waits at a barrier.
func (rs *roles) waits(key uint64, warp uint32) {
	i := slices.IndexFunc(rs.waiting, func(x waiting) bool { return x.barrier == key })
	if i < 0 {
		i = len(rs.waiting)
		rs.waiting = append(rs.waiting, waiting{barrier: key})
	}
	rs.waiting[i].warps = append(rs.waiting[i].warps, warp)
}

// share is which part of the bytes for a barrier a warp has, and of how many; of 0 if it does not wait there.
func (rs *roles) share(key uint64, warp uint32) (i, n int64) {
	for _, x := range rs.waiting {
		if at := slices.Index(x.warps, warp); x.barrier == key && at >= 0 {
			return int64(at), int64(len(x.warps))
		}
	}
	return 0, 0
}

// consumer is how far a warp is in what the producer does for it.
type consumer struct {
	roles      *roles
	warp       uint32
	deliveries []delivery
	next       int
	mate       []step // what another warp does, which says for this one that room is free
	arrived    map[uint64]int64
	waits      map[uint64]int64
	copied     map[uint64][][]idg.Executed // by phase
}

// follow makes a warp one that others copy for.
func (x *execution) follow(w *warp) error {
	rs := x.roles
	if rs == nil {
		return nil
	}
	w.plain = true
	c := &consumer{roles: rs, warp: uint32(w.number), arrived: map[uint64]int64{}, waits: map[uint64]int64{},
		copied: map[uint64][][]idg.Executed{}}
	w.out.consumer = c
	if c.warp == rs.producer {
		return nil
	}
	if rs.schedules[w.group] == nil {
		s, err := x.look(w.group, rs.producer)
		if err != nil {
			return err
		}
		rs.schedules[w.group] = s.deliveries
	}
	c.deliveries = rs.schedules[w.group]
	if mate, ok := rs.mates[c.warp]; ok {
		c.mate = rs.said[mate]
	}
	return nil
}

// advance has copied what the producer can have copied by now: after the arrivals so far, of which the last is node.
func (o *recorder) advance(w *warp, in *machine.Instr, node idg.Executed) {
	c := o.consumer
	for ; c.next < len(c.deliveries); c.next++ {
		d := &c.deliveries[c.next]
		if d.blocks == nil {
			if d.arrival > c.arrived[d.barrier] {
				return
			}
			continue
		}
		c.copied[d.barrier] = append(c.copied[d.barrier], o.ownShare(w, in, d, node))
	}
}

// hear takes notice of what the mate has said in front of its next wait.
func (c *consumer) hear() {
	for len(c.mate) > 0 {
		s := c.mate[0]
		c.mate = c.mate[1:]
		if s.await {
			return
		}
		c.arrived[s.barrier]++
	}
}

// ownShare records the warp's part of the copies for a phase of a barrier.
func (o *recorder) ownShare(w *warp, in *machine.Instr, d *delivery, after idg.Executed) (reads []idg.Executed) {
	i, n := o.consumer.roles.share(d.barrier, o.consumer.warp)
	if n == 0 {
		return nil
	}
	for k := range d.blocks {
		b := d.blocks[k]
		from, to := b.bytes*i/n, b.bytes*(i+1)/n
		b.lanes = w.mask & -w.mask
		for side := range b.offset {
			if len(b.offset[side]) > 0 {
				b.offset[side] = []int64{b.offset[side][0] + from}
			}
		}
		at := *in
		at.Pos = b.in.Pos
		var edges []idg.Edge
		if after >= 0 {
			edges = append(edges, idg.Edge{From: after, Kind: idg.Control})
		}
		_, b.issued = o.put(&at, "tma", "", 0, b.lanes, edges...)
		reads = append(reads, o.move(w, in, &b, to-from)...)
	}
	return reads
}

// consumes records what a warp does at a barrier where another one copies for it.
func (o *recorder) consumes(w *warp, in *machine.Instr, lanes uint64) {
	c, f := o.consumer, in.From
	key := w.key(f)
	switch f.Fn {
	case "arrive":
		c.arrived[key]++
		_, v := o.put(in, "async.arrive", "", 0, lanes)
		o.advance(w, in, v)
	case "await", "await_parity":
		c.hear()
		o.advance(w, in, -1)
		phase := c.waits[key]
		c.waits[key]++
		var deps []idg.Executed
		if _, n := c.roles.share(key, c.warp); n > 0 && c.warp != c.roles.producer {
			if phase >= int64(len(c.copied[key])) {
				w.fail(diag.Errorf(f.Pos, "TRANSACTIONS",
					"warp %d waits here for what no warp has copied after it has released the room", c.warp).
					WithNote("a warp that waits for bytes must itself arrive at the barriers that their copies wait " +
						"for; groups of a cluster, and work items that arrive for other warps, are not supported"))
				return
			}
			deps = slices.Clone(c.copied[key][phase])
		}
		o.gate = o.waits(in, "async.wait", lanes, idg.Control, deps)
	case "meet":
		w.fail(diag.Errorf(f.Pos, "TRANSACTIONS",
			"arrive_and_wait is not supported where a warp has blocks copied that others wait for").
			WithNote("use arrive and wait, or __syncthreads"))
	}
}
