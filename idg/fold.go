package idg

import (
	"encoding/binary"
	"slices"
)

// Folding finds repetitions in a program. The iterations of a loop, from the
// second or so on, are the same instructions again and again, and each of their
// dependences does one of two things from one iteration to the next: its
// producer moves along (it was executed in the same iteration or in one before
// it), or it stays (it was executed before the loop).
//
// Which of the two is not known before a repetition is found. So a program is
// folded as a sequence of items of which the producers are free. Joining items
// to a repetition binds the producers that move along, by distance; those that
// stay are free producers of the repetition, which may in turn stay or move in
// an outer one.
//
// Passes over the sequence replace immediate repetitions of a block by one
// item, short blocks before long ones and so inner loops before outer ones.
// What is found depends on where blocks happen to begin; that it expands to
// exactly the program does not, as only equal items are joined.

// maxFoldDepth is how many repetitions stand within each other at most: the
// format's keys count enclosing repetitions with one digit.
const maxFoldDepth = 9

// elementID indexes folding.elements.
type elementID uint32

// element is what equal items have in common: all but their place and their
// free producers. Equal elements are stored once.
type element struct {
	node  NodeID   // an instruction like this one, if count is 0
	count int64    // repetitions of the body
	body  []member // what is repeated
	free  uint32   // how many free producers an item has
	lines int      // of the document that it takes
	depth int      // of repetitions
}

// member is an element of a repetition's body.
type member struct {
	id elementID
	// bound has an element for each free producer of an item: how many
	// instructions it stands before the item's first, 0 if it is the same in
	// every repetition and so free in the repetition as well.
	bound []NodeID
}

// item is an element at a place of the program.
type item struct {
	id    elementID
	start NodeID // its first instruction
	free  uint32 // where its free producers begin in folding.producers
}

// folding is a program as a sequence of items.
type folding struct {
	p         *Program
	elements  []element
	root      []item
	producers []NodeID // the program's edges, then those of repetitions

	index  map[string]elementID // by content
	recent []elementID          // by class: the element met last, plus 1
	key    []byte

	next, last []uint32 // see recurrences
	runs       []run    // by period
}

// foldProgram folds a program.
func foldProgram(p *Program) *folding {
	f := &folding{
		p: p, root: make([]item, p.Len()), producers: slices.Clip(p.from),
		index: map[string]elementID{},
	}
	for v := range p.instr {
		f.root[v] = item{f.instruction(NodeID(v)), NodeID(v), p.off[v]}
	}
	settled := 0 // blocks of up to so many items do not repeat
	for longest := 1; longest < 4*len(f.root); longest *= 4 {
		for before := -1; before != len(f.root); {
			before = len(f.root)
			f.root = f.pass(f.root, settled, longest)
			settled = 0
		}
		settled = longest
	}
	return f
}

// of returns the free producers of an item.
func (f *folding) of(it item) []NodeID {
	return f.producers[it.free : it.free+f.elements[it.id].free]
}

// instruction interns a node by its class and the kinds of its dependences.
func (f *folding) instruction(v NodeID) elementID {
	class := f.p.instr[v]
	_, kinds := f.p.Preds(v)
	for int(class) >= len(f.recent) {
		f.recent = append(f.recent, 0)
	}
	if id := f.recent[class]; id > 0 {
		if _, k := f.p.Preds(f.elements[id-1].node); slices.Equal(k, kinds) {
			return id - 1
		}
	}
	f.key = binary.AppendUvarint(append(f.key[:0], 'i'), uint64(class))
	for _, k := range kinds {
		f.key = append(f.key, byte(k))
	}
	id, ok := f.known()
	if !ok {
		f.elements[id] = element{node: v, free: uint32(len(kinds)), lines: 1}
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

// repetition joins items: block is the first repetition, second the next.
func (f *folding) repetition(count int64, block, second []item) item {
	joined := item{start: block[0].start, free: uint32(len(f.producers))}
	f.key = binary.AppendUvarint(append(f.key[:0], 'r'), uint64(count))
	bounds := 0
	for i, it := range block {
		f.key = binary.AppendUvarint(f.key, uint64(it.id))
		here, there := f.of(it), f.of(second[i])
		bounds += len(here)
		for k, u := range here {
			if there[k] == u {
				f.producers = append(f.producers, u)
			}
			f.key = binary.AppendUvarint(f.key, uint64(bound(it, u, there[k])))
		}
	}
	id, ok := f.known()
	joined.id = id
	if ok {
		return joined
	}
	e := element{count: count, free: uint32(len(f.producers)) - joined.free, body: make([]member, len(block)), lines: 2}
	all := make([]NodeID, 0, bounds)
	for i, it := range block {
		first := len(all)
		there := f.of(second[i])
		for k, u := range f.of(it) {
			all = append(all, bound(it, u, there[k]))
		}
		e.body[i] = member{it.id, all[first:len(all):len(all)]}
		e.lines += f.elements[it.id].lines
		e.depth = max(e.depth, f.elements[it.id].depth+1)
	}
	f.elements[id] = e
	return joined
}

// bound is the element of member.bound for an item's producer, which is there in
// the next repetition.
func bound(it item, u, there NodeID) NodeID {
	if u == there {
		return 0
	}
	return it.start - u
}

// cost returns how many lines of the document a sequence takes, and how deep
// its repetitions are.
func (f *folding) cost(s []item) (lines, depth int) {
	for _, it := range s {
		e := &f.elements[it.id]
		lines += e.lines
		depth = max(depth, e.depth)
	}
	return lines, depth
}
