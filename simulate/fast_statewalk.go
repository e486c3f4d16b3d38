package simulate

import "bytes"

// stateWalk writes a state down, or compares one with what it wrote.
type stateWalk struct {
	same bool // as what was written, as far as it was compared; true while writing

	comparing bool
	words     []int64
	blocks    []byte
	word0     int   // words compared
	block0    int   // bytes compared
	passed    int64 // looked at but not part of the state

	// When warps started is compared in two ways: see started.
	starts    []Tick
	start0    int
	writtenAt Tick
	aged      bool // all are as old as those of the state that was written
	stayed    bool // all are those of the state that was written

	// Counters of repetitions may differ: see counter.
	counters []int64
	counter0 int
	turned   []turned
}

// turned is how often a warp began another iteration of a repetition between
// two states that are the same but for that.
type turned struct {
	place, loop int
	left        int64 // iterations, the current one included
	times       int64
}

// begin starts to compare, or to write.
func (w *stateWalk) begin(comparing bool) {
	w.comparing, w.same, w.word0, w.block0, w.counter0, w.passed = comparing, true, 0, 0, 0, 0
	w.start0, w.aged, w.stayed = 0, true, true
	w.turned = w.turned[:0]
	if !comparing {
		w.words, w.blocks, w.counters, w.starts = w.words[:0], w.blocks[:0], w.counters[:0], w.starts[:0]
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

// started shows when a warp started. Where groups are replaced, states are the
// same if their warps are equally old; within a loop, if they are the same warps.
func (w *stateWalk) started(at, now Tick) {
	switch {
	case !w.comparing:
		w.starts = append(w.starts, at)
		w.writtenAt = now
	case w.same:
		if w.same = w.start0 < len(w.starts); w.same {
			before := w.starts[w.start0]
			w.aged = w.aged && now-at == w.writtenAt-before
			w.stayed = w.stayed && at == before
			w.same = w.aged || w.stayed
			w.start0++
		}
	}
}

// counter shows how many iterations of a repetition a warp has left, innermost
// ones first. It may have become less in one of the repetitions that a warp is in:
// then it has not left those around it, nor begun it anew.
func (w *stateWalk) counter(place, loop int, left int64) {
	switch {
	case !w.comparing:
		w.counters = append(w.counters, left)
	case w.same:
		w.same = w.counter0 < len(w.counters)
		if !w.same {
			return
		}
		times := w.counters[w.counter0] - left
		w.counter0++
		if times == 0 {
			return
		}
		n := len(w.turned)
		w.same = times > 0 && (n == 0 || w.turned[n-1].place != place)
		w.turned = append(w.turned, turned{place, loop, left, times})
	}
}

// complete reports whether all that was written has been compared.
func (w *stateWalk) complete() bool {
	return w.word0 == len(w.words) && w.block0 == len(w.blocks) && w.counter0 == len(w.counters) &&
		w.start0 == len(w.starts)
}

// looked is what the walk cost, in words.
func (w *stateWalk) looked() int64 {
	if w.comparing {
		return w.passed + int64(w.word0+w.counter0+w.block0/8)
	}
	return w.passed + int64(len(w.words)+len(w.counters)+len(w.blocks)/8)
}
