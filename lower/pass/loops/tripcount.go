package loops

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/scalar"
	"gpupipe/unroll/arithmetic"
)

// trips is how often an exit's test is passed before it leaves the loop, if no other exit does before. (LLVM's
// exit count: the number of times that the block with the test is executed is one more.)
type trips struct {
	kind tripKind
	n    int64 // constant
	// most is an upper bound, below 0 where none is known
	most int64
	// symbolic: the loop goes on while start + i*step op bound
	op                 lower.Op
	typ                ir.Type
	start, step, bound *sum
}

type tripKind uint8

const (
	tripsUnknown tripKind = iota
	tripsConstant
	tripsSymbolic // can be computed before the loop
)

const (
	// maxBruteForce is how many iterations are followed where nothing else tells a constant count:
	// MaxBruteForceIterations of LLVM's ScalarEvolution.cpp.
	maxBruteForce = 100
	// maxTrips is the count from which one is as good as none: LLVM asks for one of 32 bits.
	maxTrips = 1<<32 - 1
)

var noTrips = trips{most: -1}

func constantTrips(n int64) trips { return trips{kind: tripsConstant, n: n, most: n} }

// count finds how often an exit is passed: the fewest of its tests.
func (l *counted) count(e *exit) trips {
	out, first := noTrips, true
	e.part = -1
	for _, t := range e.tests {
		if t.value.IsConst() && (t.value.Bits != 0) == t.want {
			continue
		}
		one := l.countTest(t)
		if one.kind == tripsConstant && (e.part < 0 || one.n < e.part) {
			e.part = one.n
		}
		if first {
			out, first = one, false
			continue
		}
		switch {
		case one.kind == tripsConstant && out.kind == tripsConstant:
			out = constantTrips(min(one.n, out.n))
			continue
		case out.most < 0 || one.most >= 0 && one.most < out.most:
			out.most = one.most
		}
		out.kind = tripsUnknown
	}
	if out.kind != tripsConstant && len(e.tests) > 0 {
		if n, ok := l.follow(e); ok {
			return constantTrips(n)
		}
	}
	return out
}

// countTest finds how often one test holds.
func (l *counted) countTest(t test) trips {
	if t.value.Kind == ir.Const {
		if (t.value.Bits != 0) != t.want {
			return constantTrips(0)
		}
		return noTrips
	}
	if t.value.Kind != ir.Result || !t.value.Def.Op.IsComparison() || t.value.Def.Type.IsFloat() {
		return noTrips
	}
	cmp := t.value.Def
	op := cmp.Op
	if !t.want {
		op = op.Negate()
	}
	a, b := l.sums.find(cmp.Args[0]), l.sums.find(cmp.Args[1])
	if l.invariant(a) {
		a, b, op = b, a, op.Mirror()
	}
	a0, a1, ok := l.evolve(a)
	if !ok {
		return noTrips
	}
	b0, b1, ok := l.evolve(b)
	if !ok {
		return noTrips
	}
	if k := beforeStep(op, cmp, a1); k != nil {
		if a0, a1, ok = l.evolve(l.sums.find(k)); !ok {
			return noTrips
		}
		op = strict[op]
	}
	return l.compare(op, cmp.Type, a0, a1, b0, b1)
}

var strict = map[lower.Op]lower.Op{lower.Le: lower.Lt, lower.Ge: lower.Gt}

// beforeStep is a signed counter in front of its step of one, where it is compared behind it and may equal the bound,
// else nil: k + 1 <= n is k < n, which has a count whatever n is (LLVM's instcombine, foldICmpBinOp; nvcc 11.8, PTX of
// 16 loops).
func beforeStep(op lower.Op, cmp *ir.Instr, step *sum) *ir.Value {
	if strict[op] == 0 || !cmp.Type.IsSigned() || !step.isConst() || step.c != 1 && step.c != -1 ||
		(op == lower.Le) != (step.c > 0) {
		return nil
	}
	for _, v := range cmp.Args {
		if v.DefOp() == lower.Add && v.Def.Type == cmp.Type && v.Def.Args[1].IsConst() &&
			v.Def.Args[1].Int() == step.c {
			return v.Def.Args[0]
		}
	}
	return nil
}

// compare finds how often a0 + i*a1 op b0 + i*b1 holds.
func (l *counted) compare(op lower.Op, typ ir.Type, a0, a1, b0, b1 *sum) trips {
	out := trips{most: -1}
	whole := typ.IsSigned() || typ == lower.Ptr || a0.exact && b0.exact && a1.exact && b1.exact && b1.isConst() &&
		b1.c == 0 && a1.isConst() && op != lower.Ne && a1.c > 0
	distance, step := a0.plus(b0, -1, typ), a1.plus(b1, -1, typ)
	if distance == nil || step == nil {
		return out
	}
	constant := distance.isConst() && step.isConst()
	n, ok := int64(0), false
	switch {
	case op == lower.Eq && constant && distance.c != 0:
		n, ok = 0, true
	case op == lower.Eq && constant && step.c != 0:
		n, ok = 1, true
	case op == lower.Eq:
	case a0.isConst() && a1.isConst() && b0.isConst() && b1.isConst() && b1.c == 0 && typ != lower.Ptr:
		canon := func(s *sum) uint64 { return arithmetic.Canon(typ, uint64(s.c)) }
		n, ok = arithmetic.TripCount(op, lower.Add, typ, canon(a0), uint64(a1.c), canon(b0))
	case constant && (whole || op == lower.Ne):
		signed := lower.S64
		if !whole {
			signed = typ
		}
		n, ok = arithmetic.TripCount(op, lower.Add, signed, arithmetic.Canon(signed, uint64(distance.c)),
			uint64(step.c), 0)
	}
	if ok {
		if n < maxTrips {
			return constantTrips(n)
		}
		return out
	}
	if b1.isConst() && b1.c == 0 && op != lower.Eq {
		if typ == lower.U32 && op == lower.Ne && a1.isConst() { // around is down
			start, step := *a0, *a1
			start.c, step.c = int64(int32(a0.c)), int64(int32(a1.c))
			a0, a1 = &start, &step
		}
		out.kind, out.op, out.typ, out.start, out.step, out.bound = tripsSymbolic, op, typ, a0, a1, b0
		out.most = l.most(&out)
	}
	return out
}

// most is an upper bound of a symbolic count by the intervals of start and bound, below 0 where none is known
// that is of use.
func (l *counted) most(t *trips) int64 {
	if !t.step.isConst() || t.step.c == 0 || t.typ == lower.U64 {
		return -1
	}
	from, to := l.sums.early(t.start), l.sums.early(t.bound)
	if !from.Known || !to.Known || !t.typ.IsSigned() && !(t.start.exact && t.bound.exact) {
		return -1
	}
	distance, step := to.Hi-from.Lo, t.step.c
	if step < 0 {
		distance, step = from.Hi-to.Lo, -step
	}
	switch t.op {
	case lower.Lt, lower.Gt, lower.Ne:
		distance--
	}
	if up := t.op == lower.Lt || t.op == lower.Le || t.op == lower.Ne; t.op != lower.Ne && up != (t.step.c > 0) {
		return -1
	}
	if distance < 0 {
		return 0
	}
	if n := distance/step + 1; n < 1<<20 { // what may be unrolled by an upper bound is far smaller
		return n
	}
	return -1
}

// multiple is a number by which an exit's count plus one is known to be divisible (getSmallConstantTripMultiple):
// as the loop is left by the latch, the number of its iterations.
func (t *trips) multiple() int64 {
	switch t.kind {
	case tripsConstant:
		return t.n + 1
	case tripsSymbolic:
		if !t.step.isConst() || t.step.c == 0 {
			return 1
		}
		d := t.bound.plus(t.start, -1, t.typ)
		if d == nil {
			return 1
		}
		d = d.plus(&sum{c: t.step.c, exact: true}, 1, t.typ) // the first test is passed by the second iteration
		g := d.c
		for _, x := range d.terms {
			g = gcd(g, x.k)
		}
		step := max(t.step.c, -t.step.c)
		if g = max(g, -g); g != 0 && g%step == 0 && (t.op == lower.Lt || t.op == lower.Gt || t.op == lower.Ne) {
			return g / step
		}
	}
	return 1
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// follow executes what an exit's condition depends on, if that is constants and the loop's variables, until it
// leaves (computeExitCountExhaustively).
func (l *counted) follow(e *exit) (int64, bool) {
	s := slice{l: l, needs: map[*ir.Value]bool{}, value: map[*ir.Value]uint64{}}
	for _, t := range e.tests {
		if !s.need(t.value) {
			return 0, false
		}
	}
	if len(l.continues) != 1 || !s.close() {
		return 0, false
	}
	for n := int64(0); n < maxBruteForce; n++ {
		if !s.run() {
			return 0, false
		}
		for _, t := range e.tests {
			if (s.at(t.value) != 0) != t.want {
				return n, true
			}
		}
		s.next()
	}
	return 0, false
}

// slice is what a condition depends on.
type slice struct {
	l      *counted
	needs  map[*ir.Value]bool
	params []*ir.Value
	code   []*ir.Instr
	value  map[*ir.Value]uint64
}

const maxSlice = 32 // instructions

// need notes that a value is needed; false where it is not computed from constants and the loop's variables.
func (s *slice) need(v *ir.Value) bool {
	switch {
	case v.IsConst() || s.needs[v]:
		return true
	case v.Kind == ir.BlockArg && v.Def == s.l.loop:
		if !s.l.loop.Args[v.Index].IsConst() {
			return false
		}
		s.params = append(s.params, v)
	case v.Kind != ir.Result || !s.l.inside(v) || v.Def.Parent != s.l.body || v.Def.Op > lower.Bitcast ||
		v.Def.Type.IsFloat() || len(v.Def.Results) != 1 || len(s.needs) > maxSlice:
		return false
	default:
		for _, a := range v.Def.Args {
			if !s.need(a) {
				return false
			}
		}
	}
	s.needs[v] = true
	return true
}

// close follows the variables around the loop, and lists the code in its order.
func (s *slice) close() bool {
	c := s.l.continues[0]
	if c.Parent != s.l.body {
		return false
	}
	for i := 0; i < len(s.params); i++ {
		p := s.params[i]
		s.value[p] = s.l.loop.Args[p.Index].Bits
		if !s.need(c.Args[p.Index]) {
			return false
		}
	}
	for _, in := range s.l.body.Instrs {
		if len(in.Results) == 1 && s.needs[in.Results[0]] {
			s.code = append(s.code, in)
		}
	}
	return true
}

func (s *slice) at(v *ir.Value) uint64 {
	if v.IsConst() {
		return v.Bits
	}
	return s.value[v]
}

// run executes one iteration.
func (s *slice) run() bool {
	var args [3]uint64
	for _, in := range s.code {
		for i, a := range in.Args {
			args[i] = s.at(a)
		}
		bits, ok := foldBits(in, args[:len(in.Args)])
		if !ok {
			return false
		}
		s.value[in.Results[0]] = bits
	}
	return true
}

// next steps the variables.
func (s *slice) next() {
	c := s.l.continues[0]
	next := make([]uint64, len(s.params))
	for i, p := range s.params {
		next[i] = s.at(c.Args[p.Index])
	}
	for i, p := range s.params {
		s.value[p] = next[i]
	}
}

// foldBits evaluates an operation on integers.
func foldBits(in *ir.Instr, a []uint64) (uint64, bool) {
	if in.Type.IsFloat() || in.From.IsFloat() || in.Type == 0 {
		return 0, false
	}
	return scalar.Evaluate(in, a)
}
