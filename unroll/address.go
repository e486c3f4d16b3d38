package unroll

import (
	enc "encoding/binary"
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/structure"
	"gpupipe/unroll/trace"
)

// isLinear reports whether an operation keeps integers in linear form.
func (r *resolver) isLinear(in *lower.Instr, args []*value) bool {
	switch in.Type {
	case lower.S32, lower.U32, lower.S64, lower.U64:
	default:
		return false
	}
	switch in.Op {
	case lower.Add, lower.Sub, lower.Neg:
		return true
	case lower.Mul:
		return args[0].konst || args[1].konst || r.counterTimesInvariant(args) != nil
	case lower.Shl:
		return args[1].konst && args[1].u < 63
	case lower.Convert, lower.Bitcast:
		return in.From.IsInteger() && structure.Free(in)
	}
	return false
}

// computeLinear evaluates an integer operation whose result is a sum of
// symbols: found again if the same sum has been computed, or recorded as its own
// instruction, which the sweep removes when only addresses need it.
func (r *resolver) computeLinear(in *lower.Instr, args []*value) *value {
	var f linear
	switch in.Op {
	case lower.Add:
		f = args[0].form.add(args[1].form, 1)
	case lower.Sub:
		f = args[0].form.add(args[1].form, -1)
	case lower.Neg:
		f = args[0].form.scale(-1)
	case lower.Mul:
		a, k := args[0], args[1]
		if a.konst {
			a, k = k, a
		}
		if k.konst {
			f = a.form.scale(int64(k.u))
		} else {
			f = r.distribute(args, in.Type)
		}
	case lower.Shl:
		f = args[0].form.scale(1 << args[1].u)
	case lower.Convert, lower.Bitcast:
		f = args[0].form
	}
	f = f.wrap(in.Type)
	if f.isConst() {
		// x - x is the constant 0 for the compiler too.
		return r.konst(in.Type, arithmetic.Canon(in.Type, uint64(f.c)))
	}
	if len(f.terms) > maxTerms || in.Op == lower.Convert && in.Type.Size() > in.From.Size() && !r.exact(args[0]) {
		return nil
	}
	if x := f.terms[0].sym; f.isSymbol() && x.typ == in.Type {
		return x
	}
	key := r.formKey(f, in.Type)
	e, found := r.numbering.find(key)
	if found && e.v.computed {
		return e.v
	}
	v := r.evaluate(in, args)
	v.root = r.rootOf(in, args)
	v.form, v.level, v.computed = f, f.level(), true
	switch {
	case found: // built before as a part of an address
		v.deps = e.v.deps
	case in.Op == lower.Convert || in.Op == lower.Bitcast:
		v.lazy, v.deps, v.pieces = args[0].lazy, args[0].deps, args[0].pieces
	case in.Subscript || args[0].lazy || len(args) > 1 && args[1].lazy:
		v.lazy = true
	default:
		deps := r.depsOfAll(args)
		v.deps = r.produce(r.describe(in, args), deps, nil)
		key = r.formKey(f, in.Type)
	}
	r.numbering.put(key, entry{v: v}, v.level, r.level, true)
	return v
}

// counterTimesInvariant reports whether a product multiplies a sum with a
// counter of the innermost rolled loop by a symbol that is invariant in it, and returns that
// symbol. Strength reduction can turn such a product into an increment.
func (r *resolver) counterTimesInvariant(args []*value) *value {
	l := r.innermost()
	if l == nil || !l.rolled || !l.wide && !l.narrow {
		return nil
	}
	for i, w := range args {
		if len(w.form.terms) != 1 || w.form.terms[0].coef != 1 || w.form.c != 0 ||
			w.form.terms[0].sym.level >= l.level {
			continue
		}
		for _, t := range args[1-i].form.terms {
			if _, ok := l.symbols[t.sym.id]; ok {
				return w
			}
		}
	}
	return nil
}

// distribute multiplies a sum with an invariant symbol term by term.
func (r *resolver) distribute(args []*value, t lower.Type) linear {
	w := r.counterTimesInvariant(args)
	sum := args[0]
	if sum == w {
		sum = args[1]
	}
	w = w.form.terms[0].sym
	out := symbol(w).scale(sum.form.c)
	for _, x := range sum.form.terms {
		out = out.add(symbol(r.product(x.sym, w, t)), x.coef)
	}
	return out
}

// product returns the symbol a*w; its multiplication is recorded when it is
// needed.
func (r *resolver) product(a, w *value, t lower.Type) *value {
	key := func() []byte {
		k := enc.AppendUvarint(append(r.numbering.key[:0], 'p', byte(t)), uint64(a.id))
		r.numbering.key = enc.AppendUvarint(k, uint64(w.id))
		return r.numbering.key
	}
	if e, ok := r.numbering.find(key()); ok {
		return e.v
	}
	v := r.evaluate(&lower.Instr{Op: lower.Mul, Type: t}, []*value{a, w})
	v.level = max(a.level, w.level)
	v.lazy, v.factors = true, &[2]*value{a, w}
	v.form = symbol(v)
	r.numbering.put(key(), entry{v: v}, v.level, r.level, true)
	return v
}

// formKey encodes a sum of the given type.
func (r *resolver) formKey(f linear, t lower.Type) []byte {
	k := f.appendKey(append(r.numbering.key[:0], 'f', byte(t)))
	r.numbering.key = k
	return k
}

// sum returns a value for a linear form, recording what is missing.
func (r *resolver) sum(f linear, t lower.Type, pos lower.Pos) *value {
	if f.isConst() {
		return r.konst(t, arithmetic.Canon(t, uint64(f.c)))
	}
	if f.isSymbol() {
		return f.terms[0].sym
	}
	if e, ok := r.numbering.find(r.formKey(f, t)); ok && !e.v.lazy {
		return e.v
	}
	return r.buildAt(f, t, pos)
}

func (r *resolver) build(f linear, t lower.Type) *value {
	if f.isConst() || f.isSymbol() {
		return r.sum(f, t, r.pos())
	}
	return r.buildAt(f, t, r.pos())
}

// pos is the position that address arithmetic is charged to.
func (r *resolver) pos() lower.Pos { return r.memory.pos }

// buildAt records a sum: first what is invariant in the innermost rolled loops
// in which it varies, then the rest term by term, then the constant.
func (r *resolver) buildAt(f linear, t lower.Type, pos lower.Pos) *value {
	instr := func(op string, c trace.Contraction, sum linear, args ...*value) *value {
		v := r.newValue(t)
		v.form, v.level = sum, sum.level()
		deps := r.depsOfAll(args)
		n := trace.Node{Op: op + "." + t.String(), Pos: pos, Contraction: c}
		if c == trace.IsAddSub && len(args) == 2 {
			if x, y := args[0].producer(), args[1].producer(); x != 0 && y != 0 && x != y {
				n.X, n.Y = x, y
			}
		}
		v.deps = r.produce(n, deps, nil)
		r.numbering.put(r.formKey(sum, t), entry{v: v}, v.level, r.level, true)
		return v
	}
	scaled := func(x term) *value {
		one := linear{terms: []term{x}}
		if x.coef == 1 {
			return x.sym
		}
		if e, ok := r.numbering.find(r.formKey(one, t)); ok && !e.v.lazy {
			return e.v
		}
		if x.coef > 0 && x.coef&(x.coef-1) == 0 {
			return instr("shl", trace.IsShift, one, x.sym)
		}
		if x.coef == -1 {
			return instr("neg", trace.NotContractible, one, x.sym)
		}
		return instr("mul", trace.IsMul, one, x.sym)
	}
	var acc *value
	var sum linear
	rest := f.terms
	if inv, vary := f.split(f.level()); len(inv.terms) > 0 && len(vary.terms) > 0 {
		sum, _ = inv.offset()
		acc = r.sum(sum, t, pos)
		rest = vary.terms
	}
	if i := slices.IndexFunc(rest, func(x term) bool { return x.coef != -1 }); acc == nil && i > 0 {
		rest = slices.Concat(rest[i:], rest[:i]) // a - b rather than -b + a
	} else if acc == nil && i < 0 && f.c != 0 {
		sum = linear{c: f.c}
		acc = r.konst(t, arithmetic.Canon(t, uint64(f.c)))
	}
	for _, x := range rest {
		one := linear{terms: []term{x}}
		if acc == nil {
			acc, sum = scaled(x), one
			continue
		}
		next := sum.add(one, 1)
		if e, ok := r.numbering.find(r.formKey(next, t)); ok && !e.v.lazy {
			acc, sum = e.v, next
			continue
		}
		if x.coef == -1 {
			acc = instr("sub", trace.IsAddSub, next, acc, x.sym)
		} else {
			acc = instr("add", trace.IsAddSub, next, acc, scaled(x))
		}
		sum = next
	}
	if sum.c != f.c {
		acc = instr("add", trace.NotContractible, f, acc)
	}
	return acc
}

// ptrAdd returns pointer + index * scale (bytes).
func (r *resolver) ptrAdd(in *lower.Instr, p, index *value) *value {
	if r.opt.Optimises() {
		if e, ok := r.numbering.find(r.operationKey(in, []*value{p, index})); ok {
			return e.v
		}
	}
	v := r.newValue(lower.Ptr)
	v.root = p.root
	v.from = p.from | index.from
	v.level = max(p.level, index.level)
	v.index = in.From
	if p.index == lower.S64 || p.index == lower.U64 || index.form.isConst() {
		v.index = p.index // a constant is part of the access, whatever its type
	}
	v.form = p.form.add(index.form, in.Scale)
	if known := p.known & index.known & r.warpMask; known != 0 {
		v.known = known
		if p.lanes == nil && index.lanes == nil {
			v.u = p.u + index.u*uint64(in.Scale)
		} else {
			v.lanes = r.newLanes()
			start, scale := r.lanesOf(p, 0), uint64(in.Scale)
			for l, x := range r.lanesOf(index, 1) {
				v.lanes[l] = start[l] + x*scale
			}
			r.compact(v)
		}
	}
	for _, proof := range r.proofs {
		proof.pointed(v, p, index, in.Scale)
	}
	if r.opt.Level == O0 {
		v.deps = trace.Union(r.depsOf(p), r.depsOf(index))
		if !in.Subscript && r.silent == 0 {
			v.deps = r.produce(trace.Node{Op: "add.s64", Pos: in.Pos}, v.deps, nil)
		}
		return v
	}
	if !r.exact(index) {
		// A sum that wraps around in its own width is no sum of the wider address.
		v.form = p.form.add(symbol(index), in.Scale)
	}
	if len(v.form.terms) > maxTerms {
		v.form = symbol(v)
		v.deps = r.produce(trace.Node{Op: "add.s64", Pos: in.Pos}, trace.Union(r.depsOf(p), r.depsOf(index)), nil)
	} else {
		v.lazy = true
	}
	r.numbering.put(r.operationKey(in, []*value{p, index}), entry{v: v}, v.level, r.level, true)
	return v
}

// addressDeps returns the producers of an access's address. The constant part
// of the address is an immediate of the access.
func (r *resolver) addressDeps(p *value, space idg.Space, pos lower.Pos) []trace.NodeID {
	if r.opt.Level == O0 || !p.lazy {
		return r.depsOf(p)
	}
	r.memory.pos = pos
	f, _ := p.form.offset()
	base, index := splitBase(f)
	if base != nil && index.isConst() {
		return r.depsOf(base)
	}
	if base == nil && index.isConst() {
		return nil // a fixed place of an object
	}
	wide := space == idg.SpaceGlobal || space == idg.SpaceConstant || p.root == 0
	if d, ok := r.streamAddress(p, base, index, wide); ok {
		return d
	}
	if d, ok := r.scaledAddress(base, index, space); ok {
		return d
	}
	return r.plainAddress(p, base, index, wide)
}

// pointerDeps returns the producers of a pointer that is used as a value.
func (r *resolver) pointerDeps(p *value) []trace.NodeID {
	f, c := p.form.offset()
	base, index := splitBase(f)
	var deps []trace.NodeID
	switch {
	case !index.isConst():
		wide := p.root == 0 || r.k.Object(p.root).Space == idg.SpaceGlobal ||
			r.k.Object(p.root).Space == idg.SpaceConstant
		deps = r.plainAddress(p, base, index, wide)
	case base != nil:
		deps = r.depsOf(base)
	}
	if c != 0 && len(deps) > 0 {
		deps = r.produce(trace.Node{Op: "add.s64", Pos: r.memory.pos}, deps, nil)
	}
	return deps
}

// scaledAddress returns the producers of an index that an access of local memory scales
// itself, as machine code does by 4, 8 or 16 (LDS [R0.X4]), unless the address is there.
func (r *resolver) scaledAddress(base *value, index linear, space idg.Space) ([]trace.NodeID, bool) {
	if !r.opt.SASS() || space != idg.SpaceLocal || base != nil {
		return nil, false
	}
	size := int64(1)
	for size < 16 && index.divisible(2*size) {
		size *= 2
	}
	if e, ok := r.numbering.find(r.formKey(index, lower.S32)); size < 4 || ok && !e.v.lazy {
		return nil, false
	}
	x := r.sum(index.divided(size), lower.S32, r.memory.pos)
	switch {
	case x.bits == nil:
	case x.bits.masked: // the compiler shifts what it masks, and what it has shifted it masks
		x = r.part("shl.s32", trace.IsShift, r.memory.pos, lower.S32, x)
	default:
		x = r.part("and.s32", trace.NotContractible, r.memory.pos, lower.S32, x)
	}
	return r.depsOf(x), true
}

// splitBase takes the pointer symbol out of an address.
func splitBase(f linear) (base *value, index linear) {
	i := slices.IndexFunc(f.terms, func(t term) bool { return t.sym.typ == lower.Ptr && t.coef == 1 })
	switch i {
	case -1:
		return nil, f
	case 0:
		index.terms = f.terms[1:]
	case len(f.terms) - 1:
		index.terms = f.terms[:i]
	default:
		index.terms = slices.Concat(f.terms[:i], f.terms[i+1:])
	}
	index.c = f.c
	return f.terms[i].sym, index
}

// plainAddress records the address arithmetic of an access that is not part of
// a stream. On-chip and private memory have 32-bit byte addresses whose base is a
// link-time constant. Elsewhere a 32-bit index is widened by the multiplication
// with the element size and added to the buffer's base; an address of the
// same variable part in the same buffer is one addition away from an earlier
// one (LLVM's straight-line strength reduction).
func (r *resolver) plainAddress(p, base *value, index linear, wide bool) []trace.NodeID {
	if !wide && base == nil {
		return r.depsOf(r.sum(index, lower.S32, r.memory.pos))
	}
	inv, vary := index.split(max(1, index.level()))
	key := r.addressKey(p.root, base, index)
	if e, ok := r.numbering.find(key); ok {
		return e.v.deps
	}
	v := r.newValue(lower.Ptr)
	v.form = index
	v.level = index.level()
	var baseDeps []trace.NodeID
	if base != nil {
		baseDeps = r.depsOf(base)
		v.level = max(v.level, base.level)
	}
	siblingKey := append(r.addressKey(p.root, base, vary), 's')
	if e, ok := r.numbering.find(siblingKey); ok && len(vary.terms) > 0 && len(inv.terms) > 0 {
		diff := inv.add(e.v.form, -1) // sibling's invariant part
		diff, _ = diff.offset()
		d := r.wideOffset(diff, p.index)
		v.deps = r.produce(trace.Node{Op: "add.s64", Pos: r.memory.pos}, trace.Union(e.v.deps, d), nil)
	} else {
		off := r.wideOffset(index, p.index)
		op := "add.s64"
		if len(baseDeps) == 0 && r.movesBase(p.root, base, v) {
			op = scalarBase
		}
		v.deps = r.produce(trace.Node{Op: op, Pos: r.memory.pos}, trace.Union(baseDeps, off), nil)
		if len(vary.terms) > 0 {
			s := *v
			s.form = inv
			r.numbering.put(append(r.addressKey(p.root, base, vary), 's'), entry{v: &s}, v.level, r.level, true)
		}
	}
	r.numbering.put(r.addressKey(p.root, base, index), entry{v: v}, v.level, r.level, true)
	return v.deps
}

// wideOffset records a byte offset of 64 bits: the index in its own width, then
// the multiplication with the element size, or the extension if that is 1.
func (r *resolver) wideOffset(f linear, index lower.Type) []trace.NodeID {
	if f.isConst() {
		return nil
	}
	size := int64(1)
	for size < 16 && f.divisible(2*size) {
		size *= 2
	}
	elem := f.divided(size)
	t := lower.S32
	n := trace.Node{Op: trace.MultiplyIndex, Pos: r.memory.pos}
	switch {
	case index == lower.S64 || index == lower.U64:
		t = lower.S64
		n.Op, n.Contraction = "shl.s64", trace.IsShift
	case size == 1:
		n.Op = trace.ExtendIndex
	}
	x := r.sum(elem, t, r.memory.pos)
	key := append(r.formKey(f, lower.Ptr), 'w')
	if e, ok := r.numbering.find(key); ok {
		return e.v.deps
	}
	v := r.newValue(lower.S64)
	v.form, v.level = f, f.level()
	v.deps = r.depsOf(x)
	if size > 1 || t == lower.S32 {
		v.deps = r.produce(n, v.deps, nil)
	}
	r.numbering.put(append(r.formKey(f, lower.Ptr), 'w'), entry{v: v}, v.level, r.level, true)
	return v.deps
}

func (r *resolver) addressKey(root lower.ObjectID, base *value, index linear) []byte {
	k := append(r.numbering.key[:0], 'a')
	k = enc.AppendUvarint(k, uint64(root))
	if base != nil {
		k = enc.AppendUvarint(k, uint64(base.id))
	}
	k = index.appendKey(append(k, '|'))
	r.numbering.key = k
	return k
}
