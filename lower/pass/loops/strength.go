package loops

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/ranges"
	"gpupipe/lower/pass/scalar"
	"gpupipe/lower/profile"
)

// StrengthReduce makes addresses that are affine in the counter of an innermost loop pointers that each iteration
// increments (loop-reduce; LLVM's LoopStrengthReduce.cpp leaves loops around others alone): one for all addresses
// that differ by constants, which become offsets. Indices that must be extended in the loop become counters of
// their own. The counter itself stays for the test.
func StrengthReduce(f *ir.Func, c *profile.Context) {
	if !c.Profile.Strength.Addresses {
		return
	}
	r := &reducer{f: f, rule: c.Profile.Strength, a: newAnalyser(f, c), before: map[*ir.Instr]*ir.Block{},
		u: &unroller{f: f, c: c}, aligned: ranges.NewAlignments(f)}
	list := innermost(nil, f.Body, 0)
	for end := len(list); end > 0; { // loops that lie in no other one, in the order of LLVM's queue: the last first
		start := end - 1
		for start > 0 && list[start-1].outer == list[start].outer && list[start].outer != nil {
			start--
		}
		for _, l := range list[start:end] {
			r.loop(l)
		}
		end = start
	}
	r.hoist()
	f.Body.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr { // what has been computed in front of loops
		if pre := r.before[in]; pre != nil {
			out.Instrs = append(out.Instrs, pre.Instrs...)
		}
		return in
	})
	scalar.DCE(f, c)
}

// hoist moves what is computed in front of a loop out of the loops around that do not change it (InsertBinop of LLVM's
// ScalarEvolutionExpander.cpp).
func (r *reducer) hoist() {
	home := map[*ir.Instr]*ir.Instr{} // the loop in front of which an instruction stands
	for _, l := range r.reduced {
		pre := r.before[l]
		list := pre.Instrs
		pre.Instrs = nil
		for _, in := range list {
			at := l
			for o := around(at); o != nil && !slices.ContainsFunc(in.Args, func(v *ir.Value) bool {
				return defined(v, o, home)
			}); o = around(at) {
				at = o
			}
			if r.before[at] == nil {
				r.before[at] = &ir.Block{}
			}
			r.before[at].Append(in)
			home[in] = at
		}
	}
}

// around is the loop that an instruction stands in, nil if it stands in none.
func around(in *ir.Instr) *ir.Instr {
	for b := in.Parent; b != nil && b.Owner != nil; b = b.Owner.Parent {
		if b.Owner.Op == lower.OpLoop {
			return b.Owner
		}
	}
	return nil
}

// defined reports whether a loop defines a value; home says where instructions will stand.
func defined(v *ir.Value, loop *ir.Instr, home map[*ir.Instr]*ir.Instr) bool {
	if v.Kind != ir.Result && v.Kind != ir.BlockArg {
		return false
	}
	in := v.Def
	if v.Kind == ir.BlockArg && in == loop {
		return true
	}
	if at := home[in]; at != nil {
		in = at
	}
	for o := around(in); o != nil; o = around(o) {
		if o == loop {
			return true
		}
	}
	return false
}

type reducer struct {
	f       *ir.Func
	rule    profile.StrengthRule
	a       *analyser
	u       *unroller // for its emitters
	aligned *ranges.Alignments
	before  map[*ir.Instr]*ir.Block // what is computed in front of loops
	reduced []*ir.Instr             // loops that have some
	// forgotten: a loop within another one has been reduced
	forgotten bool
}

// innerLoop is a loop without loops within, and the outermost one around it, nil if it lies in none.
type innerLoop struct {
	loop, outer *ir.Instr
}

// innermost lists those of a block.
func innermost(list []innerLoop, b *ir.Block, depth int) []innerLoop {
	for _, in := range b.Instrs {
		inside := depth
		if in.Op == lower.OpLoop {
			inside++
		}
		n := len(list)
		for _, x := range in.Blocks {
			list = innermost(list, x, inside)
		}
		switch {
		case in.Op != lower.OpLoop:
		case len(list) == n:
			list = append(list, innerLoop{loop: in})
		case depth == 0:
			for i := range list[n:] {
				list[n+i].outer = in
			}
		}
	}
	return list
}

// recurrence is what addresses or indices have in common that differ by constants.
type recurrence struct {
	value       *ir.Value // the first of them
	start, step *sum
	c           int64     // the constant of the first
	now         *ir.Value // in an iteration
	ahead       int64     // by how much the value is ahead of that
	users       []use
	// stride is how far the value is ahead of the recurrence in front of it, if several in a row are as far ahead.
	stride *sum
	// of is the pointer that it shares, own what it adds to that, constant the one in it.
	of       *shared
	own      addend
	constant int64
}

// use is an address or index, and by how much it differs from its recurrence's first one.
type use struct {
	value *ir.Value
	c     int64
}

// reduction is one loop under way.
type reduction struct {
	*reducer
	l           *counted
	pre         *ir.Block // in front of the loop
	recurrences []*recurrence
	by          map[string]*recurrence
	seen        map[*ir.Value]bool
	starts      map[*ir.Value]*ir.Value
	subst       ir.Replacements
	front       []*ir.Instr // of the loop's block: addresses that others are computed from, also ones before them
	copied      bool        // for a count that is computed
	counts      bool        // the number of iterations is known before the loop
}

// countKnown reports whether the number of iterations is known before a loop. Where it is not, nvcc leaves addresses of
// which the step is no constant (PTX of 17 loops by nvcc 11.8: p[i] with i += s of 64 bits stays i * 4 + p without a
// sign, with a break, with a test of data, and in the copies of an unrolled loop, which lost what told that i does not
// wrap around; not where another counter is tested, or the loop is a rest).
func (l *counted) countKnown(e *exit) bool {
	switch e.trips.kind {
	case tripsConstant:
		return true
	case tripsSymbolic:
		return e.trips.step.isConst() || len(l.leaves) == 1 && l.loop.Loop.Copies <= 1 && l.computable(e)
	}
	return false
}

func (r *reducer) loop(of innerLoop) {
	loop, pre := of.loop, &ir.Block{}
	l := r.a.analyse(loop)
	e := l.latch()
	if e == nil || len(l.continues) != 1 || l.continues[0].Parent != l.body || e.index == len(l.body.Instrs)-1 {
		return
	}
	d := &reduction{reducer: r, l: l, pre: pre, by: map[string]*recurrence{}, seen: map[*ir.Value]bool{},
		starts: map[*ir.Value]*ir.Value{}}
	d.counts = l.countKnown(e)
	d.copied = loop.Loop.Copies > 1 && e.trips.kind != tripsConstant
	for i, p := range l.body.Params {
		d.starts[p] = loop.Args[i]
	}
	d.collect(l.body, true)
	if r.rule.Most > 0 && len(d.seen) > r.rule.Most {
		return
	}
	if len(d.recurrences) == 0 {
		return
	}
	d.strides()
	d.narrow()
	next := d.chains()
	d.subst.Apply(l.body)
	d.bottom(next, e.index)
	r.before[loop] = pre
	r.reduced = append(r.reduced, loop)
	r.forgotten = r.forgotten || r.rule.Forgets && of.outer != nil
}

// mostChains is how many chains of addresses a loop may have (MaxChains of LLVM's LoopStrengthReduce.cpp).
const mostChains = 8

// chains gives each recurrence its value in an iteration: computed from the last one of its chain
// (LoopStrengthReduce.cpp, CollectChains), else from a counter of its own, the increments of which it returns.
func (d *reduction) chains() []*ir.Instr {
	var next []*ir.Instr
	var last []*recurrence
	for _, s := range d.recurrences {
		k := slices.IndexFunc(last, func(x *recurrence) bool { return d.chain(s, x) })
		switch {
		case k >= 0:
			last[k] = s
		default:
			if s.of == nil || s.of.now == nil {
				next = append(next, d.counter(s))
			}
			if s.of != nil {
				d.apart(s)
			}
			last = append(last, s)
			if len(last) > mostChains {
				last = last[1:]
			}
		}
		for _, u := range s.users {
			d.rewrite(s, u)
		}
	}
	return next
}

// bottom puts instructions in front of the test at a loop's bottom.
func (d *reduction) bottom(list []*ir.Instr, at int) {
	b := d.l.body
	moved := map[*ir.Instr]bool{}
	out := slices.Clone(d.front)
	for _, in := range d.front {
		moved[in] = true
	}
	for i, in := range b.Instrs {
		if i == at {
			out = append(out, list...)
		}
		if !moved[in] {
			out = append(out, in)
		}
	}
	b.Instrs = nil
	for _, in := range out {
		b.Append(in)
	}
}

// collect finds the addresses of the accesses in a block; always says that each iteration executes it.
func (d *reduction) collect(b *ir.Block, always bool) {
	for _, in := range b.Instrs {
		switch in.Op {
		case lower.Load, lower.Store, lower.Atomic:
			d.address(in.Args[0], always)
		case lower.Copy:
			d.address(in.Args[0], always)
			d.address(in.Args[1], always)
		case lower.And, lower.Or, lower.Xor, lower.Shr, lower.Div, lower.Rem:
			for _, v := range in.Args {
				d.multiple(v)
			}
		}
		for _, x := range in.Blocks {
			d.collect(x, false)
		}
	}
}

// address adds one to its recurrence, else its index.
func (d *reduction) address(p *ir.Value, always bool) {
	if p.Kind != ir.Result || !d.l.inside(p) || d.seen[p] || p.DefOp() != lower.PtrAdd {
		return
	}
	d.seen[p] = true
	if !d.l.inBody(p) {
		return
	}
	if s, ok := d.affine(p); ok && (!d.rule.Multiples || d.provable(p, always)) {
		d.add(p, s, true)
		return
	}
	if d.forgotten {
		return
	}
	for q := p; q.DefOp() == lower.PtrAdd && d.l.inside(q); q = q.Def.Args[0] {
		d.index(q.Def.Args[1])
	}
}

// inBody reports whether a value is computed where the loop's accesses see it: always, in structured code.
func (l *counted) inBody(v *ir.Value) bool { return v.Def.Parent != nil }

// affine is what a value is in the first iteration and by how much each one changes it.
func (d *reduction) affine(v *ir.Value) (*recurrence, bool) {
	sum := d.l.sums.find(v)
	start, step, ok := d.l.evolve(sum)
	if !ok || step.isConst() && step.c == 0 || !step.isConst() && (!d.counts || len(start.terms) == 0) {
		return nil, false
	}
	return &recurrence{value: v, start: start, step: step, c: start.c}, true
}

// provable reports whether the compiler knows that the index of an address does not wrap around.
func (d *reduction) provable(p *ir.Value, always bool) bool {
	if d.l.sums.near.has(p) {
		return true
	}
	for p.DefOp() == lower.PtrAdd && d.l.inside(p) {
		in := p.Def
		if !d.provableIndex(in.Args[1], in.From, always) {
			return false
		}
		p = in.Args[0]
	}
	return true
}

// provableIndex is that for a subscript that is extended from a type, or a sum of some.
func (d *reduction) provableIndex(index *ir.Value, from ir.Type, always bool) bool {
	if index.IsConst() || !d.l.inside(index) {
		return true
	}
	if from.Size() == 8 {
		switch in := index.Def; {
		case index.Kind != ir.Result:
		case in.Op == lower.Add:
			return d.provableIndex(in.Args[0], from, always) && d.provableIndex(in.Args[1], from, always)
		case in.Op == lower.Convert && ir.Extends(in):
			return d.provableIndex(in.Args[0], in.From, always)
		}
		return true
	}
	if d.forgotten || !d.known(index) || d.copied && !d.keeps(index, 1) {
		return false
	}
	for _, t := range d.l.sums.find(index).terms {
		if !d.provableTerm(t, always) {
			return false
		}
	}
	return true
}

func (d *reduction) provableTerm(t term, always bool) bool {
	factors, counter := 0, -1
	for i, v := range t.v {
		if v == nil {
			continue
		}
		factors++
		if d.l.inside(v) {
			counter = i
		}
	}
	if counter < 0 {
		return true
	}
	step := d.l.variables[t.v[counter].Index].step
	multiple := factors == 1 && t.k != 1 && t.k != -1
	return !(d.copied && !step.isConst()) && (always || !multiple)
}

// index adds an index that is extended in the loop, or those that it is the sum of.
func (d *reduction) index(v *ir.Value) {
	if v.Kind != ir.Result || !d.l.inside(v) || d.seen[v] || !v.Type.IsInteger() {
		return
	}
	if in := v.Def; v.Type.Size() == 8 {
		if in.Op == lower.Add || in.Op == lower.Convert && ir.Extends(in) {
			for _, a := range in.Args {
				d.index(a)
			}
		}
		return
	}
	if v.Type.Size() != 4 {
		return
	}
	d.seen[v] = true
	s, ok := d.affine(v)
	if !ok {
		return
	}
	if sum := d.l.sums.find(v); len(sum.terms) == 1 && sum.terms[0].k == 1 && sum.terms[0].v[1] == nil {
		return // the counter and a constant
	}
	d.add(v, s, false)
}

// multiple adds what an operation that is not affine reads of the counter if that is multiplied: it becomes a counter
// of its own, those that differ by constants one (IVUsers.cpp; nvcc 12.4, 20 loops, each also unrolled by 4:
// (i * n + t) & 1023 in four copies has four counters, (i * 3 + t) & 1023 one, i * n in one copy none).
func (d *reduction) multiple(v *ir.Value) {
	for v.DefOp() == lower.Shl && v.Def.Args[1].IsConst() { // of a subscript, behind the operation in the source
		v = v.Def.Args[0]
	}
	if v.Kind != ir.Result || !d.l.inside(v) || d.seen[v] || !v.Type.IsInteger() || v.Type.Size() != 4 {
		return
	}
	s, ok := d.affine(v)
	if !ok {
		return
	}
	for _, p := range d.l.variables {
		if p.step != nil && p.step.equal(s.step) {
			return
		}
	}
	d.seen[v] = true
	d.add(v, s, true)
}

// add gives a value to the recurrence that it belongs to, with others that differ by constants, or its own.
func (d *reduction) add(v *ir.Value, s *recurrence, joins bool) {
	key := string(v.Type) + s.start.key() + "/" + s.step.key()
	if joins {
		key += "p"
	} else {
		key += string(binary.AppendVarint(nil, s.c))
	}
	if s.step.c != 0 {
		key += string(binary.AppendVarint([]byte("+"), s.step.c))
	}
	of := d.by[key]
	if of == nil {
		of = s
		d.by[key] = s
		d.recurrences = append(d.recurrences, s)
	}
	of.users = append(of.users, use{v, s.c - of.c})
}

// key is that of the terms of a sum.
func (s *sum) key() string {
	var b []byte
	for _, t := range s.terms {
		b = binary.AppendVarint(b, t.k)
		for _, v := range t.v {
			id := uint32(0)
			if v != nil {
				id = v.ID
			}
			b = binary.AppendUvarint(b, uint64(id))
		}
	}
	return string(b)
}

// strides finds recurrences that lie a constant further than a multiple of what the loop does not change behind one
// another: one pointer and the stride take less registers than pointers for all, where there are three at least
// (LSR counts registers first; nvcc 11.8: rows of w + 8 elements, 1 to 8 of them). Copies of a loop's body go over
// the rows again and again, and keep a pointer for each (the same, unrolled by 3).
func (d *reduction) strides() {
	if d.l.loop.Loop.Copies > 1 {
		return
	}
	list := d.recurrences
	by := make([]*sum, len(list))
	for i := 1; i < len(list); i++ {
		if s, last := list[i], list[i-1]; s.value.Type == lower.Ptr && last.value.Type == lower.Ptr &&
			s.step.equal(last.step) {
			by[i] = s.start.plus(last.start, -1, lower.S64)
		}
	}
	for i := 1; i+1 < len(list); i++ {
		if by[i] != nil && by[i].c != 0 && len(by[i].terms) == 1 && by[i+1] != nil && by[i].equal(by[i+1]) {
			list[i].stride, list[i+1].stride = by[i], by[i+1]
		}
	}
}

// chain computes a recurrence's address from the one before it, from which it differs by what the loop does not
// change (straight-line strength reduction has done so to indices), and reports whether it did.
func (d *reduction) chain(s, last *recurrence) bool {
	if s.value.Type != lower.Ptr || last.value.Type != lower.Ptr || !s.step.equal(last.step) || last.now == nil {
		return false
	}
	by := s.start.plus(last.start, -1, lower.S64)
	if by == nil || len(by.terms) != 1 || by.c != 0 && s.stride == nil || s.value.Def.Parent != d.l.body ||
		last.value.Def.Parent != d.l.body {
		return false
	}
	s.ahead = last.ahead + by.c
	by = by.plus(&sum{c: by.c}, -1, lower.S64)
	in := s.value.Def
	distance := d.u.sum(d.pre, by, lower.S64, in.Pos)
	at := &ir.Instr{Op: lower.PtrAdd, Type: lower.Ptr, From: lower.S64, Scale: 1,
		Args: []*ir.Value{last.now, distance}, Subscript: in.Subscript, Pos: in.Pos}
	if s.ahead != 0 {
		s.now = d.f.AddResult(at, lower.Ptr, s.value.Name)
		d.front = append(d.front, at)
		for i := range s.users {
			s.users[i].c += s.ahead
		}
		return true
	}
	*in = ir.Instr{Op: at.Op, Type: at.Type, From: at.From, Scale: 1, Args: at.Args, Results: in.Results,
		Parent: in.Parent, Subscript: in.Subscript, Pos: in.Pos}
	s.now = s.value
	s.users = s.users[1:]
	d.front = append(d.front, in)
	return true
}

// counter gives the loop a parameter for a recurrence, and returns its increment.
func (d *reduction) counter(s *recurrence) *ir.Instr {
	in := s.value.Def
	loop := d.l.loop
	var first *ir.Value
	if s.of == nil {
		first = d.first(s.value)
	} else {
		own := s.own
		first = d.without(addend{s.value, lower.Ptr, 1}, &own)
	}
	if c := s.centre(); c != 0 {
		at := d.pre.Append(&ir.Instr{Op: lower.PtrAdd, Type: lower.Ptr, From: lower.S64, Scale: 1, Subscript: true,
			Args: []*ir.Value{first, d.f.Int(lower.S64, c)}, Pos: in.Pos})
		first = d.f.AddResult(at, lower.Ptr, s.value.Name)
		s.ahead = -c
		for i := range s.users {
			s.users[i].c += s.ahead
		}
	}
	loop.Args = append(loop.Args, first)
	s.now = d.f.AddParam(loop, s.value.Type, s.value.Name)
	if s.of != nil {
		s.of.now = s.now
		s.of.c -= s.ahead
	}
	var step *ir.Instr
	if s.value.Type == lower.Ptr {
		by := d.u.sum(d.pre, s.step, lower.S64, in.Pos)
		step = &ir.Instr{Op: lower.PtrAdd, Type: lower.Ptr, From: lower.S64, Scale: 1, Args: []*ir.Value{s.now, by},
			Subscript: true, Pos: loop.Pos}
	} else {
		by := d.u.sum(d.pre, s.step, s.value.Type, in.Pos)
		step = &ir.Instr{Op: lower.Add, Type: s.value.Type, Args: []*ir.Value{s.now, by}, Subscript: true,
			Pos: loop.Pos}
	}
	c := d.l.continues[0]
	c.Args = append(c.Args, d.f.AddResult(step, s.value.Type, ""))
	return step
}

// centre is by how much the value that a loop keeps for addresses is ahead of the first of them, so that all their
// offsets from it have the fewest bits (ImmCost in LoopStrengthReduce.cpp).
func (s *recurrence) centre() int64 {
	if s.value.Type != lower.Ptr || len(s.users) > mostCentred {
		return 0
	}
	if len(s.start.terms) == 1 {
		return -s.c // the loop begins with the address of an object, or what an argument has: nothing is computed
	}
	best, least := int64(0), 0
	for i := -1; i < len(s.users); i++ {
		c, cost := int64(0), 0
		if i >= 0 {
			c = s.users[i].c
		}
		for _, u := range s.users {
			if o := u.c - c; o != 0 {
				cost += signedBits(o)
			}
		}
		if i < 0 || cost < least {
			best, least = c, cost
		}
	}
	return best
}

// mostCentred bounds the addresses that are compared with each other.
const mostCentred = 256

// signedBits is how many bits an integer has with its sign.
func signedBits(n int64) int {
	if n < 0 {
		n = ^n
	}
	return bits.Len64(uint64(n)) + 1
}

// first is a value in the first iteration, computed in front of the loop.
func (d *reduction) first(v *ir.Value) *ir.Value {
	if w := d.starts[v]; w != nil {
		return w
	}
	if !d.l.inside(v) {
		return v
	}
	n := *v.Def
	n.Args = make([]*ir.Value, len(v.Def.Args))
	for i, a := range v.Def.Args {
		n.Args[i] = d.first(a)
	}
	n.Results = nil
	w := d.f.AddResult(d.pre.Append(&n), v.Type, v.Name)
	d.starts[v] = w
	return w
}

// rewrite computes a value from its recurrence.
func (d *reduction) rewrite(s *recurrence, u use) {
	if u.c == 0 {
		d.subst.Put(u.value, s.now)
		return
	}
	in := u.value.Def
	if in.Type != lower.Ptr {
		*in = ir.Instr{Op: lower.Add, Type: in.Type, Args: []*ir.Value{s.now, d.f.Int(in.Type, u.c)},
			Results: in.Results, Parent: in.Parent, Subscript: in.Subscript, Pos: in.Pos}
		return
	}
	in.From, in.Scale = lower.S64, 1
	in.Args = []*ir.Value{s.now, d.f.Int(lower.S64, u.c)}
}
