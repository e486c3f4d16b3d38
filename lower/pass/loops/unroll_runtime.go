package loops

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/ranges"
)

// Loops of which the number of iterations is computed when they begin (UnrollRuntimeLoopRemainder of LLVM's
// LoopUnrollRuntime.cpp): a loop over several iterations at a time, and one for those that are left over, in front
// of it or behind.

// op appends an operation, unless its operands are constants.
func (u *unroller) op(out *ir.Block, op lower.Op, typ ir.Type, pos ir.Pos, args ...*ir.Value) *ir.Value {
	in := &ir.Instr{Op: op, Type: typ, Args: args, Pos: pos}
	var bits []uint64
	for _, a := range args {
		if !a.IsConst() {
			return u.f.Emit(out, in)
		}
		bits = append(bits, a.Bits)
	}
	if v, ok := foldBits(in, bits); ok {
		return u.f.Constant(ir.ResultType(in), v)
	}
	return u.f.Emit(out, in)
}

// as is a value in a type of its size.
func (u *unroller) as(out *ir.Block, v *ir.Value, typ ir.Type, pos ir.Pos) *ir.Value {
	if v.Type == typ {
		return v
	}
	if v.IsConst() {
		return u.f.Int(typ, v.Int())
	}
	op := lower.Bitcast
	if v.Type.Size() != typ.Size() {
		op = lower.Convert
	}
	return u.f.Emit(out, &ir.Instr{Op: op, Type: typ, From: v.Type, Args: []*ir.Value{v}, Pos: pos})
}

// sum appends what computes a sum in a type, and returns its value.
func (u *unroller) sum(out *ir.Block, s *sum, typ ir.Type, pos ir.Pos) *ir.Value {
	var v *ir.Value
	for _, t := range s.terms {
		if t.k < 0 {
			continue
		}
		p := u.product(out, t, typ, pos)
		if v == nil {
			v = p
		} else {
			v = u.op(out, lower.Add, typ, pos, v, p)
		}
	}
	if v == nil {
		v = u.f.Int(typ, s.c)
	} else if s.c != 0 {
		v = u.op(out, lower.Add, typ, pos, v, u.f.Int(typ, s.c))
	}
	for _, t := range s.terms {
		if t.k < 0 {
			t.k = -t.k
			v = u.op(out, lower.Sub, typ, pos, v, u.product(out, t, typ, pos))
		}
	}
	return v
}

// product appends what computes a term.
func (u *unroller) product(out *ir.Block, t term, typ ir.Type, pos ir.Pos) *ir.Value {
	var v *ir.Value
	for _, f := range t.v {
		switch {
		case f == nil:
		case v == nil:
			v = u.as(out, u.subst.Find(f), typ, pos)
		default:
			v = u.op(out, lower.Mul, typ, pos, v, u.as(out, u.subst.Find(f), typ, pos))
		}
	}
	if t.k != 1 {
		v = u.op(out, lower.Mul, typ, pos, v, u.f.Int(typ, t.k))
	}
	return v
}

// computable reports whether the number of iterations of a loop that ends with a latch can be computed in front
// of it.
func (l *counted) computable(e *exit) (ok bool) {
	if e == nil || e.trips.kind != tripsSymbolic || len(e.tests) != 1 || !l.atBottom(e) {
		return false
	}
	t := &e.trips
	if t.typ == lower.Ptr || t.typ.Size() < 4 || t.step.isConst() && t.step.c == 0 {
		return false
	}
	if !t.step.isConst() {
		return l.advances(e)
	}
	up := t.step.c > 0
	unit := t.step.c == 1 || t.step.c == -1
	guarded := l.guarded(e)
	switch t.op {
	case lower.Lt, lower.Le:
		ok = up
	case lower.Gt, lower.Ge:
		ok = !up
	case lower.Ne:
		ok = guarded && (unit || t.typ.IsSigned() && l.divides(t))
	}
	if (t.op == lower.Le || t.op == lower.Ge) && !l.hasNext(t) {
		ok = false
	}
	counter := l.counter(e)
	if counter == nil {
		return false
	}
	if !t.typ.IsSigned() && !unit && t.op != lower.Ne {
		ok = ok && (l.noWrap(t) || l.climbs(counter))
	}
	if counter.Type.Size() < t.typ.Size() { // it is extended, which is a sum only where it cannot wrap around
		ok = ok && l.loop.Args[counter.Index].IsConst() && (unit || !t.typ.IsSigned())
	}
	wraps := unit && (t.op == lower.Lt || t.op == lower.Gt) // around and back
	return ok && (guarded || wraps || l.hasFirst(t))
}

// advances reports whether a loop goes on while a counter is less than a bound, to which a signed sum of its type adds
// the same unknown value in each iteration: the sum does not wrap around and the loop ends, so that the value is taken
// to be positive (ScalarEvolution::howManyLessThans).
func (l *counted) advances(e *exit) bool {
	t, counter := &e.trips, l.counter(e)
	if t.op != lower.Lt || !t.typ.IsSigned() || counter == nil || counter.Type != t.typ || len(l.continues) != 1 {
		return false
	}
	next := l.continues[0].Args[counter.Index]
	first := t.start.plus(t.step, -1, t.typ)
	return next.DefOp() == lower.Add && next.Def.Type == t.typ && first != nil &&
		first.equal(l.variables[counter.Index].start)
}

// counter is the parameter of a loop that an exit's test is of.
func (l *counted) counter(e *exit) *ir.Value {
	for _, p := range l.body.Params {
		is := func(v *ir.Value) bool { return v == p }
		for _, a := range e.tests[0].value.Def.Args {
			if l.sums.find(a).has(is) {
				return p
			}
		}
	}
	return nil
}

// climbs reports whether a counter of a signed type is known to begin at 0 or above.
func (l *counted) climbs(counter *ir.Value) bool {
	r := l.sums.early(l.variables[counter.Index].start)
	return counter.Type.IsSigned() && r.Known && r.Lo >= 0
}

// hasFirst reports whether an unsigned counter has a value before its first one, from which iterations of a loop are
// counted that may be left by its first test.
func (l *counted) hasFirst(t *trips) bool {
	first := t.start.plus(t.step, -1, t.typ)
	if t.typ.IsSigned() || first == nil {
		return first != nil
	}
	r := l.sums.interval(first)
	return r.Known && r.Lo >= 0 && r.Hi <= ranges.Largest(t.typ)
}

// divides reports whether a step is known to hit the bound.
func (l *counted) divides(t *trips) bool {
	d := t.bound.plus(t.start, -1, t.typ)
	if d == nil || d.c%t.step.c != 0 {
		return false
	}
	for _, x := range d.terms {
		if x.k%t.step.c != 0 {
			return false
		}
	}
	return true
}

// hasNext reports whether a bound that is compared by <= or >= has a next one, which is compared by < or >, or a signed
// counter that is compared by <= a value before its first one, which is a constant (SimplifyICmpOperands).
func (l *counted) hasNext(t *trips) bool {
	if t.op == lower.Le && t.typ.IsSigned() && t.start.isConst() && t.start.c >= 0 {
		return true
	}
	r := l.sums.interval(t.bound)
	return r.Known && (t.op == lower.Le && r.Hi < ranges.Largest(t.typ) ||
		t.op == lower.Ge && r.Lo > ranges.Smallest(t.typ))
}

// noWrap reports whether an unsigned counter with a step above one stays below the type's end
// (ScalarEvolution::canIVOverflowOnLT).
func (l *counted) noWrap(t *trips) bool {
	r := l.sums.interval(t.bound)
	return t.step.c > 0 && r.Known && r.Lo >= 0 && r.Hi <= ranges.Largest(t.typ)-t.step.c+1
}

// guarded reports whether a loop is only entered where the test at its bottom would have held in front of it.
func (l *counted) guarded(e *exit) bool {
	t := &e.trips
	first := t.start.plus(t.step, -1, t.typ)
	if first == nil {
		return false
	}
	if d := t.bound.plus(first, -1, t.typ); d != nil && d.isConst() && t.typ.IsSigned() {
		return t.op == lower.Lt && d.c > 0 || t.op == lower.Gt && d.c < 0 || t.op == lower.Ne && d.c != 0 ||
			t.op == lower.Le && d.c >= 0 || t.op == lower.Ge && d.c <= 0
	}
	for b := l.loop.Parent; b != nil && b.Owner != nil && b.Owner.Op != lower.OpLoop; b = b.Owner.Parent {
		if b.Owner.Op != lower.OpIf {
			continue
		}
		for _, x := range conjuncts(nil, b.Owner.Args[0], b == b.Owner.Blocks[0], maxConjuncts) {
			if l.implies(x, t, first) {
				return true
			}
		}
	}
	return false
}

// implies reports whether a condition is that of a loop's first iteration.
func (l *counted) implies(x test, t *trips, first *sum) bool {
	if x.value.Kind != ir.Result || !x.value.Def.Op.IsComparison() || x.value.Def.Type != t.typ {
		return false
	}
	cmp := x.value.Def
	op := cmp.Op
	if !x.want {
		op = op.Negate()
	}
	a, b := l.sums.find(cmp.Args[0]), l.sums.find(cmp.Args[1])
	if a.equal(t.bound) && b.equal(first) {
		a, b, op = b, a, op.Mirror()
	}
	switch {
	case op == t.op && a.equal(first) && b.equal(t.bound):
		return true
	case t.op == lower.Lt && op == lower.Gt && b.isConst() && first.isConst():
		return a.equal(t.bound) && b.c >= first.c
	case t.op == lower.Lt && op == lower.Ge && b.isConst() && first.isConst():
		return a.equal(t.bound) && b.c > first.c
	case t.op == lower.Ne && (op == lower.Lt || op == lower.Gt):
		return a.equal(first) && b.equal(t.bound) && (op == lower.Lt) == (t.step.c > 0)
	}
	return false
}

// iterations appends what computes the number of a loop's iterations, in an unsigned type.
func (u *unroller) iterations(out *ir.Block, l *counted, e *exit) *ir.Value {
	t, pos := &e.trips, l.loop.Pos
	typ := t.typ.Unsigned()
	step, from, to := t.step.c, t.start.plus(t.step, -1, t.typ), t.bound
	if !t.step.isConst() {
		step = 1
	}
	if step < 0 {
		step, from, to = -step, to, from
	}
	round := step - 1
	if t.op == lower.Le || t.op == lower.Ge {
		round = step
	}
	var distance *ir.Value
	if d := to.plus(from, -1, typ); l.guarded(e) && d != nil {
		d.c += round
		distance = u.sum(out, d, typ, pos)
	} else { // executed once at least
		last, first := u.sum(out, to, t.typ, pos), u.sum(out, from, t.typ, pos)
		if t.op == lower.Le || t.op == lower.Ge {
			last = u.op(out, lower.Max, t.typ, pos, last, first)
		} else {
			next := u.op(out, lower.Add, t.typ, pos, first, u.f.Int(t.typ, 1))
			last = u.op(out, lower.Max, t.typ, pos, last, next)
		}
		distance = u.op(out, lower.Sub, typ, pos, u.as(out, last, typ, pos), u.as(out, first, typ, pos))
		distance = u.op(out, lower.Add, typ, pos, distance, u.f.Int(typ, round))
		if round == 0 {
			in := out.Instrs[len(out.Instrs)-1]
			distance, out.Instrs = in.Args[0], out.Instrs[:len(out.Instrs)-1]
		}
	}
	switch {
	case !t.step.isConst():
		one := u.f.Int(typ, 1)
		before := u.op(out, lower.Sub, typ, pos, distance, one)
		return u.op(out, lower.Add, typ, pos, u.op(out, lower.Div, typ, pos, before, u.sum(out, t.step, typ, pos)), one)
	case step == 1:
		return distance
	}
	return u.op(out, lower.Div, typ, pos, distance, u.f.Int(typ, step))
}

// runtime unrolls a loop by a factor with a loop for the iterations that are left over.
func (u *unroller) runtime(out *ir.Block, l *counted, factor int64) {
	e, pos := l.latch(), l.loop.Pos
	count := u.iterations(out, l, e)
	typ := count.Type
	r := &remainder{unroller: u, l: l, e: e, factor: factor, typ: typ}
	if ranges.PowerOfTwo(factor) {
		r.extra = u.op(out, lower.And, typ, pos, count, u.f.Int(typ, factor-1))
	} else {
		r.extra = u.op(out, lower.Rem, typ, pos, count, u.f.Int(typ, factor))
	}
	before := u.op(out, lower.Sub, typ, pos, count, u.f.Int(typ, 1))
	r.enough = func(out *ir.Block) *ir.Value {
		return u.op(out, lower.Ge, typ, pos, before, u.f.Int(typ, factor-1))
	}
	r.results(e.at.Blocks[e.side].Last())
	if slices.ContainsFunc(l.loop.Args, constantInt) { // isEpilogProfitable
		r.behind(out, count)
	} else {
		r.before(out)
	}
}

func constantInt(v *ir.Value) bool {
	return v.IsConst() && (v.Type.IsInteger() || v.Type == lower.Pred)
}

// remainder is such a loop and its parts.
type remainder struct {
	*unroller
	l      *counted
	e      *exit // the latch
	factor int64
	typ    ir.Type
	extra  *ir.Value
	enough func(*ir.Block) *ir.Value
	// The results of a part are the parameters of the next iteration, and then what the latch leaves with and is
	// none of these: left. where is which of all these each result of the loop is.
	left  []*ir.Value
	where []int
	part  ir.Part // that is being made
}

// results finds what a part gives.
func (r *remainder) results(leave *ir.Instr) {
	next := r.l.continues[0].Args
	for _, v := range leave.Args {
		i := slices.Index(next, v)
		if i < 0 {
			i = len(next) + len(r.left)
			r.left = append(r.left, v)
		}
		r.where = append(r.where, i)
	}
}

// replaceResults lets a part's results stand for those of the loop.
func (r *remainder) replaceResults(part []*ir.Value) {
	for i, v := range r.l.loop.Results {
		r.subst.Put(v, part[r.where[i]])
	}
}

// counting is a part over a counter that counts down from a value to 0 by 1, with a number of copies of the body. It
// begins with values for the parameters.
func (r *remainder) counting(out *ir.Block, from []*ir.Value, counter *ir.Value, factor int64) []*ir.Value {
	pos := r.l.loop.Pos
	n := &ir.Instr{Op: lower.OpLoop, Pos: pos, Source: r.l.loop.Source, Part: r.part,
		Args: append(append([]*ir.Value(nil), from...), counter)}
	info := *r.l.loop.Loop
	n.Loop = &info
	out.Append(n)
	b := n.NewBlock()
	for _, p := range r.l.body.Params {
		r.f.AddParam(n, p.Type, p.Name)
	}
	left := r.f.AddParam(n, r.typ, "")
	next, leave := r.body(b, n, b.Params[:len(from)], factor)
	less := r.op(b, lower.Sub, r.typ, pos, left, r.f.Int(r.typ, factor))
	more := r.op(b, lower.Ne, r.typ, pos, less, r.f.Int(r.typ, 0))
	r.bottom(b, n, more, next, less, leave)
	r.unrolled(n, factor)
	return append([]*ir.Value(nil), n.Results...)
}

// body appends copies of the loop's body without their latches.
func (r *remainder) body(b *ir.Block, to *ir.Instr, params []*ir.Value, factor int64) (next, leave []*ir.Value) {
	c := r.unroller.copies(r.l, to, func(e *exit, _ int64) verdict {
		if e == r.e {
			return stays
		}
		return mayLeave
	})
	next = append([]*ir.Value(nil), params...)
	for j := int64(0); j < factor; j++ {
		next, _ = c.one(b, j, next)
	}
	return next, c.cloner.values(r.left)
}

// bottom ends a part.
func (r *remainder) bottom(b *ir.Block, n *ir.Instr, more *ir.Value, next []*ir.Value, less *ir.Value,
	leave []*ir.Value) {
	pos := r.l.loop.Pos
	results := append(append([]*ir.Value(nil), next...), leave...)
	for _, v := range results {
		r.f.AddResult(n, v.Type, v.Name)
	}
	test := b.Append(&ir.Instr{Op: lower.OpIf, Kind: "loop", Args: []*ir.Value{more}, Pos: pos})
	test.NewBlock().Append(&ir.Instr{Op: lower.OpYield, Pos: pos})
	test.NewBlock().Append(&ir.Instr{Op: lower.OpLeave, Target: n, Args: results, Pos: pos})
	if less != nil {
		next = append(append([]*ir.Value(nil), next...), less)
	}
	b.Append(&ir.Instr{Op: lower.OpContinue, Target: n, Args: next, Pos: pos})
}

// guard appends a branch around a part of which the results are those of both sides.
func (r *remainder) guard(out *ir.Block, cond *ir.Value, p ir.Part, part func(*ir.Block) []*ir.Value,
	otherwise []*ir.Value) []*ir.Value {
	r.part = r.partOf(p)
	pos := r.l.loop.Pos
	if cond.IsConst() {
		if cond.Bits != 0 {
			return part(out)
		}
		return otherwise
	}
	in := out.Append(&ir.Instr{Op: lower.OpIf, Kind: "guard", Part: r.part, Args: []*ir.Value{cond}, Pos: pos})
	r.part.More, r.part.Straight = true, false
	b := in.NewBlock()
	b.Append(&ir.Instr{Op: lower.OpYield, Args: part(b), Pos: pos})
	in.NewBlock().Append(&ir.Instr{Op: lower.OpYield, Args: otherwise, Pos: pos})
	for _, v := range otherwise {
		r.f.AddResult(in, v.Type, v.Name)
	}
	return append([]*ir.Value(nil), in.Results...)
}

// behind appends the unrolled loop and the rest behind it (an epilogue).
func (r *remainder) behind(out *ir.Block, count *ir.Value) {
	pos, k := r.l.loop.Pos, len(r.l.body.Params)
	main := func(b *ir.Block) []*ir.Value {
		counter := r.op(b, lower.Sub, r.typ, pos, count, r.extra)
		return r.counting(b, r.l.loop.Args, counter, r.factor)
	}
	m := r.guard(out, r.enough(out), ir.Part{Copies: r.factor}, main, r.from(r.l.loop.Args))
	rest := func(b *ir.Block) []*ir.Value { return r.rest(b, m[:k]) }
	some := r.op(out, lower.Ne, r.typ, pos, r.extra, r.f.Int(r.typ, 0))
	r.replaceResults(r.guard(out, some, ir.Part{Copies: 1, Straight: r.straightRest(), More: true}, rest, m))
}

// partOf is a part with the number of the source's iterations that it has at a time.
func (r *remainder) partOf(p ir.Part) ir.Part {
	p.Loop = r.l.loop.Source
	p.Copies *= int64(max(1, r.l.loop.Loop.Copies))
	if before := r.l.loop.Part; before.Loop != 0 {
		p.More = p.More || before.More
		if p.Multiple == 0 {
			p.Multiple = before.Multiple
		}
	}
	return p
}

// from are the results of a part that is not executed.
func (r *remainder) from(args []*ir.Value) []*ir.Value {
	return append(append([]*ir.Value(nil), args...), r.undefined(r.left)...)
}

// rest appends the iterations that are left over.
func (r *remainder) rest(b *ir.Block, from []*ir.Value) []*ir.Value {
	switch {
	case r.factor == 2: // one
		next, left := r.body(b, nil, from, 1)
		return append(next, left...)
	case r.straightRest():
		return r.copies(b, from)
	}
	return r.counting(b, from, r.extra, 1)
}

// straightRest reports whether what is left over becomes straight code.
func (r *remainder) straightRest() bool {
	return r.factor == 2 || r.rule().NestedRest && r.factor <= mostRest && r.l.nested()
}

// mostRest is the factor up to which what is left over of an inner loop becomes straight code.
const mostRest = 8

// nested reports whether a loop lies in another one.
func (l *counted) nested() bool {
	for b := l.loop.Parent; b != nil && b.Owner != nil; b = b.Owner.Parent {
		if b.Owner.Op == lower.OpLoop {
			return true
		}
	}
	return false
}

// copies appends a copy for each iteration that may be left over (UnrollRemainder), which is one at least.
func (r *remainder) copies(b *ir.Block, from []*ir.Value) []*ir.Value {
	pos := r.l.loop.Pos
	region := b.Append(&ir.Instr{Op: lower.OpRegion, Fn: "rest", Pos: pos})
	inner := region.NewBlock()
	next := from
	var all []*ir.Value
	for j := int64(1); j < r.factor; j++ {
		var left []*ir.Value
		next, left = r.body(inner, nil, next, 1)
		all = append(some(next), left...)
		if j == r.factor-1 {
			break
		}
		more := r.op(inner, lower.Ne, r.typ, pos, r.extra, r.f.Int(r.typ, j))
		test := inner.Append(&ir.Instr{Op: lower.OpIf, Kind: "loop", Args: []*ir.Value{more}, Pos: pos, Part: r.part})
		test.Part.Straight = true
		test.NewBlock().Append(&ir.Instr{Op: lower.OpYield, Pos: pos})
		test.NewBlock().Append(&ir.Instr{Op: lower.OpLeave, Target: region, Args: all, Pos: pos})
	}
	inner.Append(&ir.Instr{Op: lower.OpYield, Args: all, Pos: pos})
	for _, v := range all {
		r.f.AddResult(region, v.Type, v.Name)
	}
	return some(region.Results)
}

// before appends the rest in front of the unrolled loop (a prologue), which keeps its own test.
func (r *remainder) before(out *ir.Block) {
	pos, k := r.l.loop.Pos, len(r.l.body.Params)
	rest := func(b *ir.Block) []*ir.Value { return r.rest(b, r.l.loop.Args) }
	some := r.op(out, lower.Ne, r.typ, pos, r.extra, r.f.Int(r.typ, 0))
	first := ir.Part{Copies: 1, Straight: r.straightRest(), Multiple: int32(r.factor)}
	m := r.guard(out, some, first, rest, r.from(r.l.loop.Args))
	main := func(b *ir.Block) []*ir.Value {
		n := r.byFactor(b, r.l, m[:k], r.factor, func(e *exit, j int64) verdict {
			if e == r.e && j < r.factor-1 {
				return stays
			}
			return mayLeave
		})
		r.unrolled(n, r.factor)
		n.Part = r.part
		for _, v := range r.l.loop.Results {
			r.f.AddResult(n, v.Type, v.Name)
		}
		return append([]*ir.Value(nil), n.Results...)
	}
	otherwise := make([]*ir.Value, len(r.where))
	for i, at := range r.where {
		otherwise[i] = m[at]
	}
	for i, v := range r.guard(out, r.enough(out), ir.Part{Copies: r.factor, More: true}, main, otherwise) {
		r.subst.Put(r.l.loop.Results[i], v)
	}
}
