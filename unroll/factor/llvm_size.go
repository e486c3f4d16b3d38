package factor

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// sizeLLVM measures a loop as LLVM's unroller sees it: inner loops that are
// unrolled fully have been copied, what does not depend on a loop has been moved out of it, what is computed twice
// is there once, and sums have been sorted by the loops that their terms depend on (LICM, EarlyCSE and Reassociate); but
// the copies have not been compared with each other, and private arrays are still memory.
type sizeLLVM struct {
	costsLLVM
	u              *Unroller
	second         bool  // inner loops that stay rolled have been unrolled partly
	size           int64 // with the loop's own
	own            int64 // a loop's own: addition, compare and branch
	saved          int64 // of the size: what is the same in all iterations, or a constant in each
	instrs         int64
	smallBlock     bool // some block of the loop is small
	rolled         bool // a loop within it is
	local, private bool // it computes addresses of local memory, or of private arrays that could be registers

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
	if u.AMDGPU {
		n.costsLLVM = costsAMD
	}
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
	inner := structure.AnyStmt(l, func(st lower.Stmt) bool { _, ok := st.(*lower.Loop); return ok && st != lower.Stmt(l) })
	n.smallBlock = inner && !n.rolled || n.instrs < amdAnalysedMost
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
	if v.level < 0 || v.folds {
		return
	}
	size *= n.copies(v.level)
	n.size += size
	if size >= 0 {
		n.instrs += n.copies(v.level)
	}
	if v.still || v.count {
		n.saved += size
	}
}

// with is what is known of a value that depends on two others.
func (v sized) with(x sized) sized {
	return sized{level: max(v.level, x.level), folds: v.folds && x.folds, zero: v.zero && x.zero, still: v.still && x.still, count: v.count && x.count, minus: v.minus || x.minus}
}

func (n *sizeLLVM) here() int { return len(n.trips) - 1 }

func (n *sizeLLVM) block(b lower.Block) {
	for i, st := range b {
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

// branches counts a condition: of short sides both are computed, and each variable is selected (SimplifyCFG).
func (n *sizeLLVM) branches(st *lower.If) {
	here := sized{level: n.here()}
	size := int64(0)
	short := true
	for _, b := range []lower.Block{st.Then, st.Else} {
		for _, s := range b {
			in, ok := s.(*lower.Instr)
			if short = short && ok && in.Op <= lower.PtrAdd && in.Op != lower.Div && in.Op != lower.Rem; short && in.Op != lower.Mov {
				size += n.of(in)
			}
		}
	}
	const selected = 4 // TwoEntryPHINodeFoldingThreshold
	if short && size <= selected {
		n.sides(st)
		n.add(here, n.assigns(st))
		return
	}
	n.add(here, n.branch+1)
	n.sides(st)
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
		if n.second {
			trips = n.u.copiesRolled(l, before)
		}
	}
	length := len(n.scope)
	counter := sized{level: len(n.trips)}
	if l.Induction != nil {
		counter.zero = full && n.known[l.Induction.Var].zero
	}
	n.changes(l, len(n.trips))
	if l.Induction != nil {
		counter.id, counter.folds, counter.still, counter.count = n.next(), full, full, full
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
	}
}

// value is what is known of an operand, a sum not computed.
func (n *sizeLLVM) value(o lower.Operand) sized {
	outside := sized{level: -1, still: true}
	var key numbered
	switch o.Kind {
	case lower.OperandObject:
		outside.object, outside.fixed, key = o.Object, true, numbered{fn: "object", a: int(o.Object)}
	case lower.OperandConst:
		outside.folds, outside.zero, outside.count, outside.minus = true, o.Bits == 0, true, int64(o.Bits) < 0
		key = numbered{fn: "constant", typ: o.Type, scale: int64(o.Bits)}
	default:
		if v, ok := n.known[o.Reg]; ok {
			n.carried[o.Reg] = n.carried[o.Reg] || v.before
			return v
		}
		if _, ok := slices.BinarySearch(n.assigned, o.Reg); ok {
			n.known[o.Reg] = sized{id: n.next(), level: n.here(), minus: true}
			n.carried[o.Reg] = true
			n.instrs++
			return n.known[o.Reg]
		}
		_, konst := n.u.values.Constant(o.Reg)
		outside.folds, outside.count, outside.minus = konst, konst, !n.u.values.OfLaunch(o.Reg)
		key = numbered{fn: "register", a: int(o.Reg)}
	}
	n.number(key, &outside)
	return outside
}

// operand is what is known of an operand, which is computed if it is a sum.
func (n *sizeLLVM) operand(o lower.Operand) sized {
	v := n.value(o)
	if v.terms == nil {
		return v
	}
	sum := n.fold(v.terms, v.typ)
	n.known[o.Reg] = sum
	return sum
}

// fold computes a sum.
func (n *sizeLLVM) fold(terms []sized, typ lower.Type) sized {
	terms = slices.Clone(terms)
	slices.SortStableFunc(terms, func(a, b sized) int { return a.level - b.level })
	sum := terms[0]
	for _, t := range terms[1:] {
		next := sum.with(t)
		if !n.number(numbered{op: lower.Add, typ: typ, a: sum.id, b: t.id}, &next) {
			n.addSum(next, t, typ)
		}
		sum = next
	}
	return sum
}

// keep counts the sums that are in variables at the end of an iteration.
func (n *sizeLLVM) keep() {
	for _, r := range n.assigned {
		if n.known[r].terms != nil && (n.carried[r] || n.uses[r] == 0) {
			n.operand(lower.Operand{Kind: lower.OperandReg, Reg: r})
		}
	}
}

// addSum counts the sum of a term and those before.
func (n *sizeLLVM) addSum(sum, term sized, typ lower.Type) {
	size := int64(1)
	if typ.Size() == 8 {
		size = 2
	}
	n.add(sum, size)
	if term.folds && term.zero && term.level > 0 { // the first copy is + 0
		sum.level = term.level - 1
		n.add(sum, -size)
	}
}

func (n *sizeLLVM) instr(in *lower.Instr) {
	switch {
	case in.Op == lower.Mov:
		n.known[in.Dsts[0]] = n.value(in.Args[0])
		return
	case (in.Op == lower.Add || in.Op == lower.Sub) && in.Type.IsInteger():
		n.known[in.Dsts[0]] = n.sum(in)
		return
	}
	if v, ok := n.distribute(in); ok {
		n.known[in.Dsts[0]] = v
		return
	}
	v := sized{level: -1, folds: true, zero: true, still: true, count: true}
	key := numbered{op: in.Op, typ: in.Type, from: in.From, fn: in.Fn, scale: in.Scale, at: int64(in.Dim)}
	for i, a := range in.Args {
		x := n.operand(a)
		v = v.with(x)
		if i < 4 {
			*[]*int{&key.a, &key.b, &key.c, &key.d}[i] = x.id
		}
	}
	twice := len(in.Args) <= 4 && len(in.Dsts) == 1 && in.Op < lower.Call
	if in.Op == lower.Load {
		twice = !in.Volatile && len(in.Dsts) == 1
		key.at = n.stores[in.Space]
	}
	if old, ok := n.numbers[key]; ok && twice {
		n.known[in.Dsts[0]] = old
		return
	}
	size := n.of(in)
	switch in.Op {
	case lower.Load, lower.Copy, lower.Atomic, lower.ImageLoad, lower.SubGroup:
		n.accesses(in)
		if in.Op != lower.Load || n.stored[in.Space] {
			v.level = n.here()
		}
		v = sized{level: v.level, minus: true}
	case lower.Store, lower.ImageStore, lower.Barrier, lower.Fence, lower.CopyGroup, lower.BulkCopy:
		n.accesses(in)
		n.stores[in.Space]++
		v = sized{level: n.here()}
	case lower.Index:
		v = sized{level: -1}
	case lower.PtrAdd:
		v, size = n.pointer(in, v)
	case lower.Mul:
		if in.Type.IsFloat() {
			v.product = true
			break
		}
		v.zero = slices.ContainsFunc(in.Args, func(o lower.Operand) bool { x := n.value(o); return x.folds && x.zero })
	case lower.And:
		v.minus = v.minus && !slices.ContainsFunc(in.Args, func(o lower.Operand) bool { return o.Kind == lower.OperandConst && int64(o.Bits) >= 0 })
	}
	if v.id = n.next(); twice {
		n.number(key, &v)
	}
	n.fuse(in)
	n.add(v, size)
	for _, d := range in.Dsts {
		n.known[d] = v
	}
}

// sum is a sum of integers, with the terms of sums that only it uses.
func (n *sizeLLVM) sum(in *lower.Instr) (v sized) {
	v.typ = in.Type
	for i, a := range in.Args {
		x := n.value(a)
		terms := x.terms
		if terms == nil || n.uses[a.Reg] != 1 {
			terms = []sized{n.operand(a)}
		}
		for _, t := range terms {
			if t.level < 0 && t.folds && t.zero {
				continue // x + 0
			}
			if i == 1 && in.Op == lower.Sub {
				t.minus = true
				n.number(numbered{op: lower.Neg, typ: in.Type, a: t.id}, &t)
			}
			v.terms = append(v.terms, t)
		}
	}
	if len(v.terms) == 0 {
		return n.value(lower.Operand{Kind: lower.OperandConst, Type: in.Type})
	}
	return v
}

// distribute makes a sum of the product of a constant and a sum with a constant (InstCombine).
func (n *sizeLLVM) distribute(in *lower.Instr) (v sized, ok bool) {
	if in.Op != lower.Mul && in.Op != lower.Shl || !in.Type.IsInteger() || in.Args[1].Kind != lower.OperandConst {
		return v, false
	}
	x := n.value(in.Args[0])
	constant := func(t sized) bool { return t.level < 0 && t.folds }
	if n.uses[in.Args[0].Reg] != 1 || !slices.ContainsFunc(x.terms, constant) {
		return v, false
	}
	times := func(a sized) sized {
		n.number(numbered{op: in.Op, typ: in.Type, scale: int64(in.Args[1].Bits), a: a.id}, &a)
		return a
	}
	v.typ = in.Type
	var rest []sized
	for _, t := range x.terms {
		if constant(t) {
			v.terms = append(v.terms, times(t))
		} else {
			rest = append(rest, t)
		}
	}
	if len(rest) == 0 {
		return v, false
	}
	product := n.fold(rest, in.Type)
	before := n.last
	product = times(product)
	if product.id > before {
		n.add(product, n.of(in))
	}
	v.terms = append(v.terms, product)
	return v, true
}

// pointer is the address that a subscript makes of another, and its size.
func (n *sizeLLVM) pointer(in *lower.Instr, v sized) (sized, int64) {
	base, index := n.operand(in.Args[0]), n.operand(in.Args[1])
	v.object, v.fixed = base.object, base.fixed && index.folds
	if in.From.Size() < 8 && !n.narrow(base) {
		size := int64(1)
		if !index.minus || !in.From.IsSigned() {
			size = n.widened
		}
		wide := index
		if !n.number(numbered{op: lower.Convert, from: in.From, a: index.id}, &wide) {
			n.add(index, size)
		}
	}
	switch {
	case index.folds: // an offset of the access
		v.folds, v.address = false, base.address
		return v, 0
	case base.address && n.uses[in.Args[0].Reg] == 1:
		n.add(base, -1)
	}
	v.address = true
	return v, 1
}

// narrow reports whether addresses are 32 bits wide where one points to.
func (n *sizeLLVM) narrow(address sized) bool {
	if !n.near || address.object == 0 {
		return false
	}
	space := n.u.source.Object(address.object).Space
	return space == idg.SpaceLocal || space == idg.SpacePrivate
}

// accesses notes which memory is accessed at addresses that the loop computes.
func (n *sizeLLVM) accesses(in *lower.Instr) {
	if len(in.Args) == 0 || n.keeps > 0 {
		return
	}
	address := n.operand(in.Args[0])
	switch {
	case address.level < 0 || address.fixed:
	case in.Space == idg.SpaceLocal:
		n.local = true
	case in.Space == idg.SpacePrivate:
		n.private = n.private || address.object != 0 && n.u.source.Object(address.object).Size <= amdMostPrivate
	}
}

// fuse makes a product that only a sum uses part of that.
func (n *sizeLLVM) fuse(in *lower.Instr) {
	if in.Op != lower.Add && in.Op != lower.Sub {
		return
	}
	for _, a := range in.Args {
		if x := n.value(a); x.product && n.uses[a.Reg] == 1 {
			n.add(x, -1)
			return
		}
	}
}
