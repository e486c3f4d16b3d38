package translate

import (
	"cmp"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/lower"
)

// boolean reports whether a scalar expression is a condition: it gives 0 or 1
// and is at hand as a predicate.
func boolean(e ast.Expr) bool {
	if e.Type().Lanes() != 1 {
		return false
	}
	switch e := e.(type) {
	case *ast.Unary:
		return e.Op == ctypes.Not
	case *ast.Binary:
		switch e.Op {
		case ctypes.LogAnd, ctypes.LogOr:
			return true
		case ctypes.And, ctypes.Or, ctypes.Xor:
			return boolean(e.X) && boolean(e.Y)
		}
		return e.Op.IsComparison()
	case *ast.Convert:
		return e.T.Kind == ctypes.Bool || e.T.IsScalar() && !e.Saturate && boolean(e.X)
	case *ast.BuiltinCall:
		return e.Builtin.Class == builtins.Relational || e.Builtin.Class == builtins.AnyAll
	case *ast.Cond:
		return boolean(e.X) && boolean(e.Y)
	}
	return e.Type().Kind == ctypes.Bool
}

// cond lowers a scalar expression to the condition that it is not zero.
func (l *lowerer) cond(e ast.Expr) Operand {
	switch e := e.(type) {
	case *ast.Unary:
		if e.Op == ctypes.Not && e.T.Lanes() == 1 {
			return l.not(e)
		}
	case *ast.Binary:
		switch {
		case e.T.Lanes() != 1:
		case e.Op == ctypes.LogAnd || e.Op == ctypes.LogOr:
			return l.logical(e)
		case (e.Op == ctypes.Eq || e.Op == ctypes.Ne) && boolean(e.X) && boolean(e.Y):
			x := l.cond(e.X)
			return l.compare(e.Op, x, l.cond(e.Y), e.Pos())
		case e.Op.IsComparison():
			x := l.expr(e.X).one()
			return l.compare(e.Op, x, l.expr(e.Y).one(), e.Pos())
		case boolean(e):
			x := l.cond(e.X)
			return l.op(binaryOps[e.Op], lower.Pred, e.Pos(), x, l.cond(e.Y))
		}
	case *ast.Convert:
		if boolean(e) {
			return l.cond(e.X)
		}
	case *ast.BuiltinCall:
		if boolean(e) {
			return l.relation(e)
		}
	case *ast.Cond:
		if boolean(e) {
			return l.condOf(e)
		}
	case *ast.Comma:
		l.effect(e.X)
		return l.cond(e.Y)
	}
	x := l.expr(e)
	if len(x.ops) != 1 { // only after a reported error
		return lower.Zero(lower.Pred)
	}
	return l.nonzero(x.ops[0], e.Pos())
}

// nonzero is the condition x != 0.
func (l *lowerer) nonzero(x Operand, pos Pos) Operand {
	if c, ok := l.chosen(x); ok {
		return c
	}
	switch {
	case x.Type == lower.Pred:
		return x
	case x.Kind == OperandConst && x.Type.IsFloat():
		return lower.ConstInt(lower.Pred, lower.B2i(x.Float() != 0))
	case x.Kind == OperandConst:
		return lower.ConstInt(lower.Pred, lower.B2i(x.Bits != 0))
	}
	return l.op(lower.Ne, x.Type, pos, x, lower.Zero(x.Type))
}

// chosen takes back the "c ? 1 : 0" that has just been made of a condition, now
// that the number is used as a condition again.
func (l *lowerer) chosen(x Operand) (Operand, bool) {
	b := *l.cur
	if len(b) == 0 || x.Kind != OperandReg || l.k.Reg(x.Reg).Var {
		return Operand{}, false
	}
	in, ok := b[len(b)-1].(*Instr)
	if !ok || in.Op != lower.Select || in.Dsts[0] != x.Reg || !isOneZero(in.Args[1], in.Args[2]) {
		return Operand{}, false
	}
	*l.cur = b[:len(b)-1]
	return in.Args[0], true
}

func isOneZero(a, b Operand) bool {
	return a.Kind == OperandConst && b == lower.Zero(a.Type) && a == number(a.Type, 1)
}

// compare is x op y; conditions are compared as 0 and 1.
func (l *lowerer) compare(op ctypes.Op, x, y Operand, pos Pos) Operand {
	if x.Type == lower.Pred && y.Type == lower.Pred {
		switch op {
		case ctypes.Ne:
			return l.op(lower.Xor, lower.Pred, pos, x, y)
		case ctypes.Eq:
			return l.op(lower.Not, lower.Pred, pos, l.op(lower.Xor, lower.Pred, pos, x, y))
		}
		x, y = l.choose(x, lower.S32, 1, pos), l.choose(y, lower.S32, 1, pos)
	}
	if b, ok := compareConst(op, x, y); ok {
		return lower.ConstInt(lower.Pred, lower.B2i(b))
	}
	return l.op(binaryOps[op], x.Type, pos, x, y)
}

// compareConst compares two integers that are constants: arguments of functions that are written out may be.
func compareConst(op ctypes.Op, x, y Operand) (less, ok bool) {
	if x.Kind != OperandConst || y.Kind != OperandConst || !x.Type.IsInteger() {
		return false, false
	}
	order := cmp.Compare(int64(x.Bits), int64(y.Bits))
	if !x.Type.IsSigned() {
		order = cmp.Compare(x.Bits, y.Bits)
	}
	switch op {
	case ctypes.Eq:
		return order == 0, true
	case ctypes.Ne:
		return order != 0, true
	case ctypes.Lt:
		return order < 0, true
	case ctypes.Le:
		return order <= 0, true
	case ctypes.Gt:
		return order > 0, true
	case ctypes.Ge:
		return order >= 0, true
	}
	return false, false
}

// not is !x: a number is compared with 0.
func (l *lowerer) not(e *ast.Unary) Operand {
	if boolean(e.X) {
		return l.op(lower.Not, lower.Pred, e.Pos(), l.cond(e.X))
	}
	x := l.expr(e.X).one()
	if x.Type == lower.Pred {
		return l.op(lower.Not, lower.Pred, e.Pos(), x)
	}
	return l.op(lower.Eq, x.Type, e.Pos(), x, lower.Zero(x.Type))
}

// truth is a condition as a number: 1 or 0, and -1 or 0 in each lane of a
// vector.
func (l *lowerer) truth(e ast.Expr) value {
	t := lower.IrType(e.Type())
	if e.Type().Lanes() == 1 {
		c := l.cond(e)
		if t == lower.Pred {
			return l.scalar(e, c)
		}
		return l.scalar(e, l.choose(c, t, 1, e.Pos()))
	}
	v := value{typ: e.Type()}
	for _, c := range l.laneConds(e) {
		v.ops = append(v.ops, l.choose(c, t, -1, e.Pos()))
	}
	return v
}

// logical is && or ||. The right side is evaluated with the left one where that
// cannot be noticed and costs little, else behind a branch.
func (l *lowerer) logical(e *ast.Binary) Operand {
	and := e.Op == ctypes.LogAnd
	x := l.cond(e.X)
	if n, ok := l.cheap(e.Y); ok && n <= lower.MaxSpeculated {
		op := lower.Or
		if and {
			op = lower.And
		}
		return l.op(op, lower.Pred, e.Pos(), x, l.cond(e.Y))
	}
	name, kind := "or", "||"
	if and {
		name, kind = "and", "&&"
	}
	r := l.variable(lower.Pred, name)
	right := func() { l.set(r, l.cond(e.Y), e.Pos()) }
	short := func() { l.set(r, lower.ConstInt(lower.Pred, lower.B2i(!and)), e.Pos()) }
	if and {
		l.branch(kind, e.Pos(), x, right, short)
	} else {
		l.branch(kind, e.Pos(), x, short, right)
	}
	return r
}

// branch adds a two-way branch. A condition that is a literal leaves the side
// it takes.
func (l *lowerer) branch(kind string, pos Pos, c Operand, then, els func()) {
	if c.Kind == OperandConst {
		switch {
		case c.Bits != 0:
			then()
		case els != nil:
			els()
		}
		return
	}
	s := &lower.If{Kind: kind, Cond: c, Pos: pos}
	l.add(s, pos)
	l.in(&s.Then, then)
	if els != nil {
		l.in(&s.Else, els)
	}
}

// conditional is c ? x : y.
func (l *lowerer) conditional(e *ast.Cond) value {
	if e.C.Type().Kind == ctypes.Vector {
		cs := l.laneConds(e.C)
		x, y := l.expr(e.X), l.expr(e.Y)
		v := value{typ: e.T}
		for i, c := range cs {
			v.ops = append(v.ops, l.op(lower.Select, lower.IrType(e.T), e.Pos(), c, x.lane(i), y.lane(i)))
		}
		return v
	}
	if e.T.Kind == ctypes.Void {
		l.effect(e)
		return value{typ: e.T}
	}
	c := l.cond(e.C)
	if l.atHand(e.X) && l.atHand(e.Y) && c.Kind != OperandConst {
		x, y := l.expr(e.X), l.expr(e.Y)
		v := value{typ: e.T}
		for i, o := range x.ops {
			sel := l.op(lower.Select, o.Type, e.Pos(), c, o, y.lane(i))
			if from, ok := l.origin(o).join(l.origin(y.lane(i))); ok {
				l.comes(sel.Reg, from)
			}
			v.ops = append(v.ops, sel)
		}
		return v
	}
	r := l.variables(e.T, "cond")
	l.branch("?:", e.Pos(), c,
		func() { l.setRegs(r, l.expr(e.X).ops, e.Pos()) },
		func() { l.setRegs(r, l.expr(e.Y).ops, e.Pos()) })
	return value{typ: e.T, ops: r}
}

// condOf is c ? x : y of conditions.
func (l *lowerer) condOf(e *ast.Cond) Operand {
	c := l.cond(e.C)
	r := l.variable(lower.Pred, "cond")
	l.branch("?:", e.Pos(), c,
		func() { l.set(r, l.cond(e.X), e.Pos()) },
		func() { l.set(r, l.cond(e.Y), e.Pos()) })
	return r
}

// atHand reports whether an expression's value is a constant or a register
// already.
func (l *lowerer) atHand(e ast.Expr) bool {
	n, ok := l.cheap(e)
	return ok && n == 0
}

// cheap counts the operations of an expression without effects, loads, calls
// and divisions; ok is false for every other.
func (l *lowerer) cheap(e ast.Expr) (n int, ok bool) {
	if _, ok := constant(e); ok {
		return 0, true
	}
	switch e := e.(type) {
	case *ast.VarRef:
		return 0, !l.lookup(e.Obj, e.Pos()).mem
	case *ast.Index:
		_, fixed := constant(e.I)
		if d, ok := e.X.(*ast.Decay); ok && fixed {
			return l.cheap(d.X)
		}
		if e.X.Type().Kind == ctypes.Vector && fixed {
			return l.cheap(e.X)
		}
		return 0, false
	case *ast.Deref, *ast.Assign, *ast.IncDec, *ast.Call, *ast.InitList, *ast.Decay, *ast.AddrOf, *ast.StmtExpr:
		return 0, false
	case *ast.Binary:
		if e.Op == ctypes.Div || e.Op == ctypes.Rem {
			return 0, false
		}
		n = e.T.Lanes()
	case *ast.Unary:
		n = e.T.Lanes()
	case *ast.PtrAdd:
		n = 1
	case *ast.Cond:
		n = 1
	case *ast.Convert:
		if e.T.Kind == ctypes.Void {
			return 0, false
		}
		if lower.IrType(e.T) != lower.IrType(e.X.Type()) {
			n = e.T.Lanes()
		}
	case *ast.BuiltinCall:
		if n, ok = cheapBuiltin(e); !ok {
			return 0, false
		}
	}
	for _, x := range operandsOf(e) {
		m, ok := l.cheap(x)
		if !ok {
			return 0, false
		}
		n += m
	}
	return n, true
}
