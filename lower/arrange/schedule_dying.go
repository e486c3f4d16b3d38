package arrange

import (
	"math"
	"slices"

	"gpupipe/lower/machine"
)

// dying chooses what is still missing to the readers of a live value: of the one that has the fewest reads left, the
// next one that can die, or of the one that was written or read last. By the former all elements of the shorter one of
// columns and rows that are loaded live beside one of the longer one, whatever their order in the program; by the
// latter a network is computed as deep as what has been loaded allows, so that what is in a register is read soon or
// late, and little is moved where there are not enough of them.
type dying struct {
	recent   bool      // what was written or read last comes first, else what has the fewest reads left
	depth    int32     // of how many instructions that wait for one another one is looked for that can come
	heap     heap      // live values by what counts, with some that are not so any more
	since    []int32   // recent: by value, when it was written or read last, counted down
	readers  [][]int32 // by value, in program order
	closed   []int32   // values of which nothing can come now
	together []int32   // of even
	round    int32     // how often something was chosen
	looked   []visit   // by node: when it was last found that nothing that it waits for can come
}

// visit says up to which depth a node was looked at in a round.
type visit struct{ round, depth int32 }

func newDying(a *attempt, recent bool) *dying {
	v := &a.b.graph.values
	d := &dying{recent: recent, depth: deepest, since: make([]int32, len(v.word)),
		readers: make([][]int32, len(v.word)), looked: make([]visit, a.b.graph.nodes)}
	for i := range int32(a.b.graph.count) {
		for _, n := range v.of[v.first[i]:v.first[i+1]] {
			if n >= 0 {
				d.readers[n] = append(d.readers[n], i)
			}
		}
	}
	if recent {
		d.depth = wanted
	}
	for n, alive := range a.alive {
		if alive {
			d.push(a, int32(n))
		}
	}
	return d
}

// push notes that a live value was written or read.
func (d *dying) push(a *attempt, n int32) {
	if a.b.class[n] == machine.Vector && !a.b.out[n] && a.uses[n] > 0 {
		d.since[n] = math.MaxInt32 - int32(len(a.order))
		d.heap.push(d.key(a, n), n)
	}
}

// key is small for a value that comes first.
func (d *dying) key(a *attempt, n int32) int32 {
	if d.recent {
		return d.since[n]
	}
	return a.uses[n]
}

// pop is an instruction that waits for registers only, -1: no live value waits for one.
func (d *dying) pop(a *attempt) int32 {
	d.round++
	found := int32(-1)
	if d.recent {
		found = d.first(a, wanted, d.even)
	}
	if found < 0 {
		found = d.first(a, math.MaxInt, func(a *attempt, i int32) int32 { return d.missing(a, i, d.depth) })
	}
	return found
}

// first is what a choice among the readers of live values finds first, in the order of the values, -1: nothing.
func (d *dying) first(a *attempt, most int, choose func(a *attempt, reader int32) int32) int32 {
	found := int32(-1)
	d.closed = d.closed[:0]
	for found < 0 && len(d.heap) > 0 && len(d.closed) < most {
		key := d.heap.key()
		n := d.heap.pop()
		if d.key(a, n) != key || a.uses[n] == 0 || len(d.closed) > 0 && d.closed[len(d.closed)-1] == n {
			continue
		}
		d.closed = append(d.closed, n)
		list := d.readers[n]
		for len(list) > 0 && a.done[list[0]] {
			list = list[1:]
		}
		d.readers[n] = list
		for _, r := range d.next(n) {
			if found = choose(a, r); found >= 0 {
				break
			}
		}
	}
	for _, n := range d.closed {
		d.heap.push(d.key(a, n), n)
	}
	return found
}

// even is an instruction that can come, if it and what reads the same values make no more live than they end, else -1:
// of two results of the same operands the first one only seems to take a register more.
func (d *dying) even(a *attempt, i int32) int32 {
	if a.done[i] || a.left[i] > 0 || a.b.lazy[i] {
		return -1
	}
	v := &a.b.graph.values
	list, words := v.of[v.first[i]:v.first[i+1]], int32(0)
	stays := func(n int32) bool { return n < 0 || a.b.class[n] != machine.Vector || a.b.out[n] }
	for _, n := range list {
		if !stays(n) && !slices.ContainsFunc(d.next(n), func(r int32) bool { return a.left[r] > 0 }) {
			words -= v.words[n]
		}
	}
	d.together = d.together[:0]
	more := func(r int32) bool { // they make live than they end, with another one
		d.together = append(d.together, r)
		for _, n := range v.of[v.first[r]:v.first[r+1]] {
			if n < 0 && a.b.class[^n] == machine.Vector {
				words += v.words[^n]
			}
		}
		return words > 0
	}
	if more(i) {
		return -1
	}
	for _, n := range list {
		if stays(n) {
			continue
		}
		for _, r := range d.next(n) {
			if !a.done[r] && a.left[r] == 0 && !slices.Contains(d.together, r) && more(r) {
				return -1
			}
		}
	}
	return i
}

// next are the readers of a value that are looked at.
func (d *dying) next(n int32) []int32 { return d.readers[n][:min(len(d.readers[n]), wanted)] }

// missing is the first instruction that something waits for and that can come now, -1: there is none.
func (d *dying) missing(a *attempt, i, depth int32) int32 {
	g := a.b.graph
	before := &d.looked[i]
	switch {
	case int(i) < g.count && a.done[i]:
		return -1
	case a.left[i] == 0 && int(i) < g.count && !a.b.lazy[i]:
		return i
	case depth == 0, before.round == d.round && before.depth >= depth:
		return -1
	}
	*before = visit{d.round, depth}
	list := g.from[g.before[i]:g.before[i+1]]
	for _, from := range list[:min(len(list), wanted)] {
		if k := d.missing(a, from, depth-1); k >= 0 {
			return k
		}
	}
	return -1
}
