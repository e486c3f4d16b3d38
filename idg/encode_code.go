package idg

import (
	"math/bits"
	"strconv"
)

func (e *encoder) program(p *Program, fold bool) {
	e.key("warps")
	e.raw("[")
	for i, w := range p.Warps {
		if i > 0 {
			e.raw(",")
		}
		e.buf = strconv.AppendUint(e.buf, uint64(w), 10)
	}
	e.raw("]")
	e.number("nodes", int64(p.Len()))
	e.key("code")
	e.raw("[")
	if fold {
		e.folded(p, foldProgram(p))
	} else {
		for v := range p.instr {
			e.separate(v)
			e.instruction(p, NodeID(v))
			e.spill()
		}
	}
	if p.Len() > 0 {
		e.raw("\n")
	}
	e.raw("]")
}

// separate begins a line of code.
func (e *encoder) separate(i int) {
	if i > 0 {
		e.buf = append(e.buf, ',')
	}
	e.buf = append(e.buf, '\n')
}

// link is how a line of a repetition's body names a producer.
type link struct {
	// base says where number counts from: back from the instruction (0) or from
	// the first instruction of an enclosing repetition (1 = innermost);
	// linkAbsolute, from the program's start.
	base   uint8
	number NodeID
}

const linkAbsolute = maxFoldDepth + 1

// folded writes the items of a program.
func (e *encoder) folded(p *Program, f *folding) {
	for i, it := range f.root {
		e.separate(i)
		if f.elements[it.id].count == 0 {
			e.instruction(p, it.start)
		} else {
			e.links = e.links[:0]
			for _, u := range f.of(it) {
				e.links = append(e.links, link{linkAbsolute, u})
			}
			e.repetition(p, f, it.id, e.links)
		}
		e.spill()
	}
}

// repetition writes a repetition; free names its free producers.
func (e *encoder) repetition(p *Program, f *folding, id elementID, free []link) {
	el := &f.elements[id]
	e.raw(`{"repeat":`)
	e.buf = strconv.AppendInt(e.buf, el.count, 10)
	e.raw(`,"body":[`)
	outer := len(e.links)
	for i := range el.body {
		e.separate(i)
		for _, distance := range el.body[i].bound {
			l := link{0, distance}
			if distance == 0 {
				l, free = free[0], free[1:]
				if l.base != linkAbsolute {
					l.base++
				}
			}
			e.links = append(e.links, l)
		}
		if child := el.body[i].id; f.elements[child].count == 0 {
			e.linked(p, f.elements[child].node, e.links[outer:])
		} else {
			e.repetition(p, f, child, e.links[outer:])
		}
		e.links = e.links[:outer]
		e.spill()
	}
	e.raw("\n]}")
}

// linked writes an instruction like node v of which the producers are those
// given.
func (e *encoder) linked(p *Program, v NodeID, links []link) {
	e.raw(`{"i":`)
	e.buf = strconv.AppendUint(e.buf, uint64(p.instr[v]), 10)
	_, kind := p.Preds(v)
	var lists uint64 // the set of those that are not empty
	for i, l := range links {
		lists |= 1 << listOf(kind[i], l.base)
	}
	for ; lists != 0; lists &= lists - 1 {
		n := bits.TrailingZeros64(lists)
		e.key(listKeys[n])
		before := byte('[')
		for i, l := range links {
			if listOf(kind[i], l.base) == n {
				e.buf = append(e.buf, before)
				e.buf = strconv.AppendUint(e.buf, uint64(l.number), 10)
				before = ','
			}
		}
		e.buf = append(e.buf, ']')
	}
	e.raw("}")
}

// instruction writes a node: its class and the distances of its dependences,
// the farthest first, which is program order.
func (e *encoder) instruction(p *Program, v NodeID) {
	b := append(e.buf, `{"i":`...)
	b = strconv.AppendUint(b, uint64(p.instr[v]), 10)
	from, kind := p.Preds(v)
	for k := Data; k <= Order; k++ {
		first := true
		for i, u := range from {
			if kind[i] != k {
				continue
			}
			if first {
				b = append(append(append(b, ',', '"'), listKeys[listOf(k, 0)]...), '"', ':', '[')
				first = false
			} else {
				b = append(b, ',')
			}
			b = strconv.AppendUint(b, uint64(v-u), 10)
		}
		if !first {
			b = append(b, ']')
		}
	}
	e.buf = append(b, '}')
}
