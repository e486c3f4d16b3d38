package simulate

import "bytes"

// stateWalk writes a state down, or compares one with what it wrote.
type stateWalk struct {
	same bool // as what was written, as far as it was compared; true while writing

	comparing bool
	words     []int64
	blocks    []byte
	word0     int // words compared
	block0    int // bytes compared
}

// begin starts to compare, or to write.
func (w *stateWalk) begin(comparing bool) {
	w.comparing, w.same, w.word0, w.block0 = comparing, true, 0, 0
	if !comparing {
		w.words, w.blocks = w.words[:0], w.blocks[:0]
	}
}

// word shows a number. After the first difference nothing is compared.
func (w *stateWalk) word(x int64) {
	switch {
	case !w.comparing:
		w.words = append(w.words, x)
	case w.same:
		w.same = w.word0 < len(w.words) && w.words[w.word0] == x
		w.word0++
	}
}

// time shows a time after which something is possible: how far ahead it is, and
// nothing else once it has come.
func (w *stateWalk) time(t, now Tick) { w.word(int64(max(0, t-now))) }

// block shows many small numbers.
func (w *stateWalk) block(b []byte) {
	switch {
	case !w.comparing:
		w.blocks = append(w.blocks, b...)
	case w.same:
		w.same = len(b) <= len(w.blocks)-w.block0 && bytes.Equal(b, w.blocks[w.block0:w.block0+len(b)])
		w.block0 += len(b)
	}
}

// complete reports whether all that was written has been compared.
func (w *stateWalk) complete() bool { return w.word0 == len(w.words) && w.block0 == len(w.blocks) }

// looked is what the walk cost, in words.
func (w *stateWalk) looked() int64 {
	if w.comparing {
		return int64(w.word0 + w.block0/8)
	}
	return int64(len(w.words) + len(w.blocks)/8)
}
