package unroll

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll/trace"
)

// Copies of blocks by the tensor memory accelerator (from compute capability 9.0 on). One work item
// issues a copy (UTMALDG, UBLKCP), of which the bytes go from device memory to local memory without it. These are three
// nodes: tma, the instruction, of which the latency is the accelerator's own; ld.global.async, of which the
// latency is that of the bytes; and st.local.async, as in copies.go. How many bytes a tensor's box has only
// the host knows; the kernel announces them at the barrier that waits for them, and if it announces those of several
// copies at once, each is taken to have the same share.
//
// Who waits at a barrier that counts bytes waits for the work items that arrive and for the bytes. Where it is the warp
// that has them copied that waits, bytes belong to it, and a wait is a barrier of the group, which this warp reaches
// when they are there. Other warps' copies: roles.go.

// block is a copy of a block that has been issued.
type block struct {
	in       *lower.Instr
	to, from *value
	bytes    int64    // 0: as announced
	coords   []*value // of a tensor's box
	mask     laneMask
	issued   trace.NodeID
}

// maxBlock is the most bytes that one node of a copy moves: its context has 16 bits for them.
const maxBlock = 1 << 15

// tmaOp is the instruction that has a block copied.
const tmaOp = "tma"

// bulkCopy executes a copy of a block.
func (r *resolver) bulkCopy(in *lower.Instr) {
	b := block{in: in, to: r.operand(in.Args[0]), from: r.operand(in.Args[1]), mask: r.mask}
	if r.silent > 0 {
		return
	}
	deps := r.addressDeps(b.to, idg.SpaceLocal, in.Pos)
	if in.Fn == "load" {
		b.coords = r.operands(in.Args[4:])
		deps = trace.Union(deps, r.depsOfAll(b.coords))
		r.st.tensors.see(&b)
	}
	b.issued = r.record(trace.Node{Op: tmaOp, Pos: in.Pos, Flags: trace.Root}, deps, nil)
	if in.Fn == "store" {
		if n, ok := r.bytesOf(in, in.Args[2]); ok {
			r.copies.blocks.open = append(r.copies.blocks.open, r.moveBlock(&b, idg.SpaceLocal, idg.SpaceGlobal, n)...)
		}
		return
	}
	bar := r.copies.of(r.barrierAt(in.Args[2]))
	if n, ok := r.bytesOf(in, in.Args[3]); ok {
		b.bytes = n
		bar.pending = append(bar.pending, b)
	}
	if s := r.seen; s != nil {
		s.note(&s.issued, bar.barrier)
		s.pos = in.Pos
	}
}

// bytesOf is a number of bytes; false, with an error, if it is not known.
func (r *resolver) bytesOf(in *lower.Instr, o lower.Operand) (int64, bool) {
	v := r.operand(o)
	r.decided(v)
	n, known := v.uniform(r.mask)
	if !known || int64(n) < 0 {
		r.fail(diag.Errorf(in.Pos, "UNKNOWN-BYTES", "the bytes of this copy are not known").
			WithNote("give the arguments that they depend on with --arg NAME=VALUE"))
		return 0, false
	}
	return int64(n), true
}

// moveBlock records what moves the bytes of a block, and returns the nodes that read.
func (r *resolver) moveBlock(b *block, from, to idg.Space, bytes int64) (reads []trace.NodeID) {
	mask := r.mask
	r.mask = b.mask
	defer func() { r.mask = mask }()
	for at := int64(0); at < bytes; at += maxBlock {
		size := min(maxBlock, bytes-at)
		n := trace.Node{Op: loadOps[from] + asyncSuffix, Type: lower.U8.String(), Pos: b.in.Pos,
			Flags: trace.Root | trace.Store, Access: r.blockAccess(b.in, b.from, from, at, size, false)}
		read := r.record(n, r.single(b.issued), nil)
		n = trace.Node{Op: storeOps[to] + asyncSuffix, Type: lower.U8.String(), Pos: b.in.Pos,
			Flags: trace.Root | trace.Store, Access: r.blockAccess(b.in, b.to, to, at, size, true)}
		r.record(n, nil, r.single(read))
		reads = append(reads, read)
	}
	if b.to.root != 0 {
		class := r.memory.class(b.to.root)
		class.written = true
		class.clobber(0)
	}
	return reads
}

// blockAccess interns the context of one side of a copy.
func (r *resolver) blockAccess(in *lower.Instr, p *value, space idg.Space, at, size int64, store bool) idg.AccessID {
	a := LaneAccess{Space: space, Width: size, Store: store, Lanes: uint64(r.mask), Pos: in.Pos}
	if p.root != 0 {
		a.Buffer = r.k.Object(p.root).Name
		r.accessed(p)
	}
	if p.root != 0 && p.isKnown(r.mask) {
		a.Offsets = r.offsets[:0]
		r.mask.each(func(l int) { a.Offsets = append(a.Offsets, int64(p.at(l))+at) })
	} else {
		a.Unknown = unknownReason(p)
	}
	return r.context(p.root, a, !store)
}

// blockGroup executes what waits for copies of blocks, and all barriers where there are some; false: it is
// something else.
func (r *resolver) blockGroup(in *lower.Instr) bool {
	c := &r.copies
	switch in.Fn {
	case "bulk_commit":
		r.endGroup(in)
		c.blocks.commit()
		return true
	case "bulk_prior":
		r.waitFor(in, c.blocks.prior(r.newest(in, len(c.blocks.groups))))
		return true
	case "expect":
		if r.silent == 0 {
			r.expect(in)
		}
		return true
	}
	if !r.st.transactions || r.silent > 0 {
		return false
	}
	if r.follower != nil {
		return r.followed(in)
	}
	switch in.Fn {
	case "arrive":
		bar := c.of(r.barrierOf(in))
		if r.seen != nil {
			r.seen.steps = append(r.seen.steps, step{barrier: bar.barrier})
		}
		bar.arrival = r.record(trace.Node{Op: "async.arrive", Pos: in.Pos, Flags: trace.Root}, nil, nil)
	case "await", "await_parity", "meet":
		r.announced()
		if r.seen != nil {
			r.seen.awaits(r.barrierOf(in), r.parity(in))
		}
		bar := c.of(r.barrierOf(in))
		deps := bar.nodes
		if bar.arrival != 0 {
			deps = trace.Union(deps, r.single(bar.arrival))
		}
		bar.nodes, bar.arrival = nil, 0
		r.record(trace.Node{Op: "barrier", Pos: in.Pos, Flags: trace.Root | trace.Gate | trace.Barrier | trace.Waits},
			deps, nil)
		r.forget()
	default:
		return false
	}
	return true
}

// expect takes the bytes that are announced at a barrier for the copies that have been issued, or that
// will be.
func (r *resolver) expect(in *lower.Instr) {
	n, ok := r.bytesOf(in, in.Args[1])
	if !ok {
		return
	}
	bar := r.copies.of(r.barrierOf(in))
	bar.bytes += n
	r.movePending(bar)
}

// announced moves the bytes of all copies that have been issued: those that are announced before the copies are
// are shared out once it is known how many there are.
func (r *resolver) announced() {
	for i := range r.copies.bound {
		bar := &r.copies.bound[i]
		if bar.bytes == 0 && slices.ContainsFunc(bar.pending, func(b block) bool { return b.bytes == 0 }) {
			r.fail(diag.Errorf(bar.pending[0].in.Pos, "UNKNOWN-BYTES",
				"how many bytes this copy has is not known: the warp announces none at its barrier before it waits").
				WithNote("announce them with mbarrier.expect_tx (barrier_arrive_tx) in the work item that " +
					"issues the copy"))
			return
		}
		r.movePending(bar)
	}
}

// parity is that of the phase that a wait is for, -1 if it is not told.
func (r *resolver) parity(in *lower.Instr) int64 {
	if in.Fn != "await_parity" {
		return -1
	}
	v := r.operand(in.Args[1])
	r.decided(v)
	u, known := v.uniform(r.mask)
	if !known {
		return -1
	}
	return int64(u & 1)
}

// movePending shares the bytes announced at a barrier out among its copies of which the bytes are not known.
func (r *resolver) movePending(bar *boundCopies) {
	if len(bar.pending) == 0 {
		return
	}
	open := int64(0)
	for i := range bar.pending {
		if n := bar.pending[i].bytes; n == 0 {
			open++
		} else {
			bar.bytes = max(0, bar.bytes-n)
		}
	}
	var shares []int64
	for i := range bar.pending {
		b := &bar.pending[i]
		share := b.bytes
		if share == 0 {
			share = bar.bytes / open
			bar.bytes -= share
			open--
		}
		if len(b.coords) > 0 {
			b.from = r.boxAt(b, share)
		}
		shares = append(shares, share)
	}
	switch {
	case r.seen != nil:
		r.seen.deliver(bar, shares)
	case r.follower != nil: // the others have their shares
	default:
		for i := range bar.pending {
			bar.nodes = trace.Union(bar.nodes, r.moveBlock(&bar.pending[i], idg.SpaceGlobal, idg.SpaceLocal, shares[i]))
		}
	}
	bar.pending = nil
}
