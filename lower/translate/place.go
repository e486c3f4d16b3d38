package translate

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/lower"
)

// place is where an lvalue lives: registers, or memory at base + off. Operands
// that are not registers (constants bound to a parameter) can only be read.
type place struct {
	typ *ctypes.Type
	ops []Operand // registers: one for each leaf

	mem      bool
	base     Operand     // Ptr
	off      int64       // bytes, materialised at the access
	space    lower.Space // as the pointer's type says; 0 = it does not (CUDA)
	volatile bool
	lanes    []int // lanes of a vector in memory; nil = all of typ
	whole    whole // what it is a part of
}

// whole says where a place lies in an aligned struct, union or vector that it is a part of.
type whole struct {
	align  int64 // bytes, at most maxAccess; 0 = the place is no part
	offset int64 // bytes behind a multiple of align
}

// moved is the whole of a place off bytes behind.
func (w whole) moved(off int64) whole {
	if w.align > 0 {
		w.offset = (w.offset + off) & (w.align - 1)
	}
	return w
}

// indexed is the whole of some element of type t, in steps of so many bytes: that of a packed struct is what says how
// little the element is aligned.
func (w whole) indexed(step int64, t *ctypes.Type) whole {
	w.align = min(w.align, step&-step)
	if w = w.moved(0); w.bytes() >= t.Align() {
		return whole{}
	}
	return w
}

// bytes is what the place is known to lie at a multiple of.
func (w whole) bytes() int64 {
	bits := w.offset | w.align
	return bits & -bits
}

// alignment is how many bytes the address of a run is known to be a multiple of: fewer than its elements have in a
// packed struct.
func (p place) alignment(r run) int64 {
	p.part(p.typ, r.off)
	return p.whole.bytes()
}

// part notes that p is no longer all of a value of type t, but what lies off bytes behind its beginning.
func (p *place) part(t *ctypes.Type, off int64) {
	if p.whole.align == 0 {
		p.whole.align = min(t.Align(), maxAccess)
	}
	p.whole = p.whole.moved(off)
}

// place lowers e as far as naming where it is. An rvalue is a place that can
// only be read.
func (l *lowerer) place(e ast.Expr) place {
	switch e := e.(type) {
	case *ast.VarRef:
		return l.lookup(e.Obj, e.Pos())
	case *ast.Member:
		return l.member(e)
	case *ast.Swizzle:
		return l.swizzle(e)
	case *ast.Index:
		return l.element(e)
	case *ast.Deref:
		return l.deref(e)
	}
	v := l.expr(e)
	return place{typ: e.Type(), ops: v.ops}
}

// lookup finds a variable. Local arrays and tables are made when first named.
func (l *lowerer) lookup(o *ast.Object, pos Pos) place {
	if p, ok := l.frame.vars[o]; ok {
		return p
	}
	return l.static(o, o.Init, pos)
}

// member is a field of a struct or union.
func (l *lowerer) member(e *ast.Member) place {
	p := l.place(e.X)
	st := e.X.Type()
	field := st.Fields[e.Field]
	if !p.mem && st.Kind == ctypes.Union {
		p = l.spill(value{typ: st, ops: p.ops}, e.Pos())
	}
	if p.mem {
		p.off += field.Offset
		p.part(st, field.Offset)
		p.volatile = p.volatile || field.Volatile
		p.typ = e.T
		return p
	}
	first := int64(0)
	for _, f := range st.Fields[:e.Field] {
		first += lower.CountLeaves(f.Type)
	}
	return p.slice(e.T, first)
}

// slice is the part of a register place of type t that starts at a leaf.
func (p place) slice(t *ctypes.Type, first int64) place {
	n := lower.CountLeaves(t)
	if int64(len(p.ops)) < first+n { // only after a reported error
		q := place{typ: t}
		if n <= lower.MaxLeaves {
			for _, f := range lower.LeavesOf(t) {
				q.ops = append(q.ops, lower.Zero(f.Typ))
			}
		}
		return q
	}
	return place{typ: t, ops: p.ops[first : first+n]}
}

// swizzle selects lanes of a vector.
func (l *lowerer) swizzle(e *ast.Swizzle) place {
	p := l.place(e.X)
	if p.mem {
		lanes := e.Lanes
		if p.lanes != nil { // a selection of a selection
			lanes = make([]int, len(e.Lanes))
			for i, n := range e.Lanes {
				lanes[i] = p.lanes[n]
			}
		}
		p.lanes, p.typ = lanes, e.T
		p.part(e.X.Type(), 0)
		return p
	}
	q := place{typ: e.T}
	for _, n := range e.Lanes {
		if n >= len(p.ops) {
			return place{typ: e.T, ops: l.poison(e.T).ops}
		}
		q.ops = append(q.ops, p.ops[n])
	}
	return q
}

// element is x[i] of an array, through a pointer, or of a vector.
func (l *lowerer) element(e *ast.Index) place {
	if e.X.Type().Kind == ctypes.Vector {
		return l.lane(e)
	}
	return l.offset(e.X, e.I, false, e.T, e.Pos())
}

// lane is v[i] of a vector.
func (l *lowerer) lane(e *ast.Index) place {
	p := l.place(e.X)
	c, fixed := constant(e.I)
	n := int64(c.Bits)
	if fixed && (n < 0 || n >= e.X.Type().Len) {
		l.unsupported(e.Pos(), "lane %d of a %v does not exist", n, e.X.Type())
		return place{typ: e.T, ops: l.poison(e.T).ops}
	}
	switch {
	case fixed && !p.mem:
		return p.slice(e.T, n)
	case fixed:
		p.lanes, p.typ = []int{int(n)}, e.T
		p.part(e.X.Type(), 0)
		return p
	case !p.mem || p.lanes != nil:
		p = l.spill(l.load(p, e.Pos()), e.Pos())
	}
	p.base = l.ptrAdd(p.base, l.index(e.I), e.T.Size(), e.T.String(), e.Pos())
	p.typ, p.whole = e.T, whole{}
	return p
}

// deref is *x. Addresses that are written as sums are subscripts.
func (l *lowerer) deref(e *ast.Deref) place {
	switch x := e.X.(type) {
	case *ast.PtrAdd:
		return l.offset(x.X, x.Index, x.Sub, e.T, x.Pos())
	case *ast.AddrOf:
		p := l.place(x.X)
		p.typ = e.T
		return p
	case *ast.Decay:
		p := l.place(x.X)
		if !p.mem {
			return p.slice(e.T, 0)
		}
		p.typ = e.T
		return p
	}
	return l.pointee(e.X, e.T)
}

// pointee is the place of type t that the pointer expression x points to.
func (l *lowerer) pointee(x ast.Expr, t *ctypes.Type) place {
	ptr := l.expr(x).one()
	pt := x.Type()
	return place{typ: t, mem: true, base: ptr, space: pt.Space, volatile: pt.Volatile}
}

// offset is the place of type t that lies idx elements after what x, a pointer
// or a decayed array, points to (before it when neg).
func (l *lowerer) offset(x, idx ast.Expr, neg bool, t *ctypes.Type, pos Pos) place {
	var p place
	if d, ok := x.(*ast.Decay); ok {
		p = l.place(d.X)
		p.volatile = p.volatile || d.T.Volatile
	} else {
		p = l.pointee(x, t)
	}
	size := t.Size()
	if neg {
		size = -size
	}
	if c, ok := constant(idx); ok {
		n := int64(c.Bits)
		if p.mem {
			p.off += n * size
			p.whole = p.whole.moved(n * size)
			p.typ = t
			return p
		}
		if n < 0 || n >= p.typ.Len || neg {
			l.unsupported(pos, "subscript %d is outside the array of %d elements", n, p.typ.Len)
			n = 0
		}
		return p.slice(t, n*lower.CountLeaves(t))
	}
	if !p.mem { // an array inside a struct that no variable holds
		p = l.spill(value{typ: p.typ, ops: p.ops}, pos)
	}
	p.base = l.ptrAdd(p.base, l.index(idx), size, t.String(), pos)
	p.typ, p.whole = t, p.whole.indexed(size, t)
	return p
}

// index lowers a subscript. It stays in its own type: widening conversions keep
// its value and PtrAdd extends it.
func (l *lowerer) index(e ast.Expr) Operand {
	for {
		c, ok := e.(*ast.Convert)
		if !ok || !c.X.Type().IsInteger() || c.X.Type().Kind == ctypes.Bool ||
			!keepsValues(lower.IrType(c.X.Type()), lower.IrType(c.T)) {
			break
		}
		e = c.X
	}
	sub, kept := l.subscript, l.kept
	l.subscript, l.kept = sub || !kept, false
	op := l.expr(e).one()
	l.subscript, l.kept = sub, kept
	return op
}

// keepsValues reports whether converting integer type from to to keeps every
// value.
func keepsValues(from, to Type) bool {
	if !from.IsInteger() || !to.IsInteger() {
		return false
	}
	if from.IsSigned() == to.IsSigned() {
		return to.Size() >= from.Size()
	}
	return to.IsSigned() && to.Size() > from.Size()
}

// ptrAdd emits base + idx*scale bytes, a step over elements of a type.
func (l *lowerer) ptrAdd(base, idx Operand, scale int64, element string, pos Pos) Operand {
	dst := l.temp(lower.Ptr)
	l.add(&Instr{Op: lower.PtrAdd, Type: lower.Ptr, From: idx.Type, Dsts: []Reg{dst.Reg}, Args: []Operand{base, idx},
		Scale: scale, Element: element, Subscript: !l.kept, Pos: pos}, pos)
	l.comes(dst.Reg, l.origin(base).moved(idx, scale))
	return dst
}

// address is the pointer to a place in memory.
func (l *lowerer) address(p place, pos Pos) Operand {
	if !p.mem { // only after a reported error, or & of an rvalue
		l.unsupported(pos, "address of a value that is not in memory")
		return lower.Zero(lower.Ptr)
	}
	off := p.off
	if len(p.lanes) > 0 {
		off += int64(p.lanes[0]) * p.typ.Base().Size()
	}
	return l.plus(p.base, off, pos)
}

// plus emits base + off bytes.
func (l *lowerer) plus(base Operand, off int64, pos Pos) Operand {
	if off == 0 {
		return base
	}
	return l.ptrAdd(base, lower.ConstInt(lower.S64, off), 1, "", pos)
}
