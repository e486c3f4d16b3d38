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

// node is a recorded instruction before sweeping.
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
	depOff      uint32
	depLen      uint16
	orderOff    uint32
	orderLen    uint16
	contraction contraction
}

// contraction says what part a node can play in multiply-add contraction.
type contraction uint8

const (
	notContractible contraction = iota
	isMul
	isAddSub
)

// trace is the recording of one warp.
type trace struct {
	chunks []*[chunkNodes]node // nodes stay where they are while the trace grows
	length int
	pool   []nodeID // dependences of all nodes
}

const chunkNodes = 1 << 10

// add appends a node with its data and order dependences.
func (t *trace) add(n node, deps, order []nodeID) nodeID {
	n.depOff, n.depLen = t.put(deps)
	n.orderOff, n.orderLen = t.put(order)
	if t.length == len(t.chunks)*chunkNodes {
		t.chunks = append(t.chunks, new([chunkNodes]node))
	}
	*t.at(t.length) = n
	t.length++
	return nodeID(t.length)
}

func (t *trace) put(ids []nodeID) (uint32, uint16) {
	off := len(t.pool)
	ids = ids[:min(len(ids), 1<<16-1)]
	t.pool = append(t.pool, ids...)
	return uint32(off), uint16(len(ids))
}

// at returns the node at an index from 0, node the one with an id from 1.
func (t *trace) at(i int) *node       { return &t.chunks[i/chunkNodes][i%chunkNodes] }
func (t *trace) node(id nodeID) *node { return t.at(int(id) - 1) }

func (t *trace) deps(n *node) []nodeID { return t.pool[n.depOff : n.depOff+uint32(n.depLen)] }

func (t *trace) order(n *node) []nodeID {
	return t.pool[n.orderOff : n.orderOff+uint32(n.orderLen)]
}

// keep marks nodes as roots.
func (t *trace) keep(ids []nodeID) {
	for _, id := range ids {
		t.node(id).flags |= flagRoot
	}
}

// reaches reports whether a short chain of data dependences leads from one of
// the nodes back to target.
func (t *trace) reaches(from []nodeID, target nodeID, depth int) bool {
	for _, id := range from {
		if id == target {
			return true
		}
		if id > target && depth > 0 && t.reaches(t.deps(t.node(id)), target, depth-1) {
			return true
		}
	}
	return false
}

// union merges sorted sets of node ids.
func union(sets ...[]nodeID) []nodeID {
	var out []nodeID
	used := 0
	for _, s := range sets {
		if len(s) > 0 {
			out = s
			used++
		}
	}
	if used <= 1 {
		return out
	}
	out = nil
	for _, s := range sets {
		out = append(out, s...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
