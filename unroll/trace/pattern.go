package trace

import (
	"slices"

	"gpupipe/idg"
)

// patternID names a pattern, from 1.
type patternID uint32

// pattern is what recorded instructions have in common that are the same and depend on
// nodes at the same distances, or on the same nodes: those of unrolled loops do.
// A trace has millions of instructions, of few patterns.
type pattern struct {
	kind     kindID
	access   idg.AccessID
	x, y     link // as in node
	links    uint32
	depLen   uint16
	orderLen uint16
	lanes    uint8
	flags    Flags
}

// link names an element of a set as seen from the node that has it: by the node's id, or if that is not
// far, by minus the distance of their indices, either with a bit more if it is marked Earlier. 0 is none.
type link int32

// nearNodes is how far nodes are apart that are named by their distance. What is used
// for longer is taken to be of one value that all instructions use.
const nearNodes = 1 << 11

// The bits that mark what is Earlier.
const (
	nearEarlier link = nearNodes
	farEarlier  link = 1 << 30
)

func linkTo(id NodeID, from int) link {
	if d := link(from + 1 - int(id.Node())); id != 0 && d < nearNodes {
		if id.isEarlier() {
			d |= nearEarlier
		}
		return -d
	}
	if id.isEarlier() {
		return link(id.Node()) | farEarlier
	}
	return link(id)
}

// of is the node, element what the set has of it.
func (l link) of(from int) NodeID { return l.element(from).Node() }

func (l link) element(from int) NodeID {
	switch {
	case l >= 0 && l&farEarlier != 0:
		return NodeID(l&^farEarlier) | Earlier
	case l >= 0:
		return NodeID(l)
	case -l&nearEarlier != 0:
		return NodeID(from+1-int(-l&^nearEarlier)) | Earlier
	}
	return NodeID(from + 1 + int(l))
}

// content is what a node is to be.
type content struct {
	pattern     // but for the links
	at          int
	x, y        NodeID
	deps, order []NodeID
}

// maxLinks bounds the dependences of a node, data and order each.
const maxLinks = 1<<16 - 1

// patterns interns patterns.
type patterns struct {
	chunks []*[chunkNodes]pattern // by patternID - 1: they stay where they are
	length int
	pool   []link // the dependences of all, order behind data
	slots  []patternID
	after  []patternID // of each pattern: the one that came behind it last
	last   patternID
	key    []link // scratch
}

func (p *patterns) at(id patternID) *pattern { return &p.chunks[(id-1)/chunkNodes][(id-1)%chunkNodes] }

func (p *patterns) deps(x *pattern) []link { return p.pool[x.links : x.links+uint32(x.depLen)] }
func (p *patterns) order(x *pattern) []link {
	from := x.links + uint32(x.depLen)
	return p.pool[from : from+uint32(x.orderLen)]
}

// add returns the pattern of a node.
func (p *patterns) add(c *content) patternID {
	x := c.pattern
	deps, order := c.deps[:min(len(c.deps), maxLinks)], c.order[:min(len(c.order), maxLinks)]
	x.x, x.y = linkTo(c.x, c.at), linkTo(c.y, c.at)
	x.depLen, x.orderLen = uint16(len(deps)), uint16(len(order))
	key := p.key[:0]
	for _, d := range deps {
		key = append(key, linkTo(d, c.at))
	}
	for _, d := range order {
		key = append(key, linkTo(d, c.at))
	}
	p.key = key
	var id patternID
	if p.last != 0 {
		id = p.after[p.last-1]
	}
	if id == 0 || !p.is(id, &x, key) {
		id = p.intern(&x, key)
		if p.last != 0 {
			p.after[p.last-1] = id
		}
	}
	p.last = id
	return id
}

// is reports whether a pattern is x with some links.
func (p *patterns) is(id patternID, x *pattern, key []link) bool {
	y := p.at(id)
	x.links = y.links
	return *x == *y && slices.Equal(p.pool[y.links:int(y.links)+len(key)], key)
}

func (p *patterns) intern(x *pattern, key []link) patternID {
	if 2*p.length >= len(p.slots) {
		p.grow()
	}
	i := hashPattern(x, key) & uint64(len(p.slots)-1)
	for ; p.slots[i] != 0; i = (i + 1) & uint64(len(p.slots)-1) {
		if p.is(p.slots[i], x, key) {
			return p.slots[i]
		}
	}
	if p.length == len(p.chunks)*chunkNodes {
		p.chunks = append(p.chunks, new([chunkNodes]pattern))
	}
	x.links = uint32(len(p.pool))
	p.pool = append(p.pool, key...)
	p.length++
	id := patternID(p.length)
	*p.at(id) = *x
	p.after = append(p.after, 0)
	p.slots[i] = id
	return id
}

func (p *patterns) grow() {
	p.slots = make([]patternID, max(64, 2*len(p.slots)))
	mask := uint64(len(p.slots) - 1)
	for n := range p.length {
		id := patternID(n + 1)
		x := p.at(id)
		i := hashPattern(x, p.pool[x.links:int(x.links)+int(x.depLen)+int(x.orderLen)]) & mask
		for p.slots[i] != 0 {
			i = (i + 1) & mask
		}
		p.slots[i] = id
	}
}

// hashPattern distributes patterns over slots; results do not depend on it.
func hashPattern(x *pattern, key []link) uint64 {
	const golden = 0x9e3779b97f4a7c15
	h := (uint64(x.kind)<<32 | uint64(x.access)) * golden
	h = (h ^ h>>29 ^ uint64(uint32(x.x))<<32 ^ uint64(uint32(x.y))) * golden
	h = (h ^ h>>31 ^ uint64(x.depLen)<<32 ^ uint64(x.orderLen)<<16 ^ uint64(x.lanes)<<8 ^ uint64(x.flags)) * golden
	for _, l := range key {
		h = (h ^ h>>29 ^ uint64(uint32(l))) * golden
	}
	return h ^ h>>32
}
