package simulate

// implied is what has certainly happened when an instruction of a block issues: bit d-1
// is of the instruction d before it.
type implied struct {
	done, passed uint64 // its Λ, its λ is over
	far          uint32 // one further away, whose Λ is over, plus 1; 0 = none is known
}

// impliedReach is how far back implied has bits.
const impliedReach = 64

// of reports whether the Λ, or with order the λ, of an instruction u is over when v issues, of
// which i is implied.
func (i *implied) of(u, v uint32, order bool) bool {
	if d := v - u; d > impliedReach {
		return !order && i.far == u+1
	} else if order {
		return i.passed>>(d-1)&1 != 0
	} else {
		return i.done>>(d-1)&1 != 0
	}
}

// inherit adds what is implied by the issue of the instruction d before.
func (i *implied) inherit(from *implied, d uint32) {
	i.done |= from.done << d
	i.passed |= from.passed << d
	i.far = max(i.far, from.far)
}

// add adds what a dependence on an instruction of a class, d before v, says.
func (i *implied) add(c *class, u, v uint32, order bool) {
	d := v - u
	if d > impliedReach {
		if !order {
			i.far = max(i.far, u+1)
		}
		return
	}
	bit := uint64(1) << (d - 1)
	if !order {
		i.done |= bit
	}
	if order || c.latency >= c.hold && !c.queued {
		i.passed |= bit
	}
}

// reduceInner leaves out dependences within the block on what is over anyway before
// the last one of the same node is satisfied: an instruction for which the node waits, too,
// has waited for it and then takes time. So no other dependence becomes the last one, and
// an instruction for which others wait still has one of them.
func (b *tracedBlock) reduceInner(classes []class) {
	known := make([]implied, b.len())
	kept := b.inner[:0]
	from := uint32(0)
	for v := range uint32(b.len()) {
		deps := b.inner[from:b.off[v+1]]
		from = b.off[v+1]
		var before implied
		for _, x := range deps {
			u := x >> 1
			if c := &classes[b.class[u]]; c.takes(x&1 != 0) > 0 {
				before.inherit(&known[u], v-u)
			}
		}
		all := before
		for _, x := range deps {
			u, order := x>>1, x&1 != 0
			all.add(&classes[b.class[u]], u, v, order)
			if !before.of(u, v, order) {
				kept = append(kept, x)
			}
		}
		known[v] = all
		b.off[v+1] = uint32(len(kept))
	}
	b.inner = kept
}

// takes is the least time from the issue of an instruction until a dependence on it
// is satisfied.
func (c *class) takes(order bool) Tick {
	if order {
		return c.hold
	}
	return c.latency
}
