package unroll

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/trace"
)

// Asynchronous copies. One instruction of GPUs from compute capability 8.0 on (LDGSTS) reads
// global memory and writes local memory when the data come; no register holds them and no later
// instruction waits but those that ask for it. It is two nodes here, since it keeps two memories
// busy: ld.global.async, of which the latency is the copy's, and st.local.async, which may
// issue as soon as the first has. What waits for a copy waits for the first (control).
//
// Copies are waited for by groups, in the order in which they were made (LDGDEPBAR ends a group,
// DEPBAR waits for all but the newest n), or with a barrier that they belong to. Other GPUs load
// and store, and have nothing to wait for (Options.SyncCopies).

// asyncSuffix marks the ops of asynchronous copies.
const asyncSuffix = ".async"

// copies are those that nobody has waited for yet.
type copies struct {
	open   []trace.NodeID   // since the last group ended
	groups [][]trace.NodeID // oldest first; of those before the first somebody has waited
	held   int              // groups that no consumer has released
	bound  []boundCopies    // by barrier
	blocks queue            // stores of blocks
	warps  queue            // products of the warp group
}

// queue is what is waited for by groups, in the order in which they were made.
type queue struct {
	open   []trace.NodeID
	groups [][]trace.NodeID // oldest first
}

func (q *queue) clone() queue {
	out := queue{open: slices.Clone(q.open)}
	for _, g := range q.groups {
		out.groups = append(out.groups, slices.Clone(g))
	}
	return out
}

// commit ends a group.
func (q *queue) commit() {
	q.groups, q.open = append(q.groups, q.open), nil
}

// prior takes all groups but the newest n out.
func (q *queue) prior(n int) []trace.NodeID {
	old := max(0, len(q.groups)-n)
	nodes := trace.Union(q.groups[:old]...)
	q.groups = slices.Clone(q.groups[old:])
	return nodes
}

// maxHeld bounds what is counted where nobody releases groups, so that passes of a loop leave
// the same behind. Pipelines have fewer stages.
const maxHeld = 32

// boundCopies are those that belong to a barrier, and the last arrival at it.
type boundCopies struct {
	barrier barrierKey
	nodes   []trace.NodeID
	arrival trace.NodeID
	pending []block // copies of which the bytes are not known yet
	bytes   int64   // announced, of copies that are to come
}

// barrierKey is the place of a barrier object.
type barrierKey struct {
	root lower.ObjectID
	at   int64
}

func (c *copies) clone() copies {
	out := copies{open: slices.Clone(c.open), held: c.held, bound: slices.Clone(c.bound), blocks: c.blocks.clone(),
		warps: c.warps.clone()}
	for _, g := range c.groups {
		out.groups = append(out.groups, slices.Clone(g))
	}
	for i := range out.bound {
		out.bound[i].nodes, out.bound[i].pending = slices.Clone(out.bound[i].nodes), slices.Clone(out.bound[i].pending)
	}
	return out
}

// of returns what belongs to a barrier.
func (c *copies) of(key barrierKey) *boundCopies {
	for i := range c.bound {
		if c.bound[i].barrier == key {
			return &c.bound[i]
		}
	}
	c.bound = append(c.bound, boundCopies{barrier: key})
	return &c.bound[len(c.bound)-1]
}

// copies compares what passes have left behind.
func (m *matcher) copies(x, y *copies) bool {
	return x.held == y.held && m.nodeSet(x.open, y.open) && slices.EqualFunc(x.groups, y.groups, m.nodeSet) &&
		m.queue(&x.blocks, &y.blocks) && m.queue(&x.warps, &y.warps) &&
		slices.EqualFunc(x.bound, y.bound, func(x, y boundCopies) bool {
			return x.barrier == y.barrier && m.nodeSet(x.nodes, y.nodes) && m.node(x.arrival, y.arrival) &&
				x.bytes == y.bytes && len(x.pending)+len(y.pending) == 0
		})
}

func (m *matcher) queue(x, y *queue) bool {
	return m.nodeSet(x.open, y.open) && slices.EqualFunc(x.groups, y.groups, m.nodeSet)
}

// copy executes an asynchronous copy.
func (r *resolver) copy(in *lower.Instr) {
	load, store := *in, *in
	load.Op, load.Args = lower.Load, in.Args[1:]
	store.Op, store.Args, store.Dsts, store.Space = lower.Store, in.Args[:1:1], nil, idg.SpaceLocal
	from, to := r.operand(load.Args[0]), r.operand(store.Args[0])
	if r.opt.SyncCopies || r.space(&load, from) != idg.SpaceGlobal || r.space(&store, to) != idg.SpaceLocal {
		load.Volatile = true // two copies of the same are two
		for _, d := range in.Dsts {
			store.Args = append(store.Args, lower.Operand{Kind: lower.OperandReg, Type: in.Type, Reg: d})
		}
		r.load(&load)
		r.store(&store)
		return
	}
	if r.silent > 0 {
		return
	}
	size := in.Type.Size() * int64(len(in.Dsts))
	r.copies.open = append(r.copies.open, r.copyWord(&load, &store, from, to, size))
}

// copyWord records a copy and returns the node that others wait for.
func (r *resolver) copyWord(load, store *lower.Instr, from, to *value, size int64) trace.NodeID {
	deps, also := r.addressDeps(from, load.Space, load.Pos), r.addressDeps(to, store.Space, store.Pos)
	source, target := r.memory.class(from.root), r.memory.class(to.root)
	read, written := r.recordOf(from, size), r.recordOf(to, size)
	order, _ := source.storesBefore(nil, &read)
	typ := load.Type.String()
	order = trace.Union(order, r.storeOrder(target, &written, deps))
	n := trace.Node{Op: loadOps[idg.SpaceGlobal] + asyncSuffix, Type: typ, Pos: load.Pos,
		Flags: trace.Root | trace.Store, Access: r.access(load, from, size, false)}
	read.node = r.record(n, trace.Union(deps, also), order)
	source.loads.add(read)
	n = trace.Node{Op: storeOps[idg.SpaceLocal] + asyncSuffix, Type: typ, Pos: store.Pos,
		Flags: trace.Root | trace.Store, Access: r.access(store, to, size, true)}
	written.node = r.record(n, nil, r.single(read.node))
	target.addStore(written)
	return read.node
}

// copyGroup executes what makes groups of copies and waits for them.
func (r *resolver) copyGroup(in *lower.Instr) {
	if r.blockGroup(in) || r.warpGroup(in) {
		return
	}
	if r.opt.SyncCopies {
		r.meetSync(in)
		return
	}
	c := &r.copies
	switch in.Fn {
	case "commit":
		r.endGroup(in)
		c.groups = append(c.groups, c.open)
		c.open = nil
		c.held = min(c.held+1, maxHeld)
	case "release":
		c.held = max(0, c.held-1)
	case "consume":
		r.waitForGroups(in, max(0, c.held-1))
	case "prior":
		r.waitForGroups(in, r.newest(in, len(c.groups)))
	case "bind":
		r.endGroup(in)
		b := c.of(r.barrierOf(in))
		b.nodes = trace.Union(b.nodes, c.open)
		c.open = nil
	case "arrive":
		r.arrive(in)
	case "await":
		b := c.of(r.barrierOf(in))
		deps := b.nodes
		if b.arrival != 0 {
			deps = trace.Union(deps, r.single(b.arrival))
		}
		b.nodes, b.arrival = nil, 0
		if len(deps) > 0 { // a pipeline's first stages are free
			r.waitFor(in, deps)
		}
	case "meet":
		b := c.of(r.barrierOf(in))
		deps := b.nodes
		b.nodes, b.arrival = nil, 0
		r.waitFor(in, deps)
		r.barrier(in)
	}
}

// meetSync is what remains of copyGroup where copies are loads and stores: the barriers.
func (r *resolver) meetSync(in *lower.Instr) {
	switch in.Fn {
	case "meet":
		r.barrier(in)
	case "arrive":
		r.arrive(in)
	case "await":
		b := r.copies.of(r.barrierOf(in))
		if b.arrival != 0 {
			r.waitFor(in, r.single(b.arrival))
		}
		b.arrival = 0
	}
}

// arrive records the arrival at a barrier, without waiting.
func (r *resolver) arrive(in *lower.Instr) {
	r.copies.of(r.barrierOf(in)).arrival = r.record(trace.Node{Op: "barrier", Pos: in.Pos,
		Flags: trace.Root | trace.Barrier}, nil, nil)
}

// barrierOf is the place of the barrier that an instruction is about, as far as it is known.
func (r *resolver) barrierOf(in *lower.Instr) barrierKey { return r.barrierAt(in.Args[0]) }

func (r *resolver) barrierAt(o lower.Operand) barrierKey {
	p := r.operand(o)
	r.decided(p)
	u, _ := p.uniform(r.mask)
	return barrierKey{p.root, int64(u)}
}

// endGroup records the instruction that ends a group of copies.
func (r *resolver) endGroup(in *lower.Instr) {
	r.record(trace.Node{Op: "async.commit", Pos: in.Pos, Flags: trace.Root}, nil, r.copies.open)
}

// newest is the number of groups, of so many, that are not waited for.
func (r *resolver) newest(in *lower.Instr, groups int) int {
	n := r.operand(in.Args[0])
	r.decided(n)
	u, known := n.uniform(r.mask)
	if !known {
		u = 0 // all are
	}
	return int(min(u, uint64(groups)))
}

// waitForGroups waits for all groups of copies but the newest n.
func (r *resolver) waitForGroups(in *lower.Instr, n int) {
	c := &r.copies
	old := max(0, len(c.groups)-n)
	deps := trace.Union(c.groups[:old]...)
	c.groups = slices.Clone(c.groups[old:])
	r.waitFor(in, deps)
}

// waitFor records an instruction that waits for copies, and everything behind it for it.
// Compilers read memory anew behind it.
func (r *resolver) waitFor(in *lower.Instr, deps []trace.NodeID) {
	r.record(trace.Node{Op: "async.wait", Pos: in.Pos, Flags: trace.Root | trace.Gate | trace.Waits}, deps, nil)
	r.forget()
}
