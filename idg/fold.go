package idg

// A Builder that is told where the iterations of a source loop begin stores those
// that repeat once. The iterations of a loop, from the second or so on, are the same
// instructions again and again, and each of their dependences does one of two things
// from one iteration to the next: its producer moves along (it was executed in the same
// iteration or in one before it), or it stays (it was executed before the loop).
//
// Which of the two is not known before an iteration has come again. So what is recorded
// is a sequence of items of which the producers are free. Joining items to a repetition
// binds the producers that move along, by distance; those that stay are free producers
// of the repetition, which may in turn stay or move in an outer one. What is stored
// expands to exactly what was executed, as only equal items are joined.

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
	producers []Executed // free ones of the items

	index  map[string]elementID // by content
	recent []elementID          // by class: the element met last, plus 1
	key    []byte
	bounds []Executed
}

func newFolding() *folding { return &folding{index: map[string]elementID{}} }

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

// repeats reports whether b is a again: an equal element, of which each producer
// has moved along with it, or is the same and stands before first, where the
// repetitions begin.
func (f *folding) repeats(a, b item, first Executed) bool {
	if a.id != b.id {
		return false
	}
	there := f.of(b)
	for k, u := range f.of(a) {
		if there[k] == u && u < first {
			continue
		}
		if there[k]-u != b.start-a.start {
			return false
		}
	}
	return true
}

// storer appends elements to a program.
type storer struct {
	f   *folding
	p   *Program
	row []Producer // how enclosing elements and this one name their free producers
}

// item appends an item.
func (s *storer) item(it item) {
	s.row = s.row[:0]
	repeated := s.f.elements[it.id].count > 0
	for _, u := range s.f.of(it) {
		if repeated {
			s.row = append(s.row, Producer{Base: Absolute, Distance: int64(u)})
		} else {
			s.row = append(s.row, Producer{Distance: int64(it.start - u)})
		}
	}
	s.element(it.id, s.row, 1, 0)
}

// element appends an element that is executed the given number of times; row
// names its free producers.
func (s *storer) element(id elementID, row []Producer, times int64, parent RepeatID) {
	e := &s.f.elements[id]
	if e.count == 0 {
		for i := range row {
			row[i].Kind = e.kinds[i]
		}
		s.p.append(e.class, row, times)
		return
	}
	s.p.repeats = append(s.p.repeats, Repeat{First: StaticID(len(s.p.code)), Count: e.count, Parent: parent})
	self := len(s.p.repeats)
	outer := len(s.row)
	for _, m := range e.body {
		for _, distance := range m.bound {
			d := Producer{Distance: int64(distance)}
			if distance == 0 {
				d, row = row[0], row[1:]
				if d.Base != Absolute {
					d.Base++
				}
			}
			s.row = append(s.row, d)
		}
		s.element(m.id, s.row[outer:], times*e.count, RepeatID(self))
		s.row = s.row[:outer]
	}
	s.p.repeats[self-1].End = StaticID(len(s.p.code))
}
