package translate

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/lower"
)

// expr lowers an expression to its value.
func (l *lowerer) expr(e ast.Expr) value {
	switch e := e.(type) {
	case *ast.Literal:
		if c, ok := constant(e); ok {
			return value{typ: e.T, ops: []Operand{c}}
		}
	case *ast.VarRef, *ast.Member, *ast.Swizzle, *ast.Index, *ast.Deref:
		kept := l.kept
		l.kept = false // an address is part of this access
		p := l.place(e)
		l.kept = kept
		return l.load(p, e.Pos())
	case *ast.Decay:
		return l.scalar(e, l.address(l.place(e.X), e.Pos()))
	case *ast.AddrOf:
		p := l.place(e.X)
		// all that reads it reads its value
		if _, object := e.X.(*ast.VarRef); object && len(p.ops) == 1 && p.ops[0].Kind == OperandConst {
			p = l.spill(value{typ: p.typ, ops: p.ops}, e.Pos())
		}
		return l.scalar(e, l.address(p, e.Pos()))
	case *ast.Unary:
		return l.unary(e)
	case *ast.Binary:
		return l.binary(e)
	case *ast.PtrAdd:
		return l.scalar(e, l.address(l.offset(e.X, e.Index, e.Sub, pointeeType(e), e.Pos()), e.Pos()))
	case *ast.Convert:
		return l.convert(e)
	case *ast.Bitcast:
		return l.bitcast(e)
	case *ast.Assign:
		return l.assignment(e)
	case *ast.IncDec:
		return l.incDec(e, true)
	case *ast.Cond:
		return l.conditional(e)
	case *ast.Comma:
		l.effect(e.X)
		return l.expr(e.Y)
	case *ast.StmtExpr:
		l.stmts(e.Stmts)
		if e.X == nil {
			return value{typ: e.T}
		}
		return l.expr(e.X)
	case *ast.VectorLit:
		return l.vectorLit(e)
	case *ast.InitList:
		return l.listValue(e)
	case *ast.Call:
		return l.inline(e)
	case *ast.BuiltinCall:
		return l.builtin(e)
	}
	l.unsupported(e.Pos(), "this expression of type %v", e.Type())
	return l.poison(e.Type())
}

// scalar makes a value of one operand.
func (l *lowerer) scalar(e ast.Expr, op Operand) value {
	return value{typ: e.Type(), ops: []Operand{op}}
}

// pointeeType is what a pointer's arithmetic counts: void counts bytes.
func pointeeType(e ast.Expr) *ctypes.Type {
	if t := e.Type(); t.Kind == ctypes.Pointer {
		return t.Elem
	}
	return ctypes.Scalar(ctypes.Char)
}

// effect lowers an expression whose value nobody uses.
func (l *lowerer) effect(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Literal, *ast.VarRef:
	case *ast.IncDec:
		l.incDec(e, false)
	case *ast.Comma:
		l.effect(e.X)
		l.effect(e.Y)
	case *ast.Convert:
		l.effect(e.X)
	case *ast.Binary:
		if boolean(e) {
			l.cond(e)
			return
		}
		l.expr(e)
	case *ast.Cond:
		if e.T.Kind == ctypes.Void || hasEffect(e.X) || hasEffect(e.Y) {
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
func (l *lowerer) keptExpr(e ast.Expr) value {
	sub, kept := l.subscript, l.kept
	l.subscript, l.kept = false, e.Type().Kind == ctypes.Pointer
	v := l.expr(e)
	l.subscript, l.kept = sub, kept
	return v
}

// lanewise emits op on every lane of the operands.
func (l *lowerer) lanewise(op Op, t *ctypes.Type, pos Pos, args ...value) value {
	v := value{typ: t}
	for i := range t.Lanes() {
		lane := make([]Operand, len(args))
		for j, a := range args {
			lane[j] = a.lane(i)
		}
		l.component = componentOf(t, i)
		v.ops = append(v.ops, l.op(op, lower.IrType(t), pos, lane...))
	}
	l.component = 0
	return v
}

// componentOf is Instr.Component for lane i of an operation in t.
func componentOf(t *ctypes.Type, i int) int {
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

func (l *lowerer) unary(e *ast.Unary) value {
	if c, ok := constant(e); ok {
		return l.scalar(e, c)
	}
	switch e.Op {
	case ctypes.Neg:
		return l.lanewise(lower.Neg, e.T, e.Pos(), l.expr(e.X))
	case ctypes.BitNot:
		return l.lanewise(lower.Not, e.T, e.Pos(), l.expr(e.X))
	case ctypes.Not:
		return l.truth(e)
	}
	l.unsupported(e.Pos(), "operator %v", e.Op)
	return l.poison(e.T)
}

// binaryOps maps C's operators to operations.
var binaryOps = [...]Op{ctypes.Add: lower.Add, ctypes.Sub: lower.Sub, ctypes.Mul: lower.Mul, ctypes.Div: lower.Div,
	ctypes.Rem: lower.Rem, ctypes.And: lower.And, ctypes.Or: lower.Or, ctypes.Xor: lower.Xor, ctypes.Shl: lower.Shl,
	ctypes.Shr: lower.Shr, ctypes.Eq: lower.Eq, ctypes.Ne: lower.Ne,
	ctypes.Lt: lower.Lt, ctypes.Le: lower.Le, ctypes.Gt: lower.Gt, ctypes.Ge: lower.Ge}

func (l *lowerer) binary(e *ast.Binary) value {
	switch {
	case e.Op.IsComparison() || e.Op == ctypes.LogAnd || e.Op == ctypes.LogOr || boolean(e):
		return l.truth(e)
	case e.X.Type().Kind == ctypes.Pointer:
		return l.pointerDifference(e)
	case int(e.Op) >= len(binaryOps) || binaryOps[e.Op] == 0:
		l.unsupported(e.Pos(), "operator %v", e.Op)
		return l.poison(e.T)
	}
	x := l.expr(e.X)
	return l.arith(e.Op, e.T, x, l.expr(e.Y), e.Pos())
}

// arith is x op y in type t for the operators that compute numbers.
func (l *lowerer) arith(op ctypes.Op, t *ctypes.Type, x, y value, pos Pos) value {
	if op == ctypes.Rem && lower.IrType(t).IsFloat() {
		l.unsupported(pos, "%% of floating numbers").WithNote("use fmod")
		return l.poison(t)
	}
	return l.lanewise(binaryOps[op], t, pos, x, y)
}

// pointerDifference is p - q in elements.
func (l *lowerer) pointerDifference(e *ast.Binary) value {
	x := l.expr(e.X).one()
	y := l.expr(e.Y).one()
	d := l.temp(lower.S64)
	l.emit(&Instr{Op: lower.PtrDiff, Type: lower.S64, Dsts: []Reg{d.Reg}, Args: []Operand{x, y},
		Scale: max(1, pointeeType(e.X).Size()), Pos: e.Pos()})
	return l.scalar(e, l.convertOperand(d, lower.IrType(e.T), "", e.Pos()))
}

// hasEffect reports whether evaluating e changes anything: it assigns, calls a
// function of the unit, or synchronises.
func hasEffect(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Assign, *ast.IncDec, *ast.Call, *ast.StmtExpr:
		return true
	case *ast.BuiltinCall:
		switch e.Builtin.Class {
		case builtins.MathOut, builtins.Barrier, builtins.Fence, builtins.Atomic, builtins.VStore, builtins.Ignored,
			builtins.ImageWrite, builtins.AsyncCopy, builtins.WaitEvents, builtins.SubGroup, builtins.Pipeline,
			builtins.Tensor:
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
