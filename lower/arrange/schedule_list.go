package arrange

import (
	"math"
	"slices"
	"sync"

	"gpupipe/lower/machine"
)

// attempt is one pass of list scheduling over a block.
type attempt struct {
	b      *blockSchedule
	limits pressures
	peak   pressures
	order  []int32
	issue  []int32
	live   []int32 // words of vector registers behind each instruction
	// rank is the order in which early ones are issued, before all others; nil: by critical path as all are.
	rank   []int32
	looked looked
	*work  // nil: it is over
}

// work is what an attempt needs to go on.
type work struct {
	early  int // limit of vector registers for what can wait
	now    pressures
	left   []int32 // predecessors that have not been issued
	ready  []int32 // the cycle from which an instruction can be issued
	uses   []int32 // by value: reads to come
	alive  []bool
	done   []bool
	cycle  int32
	strict bool // nothing that makes words live comes but by force
	last   bool // by force comes first what some reader waits for only
	focus  *focus
	dying  *dying
	// Instructions that can be issued now, the most urgent first; those that wait for a result by its cycle; those
	// that wait for registers, the most urgent first, and by when what they make is not needed any more.
	available, waiting, sparing heap
	blocked                     peeked
	wanted                      heap // as sparing, those that a reader waits for only
	idle                        heap // those that would only occupy registers by now, the most urgent first
	// lazy counts by node the uniform constants that it still waits for; asked says which are on their way.
	lazy  []int32
	asked []bool
	retry bool // a register became free
	// looksAt is the instruction, from 1 on, of which changes is the change, 0: none.
	looksAt int32
	changes pressures
	shared  []int32 // makers of values that have one reader left
	urgent  int     // the first of byHeight that may not have been issued
	carried int32   // what reads the carry that lives, plus 1
	held    []int32 // what would make another one

	numbers []int32 // the memory of left, ready, lazy and uses
	flags   []bool  // of done, asked and alive
}

// spare is the memory of attempts that are over: a block of some instructions has tens of them.
var spare = sync.Pool{New: func() any { return new(work) }}

// newWork is that of an attempt at the beginning of a block.
func newWork(b *blockSchedule) *work {
	g := b.graph
	w := spare.Get().(*work)
	numbers := slices.Grow(w.numbers[:0], 3*g.nodes+len(g.values.uses))[:3*g.nodes]
	flags := slices.Grow(w.flags[:0], 2*g.count+len(b.alive))[:2*g.count]
	clear(numbers)
	clear(flags)
	*w = work{now: b.entry, left: numbers[:g.nodes:g.nodes], lazy: numbers[g.nodes : 2*g.nodes : 2*g.nodes],
		ready: numbers[2*g.nodes:], uses: append(numbers, g.values.uses...)[3*g.nodes:],
		done: flags[:g.count:g.count], asked: flags[g.count:], alive: append(flags, b.alive...)[2*g.count:],
		available: w.available[:0], waiting: w.waiting[:0], blocked: peeked{rest: w.blocked.rest[:0]},
		sparing: w.sparing[:0], wanted: w.wanted[:0], idle: w.idle[:0], shared: w.shared[:0], held: w.held[:0],
		numbers: numbers, flags: flags}
	copy(w.left, g.preds)
	copy(w.lazy, b.lazyPreds)
	return w
}

// end leaves what is asked for.
func (a *attempt) end() *attempt {
	a.work.focus, a.work.dying = nil, nil
	spare.Put(a.work)
	a.work = nil
	return a
}

// looked is the most vector registers with which something came, and the least with which something had to wait: what
// can wait (1), and all else (0). With limits between these the order is the same.
type looked struct{ came, waited [2]int }

// heap is a binary heap, the least first.
type heap []uint64

func (h *heap) push(key int32, i int32) {
	x := uint64(uint32(key))<<32 | uint64(i)
	a := append(*h, x)
	k := len(a) - 1
	for k > 0 && x < a[(k-1)/2] {
		a[k] = a[(k-1)/2]
		k = (k - 1) / 2
	}
	a[k] = x
	*h = a
}

func (h *heap) pop() int32 {
	a := *h
	top := int32(uint32(a[0]))
	n := len(a) - 1
	last := a[n]
	a = a[:n]
	*h = a
	if n == 0 {
		return top
	}
	k := 0
	for c := 1; c < n; c = 2*k + 1 {
		if c+1 < n && a[c+1] < a[c] {
			c++
		}
		if last <= a[c] {
			break
		}
		a[k] = a[c]
		k = c
	}
	a[k] = last
	return top
}

// peeked is a heap of which the first ones can be looked at.
type peeked struct {
	first [retries]uint64 // the least ones, in order
	n     int             // of them
	rest  heap
}

func (p *peeked) push(key int32, i int32) {
	x := uint64(uint32(key))<<32 | uint64(i)
	if p.n == retries {
		if x >= p.first[retries-1] {
			p.rest.push(key, i)
			return
		}
		p.n--
		p.rest.push(int32(p.first[p.n]>>32), int32(uint32(p.first[p.n])))
	}
	k := p.n
	for ; k > 0 && x < p.first[k-1]; k-- {
		p.first[k] = p.first[k-1]
	}
	p.first[k] = x
	p.n++
}

// has reports whether there is one at a place that can be looked at.
func (p *peeked) has(k int) bool { return k < p.n }

func (p *peeked) at(k int) int32 { return int32(uint32(p.first[k])) }

// drop takes the one at a place away.
func (p *peeked) drop(k int) {
	p.n--
	copy(p.first[k:p.n], p.first[k+1:])
	if len(p.rest) > 0 {
		p.first[p.n] = p.rest[0]
		p.rest.pop()
		p.n++
	}
}

// key is that of the first one.
func (h heap) key() int32 { return int32(h[0] >> 32) }

// try orders a block, with so many vector registers for early ones, or finds the order among the last ones.
func (b *blockSchedule) try(limits pressures, early int, rank []int32) *attempt {
	if early > 0 {
		for _, a := range b.tried {
			if a.holds(limits, early, rank) {
				return a
			}
		}
	}
	a := b.attempt(limits, early, rank, nil)
	if early > 0 {
		b.remember(a)
	}
	return a
}

func (b *blockSchedule) remember(a *attempt) {
	b.tried = append(b.tried[max(0, len(b.tried)-mostTried+1):], a)
}

// within orders a block as try does with its rank, nil: the order costs more. It is given up as soon as it does; dear
// are those that were, with the same limits and no lower cost.
func (b *blockSchedule) within(limits pressures, early, cost int, dear *[]*attempt) *attempt {
	holds := func(a *attempt) bool { return a.holds(limits, early, b.rank) }
	if i := slices.IndexFunc(b.tried, holds); i >= 0 {
		return b.tried[i]
	}
	if slices.ContainsFunc(*dear, holds) {
		return nil
	}
	a := b.begin(limits)
	a.early, a.rank = early, b.rank
	for len(a.order) < b.graph.count {
		if a.emit(a.next()); limits[machine.Vector] > 0 && a.least(limits) > cost {
			a.end()
			*dear = append(*dear, a)
			return nil
		}
	}
	b.remember(a.end())
	return a
}

// mostTried bounds the orders of a block that are remembered.
const mostTried = 4

// holds reports whether an attempt with other limits of vector registers would make the same order.
func (a *attempt) holds(limits pressures, early int, rank []int32) bool {
	vector := [...]int{limits[machine.Vector], min(limits[machine.Vector], early)}
	limits[machine.Vector] = a.limits[machine.Vector]
	if limits != a.limits || len(rank) != len(a.rank) || len(rank) > 0 && &rank[0] != &a.rank[0] {
		return false
	}
	for k, limit := range vector {
		if limit < a.looked.came[k] || limit >= a.looked.waited[k] {
			return false
		}
	}
	return true
}

// attempt orders a block.
func (b *blockSchedule) attempt(limits pressures, early int, rank []int32, f *focus) *attempt {
	a := b.begin(limits)
	a.early, a.rank, a.focus, a.strict = early, rank, f, early == 0
	return a.run()
}

// run orders what is left.
func (a *attempt) run() *attempt {
	for len(a.order) < a.b.graph.count {
		a.emit(a.next())
	}
	return a.end()
}

// begin is an attempt at the beginning of a block.
func (b *blockSchedule) begin(limits pressures) *attempt {
	g := b.graph
	n := g.count
	order := make([]int32, 3*n)
	a := &attempt{b: b, limits: limits, peak: b.entry,
		order: order[:0:n], issue: order[n : n : 2*n], live: order[2*n : 2*n],
		looked: looked{waited: [2]int{math.MaxInt, math.MaxInt}}, work: newWork(b)}
	for i := range int32(g.nodes) {
		if g.preds[i] == 0 && !(int(i) < g.count && b.lazy[i]) {
			a.release(i)
		}
	}
	for i := range int32(g.nodes) {
		a.ask(i)
	}
	return a
}

// urgency is small for what is to come first: the longest critical path.
func (a *attempt) urgency(i int32) int32 {
	if a.rank != nil && a.b.early[i] {
		return a.rank[i]
	}
	return 1<<30 - a.b.height[i]
}

// release is called for a node that all predecessors of have been issued.
func (a *attempt) release(i int32) { a.waiting.push(a.ready[i], i) }

// ask lets the uniform constants come that a node needs, once it waits for no more than one thing else: they come as
// late as they can, since there are few uniform registers (ptxas loads them in front of their reads).
func (a *attempt) ask(i int32) {
	if a.lazy[i] == 0 || a.left[i]-a.lazy[i] > 1 {
		return
	}
	g := a.b.graph
	for _, from := range g.from[g.before[i]:g.before[i+1]] {
		if int(from) < g.count && a.b.lazy[from] && !a.asked[from] {
			a.asked[from] = true
			a.release(from)
		}
	}
}

// leave tells the successors of a node that it has been issued.
func (a *attempt) leave(i, at int32) {
	g := a.b.graph
	for k := g.first[i]; k < g.first[i+1]; k++ {
		to := g.to[k]
		a.ready[to] = max(a.ready[to], at+g.after[k])
		if int(i) < g.count && a.b.lazy[i] {
			a.lazy[to]--
		}
		a.left[to]--
		a.ask(to)
		switch a.left[to] {
		case 0:
			if a.focus != nil {
				a.focus.priority[to], a.focus.released = a.focus.step, true
			}
			a.release(to)
		case 1, 2:
			switch {
			case a.focus != nil:
				a.focus.follows(a, to, i)
			case a.last && a.left[to] == 1 && int(to) < g.count:
				a.follows(to)
			}
		}
	}
}

// retries is how many of those that wait for registers are looked at when one becomes free.
const retries = 4

// least is what an order costs at least, by what has lived in it so far.
func (a *attempt) least(limits pressures) int {
	n := a.over(limits)
	if p := limits[machine.Predicate]; p > 0 {
		n += max(0, a.peak[machine.Predicate]-p) * a.b.graph.count
	}
	if more := a.peak[machine.Vector] - limits[machine.Vector]; more > 0 {
		n += 1 - more
	}
	return n
}

// over is how many registers more live than there are.
func (a *attempt) over(limits pressures) int {
	n := 0
	for class, peak := range a.peak {
		if limits[class] > 0 {
			n += max(0, peak-limits[class])
		}
	}
	return n
}

// next chooses an instruction, and lets cycles pass until it can be issued.
func (a *attempt) next() int32 {
	for {
		for len(a.waiting) > 0 && a.waiting.key() <= a.cycle {
			i := a.waiting.pop()
			if int(i) >= a.b.graph.count { // it stands for a group of others
				a.leave(i, a.ready[i])
				continue
			}
			a.available.push(a.urgency(i), i)
		}
		if a.retry {
			a.again()
		}
		for len(a.idle) > 0 && !a.idles(int32(uint32(a.idle[0]))) {
			i := a.idle.pop()
			a.available.push(a.urgency(i), i)
		}
		for len(a.available) > 0 {
			i := a.available.pop()
			if a.done[i] {
				continue
			}
			if a.awaitsCarry(i) {
				a.held = append(a.held, i)
				continue
			}
			if !a.strict && a.carried != i+1 && a.idles(i) && a.b.instrs[i].Mem == nil &&
				a.delta(i)[machine.Vector] > 0 {
				a.idle.push(1<<30-a.b.height[i], i)
				continue
			}
			if a.fits(i) {
				return i
			}
			a.blocked.push(a.urgency(i), i)
			switch {
			case a.focus != nil:
				a.focus.push(i)
			case a.last && a.completes(i):
				a.wanted.push(a.b.until[i], i)
			default:
				a.sparing.push(a.b.until[i], i)
			}
		}
		if len(a.waiting) > 0 {
			a.cycle = a.waiting.key()
			continue
		}
		if len(a.idle) == 0 || a.idles(int32(uint32(a.idle[0]))) {
			return a.force()
		}
	}
}

// awaitsCarry reports whether an instruction waits until the carry that lives has been read: for ptxas a sum of two
// words is one instruction until registers are given, and independent sums come one after the other (2, 4 and 8 of them
// in a loop, nvcc 11.8 and 12.4, sm_80 and sm_90: one predicate has all carries. Of 281 blocks of other kernels with
// several carries 268 have no more than two at once, as the next sum may begin in front of what reads the last one).
func (a *attempt) awaitsCarry(i int32) bool {
	return a.carried > 0 && a.carried != i+1 && a.b.pair[i] > i && a.left[a.carried-1] == 0
}

// carry notes that an instruction makes a carry, or has read the one that lives; what waited is looked at again.
func (a *attempt) carry(i int32) {
	reads, makes := a.carried == i+1, a.b.inTurns && a.b.pair[i] > i
	if !reads && !makes {
		return
	}
	if a.carried = 0; makes {
		a.carried = a.b.pair[i] + 1
	}
	for _, k := range a.held {
		a.available.push(a.urgency(k), k)
	}
	a.held = a.held[:0]
}

// force chooses one although there are not enough registers: the one of which the result is the first to be needed
// no more (what Belady's rule keeps).
func (a *attempt) force() int32 {
	switch {
	case a.focus != nil:
		return a.focus.pop(a)
	case a.dying != nil:
		if i := a.dying.pop(a); i >= 0 {
			return i
		}
	case a.last:
		return a.completing()
	}
	for {
		if i := a.sparing.pop(); !a.done[i] {
			return i
		}
	}
}

// completing chooses as force does, but first among those that a reader waits for only: what others make lives until
// the rest of their readers' operands has come.
func (a *attempt) completing() int32 {
	for _, h := range [...]*heap{&a.wanted, &a.sparing} {
		for len(*h) > 0 {
			if i := h.pop(); !a.done[i] {
				return i
			}
		}
	}
	return -1
}

// follows is called for a node that waits for one more only.
func (a *attempt) follows(i int32) {
	g := a.b.graph
	for _, from := range g.from[g.before[i]:g.before[i+1]] {
		if int(from) < g.count && !a.done[from] {
			if a.left[from] == 0 {
				a.wanted.push(a.b.until[from], from)
			}
			return
		}
	}
}

// completes reports whether something waits for an instruction only.
func (a *attempt) completes(i int32) bool {
	g := a.b.graph
	for _, to := range g.to[g.first[i]:g.first[i+1]] {
		if int(to) < g.count && a.left[to] == 1 {
			return true
		}
	}
	return false
}

// again looks at the first of those that wait for registers.
func (a *attempt) again() {
	a.retry = false
	for k := 0; a.blocked.has(k); {
		i := a.blocked.at(k)
		switch {
		case a.done[i]:
			a.blocked.drop(k)
		case a.fits(i):
			a.blocked.drop(k)
			a.available.push(a.urgency(i), i)
			a.retry = true
			return
		default:
			k++
		}
	}
}

// fits reports whether the registers are there that an instruction makes live.
func (a *attempt) fits(i int32) bool {
	for class, n := range a.delta(i) {
		if n <= 0 {
			continue
		}
		limit := a.limits[class]
		switch {
		case a.strict && machine.Class(class) == machine.Uniform:
			continue
		case a.strict:
			limit = 0
		case machine.Class(class) == machine.Vector:
			if !a.room(a.now[class]+n, a.b.early[i]) {
				return false
			}
			continue
		case machine.Class(class) == machine.Predicate && a.idles(i):
			limit /= 2
		}
		if a.now[class]+n > limit {
			return false
		}
	}
	return true
}

// room reports whether so many vector registers may live with an instruction.
func (a *attempt) room(n int, early bool) bool {
	limit, k := a.limits[machine.Vector], 0
	if early {
		limit, k = min(limit, a.early), 1
	}
	if n > limit {
		a.looked.waited[k] = min(a.looked.waited[k], n)
		return false
	}
	a.looked.came[k] = max(a.looked.came[k], n)
	return true
}

// idles reports whether something is so much less urgent than the most urgent instruction that it would only occupy
// registers: by more than a load takes, so that it does not come in the shadow of the next one.
func (a *attempt) idles(i int32) bool { return a.b.height[i]+a.b.slack < a.frontier() }

// frontier is the longest critical path of what has not been issued.
func (a *attempt) frontier() int32 {
	for a.urgent < len(a.b.byHeight) && a.done[a.b.byHeight[a.urgent]] {
		a.urgent++
	}
	if a.urgent == len(a.b.byHeight) {
		return 0
	}
	return a.b.height[a.b.byHeight[a.urgent]]
}

// delta is change, computed once until something is issued.
func (a *attempt) delta(i int32) *pressures {
	if a.looksAt != i+1 {
		a.looksAt = i + 1
		a.change(i)
	}
	return &a.changes
}

// change finds how many words more live behind an instruction than in front of it.
func (a *attempt) change(i int32) {
	p := &a.changes
	*p = pressures{}
	v := &a.b.graph.values
	list := v.of[v.first[i]:v.first[i+1]]
	for _, n := range list {
		if n < 0 {
			if n = ^n; a.uses[n] > 0 || a.b.out[n] {
				p[a.b.class[n]] += int(v.words[n])
			}
			continue
		}
		if !a.alive[n] && a.uses[n] == v.uses[n] { // the first write under a guard
			p[a.b.class[n]] += int(v.words[n])
		}
		if a.uses[n]--; a.uses[n] == 0 && !a.b.out[n] {
			p[a.b.class[n]] -= int(v.words[n])
		}
	}
	for _, n := range list {
		if n >= 0 {
			a.uses[n]++
		}
	}
}

// wake looks at the last reader of each value that had several: it frees registers now.
func (a *attempt) wake() {
	g := a.b.graph
	for _, from := range a.shared {
		for _, to := range g.to[g.first[from]:g.first[from+1]] {
			if int(to) < g.count && !a.done[to] && a.left[to] == 0 && a.fits(to) {
				a.available.push(a.urgency(to), to)
			}
		}
	}
	a.shared = a.shared[:0]
}

// emit issues an instruction.
func (a *attempt) emit(i int32) {
	change := a.delta(i)
	a.looksAt = 0
	v := &a.b.graph.values
	for _, n := range v.of[v.first[i]:v.first[i+1]] {
		if n < 0 {
			a.alive[^n] = true
			if a.dying != nil {
				a.dying.push(a, ^n)
			}
			continue
		}
		a.alive[n] = true
		a.uses[n]--
		if a.dying != nil {
			a.dying.push(a, n)
		}
		if a.uses[n] == 1 {
			a.retry = true
			if from := v.by[n]; from >= 0 && a.last {
				a.shared = append(a.shared, from)
			}
		}
	}
	for class, n := range change {
		a.now[class] += n
		a.peak[class] = max(a.peak[class], a.now[class])
		a.retry = a.retry || n < 0
	}
	a.done[i] = true
	a.carry(i)
	a.wake()
	a.order, a.issue = append(a.order, i), append(a.issue, a.cycle)
	a.live = append(a.live, int32(a.now[machine.Vector]))
	if a.focus != nil {
		a.focus.step++
		a.focus.released = false
	}
	a.leave(i, a.cycle)
	if a.focus != nil && !a.focus.released {
		a.focus.bump(a, i)
	}
	a.cycle++
}
