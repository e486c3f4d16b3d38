package translate

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/lower"
)

// assignment lowers x = y and x op= y. The value is what x then holds.
func (l *lowerer) assignment(e *ast.Assign) value {
	if e.Op == 0 {
		y := l.evaluatedFirst(l.keptExpr(e.Y), e)
		return l.assign(l.lhs(e.X), y.ops, e.Pos())
	}
	if e.X.Type().Kind == ctypes.Pointer {
		return l.movePointer(e)
	}
	var v value
	l.plainly(func() {
		y := l.evaluatedFirst(l.expr(e.Y), e)
		p := l.lvalue(e.X)
		p, old := l.readModify(p, e.Pos())
		common := e.Common
		if common == nil {
			common = p.typ
		}
		x := l.convertValue(old, common, e.Pos())
		v = l.assign(p, l.convertValue(l.compound(e.Op, common, x, y, e.Pos()), p.typ, e.Pos()).ops, e.Pos())
	})
	return v
}

// evaluatedFirst keeps the value of a right side whose variables the left side changes: a[i++] = i.
func (l *lowerer) evaluatedFirst(y value, e *ast.Assign) value {
	var named []*ast.Object
	ast.WalkExpr(e.X, func(x ast.Expr) bool {
		switch x := x.(type) {
		case *ast.Assign:
			named = append(named, ast.RootObject(x.X))
		case *ast.IncDec:
			named = append(named, ast.RootObject(x.X))
		}
		return true
	})
	changes := false
	if len(named) > 0 {
		ast.WalkExpr(e.Y, func(x ast.Expr) bool {
			v, ok := x.(*ast.VarRef)
			changes = changes || ok && slices.Contains(named, v.Obj)
			return !changes
		})
	}
	if !changes {
		return y
	}
	kept := value{typ: y.typ}
	for _, o := range y.ops {
		kept.ops = append(kept.ops, l.copy(o, e.Pos()))
	}
	return kept
}

// compound is x op y of an op= assignment.
func (l *lowerer) compound(op ctypes.Op, t *ctypes.Type, x, y value, pos Pos) value {
	if int(op) >= len(binaryOps) || binaryOps[op] == 0 || op.IsComparison() {
		l.unsupported(pos, "operator %v=", op)
		return l.poison(t)
	}
	if lower.IrType(t) == lower.Pred && op < ctypes.And { // arithmetic on bool: as int
		i := ctypes.Scalar(ctypes.Int)
		return l.convertValue(l.arith(op, i, l.convertValue(x, i, pos), l.convertValue(y, i, pos), pos), t, pos)
	}
	return l.arith(op, t, x, y, pos)
}

// convertValue converts between number types lane by lane.
func (l *lowerer) convertValue(v value, t *ctypes.Type, pos Pos) value {
	if lower.IrType(t) == 0 {
		return v
	}
	w := value{typ: t}
	for i := range t.Lanes() {
		w.ops = append(w.ops, l.convertOperand(v.lane(i), lower.IrType(t), "", pos))
	}
	return w
}

// lhs is the place of an assignment's left side.
func (l *lowerer) lhs(x ast.Expr) (p place) {
	l.plainly(func() { p = l.lvalue(x) })
	return p
}

// plainly lowers something that is not part of the subscript or pointer value
// around it.
func (l *lowerer) plainly(f func()) {
	sub, kept := l.subscript, l.kept
	l.subscript, l.kept = false, false
	f()
	l.subscript, l.kept = sub, kept
}

// readModify reads a place that is about to be written. Its address is computed
// once.
func (l *lowerer) readModify(p place, pos Pos) (place, value) {
	if p.mem && p.lanes == nil && p.typ.Kind != ctypes.Struct {
		p.base, p.off = l.plus(p.base, p.off, pos), 0
	}
	return p, l.load(p, pos)
}

// movePointer is p += n or p -= n.
func (l *lowerer) movePointer(e *ast.Assign) value {
	var v value
	l.plainly(func() {
		n := l.expr(widened(e.Y)).one()
		p := l.lvalue(e.X)
		v = l.stepPointer(p, n, e.Op == ctypes.Sub, false, e.Pos())
	})
	return v
}

// widened strips the conversions of a subscript to a wider integer.
func widened(e ast.Expr) ast.Expr {
	for {
		c, ok := e.(*ast.Convert)
		if !ok || !keepsValues(lower.IrType(c.X.Type()), lower.IrType(c.T)) {
			return e
		}
		e = c.X
	}
}

// stepPointer moves the pointer at p by n elements and gives its new value, or
// the old one when post.
func (l *lowerer) stepPointer(p place, n Operand, back, post bool, pos Pos) value {
	p, old := l.readModify(p, pos)
	if post && !p.mem {
		prev := l.copy(old.one(), pos)
		l.comes(prev.Reg, l.origin(old.one()))
		old = value{typ: p.typ, ops: []Operand{prev}}
	}
	size, element := int64(1), ""
	if p.typ.Kind == ctypes.Pointer {
		size, element = p.typ.Elem.Size(), p.typ.Elem.String()
	}
	if back {
		size = -size
	}
	from := old.one()
	if post && !p.mem {
		from = p.ops[0]
	}
	kept := l.kept
	l.kept = true // the source's own arithmetic
	next := l.ptrAdd(from, n, size, element, pos)
	l.kept = kept
	v := l.assign(p, []Operand{next}, pos)
	if post {
		return old
	}
	return v
}

// incDec lowers ++ and --. Without a use of the value the old one is not kept.
func (l *lowerer) incDec(e *ast.IncDec, used bool) value {
	post := e.Post && used
	var v value
	l.plainly(func() {
		p := l.lvalue(e.X)
		if p.typ.Kind == ctypes.Pointer {
			v = l.stepPointer(p, lower.ConstInt(lower.S32, 1), e.Dec, post, e.Pos())
			return
		}
		var old value
		p, old = l.readModify(p, e.Pos())
		x := old
		if post && !p.mem {
			old = value{typ: old.typ}
			for _, o := range x.ops {
				old.ops = append(old.ops, l.copy(o, e.Pos()))
			}
		}
		op := ctypes.Add
		if e.Dec {
			op = ctypes.Sub
		}
		t := lower.IrType(p.typ)
		one := number(t, 1)
		y := value{typ: p.typ, ops: []Operand{one}}
		v = l.assign(p, l.compound(op, p.typ, x, y, e.Pos()).ops, e.Pos())
		if post {
			v = old
		}
	})
	return v
}
