package arrange

import (
	"cmp"
	"slices"

	"gpupipe/lower/machine"
)

// allocation is a linear scan over live intervals with holes (M. Poletto, V. Sarkar, Linear Scan Register
// Allocation, 1999; O. Traub et al., Quality and Speed in Linear-Scan Register Allocation, 1998). Words of a wide
// register live apart: a register that is needed for its last word only leaves the others to somebody else.
type allocation struct {
	l     *linear
	live  [][]interval
	files [machine.UniformPredicate + 1]*file
	vcc   *file // AMD's pair of scalar registers for masks
	// budget is how many vector registers there are; up to there, sources of one instruction go to different banks
	budget, banks int
	spread        int // up to where registers are spread for that
	ordering      ordering
	bank          []int8        // by register: where it should lie; -1: anywhere
	late          []bool        // by step: operands are read some time after it was issued
	only          machine.Class // 0: all
}

// file is the physical registers of a class.
type file struct {
	class machine.Class
	words []*cell
	used  int // the highest one that was given, plus 1
}

// cell is one physical register: when those live that got it, in order, as far as they are not over. earlier are
// those of wider registers.
type cell struct {
	taken, earlier []interval
	all            []interval
	hot            int32 // an access of memory may still have to read it up to there
	reserved       bool
}

func newAllocation(l *linear, live [][]interval, budget int) *allocation {
	a := &allocation{l: l, live: live, budget: budget, banks: 1, ordering: byStart}
	t := l.code.Target
	for class := machine.Vector; class <= machine.UniformPredicate; class++ {
		a.files[class] = &file{class: class}
	}
	if t.Has("scalar unit") { // a predicate is in scalar registers, a bit for each lane
		a.files[machine.Predicate] = a.files[machine.Uniform]
		a.vcc = &file{class: machine.Predicate}
	}
	// the stack pointer is R1
	for i := range t.Reserved {
		a.files[machine.Vector].cell(1 + i).reserved = true
	}
	return a
}

// cell is a physical register by number.
func (f *file) cell(i int) *cell {
	for len(f.words) <= i {
		f.words = append(f.words, &cell{})
	}
	return f.words[i]
}

// candidate is a register that waits for its place.
type candidate struct {
	reg        machine.Reg
	start      int32
	words, gap int // gap: words are aligned to it
	// pass is when it gets its place; in each of byReach's for what lives in several blocks, in the order of length.
	pass   int
	length int32
	after  int32 // nobody asks any more what was before
}

// ordering says in which order registers get their places.
type ordering uint8

const (
	// byWidth: wide registers first, so that narrow ones leave no gaps between them; those that live first first.
	byWidth ordering = iota + 1
	// byReach: those that live in several basic blocks first, wide ones before narrow ones and the longest first, so
	// that they lie close together and the others have the rest in one piece (LLVM, RegAllocGreedy.cpp: enqueue;
	// SIRegisterInfo.td: AllocationPriority).
	byReach
	// byStart: those that live first first.
	byStart
)

// run gives all registers their places, those first that live first.
func (a *allocation) run() {
	list := make([]candidate, 0, len(a.l.code.Regs))
	for i := range a.l.code.Regs {
		info := &a.l.code.Regs[i]
		info.Phys = -1
		if a.only != 0 && info.Class != a.only {
			continue
		}
		start := int32(-1)
		for k := range info.Words {
			if s := a.live[a.l.base[i]+int32(k)]; len(s) > 0 && (start < 0 || s[0].from < start) {
				start = s[0].from
			}
		}
		if start >= 0 {
			words := physical(a.l.code.Target, info)
			c := candidate{reg: machine.Reg(i + 1), start: start, words: words, after: start,
				gap: alignmentOf(a.l.code.Target, info.Class, words)}
			a.plan(&c)
			list = append(list, c)
		}
	}
	if a.banks > 1 {
		a.chooseBanks(list)
		t := a.l.code.Target
		a.spread = min(a.budget, slices.Max(append(a.l.pressure(a.live, machine.Vector), 0))+t.Reserved+t.RegisterStep)
	}
	slices.SortFunc(list, func(x, y candidate) int {
		switch { // cmp.Or would compare all of it
		case x.pass != y.pass:
			return cmp.Compare(x.pass, y.pass)
		case x.length != y.length:
			return cmp.Compare(y.length, x.length)
		case x.start != y.start:
			return cmp.Compare(x.start, y.start)
		case x.words != y.words:
			return cmp.Compare(y.words, x.words)
		}
		return cmp.Compare(x.reg, y.reg)
	})
	for i, c := range list {
		if i > 0 && list[i-1].pass != c.pass {
			for _, f := range a.files[1:] {
				f.begin()
			}
			if a.vcc != nil {
				a.vcc.begin()
			}
		}
		a.place(c)
	}
}

// plan says when a register gets its place.
func (a *allocation) plan(c *candidate) {
	if a.l.code.Reg(c.reg).Given {
		c.pass = -1
		return
	}
	if a.ordering == byStart {
		return
	}
	c.pass = 8 - min(c.words, 4)
	if a.ordering == byWidth {
		return
	}
	end, length := c.start, int32(0)
	for k := range c.words {
		for _, s := range a.intervals(c.reg, k) {
			end, length = max(end, s.to), length+s.to-s.from
		}
	}
	if a.blockOf(c.start/2) != a.blockOf((end-1)/2) {
		c.pass, c.length, c.after = 4-min(c.words, 4), length, 0
	}
}

// blockOf is the basic block of a step.
func (a *allocation) blockOf(step int32) int {
	n, _ := slices.BinarySearchFunc(a.l.blocks, step, func(b basicBlock, step int32) int {
		if int32(b.end) <= step {
			return -1
		}
		return 1
	})
	return n
}

// begin makes all that was taken so far earlier, before narrower registers are given.
func (f *file) begin() {
	for _, p := range f.words {
		slices.SortFunc(p.all, func(x, y interval) int { return cmp.Compare(x.from, y.from) })
		p.earlier, p.taken, p.hot = p.all, nil, 0
	}
}

// physical is how many physical registers one takes.
func physical(t *machine.Target, r *machine.RegInfo) int {
	if r.Class == machine.Predicate && t.Has("scalar unit") {
		return t.WarpSize / 32
	}
	return r.Words
}

// alignment is what the number of a register of so many words is a multiple of.
func alignmentOf(t *machine.Target, class machine.Class, words int) int {
	switch {
	case words <= 1 || class == machine.Vector && t.ISA == "gcn" && !t.Has("aligned pairs"):
		return 1
	case words == 2 || class == machine.Vector && t.ISA == "gcn":
		return 2
	}
	return 4
}

// intervals is when word k of a register lives.
func (a *allocation) intervals(r machine.Reg, k int) []interval {
	info := a.l.code.Reg(r)
	return a.live[a.l.base[r-1]+int32(min(k, info.Words-1))]
}

// place gives a register a place that is free wherever it lives: the best one of the budget, else the lowest.
func (a *allocation) place(c candidate) {
	info := a.l.code.Reg(c.reg)
	f := a.files[info.Class]
	at := -1
	if info.Given {
		at = a.l.fixed(info)
	}
	if info.Class == machine.Predicate && a.vcc != nil && a.fits(a.vcc, 0, c) { // what short encodings read and write
		for k := range c.words {
			a.vcc.cell(k).take(a.intervals(c.reg, k))
		}
		info.Phys, a.vcc.used = machine.VCC, c.words
		return
	}
	if info.Class == machine.Vector && a.banks > 1 {
		at = a.best(f, c)
	}
	for k := 0; at < 0; k += c.gap {
		if a.fits(f, k, c) {
			at = k
		}
	}
	for k := range c.words {
		f.cell(at + k).take(a.intervals(c.reg, k))
	}
	info.Phys = at
	f.used = max(f.used, at+c.words)
}

// best is the place of the budget that costs the least at run time, of several the lowest; -1: there is none. It
// costs something to lie in one bank with what it is read together with, and to be overwritten while an access of
// memory may still have to read what was there before.
func (a *allocation) best(f *file, c candidate) int {
	best, least := -1, 1<<30
	for k := 0; k+c.words <= a.spread && least > 0; k += c.gap {
		cost := 0
		if b := a.bank[c.reg-1]; b >= 0 && k%a.banks != int(b) {
			cost = 1
		}
		if cost >= least || !a.fits(f, k, c) {
			continue
		}
		for w := range c.words {
			if f.cell(k+w).hot > c.start {
				cost++
			}
		}
		if cost < least {
			best, least = k, cost
		}
	}
	return best
}

// fits reports whether a register may be in a place.
func (a *allocation) fits(f *file, at int, c candidate) bool {
	for k := range c.words {
		if !f.cell(at+k).free(a.intervals(c.reg, k), c.after, a.late) {
			return false
		}
	}
	return true
}

// free reports whether intervals meet none of those taken; start is that of the register at hand, before which
// nothing is asked any more.
func (p *cell) free(list []interval, start int32, late []bool) bool {
	if p.reserved {
		return false
	}
	for len(p.taken) > 0 && p.taken[0].to <= start {
		p.cool(p.taken[0].to, start, late)
		p.taken = p.taken[1:]
	}
	for len(p.earlier) > 0 && p.earlier[0].to <= start {
		p.cool(p.earlier[0].to, start, late)
		p.earlier = p.earlier[1:]
	}
	return apart(list, p.taken) && apart(list, p.earlier)
}

// readLate is how many instructions behind an access of memory its operands may still have to be read: they wait in
// a queue in front of the load and store units.
const readLate = 16

// cool notes until when a value that ended is still to be left alone.
func (p *cell) cool(to, start int32, late []bool) {
	if to < start && to&1 == 1 && int(to/2) < len(late) && late[to/2] {
		p.hot = max(p.hot, to+2*readLate)
	}
}

// apart reports whether intervals of two lists, each in order, do not meet.
func apart(a, b []interval) bool {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if a[i].from < b[j].to && b[j].from < a[i].to {
			return false
		}
		if a[i].to <= b[j].to {
			i++
		} else {
			j++
		}
	}
	return true
}

// take adds intervals, from the back: most come behind all others.
func (p *cell) take(list []interval) {
	p.all = append(p.all, list...)
	i, j := len(p.taken)-1, len(list)-1
	p.taken = append(p.taken, list...)
	for k := len(p.taken) - 1; j >= 0; k-- {
		if i >= 0 && p.taken[i].from > list[j].from {
			p.taken[k] = p.taken[i]
			i--
		} else {
			p.taken[k] = list[j]
			j--
		}
	}
}

// chooseBanks says in which bank of the register file each single register should lie, so that the two registers
// that an instruction reads lie in different ones (Z. Jia et al., Dissecting the NVIDIA Volta GPU Architecture via
// Microbenchmarking, 2018: 3.1): the graph of what is read together is coloured from what lives first on, which gets
// the last bank (ptxas: sums in odd registers, what is multiplied by them in even ones, and the other way round).
func (a *allocation) chooseBanks(list []candidate) {
	n := len(a.l.code.Regs)
	a.late = make([]bool, len(a.l.steps))
	edges := make([][]machine.Reg, n)
	for i := range a.l.steps {
		in := a.l.steps[i].instr
		if a.late[i] = in != nil && in.Mem != nil; in == nil || in.Mem != nil {
			continue
		}
		if x, y := a.pair(in); x != y {
			edges[x-1], edges[y-1] = append(edges[x-1], y), append(edges[y-1], x)
		}
	}
	a.bank = make([]int8, n)
	for i := range a.bank {
		a.bank[i] = -1
	}
	byStart := slices.Clone(list)
	slices.SortStableFunc(byStart, func(x, y candidate) int { return cmp.Compare(x.start, y.start) })
	var work []machine.Reg
	for _, c := range byStart {
		if a.bank[c.reg-1] >= 0 || len(edges[c.reg-1]) == 0 {
			continue
		}
		a.bank[c.reg-1] = int8(a.banks - 1)
		work = append(work[:0], c.reg)
		for len(work) > 0 {
			r := work[0]
			work = work[1:]
			for _, o := range edges[r-1] {
				if a.bank[o-1] < 0 {
					a.bank[o-1] = a.otherBank(edges[o-1])
					work = append(work, o)
				}
			}
		}
	}
}

// pair is the two single vector registers that an instruction reads; twice the same: it reads others.
func (a *allocation) pair(in *machine.Instr) (x, y machine.Reg) {
	for i := range in.Uses {
		o := &in.Uses[i]
		if o.Kind != machine.InReg || a.l.code.Reg(o.Reg).Class != machine.Vector || o.Reg == x {
			continue
		}
		switch {
		case a.l.code.Reg(o.Reg).Words > 1 || y != 0:
			return 0, 0
		case x == 0:
			x = o.Reg
		default:
			y = o.Reg
		}
	}
	if y == 0 {
		return 0, 0
	}
	return x, y
}

// otherBank is the first bank that the fewest neighbours lie in.
func (a *allocation) otherBank(neighbours []machine.Reg) int8 {
	var count [8]int
	for _, o := range neighbours {
		if b := a.bank[o-1]; b >= 0 {
			count[b]++
		}
	}
	best := 0
	for b := range a.banks {
		if count[b] < count[best] {
			best = b
		}
	}
	return int8(best)
}
