package simulate

import "math/bits"

// bitset is a set of places (see WarpID).
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) add(i int)    { b[i>>6] |= 1 << (i & 63) }
func (b bitset) remove(i int) { b[i>>6] &^= 1 << (i & 63) }

// candidates are the places of a sub-core that can issue now: those in any of
// the sets, and in the mask if there is one. The union is never stored, so that
// finding a place costs little however many there are.
type candidates struct {
	sets []bitset
	mask bitset // nil = all
}

// word returns the places 64·j to 64·j+63.
func (c *candidates) word(j int) uint64 {
	var word uint64
	for _, s := range c.sets {
		word |= s[j]
	}
	if c.mask != nil {
		word &= c.mask[j]
	}
	return word
}

func (c *candidates) has(i int) bool { return c.word(i>>6)>>(i&63)&1 != 0 }

// first returns the smallest candidate in [from, to), or -1.
func (c *candidates) first(from, to int) int {
	if from >= to {
		return -1
	}
	j := from >> 6
	word := c.word(j) &^ (1<<(from&63) - 1)
	for word == 0 {
		if j++; j<<6 >= to {
			return -1
		}
		word = c.word(j)
	}
	if i := j<<6 + bits.TrailingZeros64(word); i < to {
		return i
	}
	return -1
}

// lastOf returns the largest candidate in [from, to), or -1.
func (c *candidates) lastOf(from, to int) int {
	if from >= to {
		return -1
	}
	j := (to - 1) >> 6
	word := c.word(j) & (2<<((to-1)&63) - 1)
	for word == 0 {
		if j--; j<<6+63 < from {
			return -1
		}
		word = c.word(j)
	}
	if i := j<<6 + bits.Len64(word) - 1; i >= from {
		return i
	}
	return -1
}

// firstAfter returns the first candidate of [from, to) in cyclic order from the
// one after last, or -1. A last outside the range starts at from.
func (c *candidates) firstAfter(last, from, to int) int {
	if last < from || last >= to {
		return c.first(from, to)
	}
	if i := c.first(last+1, to); i >= 0 {
		return i
	}
	return c.first(from, last+1)
}
