package lower

import (
	"gpupipe/frontend"
)

// expr lowers an expression to its value.
func (l *lowerer) expr(e frontend.Expr) value {
	switch e := e.(type) {
	case *frontend.Literal:
		if c, ok := constant(e); ok {
			return value{typ: e.T, ops: []Operand{c}}
		}
	case *frontend.VarRef, *frontend.Member, *frontend.Swizzle, *frontend.Index, *frontend.Deref:
		kept := l.kept
		l.kept = false // an address is part of this access
		p := l.place(e)
		l.kept = kept
		return l.load(p, e.Pos())
	case *frontend.Decay:
		return l.scalar(e, l.address(l.place(e.X), e.Pos()))
	case *frontend.AddrOf:
		return l.scalar(e, l.address(l.place(e.X), e.Pos()))
	case *frontend.Unary:
		return l.unary(e)
	case *frontend.Binary:
		return l.binary(e)
	case *frontend.PtrAdd:
		return l.scalar(e, l.address(l.offset(e.X, e.Index, e.Sub, pointeeType(e), e.Pos()), e.Pos()))
	case *frontend.Convert:
		return l.convert(e)
	case *frontend.Bitcast:
		return l.bitcast(e)
	case *frontend.Assign:
		return l.assignment(e)
	case *frontend.IncDec:
		return l.incDec(e, true)
	case *frontend.Cond:
		return l.conditional(e)
	case *frontend.Comma:
		l.effect(e.X)
		return l.expr(e.Y)
	case *frontend.StmtExpr:
		l.stmts(e.Stmts)
		if e.X == nil {
			return value{typ: e.T}
		}
		return l.expr(e.X)
	case *frontend.VectorLit:
		return l.vectorLit(e)
	case *frontend.InitList:
		return l.listValue(e)
	case *frontend.Call:
		return l.inline(e)
	case *frontend.BuiltinCall:
		return l.builtin(e)
	}
	l.unsupported(e.Pos(), "this expression of type %v", e.Type())
	return l.poison(e.Type())
}

// scalar makes a value of one operand.
func (l *lowerer) scalar(e frontend.Expr, op Operand) value {
	return value{typ: e.Type(), ops: []Operand{op}}
}

// pointeeType is what a pointer's arithmetic counts: void counts bytes.
func pointeeType(e frontend.Expr) *frontend.Type {
	if t := e.Type(); t.Kind == frontend.Pointer {
		return t.Elem
	}
	return frontend.Scalar(frontend.Char)
}

// effect lowers an expression whose value nobody uses.
func (l *lowerer) effect(e frontend.Expr) {
	switch e := e.(type) {
	case *frontend.Literal, *frontend.VarRef:
	case *frontend.IncDec:
		l.incDec(e, false)
	case *frontend.Comma:
		l.effect(e.X)
		l.effect(e.Y)
	case *frontend.Convert:
		l.effect(e.X)
	case *frontend.Binary:
		if boolean(e) {
			l.cond(e)
			return
		}
		l.expr(e)
	case *frontend.Cond:
		if e.T.Kind == frontend.Void || hasEffect(e.X) || hasEffect(e.Y) {
			l.branch("?:", e.Pos(), l.cond(e.C), func() { l.effect(e.X) }, func() { l.effect(e.Y) })
			return
		}
		l.expr(e)
	default:
		l.expr(e)
	}
}

// keptExpr lowers the value that a variable is about to hold. Where that is a
// pointer its arithmetic is not part of an access.
func (l *lowerer) keptExpr(e frontend.Expr) value {
	sub, kept := l.subscript, l.kept
	l.subscript, l.kept = false, e.Type().Kind == frontend.Pointer
	v := l.expr(e)
	l.subscript, l.kept = sub, kept
	return v
}

// lanewise emits op on every lane of the operands.
func (l *lowerer) lanewise(op Op, t *frontend.Type, pos Pos, args ...value) value {
	v := value{typ: t}
	for i := range t.Lanes() {
		lane := make([]Operand, len(args))
		for j, a := range args {
			lane[j] = a.lane(i)
		}
		l.component = componentOf(t, i)
		v.ops = append(v.ops, l.op(op, irType(t), pos, lane...))
	}
	l.component = 0
	return v
}

// componentOf is Instr.Component for lane i of an operation in t.
func componentOf(t *frontend.Type, i int) int {
	if t.Lanes() == 1 {
		return 0
	}
	return i + 1
}

// lane is lane i of a vector; a scalar is the same in every lane.
func (v value) lane(i int) Operand {
	if i < len(v.ops) {
		return v.ops[i]
	}
	return v.one()
}

func (l *lowerer) unary(e *frontend.Unary) value {
	if c, ok := constant(e); ok {
		return l.scalar(e, c)
	}
	switch e.Op {
	case frontend.Neg:
		return l.lanewise(Neg, e.T, e.Pos(), l.expr(e.X))
	case frontend.BitNot:
		return l.lanewise(Not, e.T, e.Pos(), l.expr(e.X))
	case frontend.Not:
		return l.truth(e)
	}
	l.unsupported(e.Pos(), "operator %v", e.Op)
	return l.poison(e.T)
}

// binaryOps maps C's operators to operations.
var binaryOps = [...]Op{frontend.Add: Add, frontend.Sub: Sub, frontend.Mul: Mul, frontend.Div: Div, frontend.Rem: Rem, frontend.And: And, frontend.Or: Or, frontend.Xor: Xor, frontend.Shl: Shl, frontend.Shr: Shr, frontend.Eq: Eq, frontend.Ne: Ne, frontend.Lt: Lt, frontend.Le: Le, frontend.Gt: Gt, frontend.Ge: Ge}

func (l *lowerer) binary(e *frontend.Binary) value {
	switch {
	case e.Op.IsComparison() || e.Op == frontend.LogAnd || e.Op == frontend.LogOr || boolean(e):
		return l.truth(e)
	case e.X.Type().Kind == frontend.Pointer:
		return l.pointerDifference(e)
	case int(e.Op) >= len(binaryOps) || binaryOps[e.Op] == 0:
		l.unsupported(e.Pos(), "operator %v", e.Op)
		return l.poison(e.T)
	}
	x := l.expr(e.X)
	return l.arith(e.Op, e.T, x, l.expr(e.Y), e.Pos())
}

// arith is x op y in type t for the operators that compute numbers.
func (l *lowerer) arith(op frontend.Op, t *frontend.Type, x, y value, pos Pos) value {
	if op == frontend.Rem && irType(t).IsFloat() {
		l.unsupported(pos, "%% of floating numbers").WithNote("use fmod")
		return l.poison(t)
	}
	return l.lanewise(binaryOps[op], t, pos, x, y)
}

// pointerDifference is p - q in elements.
func (l *lowerer) pointerDifference(e *frontend.Binary) value {
	x := l.expr(e.X).one()
	y := l.expr(e.Y).one()
	d := l.temp(S64)
	l.emit(&Instr{Op: PtrDiff, Type: S64, Dsts: []Reg{d.Reg}, Args: []Operand{x, y}, Scale: max(1, pointeeType(e.X).Size()), Pos: e.Pos()})
	return l.scalar(e, l.convertOperand(d, irType(e.T), "", e.Pos()))
}

// hasEffect reports whether evaluating e changes anything: it assigns, calls a
// function of the unit, or synchronises.
func hasEffect(e frontend.Expr) bool {
	switch e := e.(type) {
	case *frontend.Assign, *frontend.IncDec, *frontend.Call, *frontend.StmtExpr:
		return true
	case *frontend.BuiltinCall:
		switch e.Builtin.Class {
		case frontend.MathOut, frontend.Barrier, frontend.Fence, frontend.Atomic, frontend.VStore, frontend.Ignored,
			frontend.ImageWrite, frontend.AsyncCopy, frontend.WaitEvents, frontend.SubGroup, frontend.Pipeline, frontend.Tensor:
			return true
		}
	}
	for _, x := range operandsOf(e) {
		if hasEffect(x) {
			return true
		}
	}
	return false
}
