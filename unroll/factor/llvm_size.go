package factor

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// sizeLLVM measures a loop as LLVM's unroller sees it: inner loops that are
// unrolled fully have been copied, what does not depend on a loop has been moved out of it, what is computed twice
// is there once, and sums have been sorted by the loops that their terms depend on (LICM, EarlyCSE and Reassociate);
// but the copies have not been compared with each other, and private arrays are still memory.
type sizeLLVM struct {
	costsLLVM
	u      *Unroller
	second bool  // inner loops that stay rolled have been unrolled partly
	size   int64 // with the loop's own
	own    int64 // a loop's own: addition, compare and branch
	slow   int64 // what sizes with latency are more: the analysis of what full unrolling saves counts them
	saved  int64 // of both: what is the same in all iterations, or a constant in each
	once   int64 // of that, what is computed in the first one
	instrs int64
	rolled bool // a loop within it is
	asks   asksAMD

	trips    []int64 // of the loops that are open; the measured one counts once
	keeps    int     // of them that stay rolled within the measured one
	assigned []lower.Reg
	carried  map[lower.Reg]bool // from one iteration to the next
	uses     map[lower.Reg]int
	known    map[lower.Reg]sized
	stored   map[idg.Space]bool
	stores   map[idg.Space]int64 // so far
	numbers  map[numbered]sized
	scope    []numbered // those numbered so far, but for what has been left
	last     int        // number
}

// sized is what is known of a value.
type sized struct {
	id     int
	level  int  // the open loop within which it lies, outside of inner ones; outside: -1
	folds  bool // a constant in every copy
	zero   bool // 0 in the first of them, if it folds
	still  bool // the same in all iterations of the measured loop
	count  bool // made of constants and counters
	minus  bool // may be negative, for what LLVM knows
	before bool // a variable's of the iteration before
	first  bool // in the first copies it does not depend on the loop
	fixed  bool // an address at a constant offset of an object, in every copy
	object lower.ObjectID

	terms   []sized // of a sum that is not computed yet
	typ     lower.Type
	product bool // a floating product, which an addition may absorb
	address bool // an instruction that computes an address: one more subscript is none of its own
}

// measure measures a loop before the first run of the pass or before the second.
func (u *Unroller) measure(l *lower.Loop, second bool) *sizeLLVM {
	key := measured{l, second}
	if n := u.sizes[key]; n != nil {
		return n
	}
	n := &sizeLLVM{
		costsLLVM: costsPTX, u: u, second: second, trips: []int64{1}, assigned: u.kernel.AssignedIn(l),
		carried: map[lower.Reg]bool{}, known: map[lower.Reg]sized{}, stored: map[idg.Space]bool{},
		stores: map[idg.Space]int64{}, numbers: map[numbered]sized{},
	}
	if u.AMDGPU() {
		n.costsLLVM = costsAMD
	}
	n.asks = newAsksAMD(l.Depth)
	n.own = 2 + n.branch
	n.size, n.instrs = n.own, 4
	n.uses = usesOf(l.Body)
	structure.AnyInstr(l, func(in *lower.Instr) bool {
		n.stored[in.Space] = n.stored[in.Space] || in.Op == lower.Store || in.Op == lower.Atomic
		return false
	})
	if l.Induction != nil {
		n.known[l.Induction.Var] = sized{id: n.next(), count: true}
	}
	n.block(l.Body)
	n.keep()
	n.asks.latch(n.instrs, l.HasBreak)
	u.sizes[key] = n
	return n
}

// measured is a loop before a run of the pass.
type measured struct {
	loop   *lower.Loop
	second bool
}

func (n *sizeLLVM) next() int { n.last++; return n.last }

// number gives the result of a computation its number, and says whether it is there already.
func (n *sizeLLVM) number(key numbered, v *sized) (again bool) {
	if old, ok := n.numbers[key]; ok {
		*v = old
		return true
	}
	v.id = n.next()
	n.numbers[key] = *v
	n.scope = append(n.scope, key)
	return false
}

// leave forgets what was computed since the scope had a length: it is not at hand behind a loop or a branch.
func (n *sizeLLVM) leave(length int) {
	for _, key := range n.scope[length:] {
		if n.numbers[key].level == n.here()+1 || n.numbers[key].level < 0 {
			delete(n.numbers, key)
		}
	}
	n.scope = n.scope[:length]
}

// copies is how often something is there that lies within an open loop.
func (n *sizeLLVM) copies(level int) int64 {
	c := int64(1)
	for _, t := range n.trips[:level+1] {
		c *= t
	}
	return c
}

// add counts an instruction with a value of a kind.
func (n *sizeLLVM) add(v sized, size int64) {
	if v.level < 0 || v.folds || n.second && v.still {
		return // LICM has moved it out
	}
	size *= n.copies(v.level)
	n.size += size
	if size >= 0 {
		n.instrs += n.copies(v.level)
	}
	n.save(v, size)
}

// save notes what of a size is left out where the loop is unrolled fully.
func (n *sizeLLVM) save(v sized, size int64) {
	switch {
	case v.count:
		n.saved += size
	case v.still:
		n.saved += size
		n.once += size
	}
}

// operation counts an operation.
func (n *sizeLLVM) operation(v sized, in *lower.Instr, size int64) {
	n.add(v, size)
	if slow := n.slower(in); size > 0 && v.level >= 0 && !v.folds {
		slow *= n.copies(v.level)
		n.slow += slow
		n.save(v, slow)
	}
}

// with is what is known of a value that depends on two others.
func (v sized) with(x sized) sized {
	return sized{level: max(v.level, x.level), folds: v.folds && x.folds, zero: v.zero && x.zero,
		still: v.still && x.still, count: v.count && x.count, first: v.first && x.first, minus: v.minus || x.minus}
}

func (n *sizeLLVM) here() int { return len(n.trips) - 1 }

func (n *sizeLLVM) block(b lower.Block) {
	last := n.asks.last
	for i, st := range b {
		n.asks.last = last && !slices.ContainsFunc(b[i+1:], n.divides)
		switch st := st.(type) {
		case *lower.Instr:
			n.instr(st)
		case *lower.Loop:
			n.loop(st, b[:i])
		case *lower.If:
			n.branches(st)
		default:
			n.sides(st)
		}
	}
}

// sides counts the parts of a statement, of which not all are executed.
func (n *sizeLLVM) sides(st lower.Stmt) {
	structure.Blocks(st, func(b lower.Block) {
		length := len(n.scope)
		n.block(b)
		for _, key := range n.scope[length:] {
			delete(n.numbers, key)
		}
		n.scope = n.scope[:length]
	})
	n.changes(st, n.here())
}

// changes notes that a statement assigns variables within an open loop.
func (n *sizeLLVM) changes(st lower.Stmt, level int) {
	for _, r := range n.u.kernel.AssignedIn(st) {
		n.known[r] = sized{id: n.next(), level: level, minus: true, before: true}
	}
}

// branches counts a condition.
func (n *sizeLLVM) branches(st *lower.If) {
	here := sized{level: n.here()}
	if n.selects(st) {
		n.sides(st)
		n.add(here, n.assigns(st))
		return
	}
	cond := n.value(st.Cond)
	n.add(here, n.branch+1)
	n.asks.block(n.instrs)
	if copies := n.copies(here.level); n.keeps == 0 && cond.level >= 0 && !cond.folds {
		if n.asks.last && len(st.Else) == 0 {
			copies-- // one leads to the latch, which is an exit
		}
		n.asks.branches(copies)
	}
	n.sides(st)
	n.asks.block(n.instrs)
}

// divides reports whether a statement divides a block.
func (n *sizeLLVM) divides(st lower.Stmt) bool {
	if st, ok := st.(*lower.If); ok {
		return !n.selects(st)
	}
	_, plain := st.(*lower.Instr)
	return !plain
}

// selects reports whether both sides of a condition are computed, and each variable is selected: where they are
// short (SimplifyCFG).
func (n *sizeLLVM) selects(st *lower.If) bool {
	size := int64(0)
	for _, b := range []lower.Block{st.Then, st.Else} {
		for _, s := range b {
			in, ok := s.(*lower.Instr)
			if !ok || in.Op > lower.PtrAdd || in.Op == lower.Div || in.Op == lower.Rem {
				return false
			}
			if in.Op != lower.Mov {
				size += n.of(in)
			}
		}
	}
	const selected = 4 // TwoEntryPHINodeFoldingThreshold
	return size <= selected
}

// assigns is how many variables a condition assigns.
func (n *sizeLLVM) assigns(st *lower.If) (count int64) {
	inside := usesOf(lower.Block{st})
	for _, r := range n.u.kernel.AssignedIn(st) {
		if inside[r] == 0 || n.uses[r] > inside[r] {
			count++
		}
	}
	return count
}

// loop counts an inner loop.
func (n *sizeLLVM) loop(l *lower.Loop, before lower.Block) {
	trips, full := int64(1), n.u.unrollsFully(l, before)
	if full {
		trips, _ = n.u.staticTrips(l, before)
	} else {
		n.rolled = true
		n.keeps++
		n.add(sized{level: n.here()}, n.own+1)
		n.guard(l, before)
		if n.second {
			trips = n.u.copiesRolled(l, before)
			n.add(sized{level: n.here()}, trips-1) // each copy steps the counter
		}
	}
	if !full || !n.second { // SimplifyCFG runs after the first time
		n.asks.block(n.instrs)
	}
	length := len(n.scope)
	counter := sized{level: len(n.trips)}
	if l.Induction != nil {
		counter.zero = full && n.known[l.Induction.Var].zero
	}
	n.changes(l, len(n.trips))
	if l.Induction != nil {
		counter.id, counter.folds, counter.still, counter.count, counter.first = n.next(), full, full, full,
			counter.zero
		n.known[l.Induction.Var] = counter
	}
	n.trips = append(n.trips, trips)
	n.block(l.Body)
	n.keep()
	if structure.AnyStmt(l, func(st lower.Stmt) bool { _, ok := st.(*lower.Loop); return ok && st != lower.Stmt(l) }) {
		n.add(sized{level: n.here()}, 1) // copies that hold other copies stay blocks of their own
	}
	n.trips = n.trips[:len(n.trips)-1]
	n.leave(length)
	n.changes(l, n.here())
	if !full {
		n.keeps--
		n.asks.block(n.instrs)
	}
}

// guard counts what skips an inner loop whose trip count is not constant (LoopRotate): a branch and the block behind
// it, and, where the bound depends on the loop around, the bound, its maximum with 1 and the comparison.
func (n *sizeLLVM) guard(l *lower.Loop, before lower.Block) {
	if _, constant := n.u.staticTrips(l, before); constant || l.Induction == nil {
		return
	}
	here := sized{level: n.here()}
	n.add(here, n.branch+1)
	for _, st := range l.Cond {
		if in, ok := st.(*lower.Instr); ok && !in.Op.IsComparison() {
			n.instr(in)
		}
	}
	if bound := n.operand(l.Induction.Bound); bound.level >= 0 {
		n.add(bound, 2)
		if !n.asks.last {
			n.asks.branches(n.copies(here.level))
		}
	}
}
