package loops

import (
	"fmt"
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// UnrollLate unrolls what the compiler in front left, as the one behind PTX does: loops that count down to zero
// into four iterations at a time while more than three are left, two, and the loop as it was for the rest; loops
// of a constant number of iterations whole, wherever they are left, or partly. A pragma has kept its loop from that,
// and loops that are rests. A loop that extends an index has no counter of its own: the compiler in front computes
// that from the index, which the one behind does not see through. Loops with barriers need as many iterations in all
// lanes, which the one behind sees where the bound is an operand in constant memory and the start the same in all.
func UnrollLate(f *ir.Func, c *profile.Context) {
	if c.Profile.Late.Copies == 0 || c.Virtual {
		return
	}
	u := &unroller{f: f, c: c, again: true, analyser: newAnalyser(f, c)}
	u.late(f.Body)
}

// late unrolls the innermost loops of a block, and reports whether it has loops.
func (u *unroller) late(b *ir.Block) bool {
	found := false
	out := b.Anew()
	for _, in := range b.Instrs {
		u.subst.Operands(in)
		inner := false
		for _, x := range in.Blocks {
			inner = u.late(x) || inner
		}
		found = found || inner || in.Op == lower.OpLoop
		if in.Op != lower.OpLoop || inner || !u.lateLoop(out, in) {
			out.Append(in)
		}
	}
	b.Take(out)
	return found
}

// lateLoop unrolls one loop, and reports whether it did.
func (u *unroller) lateLoop(out *ir.Block, loop *ir.Instr) bool {
	info := loop.Loop
	if info.Pragma != nil || info.Decision == once && info.Copies <= 1 {
		return false
	}
	if _, ok := u.c.Unroll[loop.Source]; ok {
		return false
	}
	l := u.analyse(loop)
	if len(l.exits) != 1 || len(l.leaves) != 1 || len(l.continues) != 1 || l.continues[0].Parent != l.body {
		return false
	}
	e := l.exits[0]
	if !l.atBottom(e) && e.trips.kind != tripsConstant || len(e.at.Blocks[e.side].Instrs) != 1 {
		return false
	}
	s, ok := u.lateSize(l, e)
	switch {
	case !ok:
		return false
	case e.trips.kind == tripsConstant:
		return u.lateConstant(out, l, e, s)
	case s.size <= s.limit && !s.fence && !l.loop.Escapes():
		return u.lateRuntime(out, l, e, s.barrier)
	}
	return false
}

// lateSize is the size of a loop, and the limit for it.
type lateSize struct {
	size, limit int64
	locals      int64 // loads of local memory
	global      bool  // loads global memory
	barrier     bool  // lanes wait for each other
	fence       bool
}

func (u *unroller) lateSize(l *counted, e *exit) (lateSize, bool) {
	r := &u.c.Profile.Late
	s := lateSize{limit: r.Plain}
	ok := true
	l.body.Walk(func(in *ir.Instr) {
		switch in.Op {
		case lower.Load:
			switch in.Space {
			case idg.SpaceGlobal:
				s.global = true
				s.size += r.GlobalLoad
			case idg.SpaceLocal:
				s.locals++
				s.size++
			case idg.SpaceConstant: // an operand where its address becomes constant (ptxas 11.8)
				if e.trips.kind != tripsConstant {
					s.size++
				}
			default:
				s.size++
			}
		case lower.Store:
			s.size += r.Store
		case lower.Atomic:
			s.size += r.Atomic
		case lower.Barrier:
			s.size += r.Barrier
			s.barrier = true
		case lower.Fence:
			s.fence = true
			s.size++
		case lower.SubGroup, lower.MatMul, lower.GroupMatMul, lower.Copy, lower.CopyGroup, lower.BulkCopy,
			lower.OpSwitch, lower.OpOpaque:
			ok = false
		case lower.PtrAdd:
			index := in.Args[1]
			switch {
			case index.IsConst():
				// the offset of an access, or the increment of a parameter
			case l.steps(index) && in.From.Size() == 4:
				ok = ok && l.countsApart(e)
				s.size++
			default:
				s.size++
			}
		case lower.Call:
			n, straight := r.Calls[in.Fn]
			_, inlined := u.rule().Costs.Calls[in.Fn]
			ok = ok && (straight || !inlined)
			s.size += n
		case lower.Div, lower.Rem:
			ok = ok && (in.Type.IsInteger() && in.Args[1].IsConst())
			s.size += 4
		case lower.Add, lower.Sub:
			if l.counterElsewhere(in) {
				ok = ok && e.trips.kind == tripsConstant
			}
			s.size++
		case lower.Mov, lower.Bitcast, lower.OpYield, lower.OpLeave, lower.OpContinue, lower.OpRegion:
		default:
			s.size++
		}
	})
	for _, p := range l.body.Params {
		if p.Type == lower.Ptr {
			s.size++
		}
	}
	s.size -= 3 // counter, test and branch
	if s.locals <= r.Locals {
		s.limit += r.Local * s.locals
	} else {
		s.limit += (r.Local+1)*r.Locals - s.locals
	}
	if s.global {
		s.limit = max(s.limit, r.Global)
	}
	return s, ok
}

// steps reports whether a value is a variable of the loop that each iteration changes by the same.
func (l *counted) steps(v *ir.Value) bool {
	return v.Kind == ir.BlockArg && v.Def == l.loop && l.variables[v.Index].step != nil &&
		!(l.variables[v.Index].step.isConst() && l.variables[v.Index].step.c == 0)
}

// countsApart reports whether a loop that extends an index has a counter of its own: where the test is the source's,
// or addresses are another one (nvcc 11.8, PTX of 80 indices).
func (l *counted) countsApart(e *exit) bool {
	return e.trips.kind == tripsConstant || e.trips.op != lower.Ne || slices.ContainsFunc(l.body.Params, isPointer)
}

// counterElsewhere reports whether a sum of 32-bit integers is the loop's counter from another start.
func (l *counted) counterElsewhere(in *ir.Instr) bool {
	if !in.Type.IsInteger() || in.Type.Size() != 4 {
		return false
	}
	a, b := in.Args[0], in.Args[1]
	return l.steps(a) && !b.IsConst() && !l.inside(b) || l.steps(b) && !a.IsConst() && !l.inside(a)
}

// lateConstant unrolls a constant number of iterations.
func (u *unroller) lateConstant(out *ir.Block, l *counted, e *exit, s lateSize) bool {
	r := &u.c.Profile.Late
	n := l.times(e)
	most := int64(0)
	for _, w := range r.Whole {
		if most = w[1]; n <= w[0] {
			break
		}
	}
	if !s.global && isNested(l.loop) {
		most = max(most, r.Nested.Most(n, s.locals))
	}
	p := plan{shape: whole, copies: n, exit: e, size: s.size,
		rule: fmt.Sprintf("ptxas: %d iterations of size %d fit", n, s.size)}
	if n > 1 && s.size*n <= most && n < 1<<20 {
		u.note(l, &p)
		u.whole(out, l, e, e.trips.n)
		return true
	}
	if s.size > r.Body || !l.atBottom(e) {
		return false
	}
	for k := r.Partial / max(1, s.size); k >= 2; k-- {
		if k < n && (k+n%k)*s.size <= r.Partial {
			p.shape, p.copies, p.rule = byFactor, k, fmt.Sprintf("ptxas: %d copies of size %d", k, s.size)
			u.note(l, &p)
			u.lateParts(out, l, e, k, n)
			return true
		}
	}
	return false
}

// isNested reports whether a loop stands in another one.
func isNested(loop *ir.Instr) bool {
	for b := loop.Parent; b != nil && b.Owner != nil; b = b.Owner.Parent {
		if b.Owner.Op == lower.OpLoop {
			return true
		}
	}
	return false
}

// lateParts makes a loop of k iterations at a time of a constant number, and straight code of the rest.
func (u *unroller) lateParts(out *ir.Block, l *counted, e *exit, k, n int64) {
	r := &remainder{unroller: u, l: l, e: e, factor: k, typ: lower.U32}
	r.results(e.at.Blocks[e.side].Last())
	m := r.counting(out, l.loop.Args, u.f.Int(lower.U32, n/k*k), k)
	if n%k > 0 {
		next, left := r.body(out, nil, m[:len(l.body.Params)], n%k)
		m = append(next, left...)
	}
	r.replaceResults(m)
}

// lateRuntime unrolls a loop of which the number of iterations is computed: one that counts down to zero, whose
// rest stays a loop, or one that counts to a bound, whose rest is one iteration at most.
func (u *unroller) lateRuntime(out *ir.Block, l *counted, e *exit, barrier bool) bool {
	if e.trips.kind != tripsSymbolic || len(e.tests) != 1 || !e.trips.step.isConst() {
		return false
	}
	t := &tail{remainder: remainder{unroller: u, l: l, e: e}}
	counter, step := l.countsDown(e)
	t.loops = counter != nil
	from, bound, c := counter, (*ir.Value)(nil), int64(0)
	if counter == nil {
		from, bound, c = l.countsTo(e)
	}
	switch {
	case from == nil || counter != nil && l.joins(counter, step):
		return false
	case barrier && !(u.alike(l.loop.Args[from.Index], map[*ir.Value]bool{}) && inConstants(bound, e.trips.step.c)):
		return false
	}
	if counter != nil {
		t.more = func(b *ir.Block, params []*ir.Value, n int64) *ir.Value {
			typ := lower.S32
			if counter.Type.Size() == 8 {
				typ = lower.S64
			}
			left := u.as(b, params[counter.Index], typ, l.loop.Pos)
			return u.op(b, lower.Gt, typ, l.loop.Pos, left, u.f.Int(typ, n*step))
		}
		t.last = func(b *ir.Block, params []*ir.Value) *ir.Value {
			return u.op(b, lower.Ne, counter.Type, l.loop.Pos, params[counter.Index], u.f.Int(counter.Type, 0))
		}
	} else {
		t.toBound(from, bound, c)
	}
	t.results(e.at.Blocks[e.side].Last())
	t.unroll(out, u.c.Profile.Late.Copies)
	u.note(l, &plan{shape: byRuntime, copies: u.c.Profile.Late.Copies * int64(max(1, l.loop.Loop.Copies)),
		rule: fmt.Sprintf("ptxas: %d copies, two, and the rest", u.c.Profile.Late.Copies)})
	return true
}

// joins reports whether a counter of 64 bits that counts down becomes a sum with an index that counts up by the same
// (loop-reduce), which ptxas does not see through; of 32 bits it stays (nvcc 11.8, PTX and SASS of 8 loops over size_t
// and long, 16 over int).
func (l *counted) joins(counter *ir.Value, step int64) bool {
	return counter.Type.Size() == 8 && slices.ContainsFunc(l.body.Params, func(p *ir.Value) bool {
		s := l.variables[p.Index].step
		return p.Type.IsInteger() && p.Type.Size() == 8 && s != nil && s.isConst() && s.c == step
	})
}

// inConstants reports whether a bound is an operand in constant memory, or none: parameters and __constant__ variables
// are, also with the other sign, or a step more, which the iteration before is compared with; what else is computed of
// them, or a size of the launch, is not (nvcc 11.8 and 12.4, loops with __syncthreads and __syncwarp over 18 bounds).
func inConstants(bound *ir.Value, step int64) bool {
	switch {
	case bound == nil || bound.IsConst() || bound.Kind == ir.KernelArg:
		return true
	case bound.DefOp() == lower.Neg:
		return inConstants(bound.Def.Args[0], 0)
	case bound.DefOp() == lower.Sub && bound.Def.Args[0].IsConst() && bound.Def.Args[0].Bits == 0:
		return inConstants(bound.Def.Args[1], 0)
	case bound.DefOp() == lower.Add && bound.Type.IsSigned() && bound.Def.Args[1].IsConst():
		return step != 0 && bound.Def.Args[1].Int() == step && inConstants(bound.Def.Args[0], 0)
	}
	return bound.DefOp() == lower.Load && bound.Def.Space == idg.SpaceConstant
}

// alike reports whether a value is the same in all lanes: of 8 starts of loops with barriers those keep ptxas from
// unrolling that depend on threadIdx (nvcc 11.8, sm_90).
func (u *unroller) alike(v *ir.Value, seen map[*ir.Value]bool) bool {
	if v.Kind != ir.Result && v.Kind != ir.BlockArg || seen[v] {
		return true
	}
	seen[v] = true
	args := v.Def.Args
	switch {
	case v.Kind == ir.BlockArg:
		args = []*ir.Value{v.Def.Args[v.Index]}
		for _, next := range u.analyse(v.Def).continues {
			args = append(args, next.Args[v.Index])
		}
	case v.DefOp() == lower.Index:
		return uniformIndex(v.Def.Fn)
	case v.DefOp() != lower.Load && !ir.Pure(v.Def):
		return false
	}
	return !slices.ContainsFunc(args, func(a *ir.Value) bool { return !u.alike(a, seen) })
}

// toBound sets up a loop of which a counter comes to a bound, as countsTo tells them.
func (t *tail) toBound(counter, bound *ir.Value, c int64) {
	u, l, e := t.unroller, t.l, t.e
	pos, typ, op, step, guarded := l.loop.Pos, counter.Type, e.trips.op, e.trips.step.c, l.guarded(e)
	t.more = func(b *ir.Block, params []*ir.Value, n int64) *ir.Value {
		at := params[counter.Index]
		if typ.IsSigned() {
			return u.op(b, op, typ, pos, u.op(b, lower.Add, typ, pos, at, u.f.Int(typ, c+n*step)), bound)
		}
		more := u.op(b, lower.Lt, typ, pos, at, bound)
		if n > 0 {
			left := u.op(b, lower.Sub, typ, pos, bound, at)
			left = u.op(b, lower.Gt, typ, pos, left, u.f.Int(typ, n*step))
			more = u.op(b, lower.And, lower.Pred, pos, more, left)
		}
		return more
	}
	t.last = func(b *ir.Block, params []*ir.Value) *ir.Value {
		last := t.more(b, params, 0)
		if guarded {
			return last
		}
		none := u.op(b, lower.Eq, typ, pos, params[counter.Index], l.loop.Args[counter.Index])
		return u.op(b, lower.Or, lower.Pred, pos, last, none) // one iteration is executed at least
	}
	if !typ.IsSigned() { // more are left when it begins: the bound is not less
		t.again = func(b *ir.Block, n int64) func(*ir.Block, []*ir.Value) *ir.Value {
			end := u.op(b, lower.Sub, typ, pos, bound, u.f.Int(typ, n*step))
			return func(b *ir.Block, params []*ir.Value) *ir.Value {
				return u.op(b, lower.Lt, typ, pos, params[counter.Index], end)
			}
		}
	}
}

func isPointer(v *ir.Value) bool { return v.Type == lower.Ptr }

// tail is a loop that becomes one of several iterations at a time, two, and a rest.
type tail struct {
	remainder
	// more: more than n iterations are left; last: one is.
	more func(b *ir.Block, params []*ir.Value, n int64) *ir.Value
	last func(b *ir.Block, params []*ir.Value) *ir.Value
	// again is more in the loop, prepared in front of it; nil: as there.
	again func(b *ir.Block, n int64) func(*ir.Block, []*ir.Value) *ir.Value
	loops bool // the rest is a loop
}

func (t *tail) unroll(out *ir.Block, copies int64) {
	k := len(t.l.body.Params)
	most := func(b *ir.Block) []*ir.Value { return t.most(b, copies) }
	m := t.guard(out, t.more(out, t.l.loop.Args, copies-1), ir.Part{Copies: copies}, most, t.from(t.l.loop.Args))
	two := func(b *ir.Block) []*ir.Value {
		next, left := t.body(b, nil, m[:k], 2)
		return append(next, left...)
	}
	m = t.guard(out, t.more(out, m, 1), ir.Part{Copies: 2, Straight: true, More: true}, two, m)
	rest := func(b *ir.Block) []*ir.Value {
		if !t.loops {
			next, left := t.body(b, nil, m[:k], 1)
			return t.leave(append(next, left...))
		}
		n := t.byFactor(b, t.l, m[:k], 1, func(*exit, int64) verdict { return mayLeave })
		for _, v := range t.l.loop.Results {
			t.f.AddResult(n, v.Type, v.Name)
		}
		n.Loop.Decision, n.Part = once, t.part
		return some(n.Results)
	}
	last := ir.Part{Copies: 1, Straight: !t.loops, More: true}
	for i, v := range t.guard(out, t.last(out, m), last, rest, t.leave(m)) {
		t.subst.Put(t.l.loop.Results[i], v)
	}
}

// leave is what the loop gives where a part of it was the last.
func (t *tail) leave(part []*ir.Value) []*ir.Value {
	out := make([]*ir.Value, len(t.where))
	for i, at := range t.where {
		out[i] = part[at]
	}
	return out
}

// most appends the loop of several iterations at a time.
func (t *tail) most(b *ir.Block, copies int64) []*ir.Value {
	n := &ir.Instr{Op: lower.OpLoop, Pos: t.l.loop.Pos, Source: t.l.loop.Source, Args: some(t.l.loop.Args),
		Part: t.part}
	info := *t.l.loop.Loop
	n.Loop = &info
	more := func(b *ir.Block, params []*ir.Value) *ir.Value { return t.more(b, params, copies-1) }
	if t.again != nil {
		more = t.again(b, copies-1)
	}
	b.Append(n)
	body := n.NewBlock()
	for _, p := range t.l.body.Params {
		t.f.AddParam(n, p.Type, p.Name)
	}
	next, left := t.body(body, n, body.Params, copies)
	t.bottom(body, n, more(body, next), next, nil, left)
	t.unrolled(n, copies)
	return some(n.Results)
}

// countsTo is the parameter of a loop that ends where that plus a constant has come to a bound, nil where it ends
// otherwise.
func (l *counted) countsTo(e *exit) (counter, bound *ir.Value, c int64) {
	t := &e.trips
	op := t.op
	if strict[op] != 0 && t.typ.IsSigned() {
		op = strict[op]
	}
	up, down := op == lower.Lt && t.step.c > 0, op == lower.Gt && t.step.c < 0 && t.typ.IsSigned()
	if !t.typ.IsInteger() || !up && !down {
		return nil, nil, 0
	}
	args := e.tests[0].value.Def.Args
	for i, a := range args {
		s := l.sums.find(a)
		if len(s.terms) != 1 || s.terms[0].k != 1 || s.terms[0].v[1] != nil || l.inside(args[1-i]) {
			continue
		}
		if args[1-i].IsConst() && t.op == lower.Lt && !slices.ContainsFunc(l.body.Params, isPointer) {
			continue // what compares the counter before its step (instcombine) has not been undone by loop-reduce
		}
		if p := s.terms[0].v[0]; p.Kind == ir.BlockArg && p.Def == l.loop && p.Type == t.typ &&
			(p.Type.IsSigned() || s.c == t.step.c) {
			return p, args[1-i], s.c - t.step.c
		}
	}
	return nil, nil, 0
}

// countsDown is the parameter of a loop that each iteration makes smaller by a constant until it is zero, nil
// where the loop ends otherwise.
func (l *counted) countsDown(e *exit) (*ir.Value, int64) {
	t := &e.trips
	if t.op != lower.Ne || !t.bound.isConst() || t.bound.c != 0 {
		return nil, 0
	}
	step := t.step.c
	if t.typ == lower.U32 {
		step = int64(int32(step))
	}
	cmp := e.tests[0].value
	if cmp.Kind != ir.Result || step >= 0 {
		return nil, 0
	}
	for _, a := range cmp.Def.Args {
		s := l.sums.find(a)
		if len(s.terms) != 1 || s.terms[0].k != 1 || s.terms[0].v[1] != nil {
			continue
		}
		if p := s.terms[0].v[0]; p.Kind == ir.BlockArg && p.Def == l.loop {
			return p, -step
		}
	}
	return nil, 0
}
