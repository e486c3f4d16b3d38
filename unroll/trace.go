package unroll

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
)

// nodeID names a node of the trace, from 1; 0 means "none".
type nodeID uint32

// touchID names a recorded access of a warp, from 1; 0 means "none".
type touchID uint32

// nodeFlags say what sweeping may do with a node.
type nodeFlags uint8

const (
	flagRoot    nodeFlags = 1 << iota // has an effect: never swept
	flagGate                          // everything after it waits for it (control)
	flagBarrier                       // a work-group barrier
	flagStore                         // counts as complete once issued
	flagWaits                         // what it depends on are no operands of it (control)
)

// node is an instruction to be recorded.
type node struct {
	op     string
	typ    string // memory accesses: element type
	pos    lower.Pos
	lanes  uint8
	flags  nodeFlags
	access idg.AccessID
	loop   lower.LoopID // innermost loop it was executed in
	// Operands of additions and multiplications, for contraction: the single
	// node that produces each, 0 otherwise.
	x, y        nodeID
	contraction contraction
	touch       touchID
}

// recorded is a recorded instruction. What it is it has in common with others: see
// pattern.
type recorded struct {
	*pattern
	index int
}

// options say what machine the passes finish a trace for. The zero value leaves what the source or PTX has.
type options struct {
	machine   bool              // NVIDIA's machine code is asked for: see combine
	measured  func(string) bool // by op: one instruction in machine code, too
	pairs     bool              // instructions are issued in pairs: see pair
	packs     bool              // two numbers of single precision are computed in one: see packPairs
	scalar    bool              // what is the same in all lanes is another unit's: see scalarUnit
	unaligned bool              // neighbours are merged whatever their alignment
	// wide interns the context of a wide access of so many bytes that begins moved bytes behind
	// another and takes its place.
	wide func(l *narrowAccess, moved, size int64) idg.AccessID
}

// trace is the recording of one warp.
type trace struct {
	kinds    kinds
	patterns patterns
	chunks   []*[chunkNodes]patternID // of the nodes
	touches  []*[chunkNodes]touchID   // of the nodes, if addresses are recorded; nil chunks: none
	length   int
	scratch  [4][]nodeID // sets that were asked for last
	asked    int
	next     []nodeID // scratch
	changed  content  // scratch

	options
	halves  []word // by kindID - 1, and by index which nodes are two: see halve
	doubled []bool

	// locals are loads and stores of local memory that may be merged, in program order, if
	// merging was asked for.
	locals  []narrowAccess
	devices []narrowAccess // those of device memory

	components []component // of operations on vectors, in program order

	// privates are accesses of arrays of which the last stage's place is not known yet.
	privates []privateAccess

	marks []iterationMark // what loops did
	skips []skip          // repetitions that are not recorded, in order

	skipped int64 // nodes that are not
}

// chunkNodes is how many nodes are allocated at a time: most traces are short.
const chunkNodes = 1 << 8

// add appends a node with its data and order dependences.
func (t *trace) add(n node, deps, order []nodeID) nodeID {
	if t.length == len(t.chunks)*chunkNodes {
		t.chunks = append(t.chunks, new([chunkNodes]patternID))
	}
	t.chunks[t.length/chunkNodes][t.length%chunkNodes] = t.patterns.add(&content{
		pattern: pattern{kind: t.kinds.intern(kind{n.op, n.typ, n.pos, n.loop, n.contraction}), access: n.access, lanes: n.lanes, flags: n.flags},
		at:      t.length, x: n.x, y: n.y, deps: deps, order: order,
	})
	if n.touch != 0 {
		for len(t.touches) < len(t.chunks) {
			t.touches = append(t.touches, nil)
		}
		c := &t.touches[len(t.chunks)-1]
		if *c == nil {
			*c = new([chunkNodes]touchID)
		}
		(*c)[t.length%chunkNodes] = n.touch
	}
	t.length++
	return nodeID(t.length)
}

// at returns the node at an index from 0, node the one with an id from 1.
func (t *trace) at(i int) recorded {
	return recorded{t.patterns.at(t.chunks[i/chunkNodes][i%chunkNodes]), i}
}
func (t *trace) node(id nodeID) recorded { return t.at(int(id) - 1) }

// touch is the name of a node's access.
func (t *trace) touch(i int) touchID {
	if i/chunkNodes >= len(t.touches) || t.touches[i/chunkNodes] == nil {
		return 0
	}
	return t.touches[i/chunkNodes][i%chunkNodes]
}

// deps and order are the dependences of a node. They are overwritten when four more sets
// have been asked for.
func (t *trace) deps(n recorded) []nodeID  { return t.set(n, t.patterns.deps(n.pattern)) }
func (t *trace) order(n recorded) []nodeID { return t.set(n, t.patterns.order(n.pattern)) }

func (t *trace) set(n recorded, links []link) []nodeID {
	t.asked = (t.asked + 1) % len(t.scratch)
	out := t.scratch[t.asked][:0]
	for _, l := range links {
		out = append(out, l.of(n.index))
	}
	t.scratch[t.asked] = out
	return out
}

// change replaces what a node is.
func (t *trace) change(n recorded, edit func(*content)) {
	c := &t.changed
	*c = content{
		pattern: *n.pattern, at: n.index, x: n.operand(n.x), y: n.operand(n.y),
		deps: t.deps(n), order: t.order(n),
	}
	edit(c)
	t.chunks[n.index/chunkNodes][n.index%chunkNodes] = t.patterns.add(c)
}

// operand is the node that a link of n leads to.
func (n recorded) operand(l link) nodeID { return l.of(n.index) }

// keep marks nodes as roots.
func (t *trace) keep(ids []nodeID) {
	for _, id := range ids {
		if n := t.node(id); n.flags&flagRoot == 0 {
			t.change(n, func(c *content) { c.flags |= flagRoot })
		}
	}
}

// ancestors appends to list the nodes, and those that a chain of at most depth
// data dependences leads back to from them, as far as they are not before oldest.
// They come out in ascending order.
func (t *trace) ancestors(list, from []nodeID, depth int, oldest nodeID) []nodeID {
	add := func(ids []nodeID) {
		for _, id := range ids {
			if id < oldest {
				continue
			}
			if i, found := slices.BinarySearch(list, id); !found {
				list = slices.Insert(list, i, id)
				t.next = append(t.next, id)
			}
		}
	}
	t.next = t.next[:0]
	add(from)
	for begin := 0; depth > 0 && begin < len(t.next); depth-- {
		end := len(t.next)
		for ; begin < end; begin++ {
			add(t.deps(t.node(t.next[begin])))
		}
	}
	return list
}

// union merges sorted sets of node ids. What it returns must not be modified: it
// may be one of the sets.
func union(sets ...[]nodeID) []nodeID {
	var out []nodeID
	for _, s := range sets {
		out = merge(out, s)
	}
	return out
}

func merge(a, b []nodeID) []nodeID {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 || slices.Equal(a, b) {
		return a
	}
	out := make([]nodeID, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x < y:
			out, a = append(out, x), a[1:]
		case x > y:
			out, b = append(out, y), b[1:]
		default:
			out, a, b = append(out, x), a[1:], b[1:]
		}
	}
	out = append(out, a...)
	return append(out, b...)
}

// kindAt is the op of a node, by its index, and the innermost loop that it was executed in.
func (t *trace) kindAt(i int) (op string, loop lower.LoopID) {
	k := t.kinds.of(t.at(i).kind)
	return k.op, k.loop
}

// isBarrier reports whether the node at an index is a barrier of the work group.
func (t *trace) isBarrier(i int) bool { return t.at(i).flags&flagBarrier != 0 }

// joinLast gives the last node more dependences.
func (t *trace) joinLast(deps []nodeID) {
	t.change(t.at(t.length-1), func(c *content) { c.deps = union(c.deps, deps) })
}

// nodes is how many nodes have been recorded.
func (t *trace) nodes() int { return t.length }
