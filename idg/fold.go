package idg

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
//
// A program that has repetitions already is a sequence of which they are items;
// a Builder that is told where a source loop's iterations begin joins them as
// they come (see loop recordings).

// maxFoldDepth is how many repetitions stand within each other at most: the
// format's keys count enclosing repetitions with one digit.
const maxFoldDepth = 9

// elementID indexes folding.elements.
type elementID uint32

// element is what equal items have in common: all but their place and their
// free producers. Equal elements are stored once.
type element struct {
	class InstrID    // of an instruction, if count is 0
	kinds []EdgeKind // of its dependences
	count int64      // repetitions of the body
	body  []member   // what is repeated
	free  uint32     // how many free producers an item has
	lines int        // of the document that it takes
	depth int        // of repetitions
}

// member is an element of a repetition's body.
type member struct {
	id elementID
	// bound has an element for each free producer of an item: how many
	// instructions it stands before the item's first, 0 if it is the same in
	// every repetition and so free in the repetition as well.
	bound []Executed
}

// item is an element at a place of the program.
type item struct {
	id    elementID
	free  uint32   // where its free producers begin in folding.producers
	start Executed // its first instruction
}

// folding is a program as a sequence of items.
type folding struct {
	elements  []element
	root      []item
	joined    bool       // passes have found repetitions
	producers []Executed // free ones of the items

	index  map[string]elementID // by content
	recent []elementID          // by class: the element met last, plus 1
	key    []byte
	bounds []Executed
	moves  []bool

	next, last []uint32 // see recurrences
	runs       []run    // by period
}

func newFolding() *folding { return &folding{index: map[string]elementID{}} }

// foldProgram folds a program. Its repetitions stay; more are found.
func foldProgram(p *Program) *folding {
	f := newFolding()
	f.load(p)
	settled := 0 // blocks of up to so many items do not repeat
	for longest := 1; longest < 4*len(f.root); longest *= 4 {
		for before := -1; before != len(f.root); {
			before = len(f.root)
			f.root = f.pass(f.root, settled, longest)
			f.joined = f.joined || before != len(f.root)
			settled = 0
		}
		settled = longest
	}
	return f
}

// of returns the free producers of an item.
func (f *folding) of(it item) []Executed {
	return f.producers[it.free : it.free+f.elements[it.id].free]
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

// saves reports whether so many copies of a sequence are better written as one
// repetition, which takes two lines more than its body.
func (f *folding) saves(s []item, copies int64) bool {
	lines, depth := f.cost(s)
	return int64(lines)*(copies-1) > 2 && depth < maxFoldDepth
}
