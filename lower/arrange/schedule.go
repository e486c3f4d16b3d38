package arrange

import (
	"cmp"
	"math"
	"slices"

	"gpupipe/lower/machine"
)

// scheduler orders the instructions of each basic block: list scheduling by critical path, the longest first, with
// the latencies that the target's table has (P. Gibbons, S. Muchnick, Efficient Instruction Scheduling for a
// Pipelined Architecture, 1986), under a limit of registers: what makes words live waits while the limit is reached,
// and where nothing else is left instructions come in program order (J. Goodman, W.-C. Hsu, Code Scheduling and
// Register Allocation in Large Basic Blocks, 1988: the two modes of integrated prepass scheduling). Equal ones come
// in program order. Instructions stay in their blocks; loads of memory that nobody writes pass barriers.
type scheduler struct {
	l        *linear
	blocks   []*blockSchedule
	peak     pressures // of the order that has been applied last
	less     pressures // by how many registers of other files the limit is lowered
	removals []removal // of the code before
}

// blockSchedule is what is known of a basic block whatever its order.
type blockSchedule struct {
	instrs []*machine.Instr // that can be moved, in program order
	slots  []*machine.Node  // where they stand
	graph  *dependence
	height []int32 // cycles from issuing an instruction to the end of the block
	// byHeight are the instructions, those with the longest critical path first.
	byHeight []int32
	// pair is what reads the carry that an instruction makes, and the other way round; -1: none. inTurns says that no
	// two carries live at once where that can be.
	pair    []int32
	inTurns bool
	until   []int32 // the last instruction in program order that needs what one makes
	lazy    []bool  // uniform constants, which come when somebody needs them
	slack   int32   // how many cycles before others something may come that takes registers
	early   []bool  // instructions that the pressure can wait for: loads, and what depends on nothing in the block
	// lazyPreds is how many of them a node waits for.
	lazyPreds []int32
	entry     pressures
	alive     []bool // by value: it comes from before the block
	out       []bool // by value: somebody behind the block reads it
	class     []machine.Class
	target    *machine.Target
	// sparing is an order that uses as few vector registers as possible, free one that does not save them.
	sparing, free *attempt
	spares        []*attempt // orders that sparing was chosen of
	deep          *attempt   // of these, nil where there were registers enough so far
	rank          []int32    // by instruction: its place in the order in which loads have it at first
	tried         []*attempt // the last ones
	alone         bool       // there is one order only, which has been applied: nothing is known but its peak
}

// pressures are words that live, by class of register.
type pressures [machine.UniformPredicate + 1]int

// newScheduler makes the dependence graphs of all blocks of a kernel.
func newScheduler(c *machine.Code) *scheduler {
	s := &scheduler{l: linearise(c)}
	l := s.l
	live := l.boundaries()
	latencies := map[[3]string]int32{}
	in := make([]int32, len(l.owner)) // by word: the block plus 1
	d := depender{l: l, in: in}
	alone, occupancy := singles{}, c.Target.Has("max occupancy")
	var steps, latency []int32
	for i := range l.blocks {
		b := &blockSchedule{slack: int32(c.Target.Latencies["ld.local"]), target: c.Target}
		steps, latency = steps[:0], latency[:0]
		for k := l.blocks[i].start; k < l.blocks[i].end; k++ {
			if l.steps[k].slot != nil {
				steps = append(steps, int32(k))
				latency = append(latency, cached(c.Target, l.steps[k].instr, latencies))
			}
		}
		for _, w := range live.in[i] {
			in[w] = int32(i + 1)
			b.entry[l.class(w)]++
		}
		single := len(steps) < 2 && !occupancy
		if len(steps) == 0 && single {
			s.blocks = append(s.blocks, alone.of(b.entry))
			continue
		}
		b.instrs, b.slots = make([]*machine.Instr, len(steps)), make([]*machine.Node, len(steps))
		for j, k := range steps {
			b.instrs[j], b.slots[j] = l.steps[k].instr, l.steps[k].slot
		}
		d.block = int32(i)
		b.graph = d.depend(steps, latency)
		v := &b.graph.values
		b.out = make([]bool, len(v.word))
		keep := func(w int32) {
			if s := &d.words[w]; s.block == d.block {
				d.count(s)
				b.out[s.value] = true
			}
		}
		for _, w := range live.out[i] {
			keep(w)
		}
		for k := l.blocks[i].start; k < l.blocks[i].end; k++ {
			if l.steps[k].slot == nil { // a branch at the end
				for _, a := range l.of(k) {
					keep(a.word)
				}
			}
		}
		b.alive, b.class = make([]bool, 0, len(v.word)), make([]machine.Class, 0, len(v.word))
		for k, w := range v.word {
			b.alive = append(b.alive, v.by[k] < 0 && in[w] == int32(i+1))
			b.class = append(b.class, l.class(w))
		}
		if single {
			b.lazy, b.lazyPreds = make([]bool, 1), make([]int32, b.graph.nodes)
			a := b.inOrder(b.written(), s.limits(noBudget))
			b.apply(a)
			s.blocks = append(s.blocks, alone.of(a.peak))
			continue
		}
		b.heights(latency)
		b.ends()
		b.constants()
		b.pair, b.inTurns = b.pairs(), !c.Target.Has("scalar unit")
		s.blocks = append(s.blocks, b)
	}
	return s
}

// singles are blocks with one order, of which nothing is left to know but the peak: those with the same one share it,
// as a switch has tens of thousands of them.
type singles map[pressures]*blockSchedule

func (known singles) of(peak pressures) *blockSchedule {
	one := known[peak]
	if one == nil {
		a := &attempt{peak: peak}
		one = &blockSchedule{alone: true, free: a, sparing: a}
		known[peak] = one
	}
	return one
}

// class is that of a word's register.
func (l *linear) class(word int32) machine.Class { return l.code.Reg(l.owner[word]).Class }

// cached is the latency of an instruction; the target looks mnemonics up once.
func cached(t *machine.Target, in *machine.Instr, known map[[3]string]int32) int32 {
	key := [...]string{in.Op, in.Class, in.Pipe}
	n, ok := known[key]
	if !ok {
		n = int32(t.Latency(in))
		known[key] = n
	}
	return n
}

// heights finds the critical path from each instruction.
func (b *blockSchedule) heights(latency []int32) {
	g := b.graph
	b.height = make([]int32, g.nodes)
	copy(b.height, latency)
	order := g.order()
	depends := make([]bool, g.nodes)
	for _, i := range order {
		for k := g.first[i]; k < g.first[i+1]; k++ {
			depends[g.to[k]] = true
		}
	}
	for _, i := range slices.Backward(order) {
		for k := g.first[i]; k < g.first[i+1]; k++ {
			b.height[i] = max(b.height[i], g.after[k]+b.height[g.to[k]])
		}
	}
	b.byHeight = make([]int32, 0, g.count)
	for i := range int32(g.count) {
		b.byHeight = append(b.byHeight, i)
	}
	slices.SortFunc(b.byHeight, func(i, k int32) int {
		return cmp.Or(cmp.Compare(b.height[k], b.height[i]), int(i-k))
	})
	b.early = make([]bool, g.count)
	for i := range g.count {
		in := b.instrs[i]
		b.early[i] = len(in.Defs) > 0 && (in.Mem != nil || !depends[i])
	}
}

// constants finds instructions that give uniform constants.
func (b *blockSchedule) constants() {
	g := b.graph
	b.lazy, b.lazyPreds = make([]bool, g.count), make([]int32, g.nodes)
	for i := range g.count {
		uniform := 0
		for _, k := range g.values.of[g.values.first[i]:g.values.first[i+1]] {
			if k < 0 && b.class[^k] == machine.Uniform {
				uniform++
			}
		}
		to := g.to[g.first[i]:g.first[i+1]]
		if uniform == 0 || g.preds[i] > 0 || len(to) == 0 || !remakes(b.instrs[i]) {
			continue
		}
		b.lazy[i] = true
		for _, k := range to {
			b.lazyPreds[k]++
		}
	}
}

// order lists the nodes of a graph, each behind all that lead to it.
func (g *dependence) order() []int32 {
	left := slices.Clone(g.preds)
	order := make([]int32, 0, g.nodes)
	for i := range int32(g.nodes) {
		if left[i] == 0 {
			order = append(order, i)
		}
	}
	for at := 0; at < len(order); at++ {
		i := order[at]
		for _, to := range g.to[g.first[i]:g.first[i+1]] {
			if left[to]--; left[to] == 0 {
				order = append(order, to)
			}
		}
	}
	return order
}

// run orders all blocks so that no more than so many vector registers live where that is possible, and says how
// many live.
func (s *scheduler) run(limit int) int {
	limits := s.limits(limit)
	s.peak = pressures{}
	for _, b := range s.blocks {
		a := b.best(limits)
		b.apply(a)
		for class, n := range a.peak {
			s.peak[class] = max(s.peak[class], n)
		}
	}
	return s.peak[machine.Vector]
}

// loadsPerRegister is for how many loads of a block ptxas leaves room for one more on its way.
const loadsPerRegister = 16

// loads is how many loads a block has.
func (b *blockSchedule) loads() int {
	n := 0
	for _, in := range b.instrs {
		if in.Mem != nil && len(in.Defs) > 0 {
			n++
		}
	}
	return n
}

// most is how many registers of a class live where vector registers do not count.
func (s *scheduler) most(class machine.Class) int {
	n := 0
	for _, b := range s.blocks {
		n = max(n, b.unlimited(s.limits(noBudget)).peak[class])
	}
	return n
}

// unlimited is the order that does not save vector registers.
func (b *blockSchedule) unlimited(limits pressures) *attempt {
	if b.free == nil {
		limits[machine.Vector] = noBudget
		b.free = b.try(limits, noBudget, nil)
	}
	return b.free
}

// saving is an order that uses as few vector registers as possible.
func (b *blockSchedule) saving(limits pressures) *attempt {
	if b.sparing == nil {
		b.sparing = b.spare(limits)
		b.rank = positions(b.sparing.order)
	}
	return b.sparing
}

// cost is by how many registers an order has too few; of vector registers what it moves for that. A predicate, which
// nothing moves any more, counts more than all of these. What costs more than most is not looked at to its end.
func (b *blockSchedule) cost(a *attempt, limits pressures, most int) int {
	n, limit := a.least(limits), limits[machine.Vector]
	if n <= most && a.peak[machine.Vector] > limit {
		n += max(1, b.evicted(a.order, limit, most-n+1)) - 1
	}
	return n
}

// needs is how many vector registers have to live at once, and so many more for loads on their way, where a block
// has any that are to come earlier.
func (s *scheduler) needs(limit int) int {
	limits := s.limits(limit)
	most := 0
	for _, b := range s.blocks {
		most = max(most, s.need(b, limits))
	}
	return most
}

// need is that of a block.
func (s *scheduler) need(b *blockSchedule, limits pressures) int {
	limit := limits[machine.Vector]
	n := b.unlimited(limits).peak[machine.Vector]
	if n > limit {
		n = b.saving(limits).peak[machine.Vector]
	}
	if n <= limit && b.free.peak[machine.Vector] > limit { // by itself, or with room for loads
		n = min(b.try(limits, limit, nil).peak[machine.Vector],
			n+min(s.l.code.Target.InFlight, b.loads()/loadsPerRegister))
	}
	return n
}

// limits are those of each class.
func (s *scheduler) limits(vector int) pressures {
	t := s.l.code.Target
	p := pressures{machine.Vector: vector, machine.Uniform: t.UniformRegisters, machine.Predicate: t.Predicates,
		machine.UniformPredicate: t.Predicates}
	for class, n := range s.less {
		p[class] -= n
	}
	return p
}

// best is the order that starts loads as early as the limit lets it. Where loads have to wait it is found in two
// steps: first an order that uses as few registers as possible, then with more and more of them given to loads,
// which come in the order in which the first one had them. What moves up then into registers that are left are loads
// of device memory, what fills a wait, and other loads.
func (b *blockSchedule) best(limits pressures) *attempt {
	if b.alone {
		return b.free
	}
	a := b.try(limits, limits[machine.Vector], nil)
	if a.over(limits) == 0 {
		if h := b.hoist(a, limits, b.far); h.over(limits) == 0 {
			return h
		}
		return a
	}
	best := b.saving(limits)
	cost := b.cost(best, limits, math.MaxInt32)
	better := func(a *attempt, equal bool) bool {
		if a == best {
			return true
		}
		n := b.cost(a, limits, cost)
		if n > cost || n == cost && !equal {
			return false
		}
		best, cost = a, n
		return true
	}
	if cost > 0 {
		if b.deep == nil {
			b.deep = b.drained(limits, true)
			b.spares = append(b.spares, b.deep)
		}
		for _, a := range b.spares {
			better(a, false)
		}
		b.rank = positions(best.order)
	}
	low, high := 0, limits[machine.Vector]+1
	var dear []*attempt
	for high-low > 1 {
		middle := (low + high) / 2
		if a := b.within(limits, middle, cost, &dear); a != nil && better(a, true) {
			low = middle
		} else {
			high = middle
		}
	}
	better(b.hoist(best, limits, b.far), true)
	better(b.fill(best, limits), true)
	better(b.hoist(best, limits, b.any), true)
	return best
}

// apply puts instructions where an order says.
func (b *blockSchedule) apply(a *attempt) {
	for k, i := range a.order {
		in := b.instrs[i]
		in.Issue = int(a.issue[k])
		*b.slots[k] = in
	}
}
