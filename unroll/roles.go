package unroll

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll/trace"
)

// Warps of a group with different programs: one has blocks copied, and others wait for them and tell it when their room
// is free again (warp specialisation). A program of the graph knows of no other warp but at barriers of the group, so
// what the first waits for is told by the others: each warp that waits for bytes has its share of them copied itself,
// the same part for all, as soon as it has released what the copy waits for, or the warp has that says so for it. All
// of them do the same, so that they do not run apart.
// The producer executes its instructions without waiting, and none of its copies' bytes.

// roles say which warp copies and which wait.
type roles struct {
	producer  uint32
	pos       lower.Pos // of a copy
	waiting   []waiting // by barrier
	schedules map[[3]int64][]delivery
	mates     map[uint32]uint32 // of warps that wait but never say that room is free: who says so for them
	said      map[uint32][]step // what the latter do
}

// step is what a warp does at a barrier.
type step struct {
	barrier barrierKey
	await   bool
}

// waiting are the warps that wait at a barrier.
type waiting struct {
	barrier barrierKey
	warps   []uint32
}

// delivery is what the producer does for others: it waits for the nth arrival at a barrier, or has the blocks copied
// that one phase of a barrier waits for.
type delivery struct {
	barrier barrierKey
	arrival int64 // 1: the first
	blocks  []sharedBlock
}

// sharedBlock is a copy of a block for several warps.
type sharedBlock struct {
	in       *lower.Instr
	from, to lower.ObjectID
	read, at uint64 // where
	known    bool   // what is read from is
	bytes    int64
}

// seen is what a warp does at barriers.
type seen struct {
	issued, awaited []barrierKey
	steps           []step
	deliveries      []delivery
	phases          map[barrierKey]int64 // waits
	pos             lower.Pos            // of the first copy
}

func (s *seen) note(list *[]barrierKey, key barrierKey) {
	if !slices.Contains(*list, key) {
		*list = append(*list, key)
	}
}

// follower is how far a warp is in what the producer does for it.
type follower struct {
	deliveries []delivery
	next       int
	mate       []step // what another warp does, which says for this one that room is free
	arrived    map[barrierKey]int64
	waits      map[barrierKey]int64
	copied     map[barrierKey][][]trace.NodeID // by phase
}

// assign finds the roles of the warps of a group, nil if all that have blocks copied wait for them themselves.
func assign(st *static, opt Options, homes homes) (*roles, error) {
	if !st.transactions || opt.SyncCopies {
		return nil, nil
	}
	var all []seen
	for w := range uint32(opt.launch().WarpsPerGroup()) {
		s, err := look(st, opt, homes, w)
		if err != nil {
			return nil, err
		}
		all = append(all, *s)
	}
	st.tensors.grown()
	rs := &roles{schedules: map[[3]int64][]delivery{}, mates: map[uint32]uint32{}, said: map[uint32][]step{}}
	found := false
	for w := range all {
		for _, key := range all[w].awaited {
			rs.waits(key, uint32(w))
		}
		apart := slices.ContainsFunc(all[w].issued, func(key barrierKey) bool {
			return !slices.Contains(all[w].awaited, key)
		})
		switch {
		case apart && found:
			return nil, diag.Errorf(all[w].pos, "TRANSACTIONS",
				"warps %d and %d both have blocks copied that others wait for", rs.producer, w).
				WithNote("let one warp of the group issue all such copies")
		case apart:
			rs.producer, rs.pos, found = uint32(w), all[w].pos, true
		}
	}
	if !found {
		return nil, nil
	}
	return rs, rs.findMates(st, opt, homes, all)
}

// findMates finds who arrives for the warps that do not themselves: often one work item does for its warp group, whose
// warps are never far from each other.
func (rs *roles) findMates(st *static, opt Options, homes homes, all []seen) error {
	room := all[rs.producer].awaited
	var mates []uint32
	for w := range all {
		if uint32(w) != rs.producer && len(all[w].awaited) > 0 && all[w].arrives(room) {
			mates = append(mates, uint32(w))
		}
	}
	for w := range all {
		if uint32(w) == rs.producer || len(all[w].awaited) == 0 || all[w].arrives(room) || len(mates) == 0 {
			continue
		}
		mate := mates[0]
		if i := slices.IndexFunc(mates, func(m uint32) bool { return m/warpsShare == uint32(w)/warpsShare }); i >= 0 {
			mate = mates[i]
		}
		rs.mates[uint32(w)] = mate
		if rs.said[mate] == nil {
			opt.EveryIteration = true
			s, err := look(st, opt, homes, mate)
			if err != nil {
				return err
			}
			rs.said[mate] = s.steps
		}
	}
	return nil
}

// arrives reports whether a warp arrives at one of some barriers.
func (s *seen) arrives(at []barrierKey) bool {
	return slices.ContainsFunc(s.steps, func(x step) bool { return !x.await && slices.Contains(at, x.barrier) })
}

// notes says what is assumed.
func (rs *roles) notes() diag.List {
	if rs == nil {
		return nil
	}
	var warps []uint32
	for _, x := range rs.waiting {
		for _, w := range x.warps {
			if w != rs.producer && !slices.Contains(warps, w) {
				warps = append(warps, w)
			}
		}
	}
	var l diag.List
	l.Add(diag.Notef(rs.pos, "ROLES", "warp %d has blocks copied for %d others: each of these is taken to have its "+
		"share copied, as soon as it has released the room, and to wait for that share alone", rs.producer, len(warps)))
	return l
}

// waits notes that a warp waits at a barrier.
func (rs *roles) waits(key barrierKey, warp uint32) {
	i := slices.IndexFunc(rs.waiting, func(x waiting) bool { return x.barrier == key })
	if i < 0 {
		i = len(rs.waiting)
		rs.waiting = append(rs.waiting, waiting{barrier: key})
	}
	rs.waiting[i].warps = append(rs.waiting[i].warps, warp)
}

// share is which part of the bytes for a barrier a warp has, and of how many; of 0 if it does not wait there.
func (rs *roles) share(key barrierKey, warp uint32) (i, n int64) {
	for _, x := range rs.waiting {
		if at := slices.Index(x.warps, warp); x.barrier == key && at >= 0 {
			return int64(at), int64(len(x.warps))
		}
	}
	return 0, 0
}

// look executes a warp to see what it does at barriers.
func look(st *static, opt Options, homes homes, warp uint32) (*seen, error) {
	for work := int64(0); ; {
		r := newResolver(st, opt, nil, warp, homes)
		r.work = work
		r.seen = &seen{phases: map[barrierKey]int64{}}
		r.run()
		work = r.work
		switch {
		case r.restart:
			continue
		case r.err != nil:
			return nil, r.err
		}
		r.announced()
		return r.seen, r.err
	}
}

// prepare makes a group's schedule known, before a warp of it is resolved.
func (rs *roles) prepare(st *static, opt Options, homes homes) error {
	if rs == nil || rs.schedules[opt.group] != nil {
		return nil
	}
	s, err := look(st, opt, homes, rs.producer)
	if err != nil {
		return err
	}
	rs.schedules[opt.group] = s.deliveries
	return nil
}

// follow makes a warp one that others copy for.
func (rs *roles) follow(r *resolver) {
	if rs == nil {
		return
	}
	r.follower = &follower{arrived: map[barrierKey]int64{}, waits: map[barrierKey]int64{},
		copied: map[barrierKey][][]trace.NodeID{}}
	if r.warp != rs.producer {
		r.follower.deliveries = rs.schedules[r.opt.group]
		if mate, ok := rs.mates[r.warp]; ok {
			r.follower.mate = rs.said[mate]
		}
	}
}

// deliver notes the blocks of one phase of a barrier, which others wait for.
func (s *seen) deliver(bar *boundCopies, shares []int64) {
	d := delivery{barrier: bar.barrier}
	for i := range bar.pending {
		b := &bar.pending[i]
		x := sharedBlock{in: b.in, from: b.from.root, to: b.to.root, bytes: shares[i]}
		u, known := b.from.uniform(b.mask)
		x.read, x.known = u, known && b.from.root != 0
		x.at, _ = b.to.uniform(b.mask)
		d.blocks = append(d.blocks, x)
	}
	s.deliveries = append(s.deliveries, d)
}

// awaits notes a wait of the producer. With a parity, a wait may be for the phase before the first,
// which is over when the kernel begins.
func (s *seen) awaits(key barrierKey, parity int64) {
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

// advance has copied what the producer can have copied by now: after the arrivals so far, of which the last
// is node.
func (r *resolver) advance(node trace.NodeID) {
	f := r.follower
	for ; f.next < len(f.deliveries); f.next++ {
		d := &f.deliveries[f.next]
		if d.blocks == nil {
			if d.arrival > f.arrived[d.barrier] {
				return
			}
			continue
		}
		f.copied[d.barrier] = append(f.copied[d.barrier], r.ownShare(d, node))
	}
}

// hear takes notice of what the mate has said in front of its next wait.
func (f *follower) hear() {
	for len(f.mate) > 0 {
		s := f.mate[0]
		f.mate = f.mate[1:]
		if s.await {
			return
		}
		f.arrived[s.barrier]++
	}
}

// ownShare records the warp's part of the copies for a phase of a barrier.
func (r *resolver) ownShare(d *delivery, after trace.NodeID) (reads []trace.NodeID) {
	i, n := r.st.roles.share(d.barrier, r.warp)
	if n == 0 {
		return nil
	}
	for _, p := range r.proofs {
		p.fail() // what other groups copy is not told by this one
	}
	mask := r.mask
	defer func() { r.mask = mask }()
	r.mask &= -r.mask
	for k := range d.blocks {
		x := &d.blocks[k]
		from, to := x.bytes*i/n, x.bytes*(i+1)/n
		b := block{in: x.in, mask: r.mask, from: r.place(x.from, x.read+uint64(from), x.known),
			to: r.place(x.to, x.at+uint64(from), true)}
		var deps []trace.NodeID
		if after != 0 {
			deps = r.single(after)
		}
		b.issued = r.record(trace.Node{Op: tmaOp, Pos: x.in.Pos, Flags: trace.Root | trace.Waits}, deps, nil)
		reads = append(reads, r.moveBlock(&b, idg.SpaceGlobal, idg.SpaceLocal, to-from)...)
	}
	return reads
}

// place is a pointer into an object.
func (r *resolver) place(root lower.ObjectID, at uint64, known bool) *value {
	v := r.newValue(lower.Ptr)
	v.root = root
	v.form = symbol(v)
	if known {
		v.u, v.known = at, r.warpMask
	}
	return v
}

// followed executes what a warp does at a barrier where another one copies for it; false: it is something else.
func (r *resolver) followed(in *lower.Instr) bool {
	f := r.follower
	switch in.Fn {
	case "arrive":
		key := r.barrierOf(in)
		f.arrived[key]++
		r.advance(r.record(trace.Node{Op: "async.arrive", Pos: in.Pos, Flags: trace.Root}, nil, nil))
	case "await", "await_parity":
		f.hear()
		r.advance(0)
		key := r.barrierOf(in)
		phase := f.waits[key]
		f.waits[key]++
		var deps []trace.NodeID
		if _, n := r.st.roles.share(key, r.warp); n > 0 && r.warp != r.st.roles.producer {
			if phase >= int64(len(f.copied[key])) {
				r.fail(diag.Errorf(in.Pos, "TRANSACTIONS",
					"warp %d waits here for what no warp has copied after it has released the room", r.warp).
					WithNote("a warp that waits for bytes must itself arrive at the barriers that their copies wait " +
						"for; groups of a cluster, and work items that arrive for other warps, are not supported"))
				return true
			}
			deps = f.copied[key][phase]
		}
		r.record(trace.Node{Op: "async.wait", Pos: in.Pos, Flags: trace.Root | trace.Gate | trace.Waits}, deps, nil)
		r.forget()
	case "meet":
		r.fail(diag.Errorf(in.Pos, "TRANSACTIONS",
			"arrive_and_wait is not supported where a warp has blocks copied that others wait for").
			WithNote("use arrive and wait, or __syncthreads"))
	default:
		return false
	}
	return true
}
