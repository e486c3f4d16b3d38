package unroll

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
)

// contexts remembers the exact contexts of a group's accesses, so that one which
// the same lanes made before, some multiple of contextPeriod bytes away, is
// neither mapped nor interned again. (The builder may forget those of a group.)
type contexts struct {
	group  [3]int64
	index  map[uint64][]knownContext
	latest *knownContext
}

// contextPeriod is the distance of accesses of equal context: the alignment of
// buffers (idg.Access).
const contextPeriod = 256

// knownContext is an access and its context.
type knownContext struct {
	root    lower.ObjectID
	width   int64
	unknown string
	offsets []int64 // the first is less than contextPeriod
	space   idg.Space
	store   bool
	same    bool
	id      idg.AccessID
}

// intern returns the context of an access that ExactContext maps.
func (c *contexts) intern(b *idg.Builder, root lower.ObjectID, a *LaneAccess) idg.AccessID {
	moved := int64(0) // what normalising takes off
	if len(a.Offsets) > 0 {
		moved = a.Offsets[0] &^ (contextPeriod - 1)
	}
	if c.latest != nil && c.latest.is(root, a, moved) {
		return c.latest.id
	}
	const prime = 1099511628211 // of FNV-1a
	h := (uint64(root)*prime ^ uint64(a.Width)) * prime
	for _, o := range a.Offsets {
		h = (h ^ uint64(o-moved)) * prime
		h ^= h >> 32
	}
	list := c.index[h]
	for i := range list {
		if list[i].is(root, a, moved) {
			c.latest = &list[i]
			return list[i].id
		}
	}
	k := knownContext{root: root, width: a.Width, unknown: a.Unknown, space: a.Space, store: a.Store, same: a.Same}
	for _, o := range a.Offsets {
		k.offsets = append(k.offsets, o-moved)
	}
	mapped := *a
	mapped.Offsets = slices.Clone(a.Offsets)
	k.id = b.Access(ExactContext{}.Map(mapped))
	if c.index == nil {
		c.index = map[uint64][]knownContext{}
	}
	c.index[h] = append(list, k)
	return k.id
}

// is reports whether an access has this context.
func (k *knownContext) is(root lower.ObjectID, a *LaneAccess, moved int64) bool {
	if k.root != root || k.width != a.Width || k.space != a.Space || k.store != a.Store ||
		len(k.offsets) != len(a.Offsets) || k.unknown != a.Unknown || k.same != a.Same {
		return false
	}
	for i, o := range a.Offsets {
		if k.offsets[i] != o-moved {
			return false
		}
	}
	return true
}
