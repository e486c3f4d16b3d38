package unroll

// numbering is the value-numbering table of -O2: which value an operation on
// given operands has already produced. Entries live at the rolled-loop level in
// which they vary, and are forgotten when that loop starts its next iteration;
// entries made on one side of a branch are forgotten at its end, because the
// code of that side does not run before what follows, and what they replaced is
// back.
type numbering struct {
	levels  []table    // by level of variation
	journal []replaced // insertions inside open branch scopes
	keys    []byte     // their keys, one behind the other
	scopes  int        // open branch scopes
	log     *putLog    // nil = not asked for
	key     []byte     // scratch
}

// entry is what an operation produced. Loads have several values and are valid
// while no store, barrier or call may have changed the memory. Without a value
// it is no entry.
type entry struct {
	v    *value
	more []*value // further components of a wide load
	mask laneMask // lanes for which it was executed
	seq  int      // loads: position in the alias class's store log
}

// replaced is an insertion to be taken back.
type replaced struct {
	level int32
	key   int   // where its key begins
	old   entry // zero: there was none
}

func (n *numbering) init() { n.levels = make([]table, 1) }

// find looks an operation up.
func (n *numbering) find(key []byte) (entry, bool) {
	h := hashKey(key)
	for i := len(n.levels) - 1; i >= 0; i-- {
		if e := n.levels[i].find(h, key); e.v != nil {
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
		n.levels = append(n.levels, table{})
	}
	n.log.put(key, e, level)
	h := hashKey(key)
	if n.scopes > 0 && !(speculative && level < innermost) {
		n.journal = append(n.journal, replaced{level, len(n.keys), n.levels[level].find(h, key)})
		n.keys = append(n.keys, key...)
	}
	n.levels[level].put(h, key, e)
}

// forget drops what varies in rolled loops from level on.
func (n *numbering) forget(level int32) {
	for i := int(level); i < len(n.levels); i++ {
		n.levels[i].clear()
	}
}

// open starts a branch scope; close ends it.
func (n *numbering) open() int {
	n.scopes++
	return len(n.journal)
}

func (n *numbering) close(mark int) {
	for i := len(n.journal) - 1; i >= mark; i-- {
		j := &n.journal[i]
		key := n.keys[j.key:]
		n.levels[j.level].put(hashKey(key), key, j.old)
		n.keys = n.keys[:j.key]
		*j = replaced{}
	}
	n.journal = n.journal[:mark]
	n.scopes--
}

// items counts the keys in the tables of the levels before a level.
func (n *numbering) items(level int32) (count int) {
	for i := range n.levels[:min(int(level), len(n.levels))] {
		count += len(n.levels[i].young.items)<<20 + len(n.levels[i].old.items)
	}
	return count
}

// putLog notes what is put into the tables of the levels before its own, which
// the iterations of a loop of that level hand on to each other.
type putLog struct {
	level int32
	puts  []loggedPut
}

type loggedPut struct {
	key string
	entry
}

func (l *putLog) put(key []byte, e entry, level int32) {
	if l != nil && level < l.level {
		l.puts = append(l.puts, loggedPut{string(key), e})
	}
}
