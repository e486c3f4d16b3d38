package translate

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/lower"
)

// maxInitStores bounds the stores that initialise one array.
const maxInitStores = 4096

// initialise gives a new variable its first value.
func (l *lowerer) initialise(p place, init ast.Expr, pos Pos) {
	list, ok := init.(*ast.InitList)
	if !ok {
		l.assign(p, l.keptExpr(init).ops, pos)
		return
	}
	if n := lower.CountLeaves(p.typ); n > maxInitStores {
		l.unsupported(pos, "initialiser of %d elements", n).WithNote(
			"initialise the array in a loop, or make it a constant table")
		return
	}
	l.initList(p, list, pos)
}

// initList stores the elements of a braced initialiser, zeros where there are
// none.
func (l *lowerer) initList(p place, list *ast.InitList, pos Pos) {
	if p.typ.Kind == ctypes.Vector {
		l.assign(p, l.vectorList(p.typ, list), pos)
		return
	}
	n := int64(len(p.typ.Fields))
	switch p.typ.Kind {
	case ctypes.Array:
		n = p.typ.Len
	case ctypes.Union:
		n = 1
	case ctypes.Struct:
	default: // a scalar in braces
		for _, e := range list.Elems {
			l.initialise(p, e, pos)
		}
		if len(list.Elems) == 0 {
			l.assign(p, l.poison(p.typ).ops, pos)
		}
		return
	}
	given := make(map[int64]ast.Expr, len(list.Elems))
	for i, e := range list.Elems {
		given[list.Index[i]] = e
	}
	for i := range n {
		e := given[i]
		if p.typ.Kind == ctypes.Union && len(list.Elems) > 0 {
			i, e = list.Index[0], list.Elems[0]
		}
		q := p.sub(i)
		switch {
		case e != nil:
			l.initialise(q, e, e.Pos())
		default:
			l.clear(q, pos)
		}
	}
}

// clear stores zeros.
func (l *lowerer) clear(p place, pos Pos) {
	if p.typ.Kind == ctypes.Array && p.mem {
		for i := range p.typ.Len {
			l.clear(p.sub(i), pos)
		}
		return
	}
	l.assign(p, l.poison(p.typ).ops, pos)
}

// sub is element or field i of a place.
func (p place) sub(i int64) place {
	t, off := part(p.typ, i)
	if p.mem {
		p.typ = t
		p.off += off
		p.whole = p.whole.moved(off)
		return p
	}
	if p.typ.Kind == ctypes.Array {
		return p.slice(t, i*lower.CountLeaves(t))
	}
	first := int64(0)
	for _, f := range p.typ.Fields[:i] {
		first += lower.CountLeaves(f.Type)
	}
	return p.slice(t, first)
}

// listValue is a braced initialiser as an rvalue (a compound literal).
func (l *lowerer) listValue(e *ast.InitList) value {
	if e.T.Kind == ctypes.Vector {
		return value{typ: e.T, ops: l.vectorList(e.T, e)}
	}
	if hasUnion(e.T) || lower.CountLeaves(e.T) > lower.MaxRegLeaves {
		p := l.privateObject("", e.T, e.Pos())
		l.initialise(p, e, e.Pos())
		return l.load(p, e.Pos())
	}
	p := place{typ: e.T, ops: l.variables(e.T, "literal")}
	l.initialise(p, e, e.Pos())
	return l.load(p, e.Pos())
}

// vectorList is a braced initialiser of a vector.
func (l *lowerer) vectorList(t *ctypes.Type, e *ast.InitList) []Operand {
	ops := l.poison(t).ops
	for i, x := range e.Elems {
		for j, o := range l.expr(x).ops { // an element may itself be a vector
			if n := int(e.Index[i]) + j; n < len(ops) {
				ops[n] = o
			}
		}
	}
	return ops
}
