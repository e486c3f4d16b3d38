package trace

import (
	"cmp"
	"math"
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/internal/target"
	"gpupipe/lower"
)

// The stage that turns PTX into machine code merges loads of adjacent elements of
// an array in local memory into one of 64 or 128 bits, where the alignment is
// certain, and stores likewise (widestore.go); AMD's compiler does it its own way (wideamd.go). nvcc's stage is
// modelled (Options.Machine), as the machine code for sm_70 in testdata/unroll_matmul shows it:
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
	MaxWide       = 16 // bytes of the widest load of a lane
	mostElements  = 4  // of a wide access
	threeOfFour   = 3  // elements that make a load of four worth while
	SmallestMerge = 4  // bytes of an element
)

// NarrowAccess is a recorded load or store that may be merged with others of its kind.
type NarrowAccess struct {
	Node  NodeID
	Root  lower.ObjectID // what it is an access of
	Ref   uint32         // what the recorder knows it by
	Type  lower.Type     // of an element
	Space idg.Space      // as the source has it
	Store bool
	Lanes uint64     // active ones, as a set
	Where []Variable // the variable part of its address
	Size  int64      // bytes of a lane
	Align int64      // that the variable part of the address is certain to have
	At    int64      // the constant part
	End   int64      // in bytes as at: where its neighbours end
	Block int64      // bytes of the aligned blocks in which neighbours are certain; 0 = everywhere

	Straight uint64 // names the code without branches that it merges in; 0 = also across sides that are predicated
}

// AddLocal and AddDevice make accesses of local and of device memory candidates for merging. They
// come in program order.
func (t *Trace) AddLocal(a NarrowAccess)  { t.locals = append(t.locals, a) }
func (t *Trace) AddDevice(a NarrowAccess) { t.devices = append(t.devices, a) }

// Variable is a part of an address that is not constant: a value, by its number, times a factor.
type Variable struct {
	Value  uint32
	Factor int64 // bytes
}

// EndOfBlock is where the aligned block of so many bytes that an address is in ends; blocks of 0
// have no end.
func EndOfBlock(size, at int64) int64 {
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
func widen(t *Trace, live []bool) {
	if len(t.locals) == 0 {
		return
	}
	into := map[NodeID]NodeID{} // the wide access that replaces one
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
		if t.locals[next].Node == NodeID(i+1) {
			candidate, next = next, next+1
		}
		if !live[i] {
			continue
		}
		n := t.at(i)
		op := t.kinds.of(n.kind).is
		switch {
		case candidate >= 0 && t.locals[candidate].Store:
			flush()
			if len(stores) > 0 && !t.locals[candidate].alike(&t.locals[stores[0]]) {
				flushStores()
			}
			stores = append(stores, candidate)
		case candidate >= 0:
			flushStores()
			loads = append(loads, candidate)
		case n.flags&Gate != 0 || n.flags&Root != 0 && writesLocal(op):
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
func (t *Trace) redirect(live []bool, into map[NodeID]NodeID) {
	if len(into) == 0 {
		return
	}
	for i := range t.length {
		if !live[i] {
			continue
		}
		n := t.at(i)
		t.change(n, func(c *content) {
			for _, set := range [2]*[]NodeID{&c.deps, &c.order} {
				moved := false
				for j, d := range *set {
					if w, ok := into[d.Node()]; ok {
						(*set)[j], moved = w|d&Earlier, true
					}
				}
				if moved {
					*set = normal(*set)
				}
			}
		})
	}
}

// writesLocal reports whether an instruction may write local memory or makes
// others' writes visible.
func writesLocal(op isa.Op) bool {
	return op == storeLocal || op.Verb == isa.Atomic || op.Verb == isa.Fence
}

// wideAccesses finds what can be merged among the loads, or the stores, of straight code.
func (t *Trace) wideAccesses(block []int) []wideAccess {
	if t.Compiler == target.Clang {
		return t.runs(t.locals, block)
	}
	return t.aligned(t.locals, block, true)
}

// aligned finds what can be merged into one access with a certain alignment. Any three of four
// elements are one load, or only those from the first on.
func (t *Trace) aligned(list []NarrowAccess, block []int, anyThree bool) []wideAccess {
	sorted := slices.Clone(block)
	slices.SortStableFunc(sorted, func(i, j int) int { return list[i].compare(&list[j]) })
	c := chunks{list: list, anyThree: anyThree, three: t.Compiler != target.Clang}
	for len(sorted) > 0 {
		first := &list[sorted[0]]
		chunk := min(first.Align, MaxWide, mostElements*first.Size)
		at := first.At &^ (chunk - 1)
		parts := t.joined(first)
		n := 1
		for ; n < len(sorted); n++ {
			if l := &list[sorted[n]]; !l.alike(first) || l.At >= at+chunk || !parts.join(l) {
				break
			}
		}
		rest := sorted[:n]
		for first.Store && len(rest) > 0 {
			var once []int
			once, rest = c.firstOfEach(rest)
			c.merge(once, at, chunk)
		}
		c.merge(rest, at, chunk)
		sorted = sorted[n:]
	}
	return c.out
}

// firstOfEach divides sorted accesses into the first to each address and the others.
func (c *chunks) firstOfEach(parts []int) (first, others []int) {
	for i, p := range parts {
		if i > 0 && c.list[p].At == c.list[parts[i-1]].At {
			others = append(others, p)
		} else {
			first = append(first, p)
		}
	}
	return first, others
}

// chunks collects wide accesses.
type chunks struct {
	list            []NarrowAccess
	three, anyThree bool // of four elements three become one load; any three, or those from the first on
	out             []wideAccess
}

// merge adds the wide accesses of those that lie in one aligned chunk: one for
// all, or those of its halves.
func (c *chunks) merge(parts []int, at, chunk int64) {
	if len(parts) < 2 {
		return
	}
	first := &c.list[parts[0]]
	elements := int64(1)
	for i := 1; i < len(parts); i++ {
		if c.list[parts[i]].At != c.list[parts[i-1]].At {
			elements++
		}
	}
	all := chunk / first.Size
	three := c.three && !first.Store && (c.anyThree || first.At == at)
	if elements == all || three && all == mostElements && elements == threeOfFour {
		c.out = append(c.out, wideAccess{slices.Clone(parts), at, chunk})
		return
	}
	if all == 2 {
		return
	}
	half := slices.IndexFunc(parts, func(i int) bool { return c.list[i].At >= at+chunk/2 })
	if half < 0 {
		half = len(parts)
	}
	c.merge(parts[:half], at, chunk/2)
	c.merge(parts[half:], at+chunk/2, chunk/2)
}

// alike reports whether two accesses differ in the constant part of the address at
// most.
func (l *NarrowAccess) alike(o *NarrowAccess) bool {
	return l.Root == o.Root && l.Type == o.Type && l.Size == o.Size && l.Align == o.Align && l.Lanes == o.Lanes &&
		l.Straight == o.Straight && slices.Equal(l.Where, o.Where)
}

// compare orders accesses so that those which are alike follow each other by
// address.
func (l *NarrowAccess) compare(o *NarrowAccess) int {
	return cmp.Or(
		cmp.Compare(l.Root, o.Root), cmp.Compare(l.Type, o.Type), cmp.Compare(l.Size, o.Size),
		cmp.Compare(l.Align, o.Align), cmp.Compare(l.Lanes, o.Lanes), cmp.Compare(l.Straight, o.Straight),
		slices.CompareFunc(l.Where, o.Where, func(a, b Variable) int {
			return cmp.Or(cmp.Compare(a.Value, b.Value), cmp.Compare(a.Factor, b.Factor))
		}),
		cmp.Compare(l.At, o.At),
	)
}

// replace makes the earliest of several loads the wide one.
func (t *Trace) replace(list []NarrowAccess, w wideAccess, live []bool, into map[NodeID]NodeID) {
	first := slices.MinFunc(w.parts, func(i, j int) int { return cmp.Compare(list[i].Node, list[j].Node) })
	l := &list[first]
	n := t.node(l.Node)
	var order []NodeID
	for _, i := range w.parts {
		order = Union(order, slices.Clone(t.order(t.node(list[i].Node)))) // t has room for four sets
	}
	access := t.Wide(l, w.offset-l.At, w.size)
	t.change(n, func(c *content) { c.access, c.order = access, order })
	for _, i := range w.parts {
		if o := list[i].Node; o != l.Node {
			live[o-1] = false
			into[o] = l.Node
		}
	}
}
