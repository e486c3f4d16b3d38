package arrange

import (
	"slices"

	"gpupipe/lower/machine"
)

// interval is a part of the row of steps in which a word of a register holds a value that is read later: step i
// reads at 2i and writes at 2i+1, and the interval ends before to.
type interval struct{ from, to int32 }

// Liveness: backward data flow, solved for each word by itself from its reads to its writes, so that the work
// is the size of the result (F. Brandner et al., Computing Liveness Sets for SSA-Form Programs, 2011, "by use").
// A write under a guard does not end what a lane without it holds; it does for reads under the same guard, and
// two writes under opposite guards end it together (A. Eichenberger, E. Davidson, Register Allocation for
// Predicated Code, 1995).

// demand is who needs the value of a word: nobody, the lanes with or without a guard, or all.
type demand struct {
	kind    uint8 // 0: nobody, 1: under the guard, 2: all
	not     bool
	guard   machine.Reg
	version int32 // of the guard's value
}

const (
	nobody = iota
	guarded
	everybody
)

// tracker follows demands backwards through a block.
type tracker struct {
	l       *linear
	state   []demand
	version []int32 // by word: of predicates, counted at each write
	deaf    bool    // to reads
	list    [][]interval
	end     []int32 // of the interval that is open
}

// current is the demand for a word; one under a guard that has another value by now is everybody's.
func (t *tracker) current(word int32) demand {
	d := t.state[word]
	if d.kind == guarded && t.version[t.l.base[d.guard-1]] != d.version {
		return demand{kind: everybody}
	}
	return d
}

// under is the demand of the lanes that a guard lets through.
func (t *tracker) under(g machine.Guard) demand {
	if g.Reg == 0 {
		return demand{kind: everybody}
	}
	return demand{guarded, g.Not, g.Reg, t.version[t.l.base[g.Reg-1]]}
}

// write is what is left of a demand in front of a write.
func (t *tracker) write(word int32, g machine.Guard) demand {
	d := t.current(word)
	if d.kind == nobody || g.Reg == 0 {
		return demand{}
	}
	w := t.under(g)
	switch {
	case d == w:
		return demand{}
	case d.kind == everybody:
		w.not = !w.not
		return w
	}
	return d
}

// read is a demand with that of a read.
func (t *tracker) read(word int32, g machine.Guard) demand {
	d, r := t.current(word), t.under(g)
	if d.kind == nobody || d == r {
		return r
	}
	return demand{kind: everybody}
}

// boundaries are the words that live at the ends of blocks.
type boundaries struct{ in, out [][]int32 }

// boundaries solves the data flow.
func (l *linear) boundaries() boundaries {
	n := len(l.owner)
	reads, writes := make([][]int32, n), make([][]int32, n) // blocks, by word
	l.exposed(reads, writes)
	live := boundaries{make([][]int32, len(l.blocks)), make([][]int32, len(l.blocks))}
	written, entered, left := make([]int32, len(l.blocks)), make([]int32, len(l.blocks)), make([]int32, len(l.blocks))
	var work []int32
	for word := range int32(n) {
		mark := word + 1
		for _, b := range writes[word] {
			written[b] = mark
		}
		work = append(work[:0], reads[word]...)
		for _, b := range work {
			entered[b] = mark
			live.in[b] = append(live.in[b], word)
		}
		shared := l.shared(word)
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			preds := l.blocks[b].preds
			for warp := false; ; warp, preds = true, l.blocks[b].warp {
				for _, p := range preds {
					if left[p] == mark {
						continue
					}
					left[p] = mark
					live.out[p] = append(live.out[p], word)
					if written[p] != mark && entered[p] != mark {
						entered[p] = mark
						live.in[p] = append(live.in[p], word)
						work = append(work, int32(p))
					}
				}
				if warp || !shared {
					break
				}
			}
		}
	}
	return live
}

// shared reports whether all lanes of a warp share a word: GCN's predicates are scalar registers, of which a write
// clears the bits of other lanes.
func (l *linear) shared(word int32) bool {
	switch l.code.Reg(l.owner[word]).Class {
	case machine.Uniform, machine.UniformPredicate:
		return true
	case machine.Predicate:
		return l.code.Target.Has("scalar unit")
	}
	return false
}

// exposed lists for each word the blocks that read it before they write it, and those that end the value that
// comes from before them.
func (l *linear) exposed(reads, writes [][]int32) {
	n := len(l.owner)
	need := tracker{l: l, state: make([]demand, n), version: make([]int32, n)} // nobody needs the word behind the block
	keep := tracker{l: l, state: make([]demand, n), version: make([]int32, n)} // everybody does, and nobody reads it
	keep.deaf = true
	seen := make([]int32, n)
	var touched []int32
	for b := range l.blocks {
		touched = touched[:0]
		for i := l.blocks[b].end - 1; i >= l.blocks[b].start; i-- {
			for _, a := range l.of(i) {
				if seen[a.word] != int32(b+1) {
					seen[a.word] = int32(b + 1)
					touched = append(touched, a.word)
					need.state[a.word], keep.state[a.word] = demand{}, demand{kind: everybody}
				}
			}
			need.step(i)
			keep.step(i)
		}
		for _, word := range touched {
			if need.current(word).kind != nobody {
				reads[word] = append(reads[word], int32(b))
			}
			if keep.current(word).kind == nobody {
				writes[word] = append(writes[word], int32(b))
			}
		}
	}
}

// step goes backwards over a step: over its writes, then its reads. It closes and opens intervals where the
// tracker has a list of them.
func (t *tracker) step(i int) {
	list, g := t.l.of(i), t.l.steps[i].guard
	k := len(list)
	for ; k > 0 && list[k-1].write; k-- {
		word := list[k-1].word
		before, after := t.current(word), t.write(word, g)
		t.state[word] = after
		if t.list != nil && before.kind == nobody {
			t.list[word] = prepend(t.list[word], int32(2*i+1), int32(2*i+2))
		} else if t.list != nil && after.kind == nobody {
			t.list[word] = prepend(t.list[word], int32(2*i+1), t.end[word])
		}
	}
	for _, a := range list[k:] {
		t.version[a.word]++
	}
	if t.deaf {
		return
	}
	for _, a := range list[:k] {
		if t.list != nil && t.current(a.word).kind == nobody {
			t.end[a.word] = int32(2*i + 1)
		}
		if g.Reg != 0 && t.l.owner[a.word] == g.Reg {
			t.state[a.word] = demand{kind: everybody}
			continue
		}
		t.state[a.word] = t.read(a.word, g)
	}
}

// liveness lists where each word is live, in order.
func (l *linear) liveness() [][]interval {
	live := l.boundaries()
	n := len(l.owner)
	t := tracker{l: l, state: make([]demand, n), version: make([]int32, n), list: make([][]interval, n),
		end: make([]int32, n)}
	for b := len(l.blocks) - 1; b >= 0; b-- {
		block := &l.blocks[b]
		for _, word := range live.out[b] {
			t.state[word], t.end[word] = demand{kind: everybody}, int32(2*block.end)
		}
		for i := block.end - 1; i >= block.start; i-- {
			t.step(i)
		}
		for _, word := range live.in[b] {
			if t.current(word).kind == nobody { // the warp's only: other lanes wrote it
				t.end[word] = int32(2 * block.start)
			}
			t.list[word] = prepend(t.list[word], int32(2*block.start), t.end[word])
			t.state[word] = demand{}
		}
		for _, word := range live.out[b] {
			t.state[word] = demand{}
		}
	}
	for _, s := range t.list {
		slices.Reverse(s)
	}
	return t.list
}

// prepend puts an interval in front of those behind it, and joins it with the next one where they touch.
func prepend(list []interval, from, to int32) []interval {
	if n := len(list); n > 0 && list[n-1].from <= to {
		list[n-1].from = min(from, list[n-1].from)
		return list
	}
	if from >= to {
		return list
	}
	return append(list, interval{from, to})
}

// pressure is how many words of a class live at each step, the highest of before, during and behind it.
func (l *linear) pressure(live [][]interval, class machine.Class) []int {
	change := make([]int, 2*len(l.steps)+2)
	for word, list := range live {
		if l.code.Reg(l.owner[word]).Class != class {
			continue
		}
		for _, s := range list {
			change[s.from]++
			change[s.to]--
		}
	}
	out := make([]int, len(l.steps))
	n := 0
	for i := range l.steps {
		n += change[2*i]
		out[i] = n
		n += change[2*i+1]
		out[i] = max(out[i], n)
	}
	return out
}

// wholePairs has both words of an aligned pair live while one of them does, as the scheduler counts them: of the other
// one's place only what has a single word makes use.
func (l *linear) wholePairs(live [][]interval) [][]interval {
	out := slices.Clone(live)
	for i := range l.code.Regs {
		if r := &l.code.Regs[i]; r.Words == 2 && alignmentOf(l.code.Target, r.Class, 2) == 2 {
			both := union(live[l.base[i]], live[l.base[i]+1])
			out[l.base[i]], out[l.base[i]+1] = both, both
		}
	}
	return out
}

// union is what one of two lists of intervals has, each in order.
func union(a, b []interval) (out []interval) {
	for len(a) > 0 || len(b) > 0 {
		if len(a) == 0 || len(b) > 0 && b[0].from < a[0].from {
			a, b = b, a
		}
		if n := len(out); n > 0 && a[0].from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, a[0].to)
		} else {
			out = append(out, a[0])
		}
		a = a[1:]
	}
	return out
}
