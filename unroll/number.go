package unroll

import "slices"

// numbering is the value-numbering table of -O2: which value an operation on
// given operands has already produced. Entries live at the rolled-loop level in
// which they vary, and are forgotten when that loop starts its next iteration;
// entries made on one side of a branch are forgotten at its end, because the
// code of that side does not run before what follows, and what they replaced is
// back.
type numbering struct {
	levels  []table    // by level of variation
	used    []int32    // levels whose tables have had entries since they were emptied, ascending
	journal []replaced // insertions inside open branch scopes
	keys    []byte     // their keys, one behind the other
	scopes  []scope    // open ones
	opened  uint32     // scopes so far
	logs    []*putLog
	key     []byte // scratch
}

// scope is a side of a branch.
type scope struct {
	mark   int    // its insertions begin here in the journal
	number uint32 // from 1
}

// entry is what an operation produced. Loads have several values and are valid
// while no store, barrier or call may have changed the memory. Without a value
// it is not an entry.
type entry struct {
	v    *value
	more []*value // further components of a wide load
	mask laneMask // lanes for which it was executed
	seq  int      // loads: position in the alias class's store log
	side uint32   // number of the scope whose journal says what was there before; 0 = none
}

// replaced is an insertion to be taken back.
type replaced struct {
	level int32
	key   int   // where its key begins
	old   entry // zero: there was none
}

// init prepares the table; levels are empty tables to be used, nil = none.
func (n *numbering) init(levels []table) {
	if n.levels = levels; len(levels) == 0 {
		n.levels = make([]table, 1)
	}
}

// find looks an operation up.
func (n *numbering) find(key []byte) (entry, bool) {
	h := hashKey(key)
	for _, level := range slices.Backward(n.used) {
		if e := n.levels[level].find(h, key); e.v != nil {
			return e, true
		}
	}
	return entry{}, false
}

// put records an operation that varies in rolled loops from level on.
// speculative operations (no memory access) that are invariant in the innermost
// rolled loop stay known after a branch: compilers hoist them.
func (n *numbering) put(key []byte, e entry, level, innermost int32, speculative bool) {
	table := n.table(level)
	for _, l := range n.logs {
		l.put(key, e, level)
	}
	h := hashKey(key)
	if len(n.scopes) > 0 && !(speculative && level < innermost) {
		old := table.find(h, key)
		e.side = n.scopes[len(n.scopes)-1].number
		if old.side != e.side {
			n.journal = append(n.journal, replaced{level, len(n.keys), old})
			n.keys = append(n.keys, key...)
		}
	}
	table.put(h, key, e)
}

// table is the one of a level, to put into.
func (n *numbering) table(level int32) *table {
	for int(level) >= len(n.levels) {
		n.levels = append(n.levels, table{})
	}
	if i, found := slices.BinarySearch(n.used, level); !found {
		n.used = slices.Insert(n.used, i, level)
	}
	return &n.levels[level]
}

// forget drops what varies in rolled loops from level on.
func (n *numbering) forget(level int32) {
	kept, _ := slices.BinarySearch(n.used, level)
	for _, l := range n.used[kept:] {
		n.levels[l].clear()
	}
	n.used = n.used[:kept]
	n.trim(level)
}

// trim drops from the innermost open scope's journal what varies in rolled loops
// from level on: it stands in tables that were empty when the loop began, and
// will be again. So the iterations of a loop in a branch do not lengthen it.
func (n *numbering) trim(level int32) {
	if len(n.scopes) == 0 {
		return
	}
	kept := n.scopes[len(n.scopes)-1].mark
	if kept == len(n.journal) {
		return
	}
	to := n.journal[kept].key
	for i := kept; i < len(n.journal); i++ {
		j, end := n.journal[i], len(n.keys)
		if i+1 < len(n.journal) {
			end = n.journal[i+1].key
		}
		if j.level < level {
			size := copy(n.keys[to:], n.keys[j.key:end])
			n.journal[kept] = replaced{j.level, to, j.old}
			kept++
			to += size
		}
	}
	clear(n.journal[kept:])
	n.journal, n.keys = n.journal[:kept], n.keys[:to]
}

// open starts a branch scope; close ends it.
func (n *numbering) open() {
	n.opened++
	n.scopes = append(n.scopes, scope{len(n.journal), n.opened})
}

func (n *numbering) close() {
	mark := n.scopes[len(n.scopes)-1].mark
	for i := len(n.journal) - 1; i >= mark; i-- {
		j := &n.journal[i]
		key := n.keys[j.key:]
		n.table(j.level).put(hashKey(key), key, j.old)
		n.keys = n.keys[:j.key]
		*j = replaced{}
	}
	n.journal = n.journal[:mark]
	n.scopes = n.scopes[:len(n.scopes)-1]
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
	if level < l.level {
		l.puts = append(l.puts, loggedPut{string(key), e})
	}
}
