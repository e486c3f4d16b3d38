package machine

// dying chooses what is still missing to the readers of the live value that has the fewest reads left: the next one
// that can die. Of a product of columns and rows that are loaded all elements of the shorter one live beside one of the
// longer one, whatever their order in the program.
type dying struct {
	heap    heap      // values that live by the reads that are left, with some that are not so any more
	readers [][]int32 // by value, in program order
	closed  []int32   // values of which nothing can come now
}

func newDying(a *attempt) *dying {
	v := &a.b.graph.values
	d := &dying{readers: make([][]int32, len(v.word))}
	for i := range int32(a.b.graph.count) {
		for _, n := range v.of[v.first[i]:v.first[i+1]] {
			if n >= 0 {
				d.readers[n] = append(d.readers[n], i)
			}
		}
	}
	for n, alive := range a.alive {
		if alive {
			d.push(a, int32(n))
		}
	}
	return d
}

// push notes how many reads a live value has left.
func (d *dying) push(a *attempt, n int32) {
	if a.b.class[n] == Vector && !a.b.out[n] && a.uses[n] > 0 {
		d.heap.push(a.uses[n], n)
	}
}

// pop is an instruction that waits for registers only, -1: no live value waits for one.
func (d *dying) pop(a *attempt) int32 {
	found := int32(-1)
	d.closed = d.closed[:0]
	for found < 0 && len(d.heap) > 0 {
		key := d.heap.key()
		n := d.heap.pop()
		if a.uses[n] != key || len(d.closed) > 0 && d.closed[len(d.closed)-1] == n {
			continue
		}
		d.closed = append(d.closed, n)
		list := d.readers[n]
		for len(list) > 0 && a.done[list[0]] {
			list = list[1:]
		}
		d.readers[n] = list
		for _, r := range list[:min(len(list), wanted)] {
			if found = a.missing(r, deepest); found >= 0 {
				break
			}
		}
	}
	for _, n := range d.closed {
		d.heap.push(a.uses[n], n)
	}
	return found
}

// missing is the first instruction that something waits for and that can come now, -1: there is none.
func (a *attempt) missing(i int32, depth int) int32 {
	g := a.b.graph
	switch {
	case int(i) < g.count && a.done[i]:
		return -1
	case a.left[i] == 0 && int(i) < g.count && !a.b.lazy[i]:
		return i
	case depth == 0:
		return -1
	}
	list := g.from[g.before[i]:g.before[i+1]]
	for _, from := range list[:min(len(list), wanted)] {
		if k := a.missing(from, depth-1); k >= 0 {
			return k
		}
	}
	return -1
}
