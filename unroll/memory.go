package unroll

import (
	enc "encoding/binary"
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
	"gpupipe/unroll/trace"
)

// memory is what the resolver knows about memory: which accesses may touch the
// same bytes, and what private arrays that live in registers hold.
//
// Objects fall into alias classes: buffers that are not declared restrict may
// overlap each other; every array and every restrict buffer is a class of its
// own.
type memory struct {
	classes []aliasClass // class 0: global buffers that may overlap, and unknown pointers
	classOf []int        // by ObjectID - 1
	cells   map[cell]*value
	// journal holds what cells held before, while some branch is watching.
	journal []cellChange
	watches int
	rounds  int                             // of passOver
	writes  []cell                          // cells written, in order
	types   map[lower.ObjectID][]lower.Type // that private arrays are accessed as
	pos     lower.Pos                       // access that address arithmetic is charged to
}

// aliasClass is the recent history of the accesses that may overlap.
type aliasClass struct {
	stores  []accessRecord // since the last clobber
	loads   recentLoads    // since the last store that may overlap everything
	next    int            // sequence number of the next store
	written bool           // some store, atomic or barrier has touched it
	gap     gap            // what other paths may have written
}

// accessRecord is an executed access: the object, its symbolic address without
// the constant part, that constant, and its size.
type accessRecord struct {
	node  trace.NodeID
	root  lower.ObjectID
	where []term
	c     int64
	size  int64

	after  storeSet // stores: those of the class that have been issued before
	before storeSet // loads: the stores since that are not issued before
	seq    int      // stores: sequence number

	mask     laneMask // stores: lanes
	straight uint64   // stores that a later one may make superfluous: the straight code that they are in
}

// samePlace reports whether two accesses go to the same bytes.
func (a *accessRecord) samePlace(b *accessRecord) bool {
	return a.c == b.c && a.size == b.size && a.root == b.root && slices.Equal(a.where, b.where)
}

// covers reports whether an access goes to all bytes of another.
func (a *accessRecord) covers(b *accessRecord) bool {
	return a.c <= b.c && b.c+b.size <= a.c+a.size && a.root == b.root && slices.Equal(a.where, b.where)
}

// disjoint reports whether two accesses provably touch different bytes.
func (a *accessRecord) disjoint(b *accessRecord) bool {
	return (a.c+a.size <= b.c || b.c+b.size <= a.c) && a.root == b.root && slices.Equal(a.where, b.where)
}

// maxRecords bounds how many earlier accesses are compared with a new one;
// older ones are taken as issued.
const maxRecords = 128

func (m *memory) init(k *lower.Kernel) {
	m.cells = map[cell]*value{}
	m.classes = make([]aliasClass, 1, len(k.Objects)+1)
	m.classOf = make([]int, len(k.Objects))
	for i, o := range k.Objects {
		if !structure.OwnClass(&o) {
			continue
		}
		m.classOf[i] = len(m.classes)
		m.classes = append(m.classes, aliasClass{})
	}
}

func (m *memory) class(root lower.ObjectID) *aliasClass { return &m.classes[m.index(root)] }

// index is the number of an object's class.
func (m *memory) index(root lower.ObjectID) int {
	if root == 0 {
		return 0
	}
	return m.classOf[root-1]
}

// pending returns the recent accesses of every class: what a fence orders.
func (m *memory) pending() []trace.NodeID {
	var out []trace.NodeID
	for i := range m.classes {
		for _, s := range m.classes[i].stores {
			if s.node != 0 {
				out = append(out, s.node)
			}
		}
	}
	return trace.Union(out, nil)
}

// record describes an access for alias analysis.
func (r *resolver) recordOf(p *value, size int64) accessRecord {
	return accessRecord{root: p.root, where: p.form.terms, c: p.form.c, size: size}
}

// load executes a (possibly wide) load.
func (r *resolver) load(in *lower.Instr) {
	p := r.operand(in.Args[0])
	elem := in.Type.Size()
	if r.loadCells(in, p, elem) || r.loadConstant(in, p, elem) || r.constantOperand(in, p) {
		return
	}
	if k := r.keptAt(in); k != nil {
		r.loadKept(k, in, p)
		return
	}
	e := r.loadAt(in, p)
	r.setAll(in.Dsts, &e)
}

// setAll assigns what a load gave.
func (r *resolver) setAll(dsts []lower.Reg, e *entry) {
	r.set(dsts[0], e.v)
	for i, d := range dsts[1:] {
		r.set(d, e.more[i])
	}
}

// loadAt loads from an address.
func (r *resolver) loadAt(in *lower.Instr, p *value) entry {
	elem := in.Type.Size()
	size := elem * int64(len(in.Dsts))
	class := r.memory.class(p.root)
	rec := r.recordOf(p, size)
	if e, ok := r.loaded(in, p, class, &rec); ok {
		r.steady.found(r.memory.index(p.root), e.seq)
		return e
	}
	deps := r.addressDeps(p, in.Space, in.Pos)
	n := trace.Node{Op: loadOps[r.space(in, p)], Type: in.Type.String(), Pos: in.Pos}
	n.Access = r.access(in, p, size, false)
	if in.Volatile {
		n.Flags |= trace.Root
	}
	var made []trace.NodeID
	if r.silent == 0 {
		r.order, _ = class.storesBefore(r.order[:0], &rec)
		rec.node = r.record(n, deps, r.order)
		r.noteLocal(in, p, size, rec.node, false)
		r.noteDevice(in, p, size, rec.node, false)
		r.notePrivate(p, size, rec.node, false)
		made = r.single(rec.node)
		class.loads.add(rec)
	}
	e := entry{mask: r.mask, seq: class.sequence()}
	level := max(p.level, r.level)
	if !class.written && r.readOnly(p.root) {
		level = p.level
	}
	for i := range in.Dsts {
		v := r.newValue(in.Type)
		v.from, v.level, v.deps = fromMemory, level, made
		v.form = symbol(v)
		v.same = r.space(in, p) != idg.SpacePrivate && p.root != 0 && p.sameInLanes(r.warpMask)
		r.readTable(v, in, p, int64(i)*elem)
		r.readPrivate(v, p, int64(i)*elem)
		if i == 0 {
			e.v = v
		} else {
			e.more = append(e.more, v)
		}
	}
	if r.opt.Optimises() && !in.Volatile {
		r.numbering.put(r.loadKey(in, p), e, p.level, r.level, false)
	}
	return e
}

// loaded finds what an address holds that a register holds, too.
func (r *resolver) loaded(in *lower.Instr, p *value, class *aliasClass, rec *accessRecord) (e entry, ok bool) {
	if !r.opt.Optimises() || in.Volatile {
		return e, false
	}
	key := r.loadKey(in, p)
	e, ok = r.numbering.find(key)
	return e, ok && r.stillKnown(class, rec, key, &e, p.level)
}

// readOnly reports whether nothing in the kernel writes an object.
func (r *resolver) readOnly(root lower.ObjectID) bool {
	if root == 0 {
		return false
	}
	o := r.k.Object(root)
	return o.Space == idg.SpaceConstant || o.ReadOnly
}

func (r *resolver) loadKey(in *lower.Instr, p *value) []byte {
	k := append(r.numbering.key[:0], 'l', byte(in.Type), byte(len(in.Dsts)))
	k = enc.AppendUvarint(k, uint64(p.root))
	k = p.form.appendKey(k)
	r.numbering.key = k
	return k
}

// sequence is the number of stores that the class has seen.
func (c *aliasClass) sequence() int { return c.next }

// unchanged reports whether no store since sequence number seq may have written
// the bytes of rec.
func (c *aliasClass) unchanged(seq int, rec *accessRecord) bool {
	if seq < c.gap.floor {
		return false
	}
	for i := len(c.stores) - 1; i >= 0 && c.stores[i].seq >= seq; i-- {
		if !c.stores[i].disjoint(rec) {
			return false
		}
	}
	return true
}

// clobber makes everything known about the class's contents invalid.
func (c *aliasClass) clobber(node trace.NodeID) {
	c.next++
	c.gap.floor = c.next
	c.stores = c.stores[:0]
	c.loads.clear()
	c.written = true
	if node != 0 {
		c.stores = append(c.stores, accessRecord{node: node})
	}
}

// store executes a (possibly wide) store.
func (r *resolver) store(in *lower.Instr) {
	p := r.operand(in.Args[0])
	vals := r.stored[:0]
	for _, a := range in.Args[1:] {
		vals = append(vals, r.operand(a))
	}
	r.stored = vals
	elem := in.Type.Size()
	r.keepPrivate(p, in.Type, vals)
	if r.storeCells(in, p, vals, elem) {
		return
	}
	if place := r.keptAt(in); place != nil {
		place.store, place.dirty = in, place.dirty|r.mask
		r.keep(place, p, vals)
		return
	}
	r.storeAt(in, p, vals)
}

// storeAt stores values at an address.
func (r *resolver) storeAt(in *lower.Instr, p *value, vals []*value) {
	elem := in.Type.Size()
	size := elem * int64(len(vals))
	deps := trace.Union(r.depsOfAll(vals), r.addressDeps(p, in.Space, in.Pos))
	class := r.memory.class(p.root)
	rec := r.recordOf(p, size)
	n := trace.Node{Op: storeOps[r.space(in, p)], Type: in.Type.String(), Pos: in.Pos, Flags: trace.Root | trace.Store}
	n.Access = r.access(in, p, size, true)
	if r.silent == 0 {
		rec.node = r.record(n, deps, r.storeOrder(class, &rec, deps))
		r.noteLocal(in, p, size, rec.node, true)
		r.noteDevice(in, p, size, rec.node, true)
		r.notePrivate(p, size, rec.node, true)
		if r.opt.Optimises() && !in.Volatile {
			rec.mask, rec.straight = r.mask, r.straight()
			r.noteOverwritten(class, &rec)
		}
	}
	class.addStore(rec)
	if r.opt.Optimises() && len(vals) > 0 && !in.Volatile {
		e := entry{v: vals[0], mask: r.mask, seq: class.sequence()}
		if len(vals) > 1 {
			e.more = slices.Clone(vals[1:])
		}
		load := *in
		load.Dsts = make([]lower.Reg, len(vals))
		r.numbering.put(r.loadKey(&load, p), e, p.level, r.level, false)
	}
}

// atomic executes an atomic read-modify-write.
func (r *resolver) atomic(in *lower.Instr) {
	p := r.operand(in.Args[0])
	vals := make([]*value, len(in.Args)-1)
	for i := range vals {
		vals[i] = r.operand(in.Args[i+1])
	}
	class := r.memory.class(p.root)
	rec := r.recordOf(p, in.Type.Size())
	deps := trace.Union(r.depsOfAll(vals), r.addressDeps(p, in.Space, in.Pos))
	space := r.space(in, p)
	op := isa.Parse("atomic." + in.Fn + "." + space.String())
	if r.combines(in, space) {
		op = op.With(isa.Combined)
	}
	n := trace.Node{Op: op.String(), Type: in.Type.String(), Pos: in.Pos, Flags: trace.Root}
	n.Access = r.access(in, p, in.Type.Size(), true)
	id := r.record(n, deps, r.storeOrder(class, &rec, deps))
	class.clobber(id)
	if p.root == 0 || r.isFollowed(p.root) {
		r.forgetPrivate()
	}
	if len(in.Dsts) > 0 && in.Dsts[0] != 0 {
		v := r.newValue(in.Type)
		v.from, v.level, v.deps = fromMemory, r.level, []trace.NodeID{id}
		v.form = symbol(v)
		r.set(in.Dsts[0], v)
	}
}

// barrier executes a work-group barrier: other warps may have written local and
// global memory.
func (r *resolver) barrier(in *lower.Instr) {
	r.record(trace.Node{Op: "barrier", Pos: in.Pos, Flags: trace.Root | trace.Gate | trace.Barrier}, nil, nil)
	r.forget()
}

// forget makes everything known about memory that others write invalid.
func (r *resolver) forget() {
	r.sharedClasses(func(class int) {
		c := &r.memory.classes[class]
		for i := range c.loads.list {
			r.overtake(&c.loads.list[i])
		}
		c.clobber(0)
	})
}

// sharedClasses calls f for the classes that others may write.
func (r *resolver) sharedClasses(f func(class int)) {
	f(0)
	for i, o := range r.k.Objects {
		if (o.Space == idg.SpaceLocal ||
			(o.Space == idg.SpaceGlobal || o.Space == idg.SpaceImage) && !r.readOnly(lower.ObjectID(i+1))) &&
			r.memory.classOf[i] != 0 {
			f(r.memory.classOf[i])
		}
	}
}

// loadOps and storeOps are the names of the accesses of each space.
var loadOps, storeOps = func() (loads, stores [256]string) {
	for s := range loads {
		loads[s], stores[s] = isa.In(isa.Load, idg.Space(s)).String(), isa.In(isa.Store, idg.Space(s)).String()
	}
	return loads, stores
}()

// space is the address space of an access: the object's where it is known.
func (r *resolver) space(in *lower.Instr, p *value) idg.Space {
	if p.root != 0 {
		return r.k.Object(p.root).Space
	}
	if in.Space == 0 {
		return idg.SpaceGlobal
	}
	return in.Space
}

// access interns the context of an access.
func (r *resolver) access(in *lower.Instr, p *value, size int64, store bool) idg.AccessID {
	a := LaneAccess{Space: r.space(in, p), Width: size, Store: store, Lanes: uint64(r.mask), Pos: in.Pos}
	if p.root != 0 {
		a.Buffer = r.k.Object(p.root).Name
	}
	if p.root != 0 {
		r.accessed(p)
	}
	if p.root != 0 && p.isKnown(r.mask) {
		a.Offsets = r.offsets[:0]
		for m := r.mask; m != 0; m &= m - 1 {
			a.Offsets = append(a.Offsets, int64(p.at(bits.TrailingZeros64(uint64(m)))))
		}
	} else {
		a.Unknown, a.Same = unknownReason(p), p.root != 0 && p.sameInLanes(r.mask)
	}
	return r.context(p.root, a, in.Op == lower.Atomic || !store)
}

func unknownReason(p *value) string {
	if p.root == 0 {
		return "pointer of unknown origin"
	}
	return "subscript " + unknownSource(p)
}

// unknownSource says where a number comes from that is not known.
func unknownSource(v *value) string {
	switch {
	case v.from&fromMemory != 0:
		return "loaded from memory"
	case v.from&fromArgs != 0:
		return "depends on an argument without a value"
	}
	return "not known"
}
