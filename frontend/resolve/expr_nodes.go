package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Nodes that stand for expressions while they are being typed. rvalue, convert and what else gives a value take them
// away; no function without errors contains one.

// invalidExpr stands for an expression that could not be typed; the error has been reported.
type invalidExpr struct{ ast.Typed }

func invalidAt(pos diag.Pos) ast.Expr { return &invalidExpr{ast.Of(invalidType, pos)} }

func isInvalid(es ...ast.Expr) bool {
	for _, e := range es {
		if e == nil || e.Type().Kind == 0 {
			return true
		}
	}
	return false
}

// of is the part of an expression with operands, where one of these could not be typed that of an invalid one.
func of(t *ctypes.Type, pos diag.Pos, operands ...ast.Expr) ast.Typed {
	if isInvalid(operands...) {
		t = invalidType
	}
	return ast.Of(t, pos)
}

// builtin is a call of a function of the language.
func builtin(class builtins.Class, name string, t *ctypes.Type, pos diag.Pos, args ...ast.Expr) ast.Expr {
	return &ast.BuiltinCall{Typed: of(t, pos, args...), Builtin: &builtins.Function{Name: name, Class: class},
		Args: args}
}

// ownVariable declares a variable that the program does not name, and names it.
func ownVariable(name string, init ast.Expr, pos diag.Pos) (*ast.Decl, *ast.VarRef) {
	obj := &ast.Object{Name: name, Type: init.Type(), Space: idg.SpacePrivate, Pos: pos}
	return &ast.Decl{Positioned: ast.At(pos), Obj: obj, Init: init}, ast.RefTo(obj, pos)
}

// number is an integer.
func number(k ctypes.Kind, v int64, pos diag.Pos) ast.Expr {
	return ast.LiteralOf(ctypes.IntValue(k, v), pos)
}

// overloads is the name of functions, of an object where it is that of members.
type overloads struct {
	ast.Typed
	name     string
	funcs    []*function
	object   ast.Expr // lvalue of the class, nil where there is none
	explicit *templateArgs
	// adl is set for an unqualified name, for which the arguments' namespaces are searched too.
	adl bool
	// builtin is set where a function of the language may be meant.
	builtin bool
	// qualified is set where a class is named: a virtual function is the one of that class.
	qualified bool
}

// overloadType is the type of all names of functions.
var overloadType = &ctypes.Type{Kind: ctypes.Opaque, Name: "a function"}

// xvalue is an lvalue that has been moved from, or what a function returns as T &&.
type xvalue struct {
	ast.Typed
	x ast.Expr
}

// typeOperand is the name of a type where an expression may stand.
type typeOperand struct {
	ast.Typed
	t qtype
}

// stripped takes the nodes of this package away from the top of an expression.
func stripped(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *xvalue:
			e = x.x
		case *bitField:
			return x.value()
		default:
			return e
		}
	}
}

// category is the value category of an expression: lvalue, rvalue for an xvalue, noRef for a prvalue.
func category(e ast.Expr) reference {
	switch e.(type) {
	case *xvalue:
		return rvalue
	case *overloads:
		return lvalue
	}
	if ast.IsLvalue(e) || isPlaced(e) {
		return lvalue
	}
	return noRef
}

// isPlaced reports whether an expression that has a value designates an object too: x = y, ++x, (x, y), and c ? x : y
// of two objects.
func isPlaced(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Assign:
		return true
	case *ast.IncDec:
		return !x.Post
	case *ast.Comma:
		return category(x.Y) == lvalue
	case *ast.Cond:
		return x.X.Type() == x.T && x.Y.Type() == x.T && category(x.X) == lvalue && category(x.Y) == lvalue
	}
	return false
}

// place is an expression as the object that it designates.
func (c *checker) place(e ast.Expr) ast.Expr {
	e = stripped(e)
	if c.cfg.Dialect != ast.CUDA || !isPlaced(e) {
		return e
	}
	pos := e.Pos()
	var target ast.Expr
	var stmts []ast.Stmt
	switch x := e.(type) {
	case *ast.Assign:
		one := *x
		if c.hasEffects(x.X) && c.hasEffects(x.Y) { // the right side is evaluated first
			decl, value := ownVariable("value", x.Y, pos)
			stmts, one.Y = []ast.Stmt{decl}, value
		}
		more, to := c.named(x.X)
		stmts, one.X = append(stmts, more...), to
		e, target = &one, to
	case *ast.IncDec:
		one := *x
		stmts, one.X = c.named(x.X)
		e, target = &one, one.X
	case *ast.Comma:
		p := c.addressOf(c.place(x.Y), pos)
		if isInvalid(p) {
			return p
		}
		return c.deref(&ast.Comma{Typed: ast.Of(p.Type(), pos), X: x.X, Y: p}, pos)
	case *ast.Cond:
		p, q := c.addressOf(c.place(x.X), pos), c.addressOf(c.place(x.Y), pos)
		if isInvalid(p, q) {
			return invalidAt(pos)
		}
		t := c.conditionalType(p, q)
		return c.deref(&ast.Cond{Typed: ast.Of(t, pos), C: x.C, X: c.convert(p, t, "?:"), Y: c.convert(q, t, "?:")},
			pos)
	}
	p := c.addressOf(target, pos)
	first := &ast.StmtExpr{Typed: ast.Of(p.Type(), pos), Stmts: append(stmts, ast.Do(e, pos)), X: p}
	return &ast.Deref{Typed: of(e.Type(), pos, p), X: first}
}

// typeOf is the type of an expression with its qualifiers and value category.
func (c *checker) typeOf(e ast.Expr) qtype {
	t := plain(e.Type())
	if t.ref = category(e); t.ref == noRef {
		t.isConst = c.isConstLvalue(e)
	} else {
		x := stripped(e)
		other := x
		if chosen, ok := x.(*ast.Cond); ok {
			x, other = chosen.X, chosen.Y
		}
		t.isConst, t.isVolatile, t.space = ast.IsConst(x), ast.IsVolatile(x), ast.SpaceOf(x)
		if c.cfg.Dialect == ast.CUDA {
			t.isConst = c.isConstLvalue(x) || c.isConstLvalue(other)
		}
	}
	return t
}

// isConstLvalue is ast.IsConst, where members of a class may be declared const or mutable, and a call may return a
// const object.
func (c *checker) isConstLvalue(e ast.Expr) bool {
	if c.constValues[e] {
		return true
	}
	switch x := e.(type) {
	case *ast.Call:
		return c.constResults[x.Fn]
	case *ast.VarRef:
		return x.Obj.Const && !c.overwritten[x.Obj]
	case *ast.Member:
		if cl := c.classes[x.X.Type()]; cl != nil {
			if f := cl.field(x.Field); f != nil && f.typ.isConst {
				return true
			} else if f != nil && f.mutable {
				return false
			}
		}
		return c.isConstLvalue(x.X)
	case *ast.Swizzle:
		return c.isConstLvalue(x.X)
	case *ast.Index:
		if d, ok := x.X.(*ast.Decay); ok {
			return c.isConstLvalue(d.X)
		}
	}
	return ast.IsConst(e)
}
