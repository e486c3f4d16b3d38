package idg

import "encoding/binary"

// Folding finds repetitions in a program: an instruction is known by its class
// and the distances and kinds of its dependences, so that the iterations of
// a loop, from the second or so on, are the same instructions again and again.
//
// Passes over the sequence replace immediate repetitions of a block by one
// element, short blocks before long ones and so inner loops before outer ones.
// What is found depends on where blocks happen to begin; that it expands to
// exactly the program does not, as only equal elements are joined.

// elementID indexes folding.elements.
type elementID uint32

// element is an instruction or a repetition. Equal elements are stored once.
type element struct {
	node  NodeID      // an instruction like this one, if count is 0
	count int64       // repetitions of the body
	body  []elementID // what is repeated
	lines int         // of the document that it takes
}

// folding is a program as a sequence of elements.
type folding struct {
	elements []element
	root     []elementID

	index map[string]elementID // by content
	key   []byte
}

// foldTries is how many recurrences of an element are tried as the beginning of
// the next repetition.
const foldTries = 8

// foldProgram folds a program.
func foldProgram(p *Program) *folding {
	f := &folding{index: map[string]elementID{}, root: make([]elementID, p.Len())}
	for v := range p.instr {
		f.root[v] = f.instruction(p, NodeID(v))
	}
	for longest := 1; longest < 4*len(f.root); longest *= 4 {
		for before := -1; before != len(f.root); {
			before = len(f.root)
			f.root = f.pass(f.root, longest)
		}
	}
	return f
}

// instruction interns a node by class and relative dependences.
func (f *folding) instruction(p *Program, v NodeID) elementID {
	k := binary.AppendUvarint(append(f.key[:0], 'i'), uint64(p.instr[v]))
	from, kind := p.Preds(v)
	for i, u := range from {
		k = binary.AppendUvarint(append(k, byte(kind[i])), uint64(v-u))
	}
	return f.intern(k, element{node: v, lines: 1})
}

// repetition interns a repetition.
func (f *folding) repetition(count int64, body []elementID) elementID {
	k := binary.AppendUvarint(append(f.key[:0], 'r'), uint64(count))
	for _, id := range body {
		k = binary.AppendUvarint(k, uint64(id))
	}
	return f.intern(k, element{count: count, body: body, lines: f.lines(body) + 2})
}

func (f *folding) intern(key []byte, e element) elementID {
	f.key = key
	if id, ok := f.index[string(key)]; ok {
		return id
	}
	id := elementID(len(f.elements))
	f.elements = append(f.elements, e)
	f.index[string(key)] = id
	return id
}

// lines is how many lines of the document a sequence takes.
func (f *folding) lines(s []elementID) int {
	n := 0
	for _, id := range s {
		n += f.elements[id].lines
	}
	return n
}

// pass joins immediate repetitions of blocks of at most longest elements of s,
// from left to right, the shortest block that saves lines first.
func (f *folding) pass(s []elementID, longest int) []elementID {
	longest = min(longest, len(s)/2)
	next := recurrences(s, len(f.elements))
	// equalUntil[period] is where s[i] == s[i+period], found to hold from
	// somewhere on, first fails. It keeps long blocks from being compared again
	// for every place at which they might begin.
	equalUntil := make([]int, longest+1)
	var out []elementID
	for i := 0; i < len(s); {
		period, count := 0, 0
		for try, j := 0, int(next[i]); try < foldTries && j < len(s) && j-i <= longest && count == 0; try, j = try+1, int(next[j]) {
			n := j - i
			if equalUntil[n] <= i {
				stop := i + 1
				for stop+n < len(s) && s[stop] == s[stop+n] {
					stop++
				}
				equalUntil[n] = stop
			}
			// A repetition takes two lines more than its body.
			copies := 1 + (equalUntil[n]-i)/n
			if copies > 1 && f.lines(s[i:j])*(copies-1) > 2 {
				period, count = n, copies
			}
		}
		if count == 0 {
			out = append(out, s[i])
			i++
			continue
		}
		out = append(out, f.repetition(int64(count), s[i:i+period:i+period]))
		i += period * count
	}
	return out
}

// recurrences returns, for each place in s, where its element stands next,
// len(s) if it does not.
func recurrences(s []elementID, elements int) []uint32 {
	next := make([]uint32, len(s))
	last := make([]uint32, elements)
	for i := range last {
		last[i] = uint32(len(s))
	}
	for i := len(s) - 1; i >= 0; i-- {
		next[i] = last[s[i]]
		last[s[i]] = uint32(i)
	}
	return next
}
