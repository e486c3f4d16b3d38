package frontend

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/cxx"
	"gpupipe/frontend/tensor"
	"gpupipe/internal/spelling"

	"modernc.org/cc/v4"
)

func (c *checker) postfix(x *cc.PostfixExpression) Expr {
	switch x.Case {
	case cc.PostfixExpressionIndex:
		e, i := c.value(x.PostfixExpression), c.value(x.ExpressionList)
		if e.Type().Kind == Struct {
			if own := c.overloaded("index", []Expr{e, i}, c.p.Pos(x.Token)); own != nil {
				return own
			}
		}
		return c.index(e, i, c.p.Pos(x.Token))
	case cc.PostfixExpressionCall:
		return c.call(x)
	case cc.PostfixExpressionSelect:
		if e := c.cudaIndexMember(x); e != nil {
			return e
		}
		return c.member(c.expr(x.PostfixExpression), x.Token2.SrcStr(), c.p.Pos(x.Token2))
	case cc.PostfixExpressionPSelect:
		pos := c.p.Pos(x.Token2)
		return c.member(c.deref(c.value(x.PostfixExpression), pos), x.Token2.SrcStr(), pos)
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return c.incDec(c.expr(x.PostfixExpression), x.Case == cc.PostfixExpressionDec, true, c.p.Pos(x.Token))
	case cc.PostfixExpressionComplit:
		return c.compoundLiteral(x)
	}
	c.unsupported(c.p.Pos(x), "this expression is", "")
	return invalidAt(c.p.Pos(x))
}

// index types x[i], where either may be the pointer.
func (c *checker) index(x, i Expr, pos Pos) Expr {
	if isInvalid(x, i) {
		return invalidAt(pos)
	}
	if x.Type().IsInteger() && i.Type().Kind == Pointer {
		x, i = i, x
	}
	i = c.promote(i)
	if !i.Type().IsInteger() {
		return c.fail(i.Pos(), "a subscript is an integer, this is %v", i.Type())
	}
	switch t := x.Type(); {
	case t.Kind == Pointer && t.Elem.IsComplete():
		return &Index{Typed: ast.Of(t.Elem, pos), X: x, I: i}
	case t.Kind == Vector:
		if lit, ok := i.(*Literal); ok {
			if lit.Value.Int < 0 || lit.Value.Int >= t.Len {
				return c.fail(pos, "%v has no component %d", t, lit.Value.Int)
			}
			return &Swizzle{Typed: ast.Of(t.Elem, pos), X: x, Lanes: []int{int(lit.Value.Int)}}
		}
		return &Index{Typed: ast.Of(t.Elem, pos), X: x, I: i}
	case t.Kind == Pointer:
		return c.incomplete(t.Elem, "a subscript on a pointer to the incomplete type %v", pos)
	default:
		return c.fail(pos, "%v cannot be subscripted", t)
	}
}

// incomplete says that what a pointer leads to is needed, and why a struct is not known.
func (c *checker) incomplete(t *Type, format string, pos Pos) Expr {
	e := c.errorf(pos, codeType, format, t)
	if why := c.p.LeftOut(t.Name); why != "" {
		_ = e.WithNote("%s", why)
	}
	return invalidAt(pos)
}

// deref types *x.
func (c *checker) deref(x Expr, pos Pos) Expr {
	t := x.Type()
	switch {
	case t.Kind == 0:
		return invalidAt(pos)
	case t.Kind != Pointer:
		return c.fail(pos, "%v is not a pointer", t)
	case t.Elem.Kind == Void || !t.Elem.IsComplete() && t.Elem.Kind != Array:
		return c.incomplete(t.Elem, "a pointer to the incomplete type %v cannot be dereferenced", pos)
	}
	if a, ok := x.(*AddrOf); ok {
		return a.X // *&x
	}
	return &Deref{Typed: ast.Of(t.Elem, pos), X: x}
}

// addressOf types &x.
func (c *checker) addressOf(x Expr, pos Pos) Expr {
	e := c.pointerTarget(x, pos)
	if obj := ast.RootObject(x); obj != nil && !isInvalid(e) {
		obj.AddressTaken = true
	}
	return e
}

// pointerTarget is addressOf without marking the object: for functions of the
// language that write through their argument, which need no memory.
func (c *checker) pointerTarget(x Expr, pos Pos) Expr {
	t := x.Type()
	switch {
	case t.Kind == 0:
		return invalidAt(pos)
	case !ast.IsLvalue(x):
		return c.fail(pos, "this expression has no address")
	}
	if d, ok := x.(*Deref); ok {
		return d.X // &*p
	}
	if s, ok := x.(*Swizzle); ok && len(s.Lanes) > 1 {
		return c.fail(pos, "several components of a vector have no common address")
	}
	p := PointerTo(t, ast.SpaceOf(x))
	p.Const, p.Volatile = ast.IsConst(x), ast.IsVolatile(x)
	return &AddrOf{Typed: ast.Of(p, pos), X: x}
}

// member types x.name: a struct's member or a vector's components.
func (c *checker) member(x Expr, name string, pos Pos) Expr {
	t := x.Type()
	switch t.Kind {
	case 0:
		return invalidAt(pos)
	case Vector:
		return c.swizzle(x, name, pos)
	case Struct, Union:
	case Pointer:
		e := c.errorf(pos, codeType, "%v is a pointer: it has no member %s", t, name)
		_ = e.WithNote("write -> instead of .")
		return invalidAt(pos)
	default:
		return c.fail(pos, "%v has no members", t)
	}
	if f := tensor.FragmentOf(t); f != nil && f.Separate() && name == "num_elements" {
		return c.number(Int, int64(f.Elements()), pos)
	} else if f != nil && !f.Separate() {
		c.unsupported(pos, name+" of a fragment of a factor is", "change the matrix in memory, or the accumulator")
		return invalidAt(pos)
	}
	path := findField(t, name)
	if sym := c.lookup(t.Name + cxx.MemberMark + name); path == nil && sym != nil && sym.kind == symObject {
		return c.ident(sym.name, pos) // a static constant
	}
	if path == nil {
		e := c.errorf(pos, codeUndeclared, "%v has no member %s", t, name)
		var names []string
		for _, f := range t.Fields {
			names = append(names, f.Name)
		}
		if near := spelling.DidYouMean(name, names); near != "" {
			_ = e.WithNote("%s", near)
		}
		return invalidAt(pos)
	}
	for _, i := range path {
		x = &Member{Typed: ast.Of(t.Fields[i].Type, pos), X: x, Field: i}
		t = t.Fields[i].Type
	}
	return x
}

// incDec types ++ and --.
func (c *checker) incDec(x Expr, dec, post bool, pos Pos) Expr {
	if !c.writable(x, pos) {
		return invalidAt(pos)
	}
	if t := x.Type(); !t.IsArith() && t.Kind != Pointer {
		return c.fail(pos, "%v cannot be counted up or down", t)
	} else if t.Kind == Pointer && !c.steppable(t, pos) {
		return invalidAt(pos)
	}
	return &IncDec{Typed: ast.Of(x.Type(), pos), X: x, Dec: dec, Post: post}
}

// writable reports whether x can be assigned to, with an error if not.
func (c *checker) writable(x Expr, pos Pos) bool {
	switch {
	case isInvalid(x):
		return false
	case !ast.IsLvalue(x):
		e := c.errorf(pos, codeType, "this expression cannot be assigned to")
		if s, ok := x.(*Swizzle); ok && !ast.Distinct(s.Lanes) {
			_ = e.WithNote("a component occurs twice")
		}
		return false
	case ast.IsConst(x):
		c.errorf(pos, codeType, "assignment to something constant")
		return false
	case x.Type().Kind == Array:
		c.errorf(pos, codeType, "an array cannot be assigned to").WithNote("assign its elements in a loop")
		return false
	}
	return true
}

var assignOps = map[cc.AssignmentExpressionCase]Op{
	cc.AssignmentExpressionMul: Mul, cc.AssignmentExpressionDiv: Div, cc.AssignmentExpressionMod: Rem,
	cc.AssignmentExpressionAdd: Add, cc.AssignmentExpressionSub: Sub, cc.AssignmentExpressionLsh: Shl, cc.AssignmentExpressionRsh: Shr,
	cc.AssignmentExpressionAnd: And, cc.AssignmentExpressionXor: Xor, cc.AssignmentExpressionOr: Or,
}

// assignment types = and its compound forms.
func (c *checker) assignment(n *cc.AssignmentExpression) Expr {
	pos := c.p.Pos(n.Token)
	x := c.expr(n.UnaryExpression)
	y := c.value(n.AssignmentExpression)
	if x.Type().Kind == Struct {
		name := "assign"
		if n.Case != cc.AssignmentExpressionAssign {
			name = operatorOf[assignOps[n.Case]] + "_assign"
		}
		if own := c.overloaded(name, []Expr{x, y}, pos); own != nil {
			return own
		}
	}
	if isInvalid(x, y) || !c.writable(x, pos) {
		return invalidAt(pos)
	}
	if n.Case == cc.AssignmentExpressionAssign {
		return c.assign(x, y, pos)
	}
	op, t := assignOps[n.Case], x.Type()
	if t.Kind == Pointer && (op == Add || op == Sub) {
		if y = c.promote(y); !y.Type().IsInteger() {
			c.badOperands(op, x, y, pos)
			return invalidAt(pos)
		}
		if !c.steppable(t, pos) {
			return invalidAt(pos)
		}
		return &Assign{Typed: ast.Of(t, pos), Op: op, X: x, Y: y, Common: nil}
	}
	common := c.compoundType(op, x, y, pos)
	if common == nil {
		return invalidAt(pos)
	}
	if (op == Shl || op == Shr) && y.Type().Kind == Vector && !y.Type().Equal(common) {
		y = &Convert{Typed: ast.Of(common, y.Pos()), X: y} // lane by lane
	}
	if y = c.convert(y, common, "operand"); isInvalid(y) {
		return y
	}
	if lit, ok := y.(*Literal); ok && (op == Div || op == Rem) && lit.Type().IsInteger() && lit.Value.Int == 0 && c.dead == 0 {
		c.warnf(pos, codeConstant, "division by zero")
	}
	return &Assign{Typed: ast.Of(t, pos), Op: op, X: x, Y: y, Common: common}
}

// compoundType is the type in which x op= y is computed, nil with an error if
// there is none.
func (c *checker) compoundType(op Op, x, y Expr, pos Pos) *Type {
	if op == Shl || op == Shr {
		t := c.shiftType(op, x, y, pos)
		if t != nil {
			c.shiftCount(t, y, pos)
		}
		return t
	}
	t := ctypes.Usual(x.Type(), y.Type())
	switch {
	case t == nil || t.Kind == Vector && x.Type().Kind != Vector:
	case !t.Base().IsInteger() && (op == Rem || op == And || op == Or || op == Xor):
	default:
		return t
	}
	c.badOperands(op, x, y, pos)
	return nil
}

// assign types x = y.
func (c *checker) assign(x, y Expr, pos Pos) Expr {
	if y = c.convert(y, x.Type(), "assignment"); isInvalid(y) {
		return y
	}
	return &Assign{Typed: ast.Of(x.Type(), pos), Op: 0, X: x, Y: y, Common: nil}
}

// cast types (T)x, which for a vector type may be a vector literal.
func (c *checker) cast(n *cc.CastExpression) Expr {
	pos := c.p.Pos(n)
	dt := c.typeName(n.TypeName)
	t := dt.Type
	if t.Kind == Vector && c.cfg.Dialect == OpenCL {
		return c.vectorCast(n.CastExpression, t, pos)
	}
	return c.castValue(c.value(n.CastExpression), t, pos)
}

// castValue types an explicit conversion.
func (c *checker) castValue(e Expr, t *Type, pos Pos) Expr {
	from := e.Type()
	if own := c.converted(e, t); own != nil && !from.Equal(t) {
		e, from = own, own.Type()
	}
	switch {
	case isInvalid(e) || t.Kind == 0:
		return invalidAt(pos)
	case t.Kind == Void:
		return &Convert{Typed: ast.Of(t, pos), X: e, Explicit: true}
	case from.Kind == Pointer && t.Kind == Pointer:
		// A cast says what is pointed to, seldom where: the space stays.
		if t.Space == 0 {
			u := *t
			u.Space = from.Space
			t = &u
		}
		if from.Equal(t) {
			return e
		}
		return &Convert{Typed: ast.Of(t, pos), X: e, Explicit: true}
	case from.Equal(t):
		return e
	case from.IsScalar() && t.IsScalar():
		return c.convertScalar(e, t, true)
	case from.IsScalar() && t.Kind == Vector:
		return c.splat(e, t, true)
	case from.IsInteger() && t.Kind == Opaque:
		return c.convert(e, t, "cast")
	case from.Kind == Pointer && t.IsInteger(), from.IsInteger() && t.Kind == Pointer:
		return &Convert{Typed: ast.Of(c.declaredType(t), pos), X: e, Explicit: true}
	case from.Kind == Vector && t.Kind == Vector:
		c.errorf(pos, codeType, "a cast cannot make %v of %v", t, from).
			WithNote("write convert_%v(...) for the values or as_%v(...) for the bits", t, t)
		return invalidAt(pos)
	}
	return c.fail(pos, "a cast cannot make %v of %v", t, from)
}
