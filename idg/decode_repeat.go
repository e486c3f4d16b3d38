package idg

import "slices"

// While a repetition is read, the upper bits of an edge's kind say in how many of
// the repetitions around it, from the innermost one outwards, its producer stays
// the same; heldAlways is more than there can be. They are gone once the
// outermost one is complete.
const (
	holdShift            = 2
	kindMask    EdgeKind = 1<<holdShift - 1
	heldAlways           = 1<<(8-holdShift) - 1
	alwaysBits  EdgeKind = heldAlways << holdShift
	oneHoldBits EdgeKind = 1 << holdShift
)

// held is the kind of an edge in the current bodies.
func (d *decoder) held(kind EdgeKind, base int) EdgeKind {
	switch {
	case base == 0 || len(d.bodies) == 0:
		return kind
	case base == linkAbsolute:
		base = heldAlways
	}
	d.holds = true
	return kind | EdgeKind(base)<<holdShift
}

// released is the kind of an edge once the innermost repetition is complete.
func released(kind EdgeKind) EdgeKind {
	if hold := kind &^ kindMask; hold == 0 || hold == alwaysBits {
		return kind
	}
	return kind - oneHoldBits
}

// repeat appends count-1 copies of the instructions from first on.
func (d *decoder) repeat(p *Program, at Pos, first int, count int64) {
	body, edges := int64(len(p.instr)-first), int64(len(p.from))-int64(p.off[first])
	switch {
	case count-1 > (d.opt.MaxNodes-d.nodes-int64(len(p.instr)))/body:
		d.tooManyNodes(at)
		return
	case edges > 0 && count-1 > (d.opt.MaxEdges-d.edges-int64(len(p.from)))/edges:
		d.tooManyEdges(at)
		return
	}
	nodes, n, e := int(body), int((count-1)*body), int((count-1)*edges)
	p.instr = slices.Grow(p.instr, n)
	p.off = slices.Grow(p.off, n)
	p.from = slices.Grow(p.from, e)
	p.kind = slices.Grow(p.kind, e)
	firstEdge := int(p.off[first])
	// Each copy is made from the one before it, so that a constant is added.
	for v := first; v < first+n; v++ {
		p.instr = append(p.instr, p.instr[v])
		p.off = append(p.off, p.off[v+1]+uint32(edges))
	}
	if d.holds {
		d.copyHeld(p, at, first, n, NodeID(nodes))
		return
	}
	for f := firstEdge; f < firstEdge+e; f++ {
		p.from = append(p.from, p.from[f]+NodeID(nodes))
		p.kind = append(p.kind, p.kind[f])
	}
}

// copyHeld appends the edges of n copied instructions where the producers of some
// stay the same.
func (d *decoder) copyHeld(p *Program, at Pos, first, n int, nodes NodeID) {
	firstEdge := p.off[first]
	for v := first; v < first+n; v++ {
		row := len(p.from)
		for f := p.off[v]; f < p.off[v+1]; f++ {
			from, kind := p.from[f], p.kind[f]
			if kind <= kindMask {
				from += nodes
			}
			p.from = append(p.from, from)
			p.kind = append(p.kind, kind)
		}
		// A producer that moves along may overtake one that stays, or meet it.
		if !sortEdges(p.from[row:], p.kind[row:]) {
			d.fail(at, CodeBroken, "instruction %d, of a later repetition, depends twice on the same instruction", v+int(nodes))
			return
		}
	}
	for f := range p.kind[firstEdge:] {
		k := &p.kind[int(firstEdge)+f]
		if *k = released(*k); len(d.bodies) == 0 {
			*k &= kindMask
		}
	}
	d.holds = len(d.bodies) > 0
}
