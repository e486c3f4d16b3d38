package trace

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/internal/target"
	"gpupipe/lower"
)

// NodeID names a node of the trace, from 1; 0 means "none".
type NodeID uint32

// TouchID names a recorded access of a warp, from 1; 0 means "none".
type TouchID uint32

// Flags say what sweeping may do with a node.
type Flags uint8

const (
	Root    Flags = 1 << iota // has an effect: never swept
	Gate                      // everything after it waits for it (control)
	Barrier                   // a work-group barrier
	Store                     // counts as complete once issued
	Waits                     // what it depends on are not operands of it (control)
)

// Node is an instruction to be recorded.
type Node struct {
	Op     string
	Type   string // memory accesses: element type
	Pos    lower.Pos
	Lanes  uint8
	Flags  Flags
	Access idg.AccessID
	Loop   lower.LoopID // innermost loop it was executed in
	// Operands of additions and multiplications, for contraction: the single
	// node that produces each, 0 otherwise.
	X, Y        NodeID
	Contraction Contraction
	Touch       TouchID
}

// recorded is a recorded instruction. What it is it has in common with others: see
// pattern.
type recorded struct {
	*pattern
	index int
}

// Options say what machine the passes finish a trace for. The zero value leaves what the source or PTX has.
type Options struct {
	target.Target
	// Wide interns the context of a wide access of so many bytes that begins moved bytes behind
	// another and takes its place.
	Wide func(l *NarrowAccess, moved, size int64) idg.AccessID
}

// Trace is the recording of one warp.
type Trace struct {
	kinds    kinds
	patterns patterns
	chunks   []*[chunkNodes]patternID // of the nodes
	touches  []*[chunkNodes]TouchID   // of the nodes, if addresses are recorded; nil chunks: none
	length   int
	scratch  [4][]NodeID // sets that were asked for last
	asked    int
	next     []NodeID // scratch
	changed  content  // scratch

	Options
	halves  []word // by kindID - 1, and by index which nodes are two: see halve
	doubled []bool

	// locals are loads and stores of local memory that may be merged, in program order, if
	// merging was asked for.
	locals  []NarrowAccess
	devices []NarrowAccess // those of device memory

	overwrites []overwrite // stores, in program order

	components []component // of operations on vectors, in program order

	// privates are accesses of arrays of which the last stage's place is not known yet.
	privates []PrivateAccess

	marks []iterationMark // what loops did
	Skips []Skip          // repetitions that are not recorded, in order

	Skipped int64 // nodes that are not
}

// chunkNodes is how many nodes are allocated at a time: most traces are short.
const chunkNodes = 1 << 8

// Add appends a node with its data and order dependences.
func (t *Trace) Add(n Node, deps, order []NodeID) NodeID {
	if t.length == len(t.chunks)*chunkNodes {
		t.chunks = append(t.chunks, new([chunkNodes]patternID))
	}
	t.chunks[t.length/chunkNodes][t.length%chunkNodes] = t.patterns.add(&content{
		pattern: pattern{kind: t.kinds.intern(kind{n.Op, n.Type, n.Pos, n.Loop, n.Contraction}), access: n.Access,
			lanes: n.Lanes, flags: n.Flags},
		at: t.length, x: n.X, y: n.Y, deps: deps, order: order,
	})
	if n.Touch != 0 {
		for len(t.touches) < len(t.chunks) {
			t.touches = append(t.touches, nil)
		}
		c := &t.touches[len(t.chunks)-1]
		if *c == nil {
			*c = new([chunkNodes]TouchID)
		}
		(*c)[t.length%chunkNodes] = n.Touch
	}
	t.length++
	return NodeID(t.length)
}

// at returns the node at an index from 0, node the one with an id from 1.
func (t *Trace) at(i int) recorded {
	return recorded{t.patterns.at(t.chunks[i/chunkNodes][i%chunkNodes]), i}
}
func (t *Trace) node(id NodeID) recorded { return t.at(int(id) - 1) }

// Touch is the name of a node's access.
func (t *Trace) Touch(i int) TouchID {
	if i/chunkNodes >= len(t.touches) || t.touches[i/chunkNodes] == nil {
		return 0
	}
	return t.touches[i/chunkNodes][i%chunkNodes]
}

// deps and order are the nodes that a node depends on, dataSet is the set that deps are the nodes of, and
// operands are those that are not marked Earlier. They are overwritten when four more have been asked for.
func (t *Trace) deps(n recorded) []NodeID  { return t.set(n, t.patterns.deps(n.pattern), link.of) }
func (t *Trace) order(n recorded) []NodeID { return t.set(n, t.patterns.order(n.pattern), link.of) }
func (t *Trace) dataSet(n recorded) []NodeID {
	return t.set(n, t.patterns.deps(n.pattern), link.element)
}

func (t *Trace) operands(n recorded) []NodeID {
	return slices.DeleteFunc(t.dataSet(n), NodeID.isEarlier)
}

func (t *Trace) set(n recorded, links []link, of func(link, int) NodeID) []NodeID {
	t.asked = (t.asked + 1) % len(t.scratch)
	out := t.scratch[t.asked][:0]
	for _, l := range links {
		out = append(out, of(l, n.index))
	}
	t.scratch[t.asked] = out
	return out
}

// change replaces what a node is.
func (t *Trace) change(n recorded, edit func(*content)) {
	c := &t.changed
	*c = content{
		pattern: *n.pattern, at: n.index, x: n.operand(n.x), y: n.operand(n.y),
		deps: t.dataSet(n), order: t.order(n),
	}
	edit(c)
	t.chunks[n.index/chunkNodes][n.index%chunkNodes] = t.patterns.add(c)
}

// operand is the node that a link of n leads to.
func (n recorded) operand(l link) NodeID { return l.of(n.index) }

// Keep marks nodes as roots.
func (t *Trace) Keep(ids []NodeID) {
	for _, id := range ids {
		if n := t.node(id.Node()); n.flags&Root == 0 {
			t.change(n, func(c *content) { c.flags |= Root })
		}
	}
}

// Ancestors appends to list the nodes, and those that a chain of at most depth
// data dependences leads back to from them, as far as they are not before oldest.
// They come out in ascending order.
func (t *Trace) Ancestors(list, from []NodeID, depth int, oldest NodeID) []NodeID {
	add := func(ids []NodeID) {
		for _, id := range ids {
			if id = id.Node(); id < oldest {
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

// KindAt is the op of a node, by its index, and the innermost loop that it was executed in.
func (t *Trace) KindAt(i int) (op isa.Op, loop lower.LoopID) {
	k := t.kinds.of(t.at(i).kind)
	return k.is, k.loop
}

// IsBarrier reports whether the node at an index is a barrier of the work group.
func (t *Trace) IsBarrier(i int) bool { return t.at(i).flags&Barrier != 0 }

// JoinLast gives the last node more dependences.
func (t *Trace) JoinLast(deps []NodeID) {
	t.change(t.at(t.length-1), func(c *content) { c.deps = Union(c.deps, deps) })
}

// Nodes is how many nodes have been recorded.
func (t *Trace) Nodes() int { return t.length }
