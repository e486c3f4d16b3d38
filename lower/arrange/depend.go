package arrange

import (
	"slices"
	"strings"

	"gpupipe/lower"
	"gpupipe/lower/machine"
)

// dependence is the graph of what has to come before what in a basic block: of data, against overwriting what is
// still read or written before, and of memory by alias. Nodes from count on stand for several accesses of memory at
// once, so that the graph has about as many edges as the block has operands.
type dependence struct {
	count, nodes int
	first        []int32 // successors of node i: to[first[i]:first[i+1]], after so many cycles
	to, after    []int32
	preds        []int32 // how many edges lead to a node
	from, before []int32 // predecessors of node i: from[before[i]:before[i+1]]
	values       values
}

type edge struct{ from, to, after int32 }

// depender collects the edges of a block.
type depender struct {
	l       *linear
	steps   []int32 // of the block that can be moved
	edges   []edge
	merged  []int32 // by node: its last edge, plus 1
	nodes   int32
	latency []int32
	words   []wordState // by word; of those of other blocks nothing is true
	block   int32       // counts blocks
	in      []int32     // by word: the last block that it lives in front of
	memory  map[aliasClass]*traffic
	classes []aliasClass // those in memory, in the order of their first access
	sync    int32        // the last barrier, -1: none
	pinned  int32        // the last instruction that nothing passes
	since   int32        // the first one behind it
	watched int32        // the last volatile access
	values  values
}

// wordState is who wrote a word last and who has read it since.
type wordState struct {
	writers, readers []int32 // several writers: guarded ones
	version, value   int32
	half             bool  // the first of a pair that is written word by word
	unread           bool  // one of several words of a value, which does not count before it is read
	block            int32 // of which this is said
}

// depend builds the graph of the steps of a block.
func (d *depender) depend(steps []int32, latency []int32) *dependence {
	l, words, block, in := d.l, d.words, d.block+1, d.in
	if words == nil {
		words = make([]wordState, len(l.owner))
	}
	accesses, merged := 0, slices.Grow(d.merged[:0], len(steps))[:len(steps)]
	clear(merged)
	for _, i := range steps {
		accesses += len(l.of(int(i)))
	}
	*d = depender{l: l, steps: steps, nodes: int32(len(steps)), latency: latency, words: words, block: block, in: in,
		memory: map[aliasClass]*traffic{}, sync: -1, pinned: -1, watched: -1, values: newValues(len(steps), accesses),
		edges: slices.Grow(d.edges[:0], accesses), merged: merged}
	for i := range steps {
		d.instr(int32(i))
	}
	return d.finish()
}

// edge adds one; of several between two nodes the longest counts.
func (d *depender) edge(from, to, after int32) {
	if from < 0 || from == to {
		return
	}
	for int(d.nodes) > len(d.merged) {
		d.merged = append(d.merged, 0)
	}
	if k := d.merged[from] - 1; k >= 0 && d.edges[k].to == to {
		d.edges[k].after = max(d.edges[k].after, after)
		return
	}
	d.edges = append(d.edges, edge{from, to, after})
	d.merged[from] = int32(len(d.edges))
}

func (d *depender) word(w int32) *wordState {
	s := &d.words[w]
	if s.block != d.block {
		*s = wordState{writers: s.writers[:0], readers: s.readers[:0], value: d.values.add(w, -1), block: d.block}
	}
	return s
}

// after is when a node's result can be read. LLVM's models have no figure of the carry beside a sum, which is there in
// the next cycle then (TargetSchedule.cpp, computeOperandLatency; clang 14 for gfx1030 lets no instruction between).
func (d *depender) after(node, word int32) int32 {
	in := d.l.steps[d.steps[node]].instr
	if len(in.Defs) > 1 && d.l.owner[word] == in.Defs[1] && d.l.code.Target.Has("scalar unit") {
		return 1
	}
	return d.latency[node]
}

// instr adds the edges that lead to an instruction.
func (d *depender) instr(i int32) {
	step := d.steps[i]
	in := d.l.steps[step].instr
	guarded := in.Guard.Reg != 0
	whole := int32(-1) // the value of the wide register that is being written
	key := d.key(in)
	for _, a := range d.l.of(int(step)) {
		s := d.word(a.word)
		if !a.write {
			for _, w := range s.writers {
				d.edge(w, i, d.after(w, a.word))
			}
			s.readers = append(s.readers, i)
			d.count(s)
			d.values.read(s.value)
			continue
		}
		for _, r := range s.readers {
			d.edge(r, i, 0)
		}
		for _, w := range s.writers {
			d.edge(w, i, 1)
		}
		switch {
		case guarded:
			d.values.write(s.value)
		case whole >= 0 && d.l.owner[a.word] == d.l.owner[d.values.word[whole]]:
			s.writers, s.value, s.unread = s.writers[:0], whole, true
		default:
			s.writers, s.value, s.unread = s.writers[:0], d.values.add(a.word, i), false
			if d.l.code.Reg(d.l.owner[a.word]).Words > 2 {
				whole, s.unread = s.value, true
				d.values.words[whole] = 0
			}
			d.pair(a.word, i, in)
		}
		s.writers, s.readers = append(s.writers, i), s.readers[:0]
		s.version++
	}
	d.values.first = append(d.values.first, int32(len(d.values.of)))
	d.order(i, in, key)
}

// pair counts both words of a pair with the one that is written first, which stays the first: the other one's place is
// taken, too.
func (d *depender) pair(word, i int32, in *machine.Instr) {
	r := d.l.owner[word]
	if in.Part == 0 || in.Span > 1 || in.Defs[0] != r || d.l.code.Reg(r).Words != 2 {
		return
	}
	base := d.l.base[r-1]
	s, other := &d.words[word], &d.words[2*base+1-word]
	switch {
	case other.block == d.block && other.half:
		d.values.words[s.value], other.half = 0, false
		for _, w := range other.writers {
			d.edge(w, i, 0)
		}
	case other.block != d.block && d.in[2*base+1-word] != d.block:
		d.values.words[s.value], s.half = 2, true
	}
}

// count makes a word one of those that a value keeps live.
func (d *depender) count(s *wordState) {
	if s.unread {
		s.unread = false
		d.values.words[s.value]++
	}
}

// order adds the edges that are not of registers.
func (d *depender) order(i int32, in *machine.Instr, key baseKey) {
	switch {
	case pins(in):
		for k := d.since; k < i; k++ {
			d.edge(k, i, 0)
		}
		d.pinned, d.since = i, i+1
		return
	case d.pinned >= 0:
		d.edge(d.pinned, i, 0)
	}
	switch {
	case synchronises(in):
		d.barrier(i)
	case in.Mem != nil:
		d.access(i, in, key)
	}
}

// synchronises reports whether accesses of other lanes become visible at an instruction, or must have: a barrier, a
// fence, what waits for copies, or a product of a warp group.
func synchronises(in *machine.Instr) bool {
	if strings.HasPrefix(in.Class, "barrier") || strings.HasPrefix(in.Class, "fence") {
		return true
	}
	if in.From == nil {
		return false
	}
	switch in.From.Op {
	case lower.GroupMatMul: // it reads what others have written to local memory
		return len(in.Defs) == 0 || strings.HasPrefix(in.Class, "wgmma")
	case lower.Barrier, lower.Fence, lower.CopyGroup, lower.BulkCopy:
		return len(in.Defs) == 0
	}
	return false
}

// pins reports whether nothing may pass an instruction: control, and what reads the clock.
func pins(in *machine.Instr) bool {
	if in.From != nil && in.From.Op == lower.Index && strings.Contains(in.From.Fn, "clock") {
		return true
	}
	return len(in.Defs) == 0 && in.Mem == nil && !synchronises(in)
}

// finish sorts the edges by where they come from.
func (d *depender) finish() *dependence {
	n := int(d.nodes)
	g := &dependence{count: len(d.steps), nodes: n, first: make([]int32, n+1), to: make([]int32, len(d.edges)),
		after: make([]int32, len(d.edges)), preds: make([]int32, n), values: d.values,
		from: make([]int32, len(d.edges)), before: make([]int32, n+1)}
	for _, e := range d.edges {
		g.first[e.from+1]++
		g.preds[e.to]++
	}
	for i := range n {
		g.first[i+1] += g.first[i]
	}
	for i := range n {
		g.before[i+1] = g.before[i] + g.preds[i]
	}
	at, back := slices.Clone(g.first), slices.Clone(g.before)
	for _, e := range d.edges {
		g.to[at[e.from]], g.after[at[e.from]] = e.to, e.after
		at[e.from]++
		g.from[back[e.to]] = e.from
		back[e.to]++
	}
	return g
}

// values are what words hold one after the other in a block, for the pressure: each is made once and read so many
// times. Value v lies in word word[v] and those behind it; those that come from before the block are made by -1.
// What one instruction writes to three words or more is one value that lives until the last word is read: others of
// its width fit in only then.
type values struct {
	words          []int32
	word, uses, by []int32
	// of lists what each instruction reads (v) and makes (^v); of instruction i from first[i] to first[i+1].
	of, first []int32
}

// newValues has room for those of so many instructions.
func newValues(instrs, accesses int) values {
	room := func() []int32 { return make([]int32, 0, accesses) }
	return values{words: room(), word: room(), uses: room(), by: room(), of: room(), first: make([]int32, 1, instrs+1)}
}

func (v *values) add(word, by int32) int32 {
	n := int32(len(v.word))
	v.word, v.uses, v.by = append(v.word, word), append(v.uses, 0), append(v.by, by)
	v.words = append(v.words, 1)
	if by >= 0 {
		v.of = append(v.of, ^n)
	}
	return n
}

func (v *values) read(n int32) {
	v.uses[n]++
	v.of = append(v.of, n)
}

// write is a write under a guard: the value goes on.
func (v *values) write(n int32) { v.read(n) }
