package unroll

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/lower"
)

// The stage that turns PTX into machine code merges loads of adjacent elements of
// an array in local memory into one of 64 or 128 bits, where the alignment is
// certain, and stores likewise (widestore.go); AMD's compiler does it its own way (wideamd.go). nvcc's stage is modelled (Options.MachineCode), as the machine code for sm_70 in
// testdata/unroll_matmul shows it:
//
//   - Loads merge within straight code, up to a barrier, branch or loop instruction
//     and up to a write to local memory.
//   - A 64-bit load takes two neighbours, a 128-bit load four or, of the four,
//     three: BLOCK_SIZE 8 unrolled by 5 loads elements 5 to 7 as 4 to 7.
//   - In a loop whose addresses are incremented, what is certain is half of the increment:
//     16 bytes (unrolled by 4) give 64-bit loads, 32 bytes 128-bit loads, 8 bytes
//     none. The compiler lets the pointer of a loop point into the middle of what
//     an iteration reads. Nothing is certain of a counter that begins at a work item's id
//     or at another value that the compiler does not know, even at a multiple of it.
//   - Global memory is left alone: nobody knows how a buffer is aligned.
const (
	maxWide       = 16 // bytes of the widest load of a lane
	threeOfFour   = 3  // elements of four that make a 128-bit load worth while
	smallestMerge = 4  // bytes of an element
)

// narrowAccess is a recorded load or store that may be merged with others of its kind.
type narrowAccess struct {
	node  nodeID
	root  lower.ObjectID // what it is an access of
	ref   uint32         // what the recorder knows it by
	typ   lower.Type     // of an element
	space idg.Space      // as the source has it
	store bool
	lanes uint64     // active ones, as a set
	where []variable // the variable part of its address
	size  int64      // bytes of a lane
	align int64      // that the variable part of the address is certain to have
	at    int64      // the constant part
	end   int64      // in bytes as at: where its neighbours end
	block int64      // bytes of the aligned blocks in which neighbours are certain; 0 = everywhere
}

// addLocal and addDevice make accesses of local and of device memory candidates for merging. They
// come in program order.
func (t *trace) addLocal(a narrowAccess)  { t.locals = append(t.locals, a) }
func (t *trace) addDevice(a narrowAccess) { t.devices = append(t.devices, a) }

// variable is a part of an address that is not constant: a value, by its number, times a factor.
type variable struct {
	value  uint32
	factor int64 // bytes
}

// endOfBlock is where the aligned block of so many bytes that an address is in ends; blocks of 0
// have no end.
func endOfBlock(size, at int64) int64 {
	if size == 0 {
		return math.MaxInt64
	}
	return at&^(size-1) + size
}

// wideAccess is a load or a store that stands for several.
type wideAccess struct {
	parts  []int // in trace.locals
	offset int64 // of its first byte
	size   int64
}

// widen merges adjacent loads, and adjacent stores, of local memory.
func widen(t *trace, live []bool) {
	if len(t.locals) == 0 {
		return
	}
	into := map[nodeID]nodeID{} // the wide access that replaces one
	var loads, stores []int     // candidates of the current straight code
	flush := func() {
		for _, w := range t.wideAccesses(loads) {
			t.replace(t.locals, w, live, into)
		}
		loads = loads[:0]
	}
	flushStores := func() {
		for _, w := range t.wideAccesses(stores) {
			t.replaceStores(t.locals, w, live, into)
		}
		stores = stores[:0]
	}
	next := 0
	for i := range t.length {
		if next == len(t.locals) {
			break
		}
		candidate := -1
		if t.locals[next].node == nodeID(i+1) {
			candidate, next = next, next+1
		}
		if !live[i] {
			continue
		}
		n := t.at(i)
		op := t.kinds.of(n.kind).op
		switch {
		case candidate >= 0 && t.locals[candidate].store:
			flush()
			if len(stores) > 0 && !t.locals[candidate].alike(&t.locals[stores[0]]) {
				flushStores()
			}
			stores = append(stores, candidate)
		case candidate >= 0:
			flushStores()
			loads = append(loads, candidate)
		case n.flags&flagGate != 0 || n.flags&flagRoot != 0 && writesLocal(op):
			flush()
			flushStores()
		case op == loadLocal:
			flushStores()
		}
	}
	flushStores()
	flush()
	t.redirect(live, into)
}

// redirect makes what waits for an access that has become a part of a wide one wait for that.
func (t *trace) redirect(live []bool, into map[nodeID]nodeID) {
	if len(into) == 0 {
		return
	}
	for i := range t.length {
		if !live[i] {
			continue
		}
		n := t.at(i)
		t.change(n, func(c *content) {
			for _, set := range [2]*[]nodeID{&c.deps, &c.order} {
				moved := false
				for j, d := range *set {
					if w, ok := into[d]; ok {
						(*set)[j], moved = w, true
					}
				}
				if moved {
					slices.Sort(*set)
					*set = slices.Compact(*set)
				}
			}
		})
	}
}

// writesLocal reports whether an instruction may write local memory or makes
// others' writes visible.
func writesLocal(op string) bool {
	return op == storeLocal || strings.HasPrefix(op, "atomic.") || op == "fence"
}

// wideAccesses finds what can be merged among the loads, or the stores, of straight code.
func (t *trace) wideAccesses(block []int) []wideAccess {
	if len(block) < 2 {
		return nil
	}
	if t.unaligned {
		return t.runs(t.locals, block)
	}
	sorted := slices.Clone(block)
	slices.SortStableFunc(sorted, func(i, j int) int { return t.locals[i].compare(&t.locals[j]) })
	var out []wideAccess
	for len(sorted) > 0 {
		n := 1
		first := &t.locals[sorted[0]]
		chunk := min(first.align, maxWide)
		at := first.at &^ (chunk - 1)
		for n < len(sorted) {
			l := &t.locals[sorted[n]]
			if !l.alike(first) || l.at >= at+chunk || !l.store && !slices.Equal(t.deps(t.node(l.node)), t.deps(t.node(first.node))) {
				break
			}
			n++
		}
		out = t.mergeChunk(out, sorted[:n], at, chunk)
		sorted = sorted[n:]
	}
	return out
}

// mergeChunk appends the wide accesses of those that lie in one aligned chunk: one for
// all, or those of its halves.
func (t *trace) mergeChunk(out []wideAccess, parts []int, at, chunk int64) []wideAccess {
	if len(parts) < 2 {
		return out
	}
	size := t.locals[parts[0]].size
	elements := int64(1)
	for i := 1; i < len(parts); i++ {
		if t.locals[parts[i]].at != t.locals[parts[i-1]].at {
			elements++
		}
	}
	all := chunk / size
	store := t.locals[parts[0]].store
	if elements == all || all == threeOfFour+1 && elements == threeOfFour && !store {
		return append(out, wideAccess{slices.Clone(parts), at, chunk})
	}
	if all == 2 {
		return out
	}
	half := slices.IndexFunc(parts, func(i int) bool { return t.locals[i].at >= at+chunk/2 })
	if half < 0 {
		return t.mergeChunk(out, parts, at, chunk/2)
	}
	return t.mergeChunk(t.mergeChunk(out, parts[:half], at, chunk/2), parts[half:], at+chunk/2, chunk/2)
}

// alike reports whether two accesses differ in the constant part of the address at
// most.
func (l *narrowAccess) alike(o *narrowAccess) bool {
	return l.root == o.root && l.typ == o.typ && l.size == o.size && l.align == o.align && l.lanes == o.lanes && slices.Equal(l.where, o.where)
}

// compare orders accesses so that those which are alike follow each other by
// address.
func (l *narrowAccess) compare(o *narrowAccess) int {
	return cmp.Or(
		cmp.Compare(l.root, o.root), cmp.Compare(l.typ, o.typ), cmp.Compare(l.size, o.size), cmp.Compare(l.align, o.align), cmp.Compare(l.lanes, o.lanes),
		slices.CompareFunc(l.where, o.where, func(a, b variable) int {
			return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.factor, b.factor))
		}),
		cmp.Compare(l.at, o.at),
	)
}

// replace makes the earliest of several loads the wide one.
func (t *trace) replace(list []narrowAccess, w wideAccess, live []bool, into map[nodeID]nodeID) {
	first := slices.MinFunc(w.parts, func(i, j int) int { return cmp.Compare(list[i].node, list[j].node) })
	l := &list[first]
	n := t.node(l.node)
	var order []nodeID
	for _, i := range w.parts {
		order = union(order, t.order(t.node(list[i].node)))
	}
	access := t.wide(l, w.offset-l.at, w.size)
	t.change(n, func(c *content) { c.access, c.order = access, order })
	for _, i := range w.parts {
		if o := list[i].node; o != l.node {
			live[o-1] = false
			into[o] = l.node
		}
	}
}
