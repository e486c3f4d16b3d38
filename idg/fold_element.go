package idg

import (
	"encoding/binary"
	"slices"
)

// instruction interns an instruction by its class and the kinds of its
// dependences.
func (f *folding) instruction(class InstrID, kinds []EdgeKind) elementID {
	for int(class) >= len(f.recent) {
		f.recent = append(f.recent, 0)
	}
	if id := f.recent[class]; id > 0 && slices.Equal(f.elements[id-1].kinds, kinds) {
		return id - 1
	}
	f.key = binary.AppendUvarint(append(f.key[:0], 'i'), uint64(class))
	for _, k := range kinds {
		f.key = append(f.key, byte(k))
	}
	id, ok := f.known()
	if !ok {
		f.elements[id] = element{class: class, kinds: slices.Clone(kinds), free: uint32(len(kinds)), lines: 1}
	}
	f.recent[class] = id + 1
	return id
}

// known returns the element of which the content is f.key; false if it is a new
// one.
func (f *folding) known() (elementID, bool) {
	id, ok := f.index[string(f.key)]
	if !ok {
		id = elementID(len(f.elements))
		f.elements = append(f.elements, element{})
		f.index[string(f.key)] = id
	}
	return id, ok
}

// moved appends, for each free producer of items and of those that repeat them,
// whether it moves along.
func (f *folding) moved(moves []bool, block, second []item) []bool {
	for i, it := range block {
		there := f.of(second[i])
		for k, u := range f.of(it) {
			moves = append(moves, there[k] != u)
		}
	}
	return moves
}

// repetition joins items: block is the first repetition.
func (f *folding) repetition(count int64, block []item, moves []bool) item {
	joined := item{start: block[0].start, free: uint32(len(f.producers))}
	f.bounds = f.bounds[:0]
	for _, it := range block {
		for _, u := range f.of(it) {
			if moves[len(f.bounds)] {
				f.bounds = append(f.bounds, it.start-u)
			} else {
				f.producers = append(f.producers, u)
				f.bounds = append(f.bounds, 0)
			}
		}
	}
	joined.id = f.repeated(count, block, f.bounds)
	return joined
}

// repeated interns a repetition. Of its items only the elements count; bounds
// are the elements of member.bound, one item's after the other's.
func (f *folding) repeated(count int64, block []item, bounds []Executed) elementID {
	f.key = binary.AppendUvarint(append(f.key[:0], 'r'), uint64(count))
	for _, it := range block {
		f.key = binary.AppendUvarint(f.key, uint64(it.id))
	}
	for _, b := range bounds {
		f.key = binary.AppendUvarint(f.key, uint64(b))
	}
	id, ok := f.known()
	if ok {
		return id
	}
	e := element{count: count, body: make([]member, len(block)), lines: 2}
	bounds = slices.Clone(bounds)
	for i, it := range block {
		child := &f.elements[it.id]
		e.body[i] = member{it.id, bounds[:child.free:child.free]}
		for _, b := range bounds[:child.free] {
			if b == 0 {
				e.free++
			}
		}
		bounds = bounds[child.free:]
		e.lines += child.lines
		e.depth = max(e.depth, child.depth+1)
	}
	f.elements[id] = e
	return id
}
