package unroll

import "slices"

// numbering is the value-numbering table of -O2: which value an operation on
// given operands has already produced. Entries live at the rolled-loop level in
// which they vary, and are forgotten when that loop starts its next iteration;
// entries made on one side of a branch are forgotten at its end, because the
// code of that side does not run before what follows, and what they replaced is
// back.
type numbering struct {
	levels  []map[string]entry // by level of variation
	journal []replaced         // insertions inside open branch scopes
	scopes  int                // open branch scopes
	key     []byte             // scratch
}

// entry is what an operation produced. Loads have several values and are valid
// while no store, barrier or call may have changed the memory.
type entry struct {
	v    *value
	more []*value // further components of a wide load
	mask laneMask // lanes for which it was executed
	seq  int      // loads: position in the alias class's store log
}

// replaced is an insertion to be taken back.
type replaced struct {
	level int32
	key   string
	old   entry // zero: there was none
}

func (n *numbering) init() { n.levels = []map[string]entry{{}} }

// find looks an operation up.
func (n *numbering) find(key []byte) (entry, bool) {
	for i := len(n.levels) - 1; i >= 0; i-- {
		if e, ok := n.levels[i][string(key)]; ok {
			return e, true
		}
	}
	return entry{}, false
}

// put records an operation that varies in rolled loops from level on.
// speculative operations (no memory access) that are invariant in the innermost
// rolled loop stay known after a branch: compilers hoist them.
func (n *numbering) put(key []byte, e entry, level, innermost int32, speculative bool) {
	for int(level) >= len(n.levels) {
		n.levels = append(n.levels, map[string]entry{})
	}
	k := string(key)
	if n.scopes > 0 && !(speculative && level < innermost) {
		n.journal = append(n.journal, replaced{level, k, n.levels[level][k]})
	}
	n.levels[level][k] = e
}

// forget drops what varies in rolled loops from level on.
func (n *numbering) forget(level int32) {
	for i := int(level); i < len(n.levels); i++ {
		clear(n.levels[i])
	}
}

// open starts a branch scope; close ends it.
func (n *numbering) open() int {
	n.scopes++
	return len(n.journal)
}

func (n *numbering) close(mark int) {
	for _, j := range slices.Backward(n.journal[mark:]) {
		if j.old.v == nil {
			delete(n.levels[j.level], j.key)
		} else {
			n.levels[j.level][j.key] = j.old
		}
	}
	n.journal = n.journal[:mark]
	n.scopes--
}
