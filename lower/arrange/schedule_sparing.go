package arrange

import "gpupipe/lower/machine"

// spare finds an order with few vector registers: whatever makes words live comes only where nothing else can. What
// comes then is chosen in three ways, of which the best counts: what is needed no more first in the order of the
// program, what completes that which lives already (focus), and, as the target has it (Sparing), the order of the
// program for what readers wait for only. None is better than the program's own order where
// that has been made with care, as behind the first round of spilling.
func (b *blockSchedule) spare(limits pressures) *attempt {
	limits[machine.Vector] = 1
	best := b.try(limits, 0, nil)
	b.spares = append(b.spares[:0], best)
	for _, a := range []*attempt{b.attempt(limits, 0, nil, newFocus(b)), b.inOrder(b.written(), limits),
		b.drained(limits, false)} {
		b.spares = append(b.spares, a)
		if a.over(limits) < best.over(limits) {
			best = a
		}
	}
	if b.graph.count <= b.target.Sparing.Most {
		last := b.begin(limits)
		last.strict, last.last = true, true
		a := last.run()
		b.spares = append(b.spares, a)
		if b.target.Sparing.Fewer*a.over(limits) < 100*best.over(limits) {
			return a
		}
	}
	return best
}

// drained is an order in which what is missing to readers of live values comes first.
func (b *blockSchedule) drained(limits pressures, recent bool) *attempt {
	a := b.begin(limits)
	a.strict, a.dying = true, newDying(a, recent)
	return a.run()
}

// focus chooses as LLVM's GCNMinRegStrategy does: what the last instructions were waited for by, or, where these were
// none, what the readers of their values wait for as well, then what has the fewest readers that wait for something
// else. The two instructions of a sum of two words count as one.
type focus struct {
	heap     []int32 // nodes that wait for registers, each once, the first one first
	at       []int32 // where in heap a node stands, plus 1
	priority []int32 // the step at which it was released or wanted last
	apart    []int32 // how many of its readers wait for something else
	carry    []int32 // what reads the carry that a node makes, and the other way round; -1: none
	step     int32
	released bool // the last instruction was the only one that something waited for
	work     []int32
	left     int // looks that are left
}

func (f *focus) less(x, y int32) bool {
	switch {
	case f.priority[x] != f.priority[y]:
		return f.priority[x] > f.priority[y]
	case f.apart[x] != f.apart[y]:
		return f.apart[x] < f.apart[y]
	}
	return x < y
}

func newFocus(b *blockSchedule) *focus {
	g := b.graph
	f := &focus{at: make([]int32, g.nodes), priority: make([]int32, g.nodes), apart: make([]int32, g.nodes),
		left: pool, carry: b.pair}
	for i, n := range g.preds {
		list := g.from[g.before[i]:g.before[i+1]]
		if n > 1 && !(n == 2 && f.carry[list[0]] == list[1]) {
			for _, from := range list {
				f.apart[from]++
			}
		}
	}
	return f
}

// push adds one that waits for registers, or lets it come forward: what changes moves nothing back.
func (f *focus) push(i int32) {
	k := int(f.at[i]) - 1
	if k < 0 {
		k = len(f.heap)
		f.heap = append(f.heap, i)
	}
	for k > 0 && f.less(i, f.heap[(k-1)/2]) {
		f.put(k, f.heap[(k-1)/2])
		k = (k - 1) / 2
	}
	f.put(k, i)
}

func (f *focus) put(k int, i int32) { f.heap[k], f.at[i] = i, int32(k+1) }

// pop takes the first one that has not been issued since.
func (f *focus) pop(a *attempt) int32 {
	for {
		h := f.heap
		top, last := h[0], h[len(h)-1]
		h = h[:len(h)-1]
		f.heap, f.at[top] = h, 0
		k := 0
		for c := 1; c < len(h); c = 2*k + 1 {
			if c+1 < len(h) && f.less(h[c+1], h[c]) {
				c++
			}
			if !f.less(h[c], last) {
				break
			}
			f.put(k, h[c])
			k = c
		}
		if len(h) > 0 {
			f.put(k, last)
		}
		if !a.done[top] {
			return top
		}
	}
}

// follows is called for a node that waits for one more only, or for the two words of a sum: it could come right behind
// that.
func (f *focus) follows(a *attempt, i, issued int32) {
	g := a.b.graph
	first := int32(-1)
	for _, from := range g.from[g.before[i]:g.before[i+1]] {
		if int(from) >= g.count || a.done[from] {
			continue
		}
		if a.left[i] == 2 {
			if first < 0 {
				first = from
				continue
			}
			if f.carry[first] != from {
				return
			}
			f.near(a, first)
		}
		if f.carry[issued] != from {
			f.near(a, from)
		}
		return
	}
}

func (f *focus) near(a *attempt, i int32) {
	if f.apart[i]--; a.left[i] == 0 {
		f.push(i)
	}
}

// pairs finds the two instructions of each sum of two words: one makes a word and a carry that only the other reads.
func (b *blockSchedule) pairs() []int32 {
	v := &b.graph.values
	pair := make([]int32, b.graph.nodes)
	for i := range pair {
		pair[i] = -1
	}
	word := int32(-1) // the last instruction that makes one
	carry := make([]bool, len(v.word))
	for i := range int32(b.graph.count) {
		for _, k := range v.of[v.first[i]:v.first[i+1]] {
			switch {
			case k >= 0 && carry[k]:
				pair[i], pair[v.by[k]] = v.by[k], i
			case k < 0 && b.class[^k] == machine.Vector:
				word = i
			case k < 0 && b.class[^k] == machine.Predicate:
				carry[^k] = word == i && v.uses[^k] == 1
			}
		}
	}
	return pair
}

// wanted is for how many nodes that readers of a value wait for are looked at: those behind many others come late.
// What these wait for is looked at pool times in a block of any size, and looks times for each instruction: where many
// come before one, as in front of a store that may touch what they load, all would be each time. LLVM sees less of
// large regions, too (ScheduleDAGInstrs, dag-maps-huge-region).
const (
	wanted = 32
	looks  = 64
	pool   = 1 << 24
)

// bump prefers what the readers of a new value wait for.
func (f *focus) bump(a *attempt, i int32) {
	g := a.b.graph
	f.work = f.work[:0]
	for k := g.first[i]; k < g.first[i+1] && len(f.work) < wanted; k++ {
		if to := g.to[k]; a.left[to] > 0 {
			f.work = append(f.work, to)
		}
	}
	f.left += looks
	for at := 0; at < len(f.work); at++ {
		k := f.work[at]
		list := g.from[g.before[k]:g.before[k+1]]
		list = list[:min(len(list), f.left)]
		f.left -= len(list)
		for _, from := range list {
			if int(from) >= g.count || a.done[from] || f.priority[from] == f.step {
				continue
			}
			if f.priority[from] = f.step; a.left[from] == 0 {
				f.push(from)
			} else if len(f.work) < wanted {
				f.work = append(f.work, from)
			}
		}
	}
}

// positions says where in an order each instruction stands.
func positions(order []int32) []int32 {
	at := make([]int32, len(order))
	for k, i := range order {
		at[i] = int32(k)
	}
	return at
}

// ends finds until when what instructions make is needed in the order of the program. What only one instruction
// reads, of which it is the only operand that ends there, as in the computation of an address, is needed as long as
// the result of that.
func (b *blockSchedule) ends() {
	v := &b.graph.values
	n := int32(b.graph.count)
	last, readers := make([]int32, len(v.word)), make([]int32, len(v.word))
	for i := range n {
		for _, k := range v.of[v.first[i]:v.first[i+1]] {
			if k >= 0 && (readers[k] == 0 || last[k] != i) {
				last[k] = i
				readers[k]++
			}
		}
	}
	dying := make([]int32, n) // how many words are read by this instruction only
	for k, i := range last {
		if readers[k] == 1 && !b.out[k] && b.class[k] == machine.Vector {
			dying[i] += v.words[k]
		}
	}
	b.until = make([]int32, n)
	for i := n - 1; i >= 0; i-- {
		b.until[i] = i
		only, words := int32(-1), int32(0) // the reader, if there is one only
		for _, k := range v.of[v.first[i]:v.first[i+1]] {
			switch {
			case k >= 0:
				continue
			case b.out[^k]:
				b.until[i] = n
			case readers[^k] > 0:
				b.until[i] = max(b.until[i], last[^k])
			}
			if words += v.words[^k]; readers[^k] != 1 || b.out[^k] || only >= 0 && only != last[^k] {
				only = n
			} else {
				only = last[^k]
			}
		}
		if only >= 0 && only < n && dying[only] == words {
			b.until[i] = max(b.until[i], b.until[only])
		}
	}
}
