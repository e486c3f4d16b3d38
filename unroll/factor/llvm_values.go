package factor

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
)

// value is what is known of an operand, a sum not computed.
func (n *sizeLLVM) value(o lower.Operand) sized {
	outside := sized{level: -1, still: true, first: true}
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
	v := sized{level: -1, folds: true, zero: true, still: true, count: true, first: true}
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
	size, ok := n.element(in)
	if !ok {
		size = n.of(in)
	}
	switch in.Op {
	case lower.Load, lower.Copy, lower.Atomic, lower.ImageLoad, lower.SubGroup:
		n.accesses(in)
		moves := in.Op == lower.Load && !n.stored[in.Space] // LICM
		if !moves {
			v.level = n.here()
		}
		v = sized{level: v.level, minus: true, still: n.second && moves && v.still}
	case lower.Store, lower.ImageStore, lower.Barrier, lower.Fence, lower.CopyGroup, lower.BulkCopy:
		n.accesses(in)
		n.stores[in.Space]++
		v = sized{level: n.here()}
	case lower.Index:
		v = sized{level: -1, first: true}
	case lower.PtrAdd:
		v, size = n.pointer(in, v)
	case lower.Mul:
		if in.Type.IsFloat() {
			v.product = true
			break
		}
		v.zero = slices.ContainsFunc(in.Args, func(o lower.Operand) bool { x := n.value(o); return x.folds && x.zero })
	case lower.And:
		v.minus = v.minus && !slices.ContainsFunc(in.Args, func(o lower.Operand) bool {
			return o.Kind == lower.OperandConst && int64(o.Bits) >= 0
		})
	}
	if v.id = n.next(); twice {
		n.number(key, &v)
	}
	n.fuse(in)
	n.operation(v, in, size)
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
		n.operation(product, in, n.of(in))
	}
	v.terms = append(v.terms, product)
	return v, true
}

// pointer is the address that a subscript makes of another, and its size.
func (n *sizeLLVM) pointer(in *lower.Instr, v sized) (sized, int64) {
	base, index := n.operand(in.Args[0]), n.operand(in.Args[1])
	v.object, v.fixed = base.object, base.fixed && index.folds
	if n.u.vectors[base.object] {
		return v, 0
	}
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

// accesses notes accesses at addresses that the loop computes.
func (n *sizeLLVM) accesses(in *lower.Instr) {
	if len(in.Args) == 0 || n.keeps > 0 {
		return
	}
	address := n.operand(in.Args[0])
	switch {
	case address.level < 0 || address.fixed || n.second && address.still:
	case in.Space == idg.SpaceLocal:
		n.asks.localAddress(!address.first)
	case in.Space == idg.SpacePrivate && address.object != 0 && !n.u.vectors[address.object]:
		n.asks.privateAddress(n.u.source.Object(address.object).Size)
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
