package trace

// The units compute with 32 bits: what has 64 of them is in two registers, and a sum of it, for
// one, is two instructions with a carry (IADD3, IADD3.X). In graphs of nvcc's machine code both are
// there, since each takes a turn of the schedulers. What is more than two, as products are, stays one
// node, of which package latencies composes the time, and so does what a device has a measurement of.

// word is one of the two instructions that a kind is.
type word struct {
	kind    kindID // 0: it is one instruction
	carries bool   // the upper one waits for the lower one
}

// halve notes which instructions are two when they are written to the graph.
func halve(t *Trace, live []bool) {
	if !t.SASS() {
		return
	}
	t.halves = make([]word, len(t.kinds.list))
	for i := range t.halves {
		k := t.kinds.list[i].kind
		if half, carries, ok := t.kinds.list[i].is.Halves(); ok && !t.Measures(k.op) {
			t.halves[i] = word{t.kinds.renamed(kindID(i+1), half), carries}
		}
	}
	t.doubled = make([]bool, t.length)
	for i := range t.length {
		t.doubled[i] = live[i] && t.halves[t.at(i).kind-1].kind != 0
	}
}

// twice reports whether the node at an index is two instructions.
func (t *Trace) twice(i int) bool { return t.doubled != nil && t.doubled[i] }

// Instructions is how many a live node is.
func (t *Trace) Instructions(i int) int64 {
	if t.twice(i) {
		return 2
	}
	return 1
}
