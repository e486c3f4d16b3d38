package machine

// spare finds an order with few vector registers: whatever makes words live comes only where nothing else can. What
// comes then is chosen in two ways, of which the better counts: what is needed no more first in the order of the
// program, and what completes that which lives already (focus). Neither is better than the program's own order
// where that has been made with care, as behind the first round of spilling.
func (b *blockSchedule) spare(limits pressures) *attempt {
	limits[Vector] = 1
	best := b.try(limits, 0, nil)
	for _, a := range [...]*attempt{b.attempt(limits, 0, nil, newFocus(b)), b.inOrder(b.written(), limits)} {
		if a.over(limits) < best.over(limits) {
			best = a
		}
	}
	return best
}

// focus chooses as LLVM's GCNMinRegStrategy does: what the readers of live values wait for as well, then what has
// the fewest readers that wait for something else.
type focus struct {
	heap     []focused
	priority []int32 // when it was wanted last
	apart    []int32 // how many of its readers wait for something else
	step     int32
	work     []int32
}

type focused struct{ priority, apart, i int32 }

func (x focused) before(y focused) bool {
	switch {
	case x.priority != y.priority:
		return x.priority > y.priority
	case x.apart != y.apart:
		return x.apart < y.apart
	}
	return x.i < y.i
}

func newFocus(b *blockSchedule) *focus {
	g := b.graph
	f := &focus{priority: make([]int32, g.nodes), apart: make([]int32, g.nodes)}
	for i, n := range g.preds {
		if n > 1 {
			for _, from := range g.from[g.before[i]:g.before[i+1]] {
				f.apart[from]++
			}
		}
	}
	return f
}

// push adds one that waits for registers.
func (f *focus) push(a *attempt, i int32) {
	h := append(f.heap, focused{f.priority[i], f.apart[i], i})
	k := len(h) - 1
	for k > 0 && h[k].before(h[(k-1)/2]) {
		h[k], h[(k-1)/2] = h[(k-1)/2], h[k]
		k = (k - 1) / 2
	}
	f.heap = h
}

// pop takes the first one; what has changed since it was pushed has been pushed again.
func (f *focus) pop(a *attempt) int32 {
	for {
		h := f.heap
		top := h[0]
		n := len(h) - 1
		h[0] = h[n]
		h = h[:n]
		for k := 0; ; {
			c := 2*k + 1
			if c >= n {
				break
			}
			if c+1 < n && h[c+1].before(h[c]) {
				c++
			}
			if !h[c].before(h[k]) {
				break
			}
			h[k], h[c] = h[c], h[k]
			k = c
		}
		f.heap = h
		if !a.done[top.i] && top.priority == f.priority[top.i] && top.apart == f.apart[top.i] {
			return top.i
		}
	}
}

// follows is called for a node that waits for one more only: it could come right behind that.
func (f *focus) follows(a *attempt, i int32) {
	g := a.b.graph
	for _, from := range g.from[g.before[i]:g.before[i+1]] {
		if int(from) < g.count && !a.done[from] {
			if f.apart[from]--; a.left[from] == 0 {
				f.push(a, from)
			}
			return
		}
	}
}

// wanted is for how many nodes that readers of a value wait for are looked at: those behind many others come late.
const wanted = 32

// bump prefers what the readers of a new value wait for.
func (f *focus) bump(a *attempt, i int32) {
	g := a.b.graph
	f.step++
	f.work = f.work[:0]
	for _, to := range g.to[g.first[i]:g.first[i+1]] {
		if a.left[to] > 0 && len(f.work) < wanted {
			f.work = append(f.work, to)
		}
	}
	for at := 0; at < len(f.work); at++ {
		k := f.work[at]
		for _, from := range g.from[g.before[k]:g.before[k+1]] {
			if int(from) >= g.count || a.done[from] || f.priority[from] == f.step {
				continue
			}
			if f.priority[from] = f.step; a.left[from] == 0 {
				f.push(a, from)
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
		if readers[k] == 1 && !b.out[k] && b.class[k] == Vector {
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
