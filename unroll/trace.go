package unroll

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
)

// nodeID names a node of the trace, from 1; 0 means "none".
type nodeID uint32

// nodeFlags say what sweeping may do with a node.
type nodeFlags uint8

const (
	flagRoot    nodeFlags = 1 << iota // has an effect: never swept
	flagGate                          // everything after it waits for it (control)
	flagBarrier                       // a work-group barrier
	flagStore                         // counts as complete once issued
	flagDead                          // contracted into its user
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

// recorded is a recorded instruction before sweeping: few bytes and no
// pointers, since a trace has millions of them.
type recorded struct {
	kind     kindID
	access   idg.AccessID
	x, y     nodeID // as in node
	depOff   uint32
	orderOff uint32
	depLen   uint16
	orderLen uint16
	touch    touchID
	lanes    uint8
	flags    nodeFlags
}

// trace is the recording of one warp.
type trace struct {
	kinds  kinds
	chunks []*[chunkNodes]recorded // nodes stay where they are while the trace grows
	length int
	// pool holds the dependences of all nodes: offset i is at i%poolChunk of
	// chunk i/poolChunk. Those of one node lie in one chunk.
	pool [][]nodeID
	next []nodeID // scratch

	// loads are those of local memory that may be merged, in program order, if
	// merging was asked for; wide interns the context of what replaces them.
	loads []localLoad
	wide  func(l *localLoad, moved, size int64) idg.AccessID

	marks []iterationMark // what loops did
	skips []skip          // repetitions that are not recorded, in order
}

const (
	chunkNodes = 1 << 8
	poolChunk  = 1 << 16
)

// add appends a node with its data and order dependences.
func (t *trace) add(n node, deps, order []nodeID) nodeID {
	if t.length == len(t.chunks)*chunkNodes {
		t.chunks = append(t.chunks, new([chunkNodes]recorded))
	}
	r := t.at(t.length)
	r.kind = t.kinds.intern(kind{n.op, n.typ, n.pos, n.loop, n.contraction})
	r.access, r.touch, r.x, r.y, r.lanes, r.flags = n.access, n.touch, n.x, n.y, n.lanes, n.flags
	r.depOff, r.depLen = t.put(deps)
	r.orderOff, r.orderLen = t.put(order)
	t.length++
	return nodeID(t.length)
}

func (t *trace) put(ids []nodeID) (uint32, uint16) {
	if len(ids) == 0 {
		return 0, 0
	}
	ids = ids[:min(len(ids), poolChunk-1)]
	last := len(t.pool) - 1
	if last < 0 || len(t.pool[last])+len(ids) > poolChunk {
		size := poolChunk
		if last < 0 {
			size = chunkNodes // most traces are short
		}
		t.pool = append(t.pool, make([]nodeID, 0, size))
		last++
	}
	off := last*poolChunk + len(t.pool[last])
	t.pool[last] = append(t.pool[last], ids...)
	return uint32(off), uint16(len(ids))
}

// set returns what put has stored.
func (t *trace) set(off uint32, n uint16) []nodeID {
	if n == 0 {
		return nil
	}
	i := off % poolChunk
	return t.pool[off/poolChunk][i : i+uint32(n)]
}

// at returns the node at an index from 0, node the one with an id from 1.
func (t *trace) at(i int) *recorded       { return &t.chunks[i/chunkNodes][i%chunkNodes] }
func (t *trace) node(id nodeID) *recorded { return t.at(int(id) - 1) }

func (t *trace) deps(n *recorded) []nodeID  { return t.set(n.depOff, n.depLen) }
func (t *trace) order(n *recorded) []nodeID { return t.set(n.orderOff, n.orderLen) }

// keep marks nodes as roots.
func (t *trace) keep(ids []nodeID) {
	for _, id := range ids {
		t.node(id).flags |= flagRoot
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
