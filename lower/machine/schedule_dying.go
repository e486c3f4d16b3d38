package machine

// dying chooses what is still missing to the readers of the live value that has the fewest reads left: the next one
// that can die. Of a product of columns and rows that are loaded all elements of the shorter one live beside one of the
// longer one, whatever their order in the program.
type dying struct {
	heap    heap      // values that live by the reads that are left, with some that are not so any more
	readers [][]int32 // by value, in program order
	closed  []int32   // values of which nothing can come now
	round   int32     // how often something was chosen
	looked  []visit   // by node: when it was last found that nothing that it waits for can come
}

// visit says up to which depth a node was looked at in a round.
type visit struct{ round, depth int32 }

func newDying(a *attempt) *dying {
	v := &a.b.graph.values
	d := &dying{readers: make([][]int32, len(v.word)), looked: make([]visit, a.b.graph.nodes)}
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
	d.round++
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
			if found = d.missing(a, r, deepest); found >= 0 {
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
