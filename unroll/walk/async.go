package walk

import (
	"fmt"
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// Asynchronous copies and products. One instruction of GPUs from compute capability 8.0 on (LDGSTS) reads global memory
// and writes local memory when the data come; no register holds them and no later instruction waits but those that ask
// for it. It is two nodes here, since it keeps two memories busy: ld.global.async, of which the latency is the copy's,
// and st.local.async, which may issue as soon as the first has. What waits for a copy waits for the first.
//
// Copies are waited for by groups, in the order in which they were made (LDGDEPBAR ends a group, DEPBAR waits for all
// but the newest n), or with a barrier that they belong to.

// asyncs are copies and products that nobody has waited for yet.
type asyncs struct {
	queue                   // copies
	held  int               // groups that no consumer has released
	bound map[uint64]*bound // by the address of a barrier
	// stores of blocks, and products of warp groups
	blocks, products queue
}

// queue is what is waited for by groups, in the order in which they were made.
type queue struct {
	open   []idg.Executed   // since the last group ended
	groups [][]idg.Executed // oldest first
}

// commit ends a group.
func (q *queue) commit() { q.groups, q.open = append(q.groups, q.open), nil }

// prior takes all groups but the newest n out.
func (q *queue) prior(n int) (list []idg.Executed) {
	old := max(0, len(q.groups)-n)
	for _, g := range q.groups[:old] {
		list = append(list, g...)
	}
	q.groups = slices.Clone(q.groups[old:])
	return list
}

// maxHeld bounds what is counted where nobody releases groups. Pipelines have fewer stages.
const maxHeld = 32

// bound are copies that belong to a barrier, and the last arrival at it.
type bound struct {
	nodes   []idg.Executed
	arrival idg.Executed // -1: none
	blocks  []block      // of which the bytes have not been announced
	bytes   int64        // announced
	pos     diag.Pos     // of a copy that nobody has waited for
}

// block is a copy of a block that has been issued.
type block struct {
	in     *ir.Instr
	lanes  uint64
	bytes  int64 // 0: as announced
	issued idg.Executed
	offset [2][]int64 // of its lanes, at either end
	coords [][]uint64 // of a tensor's box, of its lanes
	object [2]ir.ObjectID
	at     [2]idg.Access
}

// at is the state of a barrier.
func (a *asyncs) at(key uint64) *bound {
	if a.bound == nil {
		a.bound = map[uint64]*bound{}
	}
	if a.bound[key] == nil {
		a.bound[key] = &bound{arrival: -1}
	}
	return a.bound[key]
}

// moved says that what was executed from a place on was executed so much later.
func (a *asyncs) moved(from, by idg.Executed) {
	list := func(l []idg.Executed) {
		for i := range l {
			if l[i] >= from {
				l[i] += by
			}
		}
	}
	for _, q := range [...]*queue{&a.queue, &a.blocks, &a.products} {
		list(q.open)
		for _, g := range q.groups {
			list(g)
		}
	}
	for _, b := range a.bound {
		list(b.nodes)
		if b.arrival >= from {
			b.arrival += by
		}
		for i := range b.blocks {
			if b.blocks[i].issued >= from {
				b.blocks[i].issued += by
			}
		}
	}
}

// asynchronous records an instruction of asynchronous copies or products; false: it is something else.
func (o *recorder) asynchronous(w *warp, in *machine.Instr, lanes uint64) bool {
	switch f := in.From; {
	case f.Op == lower.Copy && in.Class == "ld.global.async" && in.Mem.Store:
		o.copies(w, in, lanes)
	case f.Op == lower.CopyGroup && w.launch.SyncCopies && f.Fn != "meet" && f.Fn != "await":
		// the copies are loads and stores
	case f.Op == lower.CopyGroup:
		o.group(w, in, lanes)
	case f.Op == lower.BulkCopy:
		o.bulk(w, in, lanes)
	case f.Op == lower.GroupMatMul:
		o.groupProduct(w, in, lanes)
	default:
		return false
	}
	return true
}

// put records a node: its own edges, and the last gate.
func (o *recorder) put(in *machine.Instr, op, typ string, access idg.AccessID, lanes uint64, edges ...idg.Edge) (
	idg.InstrID, idg.Executed) {
	id := o.b.Instr(idg.Instr{Op: op, Type: typ, Access: access, Lanes: uint8(bits.OnesCount64(lanes)), Pos: in.Pos})
	if o.gate >= 0 {
		edges = append(edges, idg.Edge{From: o.gate, Kind: idg.Control})
	}
	v := o.b.Add(id, edges...)
	o.n = v + 1
	return id, v
}

// operands are the dependences on what an instruction reads.
func (o *recorder) operands(w *warp, in *machine.Instr, lanes uint64) []idg.Edge {
	o.edges = o.edges[:0]
	o.reads(w, in, lanes)
	return slices.Clone(o.edges)
}

// copies records a copy of a word by each lane.
func (o *recorder) copies(w *warp, in *machine.Instr, lanes uint64) {
	f, typ := in.From, in.From.Type.String()
	edges := o.operands(w, in, lanes)
	from := idg.Access{Space: idg.SpaceGlobal, Width: uint16(in.Mem.Bytes)}
	to := idg.Access{Space: idg.SpaceLocal, Width: uint16(in.Mem.Bytes), Store: true}
	id, read := o.put(in, "ld.global.async", typ, o.accessAt(w, f.Args[1], from, lanes, 0), lanes, edges...)
	o.touch(w, touching{at: f.Args[1], space: idg.SpaceGlobal, bytes: in.Mem.Bytes, reads: true}, id, read)
	o.put(in, "st.local.async", typ, o.accessAt(w, f.Args[0], to, lanes, 0), lanes,
		idg.Edge{From: read, Kind: idg.Order})
	o.async.open = append(o.async.open, read)
}

// waits records an instruction that waits for copies, and everything behind it for it.
func (o *recorder) waits(in *machine.Instr, op string, lanes uint64, kind idg.EdgeKind,
	list []idg.Executed) idg.Executed {
	var edges []idg.Edge
	slices.Sort(list)
	for _, at := range slices.Compact(list) {
		edges = append(edges, idg.Edge{From: at, Kind: kind})
	}
	_, v := o.put(in, op, "", 0, lanes, edges...)
	return v
}

// group records what makes groups of copies and waits for them.
func (o *recorder) group(w *warp, in *machine.Instr, lanes uint64) {
	a, f := &o.async, in.From
	wait := func(list []idg.Executed) { o.gate = o.waits(in, "async.wait", lanes, idg.Control, list) }
	commit := func(list []idg.Executed) { o.waits(in, "async.commit", lanes, idg.Order, slices.Clone(list)) }
	switch f.Fn {
	case "commit":
		commit(a.open)
		a.commit()
		a.held = min(a.held+1, maxHeld)
	case "release":
		a.held = max(0, a.held-1)
	case "consume":
		wait(a.prior(max(0, a.held-1)))
	case "prior":
		wait(a.prior(w.newest(f, len(a.groups))))
	case "bulk_commit":
		commit(a.blocks.open)
		a.blocks.commit()
	case "bulk_prior":
		wait(a.blocks.prior(w.newest(f, len(a.blocks.groups))))
	case "wgmma_fence":
		o.put(in, "async.fence", "", 0, lanes)
	case "wgmma_commit":
		a.products.commit()
	case "wgmma_prior":
		wait(a.products.prior(w.newest(f, len(a.products.groups))))
	case "bind":
		commit(a.open)
		b := a.at(w.key(f))
		b.nodes, a.open = append(b.nodes, a.open...), nil
	default:
		o.barrier(w, in, lanes)
	}
}

// barrier records what has to do with a barrier object.
func (o *recorder) barrier(w *warp, in *machine.Instr, lanes uint64) {
	f := in.From
	key := w.key(f)
	b := o.async.at(key)
	all := func() []idg.Executed {
		list := b.nodes
		if b.arrival >= 0 {
			list = append(list, b.arrival)
		}
		b.nodes, b.arrival, b.pos = nil, -1, diag.Pos{}
		return list
	}
	meet := func(list []idg.Executed) {
		o.gate = o.waits(in, "barrier", lanes, idg.Control, list)
		if o.reuse != nil {
			o.warp.Barriers = append(o.warp.Barriers, int64(o.gate))
		}
	}
	switch {
	case w.launch.SyncCopies || in.Class == "barrier":
		meet(nil)
	case f.Fn == "expect":
		if n, ok := w.bytes(f, f.Args[1]); ok {
			b.bytes += n
			o.moves(w, in, key)
		}
	case o.consumer != nil:
		o.consumes(w, in, lanes)
	case f.Fn == "arrive" && w.c.transactions:
		if o.seen != nil {
			o.seen.steps = append(o.seen.steps, step{barrier: key})
		}
		_, b.arrival = o.put(in, "async.arrive", "", 0, lanes)
	case f.Fn == "arrive":
		_, b.arrival = o.put(in, "barrier", "", 0, lanes)
	case w.c.transactions: // a wait is a barrier of the group, which the warp reaches when its bytes are there
		if o.announced(w, in); o.seen != nil {
			o.seen.awaits(key, w.parity(f))
		}
		meet(all())
	case f.Fn == "meet":
		if list := all(); len(list) > 0 {
			o.gate = o.waits(in, "async.wait", lanes, idg.Control, list)
		}
		meet(nil)
	default: // await: a pipeline's first stages are free
		if list := all(); len(list) > 0 {
			o.gate = o.waits(in, "async.wait", lanes, idg.Control, list)
		}
	}
}

// key is the place of the barrier that an operation is about, as far as it is known.
func (w *warp) key(f *ir.Instr) uint64 { return w.keyOf(f.Args[0]) }

func (w *warp) keyOf(v *ir.Value) uint64 {
	p := w.value(v)
	w.depends(p)
	if p.known&w.mask == 0 {
		return 0
	}
	return p.at(trailing(p.known & w.mask))
}

// newest is the number of groups, of so many, that are not waited for: none, if it is not known.
func (w *warp) newest(f *ir.Instr, groups int) int {
	p := w.value(f.Args[0])
	w.depends(p)
	if !p.uniform {
		return 0
	}
	return int(min(p.bits[0], uint64(groups)))
}

// bytes is a number of bytes; false, with an error, if it is not known.
func (w *warp) bytes(f *ir.Instr, v *ir.Value) (int64, bool) {
	p := w.value(v)
	w.depends(p)
	if m := p.known & w.mask; m != 0 {
		if n := int64(p.at(trailing(m))); n >= 0 {
			return n, true
		}
	}
	w.fail(diag.Errorf(f.Pos, "UNKNOWN-BYTES", "the bytes of this copy are not known").
		WithNote("give the arguments that they depend on with --arg NAME=VALUE"))
	return 0, false
}

// Copies of blocks by the tensor memory accelerator (from compute capability 9.0 on). One work item issues a copy
// (UTMALDG, UBLKCP), of which the bytes go from device memory to local memory without it. These are three nodes: tma,
// the instruction, ld.global.async, of which the latency is that of the bytes, and st.local.async. How many bytes a
// tensor's box has only the host knows; the kernel announces them at the barrier that waits for them, and if it
// announces those of several copies at once, each is taken to have the same share.

// maxBlock is the most bytes that one node of a copy moves: its context has 16 bits for them.
const maxBlock = 1 << 15

// bulk records a copy of a block.
func (o *recorder) bulk(w *warp, in *machine.Instr, lanes uint64) {
	f := in.From
	b := block{in: f, lanes: lanes}
	_, b.issued = o.put(in, "tma", "", 0, lanes, o.operands(w, in, lanes)...)
	spaces := [2]idg.Space{idg.SpaceLocal, idg.SpaceGlobal}
	if f.Fn == "store" {
		spaces = [2]idg.Space{idg.SpaceGlobal, idg.SpaceLocal}
	}
	for i := range 2 {
		b.at[i] = idg.Access{Space: spaces[i], Store: i == 0}
		o.address(w, f.Args[i], &b.at[i], lanes, 0)
		b.offset[i] = slices.Clone(o.offsets)
		if p := w.value(f.Args[i]); p.known&lanes != 0 {
			b.object[i], _ = place(p.at(trailing(p.known & lanes)))
		}
	}
	if f.Fn == "store" {
		if o.seen != nil {
			return
		}
		if n, ok := w.bytes(f, f.Args[2]); ok {
			o.async.blocks.open = append(o.async.blocks.open, o.move(w, in, &b, n)...)
		}
		return
	}
	w.box(f, &b)
	key := w.keyOf(f.Args[2])
	bar := o.async.at(key)
	bar.pos = f.Pos
	if o.seen != nil {
		if o.seen.note(&o.seen.issued, key); o.seen.pos.Line == 0 {
			o.seen.pos = f.Pos
		}
	}
	if n, ok := w.bytes(f, f.Args[3]); ok {
		b.bytes = n
		bar.blocks = append(bar.blocks, b)
	}
}

// box notes the coordinates of a tensor's box, if a block is one.
func (w *warp) box(f *ir.Instr, b *block) {
	coords := coordinates(f)
	for m := b.lanes; m != 0 && len(coords) > 0 && len(b.offset[1]) > 0; m &= m - 1 {
		var at []uint64
		for _, c := range coords {
			v := w.value(c)
			if w.depends(v); v.known&(m&-m) == 0 {
				b.offset[1], b.coords = nil, nil
				b.at[1].Assumed = "coordinate " + v.from.unknown()
				return
			}
			at = append(at, v.at(trailing(m)))
		}
		b.coords = append(b.coords, at)
	}
}

// move records what moves the bytes of a block, and returns the nodes that read.
func (o *recorder) move(w *warp, in *machine.Instr, b *block, bytes int64) (reads []idg.Executed) {
	at := *in
	at.Pos = b.in.Pos
	side := func(i int, behind, size int64) idg.AccessID {
		a := b.at[i]
		a.Width = uint16(size)
		o.offsets = o.offsets[:0]
		for _, x := range b.offset[i] {
			o.offsets = append(o.offsets, x+behind)
		}
		a.Offsets = slices.Clone(o.offsets)
		return o.b.Access(a)
	}
	for begin := int64(0); begin < bytes; begin += maxBlock {
		size := min(maxBlock, bytes-begin)
		id, read := o.put(&at, fmt.Sprintf("ld.%v.async", b.at[1].Space), lower.U8.String(), side(1, begin, size),
			b.lanes, idg.Edge{From: b.issued, Kind: idg.Data})
		if len(b.offset[1]) > 0 {
			o.touch(w, touching{object: b.object[1], space: b.at[1].Space, bytes: size, reads: true}, id, read)
		}
		id, written := o.put(&at, fmt.Sprintf("st.%v.async", b.at[0].Space), lower.U8.String(), side(0, begin, size),
			b.lanes, idg.Edge{From: read, Kind: idg.Order})
		o.touch(w, touching{object: b.object[0], space: b.at[0].Space, bytes: size, writes: true}, id, written)
		reads = append(reads, read)
	}
	return reads
}

// announced moves the bytes of all copies that have been issued.
func (o *recorder) announced(w *warp, in *machine.Instr) {
	for _, key := range sortedKeys(o.async.bound) {
		b := o.async.bound[key]
		if b.bytes == 0 && slices.ContainsFunc(b.blocks, func(x block) bool { return x.bytes == 0 }) {
			w.fail(diag.Errorf(b.blocks[0].in.Pos, "UNKNOWN-BYTES",
				"how many bytes this copy has is not known: the warp announces none at its barrier before it waits").
				WithNote("announce them with mbarrier.expect_tx (barrier_arrive_tx) in the work item that " +
					"issues the copy"))
			return
		}
		o.moves(w, in, key)
	}
}

// parity is that of the phase that a wait is for, -1 if it is not told.
func (w *warp) parity(f *ir.Instr) int64 {
	if f.Fn != "await_parity" {
		return -1
	}
	p := w.value(f.Args[1])
	w.depends(p)
	if !p.uniform {
		return -1
	}
	return int64(p.bits[0] & 1)
}

// moves shares the bytes announced at a barrier out among its copies of which the bytes are not known.
func (o *recorder) moves(w *warp, in *machine.Instr, key uint64) {
	b := o.async.at(key)
	if len(b.blocks) == 0 {
		return
	}
	d := delivery{barrier: key}
	open := int64(0)
	for i := range b.blocks {
		if n := b.blocks[i].bytes; n == 0 {
			open++
		} else {
			b.bytes = max(0, b.bytes-n)
		}
	}
	for i := range b.blocks {
		share := b.blocks[i].bytes
		if share == 0 {
			share = b.bytes / open
			b.bytes -= share
			open--
		}
		if x := &b.blocks[i]; len(x.coords) > 0 {
			t := w.c.tensor(w.c.root(x.in.Args[1]))
			for l := range x.offset[1] {
				x.offset[1][l] += t.boxAt(x.in, x.coords[l], share)
			}
		}
		switch b.blocks[i].bytes = share; {
		case o.seen != nil:
			d.blocks = append(d.blocks, b.blocks[i])
		case o.consumer != nil: // the others have their shares
		default:
			b.nodes = append(b.nodes, o.move(w, in, &b.blocks[i], share)...)
		}
	}
	if b.blocks = nil; o.seen != nil {
		o.seen.deliveries = append(o.seen.deliveries, d)
	}
}

func sortedKeys(m map[uint64]*bound) []uint64 {
	keys := make([]uint64, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Matrix instructions of warp groups (HGMMA, from compute capability 9.0 on). Each of the four warps executes one for
// its 16 rows, on the tensor core of its own sub-core. It is two nodes: ld.local.async, the warp's share of what the
// tensor cores read of local memory, and wgmma, which waits for it. b is read once for the four warps: at the published
// rates local memory cannot deliver it four times.
const (
	warpsShare  = 4  // warps of a warp group
	rowBytes    = 32 // of a row of a and of a column of b
	rowsPerWarp = 16
)

// groupProduct records a matrix instruction of a warp group: a is in local memory or in registers.
func (o *recorder) groupProduct(w *warp, in *machine.Instr, lanes uint64) {
	f := in.From
	size := int64(f.Dim) * rowBytes / warpsShare
	if factors := len(f.Args) - len(f.Results); factors == 2 {
		size += rowsPerWarp * rowBytes
	}
	edges := o.operands(w, in, lanes)
	first := lanes & -lanes // one reads for all
	access := o.b.Access(idg.Access{Space: idg.SpaceLocal, Width: uint16(size), Offsets: []int64{0}})
	var data []idg.Edge
	for _, e := range edges {
		if e.Kind == idg.Data {
			data = append(data, e)
		}
	}
	_, read := o.put(in, "ld.local.async", lower.U8.String(), access, first, data...)
	_, v := o.put(in, in.Class, "", 0, lanes, append(edges, idg.Edge{From: read, Kind: idg.Data})...)
	o.async.products.open = append(o.async.products.open, v)
	o.writes(w, in, v, lanes)
}
