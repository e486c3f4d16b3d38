package unroll

import (
	"bytes"
	"hash/maphash"
)

// tableReach is how many operations a table remembers at least: one that has not
// been asked for again while so many others were recorded may be forgotten. No
// compiler keeps a value for that long, which would take a register all the
// time, and without a bound a loop of 10 million unrolled iterations would hold
// the values of all of them.
const tableReach = 1 << 16

// table maps keys to entries. It is a hash table with open addressing whose keys
// lie one behind the other, so that neither an insertion nor a look-up
// allocates, and which is emptied in constant time.
//
// It has two generations: a full young one becomes the old one, which is
// dropped, and what is found in the old one moves to the young one.
type table struct{ young, old generation }

type generation struct {
	slots []slot
	stamp uint32 // of the slots in use
	keys  []byte
	items []item
}

// slot refers to an item.
type slot struct{ hash, item, stamp uint32 }

// item is a key and its entry.
type item struct {
	end uint32 // of the key, in keys; it begins where the item before ends
	entry
}

var keySeed = maphash.MakeSeed()

// hashKey distributes keys over slots; results do not depend on it.
func hashKey(key []byte) uint32 { return uint32(maphash.Bytes(keySeed, key)) }

// find returns the entry of a key, an empty one if there is none.
func (t *table) find(hash uint32, key []byte) entry {
	if e := t.young.find(hash, key); e != nil {
		return *e
	}
	if e := t.old.find(hash, key); e != nil {
		found := *e
		t.put(hash, key, found)
		return found
	}
	return entry{}
}

// put sets the entry of a key; an empty entry removes it.
func (t *table) put(hash uint32, key []byte, e entry) {
	if old := t.young.find(hash, key); old != nil {
		*old = e
		return
	}
	if len(t.young.items) == tableReach {
		t.young, t.old = t.old, t.young
		t.young.clear()
	}
	t.young.add(hash, key, e)
}

func (t *table) clear() {
	t.young.clear()
	t.old.clear()
}

func (g *generation) find(hash uint32, key []byte) *entry {
	if len(g.items) == 0 {
		return nil
	}
	mask := uint32(len(g.slots) - 1)
	for i := hash & mask; g.slots[i].stamp == g.stamp; i = (i + 1) & mask {
		if s := &g.slots[i]; s.hash == hash && bytes.Equal(g.key(s.item), key) {
			return &g.items[s.item].entry
		}
	}
	return nil
}

func (g *generation) key(i uint32) []byte {
	start := uint32(0)
	if i > 0 {
		start = g.items[i-1].end
	}
	return g.keys[start:g.items[i].end]
}

// add appends a key that is not there.
func (g *generation) add(hash uint32, key []byte, e entry) {
	if 2*len(g.items) >= len(g.slots) {
		g.grow()
	}
	g.keys = append(g.keys, key...)
	g.items = append(g.items, item{uint32(len(g.keys)), e})
	g.insert(hash, uint32(len(g.items)-1))
}

func (g *generation) insert(hash, item uint32) {
	mask := uint32(len(g.slots) - 1)
	i := hash & mask
	for g.slots[i].stamp == g.stamp {
		i = (i + 1) & mask
	}
	g.slots[i] = slot{hash, item, g.stamp}
}

func (g *generation) grow() {
	old, stamp := g.slots, g.stamp
	g.slots, g.stamp = make([]slot, max(64, 2*len(old))), 1
	for _, s := range old {
		if s.stamp == stamp && stamp != 0 {
			g.insert(s.hash, s.item)
		}
	}
}

// clear empties the generation. Its values are given up as they are
// overwritten.
func (g *generation) clear() {
	g.keys, g.items = g.keys[:0], g.items[:0]
	if g.stamp++; g.stamp == 0 { // after 2^32 - 1 times
		clear(g.slots)
		g.stamp = 1
	}
}

// drop clears the table and gives up its values now.
func (t *table) drop() {
	t.clear()
	clear(t.young.items[:cap(t.young.items)])
	clear(t.old.items[:cap(t.old.items)])
}
