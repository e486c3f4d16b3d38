package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// Temporary objects ([class.temporary]): a value that needs an address becomes a variable, and what has a destructor is
// destroyed at the end of its full expression, or with the reference that it is bound to.

// lvalueOf is an expression as an lvalue: a value becomes a variable.
func (c *checker) lvalueOf(e ast.Expr) ast.Expr {
	e = stripped(e)
	if isClass(e.Type()) {
		e = c.place(e)
	}
	if ast.IsLvalue(e) || isInvalid(e) {
		return e
	}
	return c.temporary("temporary", e)
}

// temporary makes a variable of a value.
func (c *checker) temporary(name string, e ast.Expr) ast.Expr {
	decl, ref := ownVariable(name, e, e.Pos())
	decl.Obj.Const = name == "temporary" && c.isConstLvalue(e)
	if cl := c.classes[innermost(e.Type())]; cl != nil && c.quiet == 0 && c.dead == 0 {
		if f := c.destructor(cl); f != nil {
			c.temporaries = append(c.temporaries, destroyed{decl.Obj, f})
		}
	}
	p := c.addressOf(ref, e.Pos())
	address := &ast.StmtExpr{Typed: ast.Of(p.Type(), e.Pos()), Stmts: []ast.Stmt{decl}, X: p}
	return &ast.Deref{Typed: ast.Of(ref.T, e.Pos()), X: address}
}

// materialized is a value of a class with a destructor as an object that has moved; others stay as they are.
func (c *checker) materialized(e ast.Expr) ast.Expr {
	cl := c.classes[e.Type()]
	if cl == nil || category(e) != noRef || hasNodes(e) || c.destructor(cl) == nil {
		return e
	}
	return &xvalue{ast.Of(e.Type(), e.Pos()), c.lvalueOf(e)}
}

// endFullExpression destroys the temporary objects that the statements from index from on make, the last first.
func (c *checker) endFullExpression(out *[]ast.Stmt, from int, pos diag.Pos) {
	list := c.temporaries
	if c.temporaries = nil; len(list) == 0 {
		return
	}
	made := makers{}
	for _, s := range (*out)[from:] {
		switch s := s.(type) {
		case *ast.Decl:
			made.find(s.Init, nil)
		case *ast.ExprStmt:
			made.find(s.X, nil)
		}
	}
	slices.SortStableFunc(list, func(a, b destroyed) int { return made[a.obj].order - made[b.obj].order })
	for i := len(list) - 1; i >= 0; i-- {
		obj := list[i].obj
		m, there := made[obj]
		switch {
		case !there: // of an expression that has been given up
		case m.side != nil:
			decl, made := ownVariable("made", number(ctypes.Int, 0, pos), pos)
			*out = slices.Insert(*out, from, ast.Stmt(decl))
			m.side.Stmts = append(m.side.Stmts, ast.Do(c.assign(made, number(ctypes.Int, 1, pos), pos), pos))
			end := &ast.Block{Positioned: ast.At(pos)}
			c.destroy(ast.RefTo(obj, pos), list[i].f, pos, &end.Stmts)
			*out = append(*out, &ast.If{Positioned: ast.At(pos), Cond: made, Then: end})
		default:
			c.destroy(ast.RefTo(obj, pos), list[i].f, pos, out)
		}
	}
	c.temporaries = nil // destructors of the temporaries' own expressions are full expressions themselves
}

// maker is where an expression makes a variable.
type maker struct {
	order int           // from 1, as they are evaluated
	side  *ast.StmtExpr // of one side of an operator, which may not be evaluated; else nil
}

type makers map[*ast.Object]maker

// find finds the variables that an expression declares. side is set inside one side of an operator.
func (m makers) find(e ast.Expr, side *ast.StmtExpr) {
	some := &ast.StmtExpr{} // stands for any
	switch x := e.(type) {
	case nil:
		return
	case *ast.StmtExpr:
		for _, s := range x.Stmts {
			switch s := s.(type) {
			case *ast.Decl:
				m.find(s.Init, side)
				m[s.Obj] = maker{len(m) + 1, nil}
				if side != nil {
					m[s.Obj] = maker{len(m), x}
				}
			case *ast.ExprStmt:
				m.find(s.X, side)
			}
		}
		m.find(x.X, side)
		return
	case *ast.Cond:
		m.find(x.C, side)
		m.find(x.X, some)
		m.find(x.Y, some)
		return
	case *ast.Binary:
		m.find(x.X, side)
		if x.Op == ctypes.LogAnd || x.Op == ctypes.LogOr {
			side = some
		}
		m.find(x.Y, side)
		return
	}
	for _, o := range ast.Operands(e) {
		m.find(o, side)
	}
}

// bound leaves a temporary object whose address a reference keeps to the scope that the reference is in.
func (c *checker) bound(address ast.Expr) {
	obj := pointedAt(address)
	ast.WalkExpr(address, func(e ast.Expr) bool {
		if made, ok := e.(*ast.StmtExpr); ok && len(made.Stmts) > 0 {
			if decl, ok := made.Stmts[0].(*ast.Decl); ok && decl.Obj == obj && decl.Init != nil {
				c.boundWithin(decl.Init)
			}
		}
		return true
	})
	for i, t := range c.temporaries {
		if t.obj == obj && c.cleanups != nil {
			c.temporaries = append(c.temporaries[:i:i], c.temporaries[i+1:]...)
			c.cleanups.list = append(c.cleanups.list, t)
			return
		}
	}
}

// boundWithin is bound for the references in an aggregate that is initialised by a list ([class.temporary]/6).
func (c *checker) boundWithin(init ast.Expr) {
	list, ok := init.(*ast.InitList)
	cl := c.classes[innermost(init.Type())]
	if !ok || cl == nil || !c.isAggregate(cl) {
		return
	}
	for i, e := range list.Elems {
		if e.Type().Kind == ctypes.Pointer && list.Type().Kind != ctypes.Array {
			if f := cl.field(int(list.Index[i])); f != nil && f.typ.ref != noRef {
				c.bound(e)
			}
			continue
		}
		c.boundWithin(e)
	}
}

// conditionValue is a condition whose temporary objects are destroyed before what it decides about.
func (c *checker) conditionValue(e ast.Expr, before *[]ast.Stmt) ast.Expr {
	if len(c.temporaries) == 0 || isInvalid(e) {
		return e
	}
	pos := e.Pos()
	decl, ref := ownVariable("condition", e, pos)
	decl.Obj.Const = true
	*before = append(*before, decl)
	c.endFullExpression(before, len(*before)-1, pos)
	return ref
}

// repeated is an expression in the head of a loop, whose temporary objects each iteration makes and destroys.
func (c *checker) repeated(e ast.Expr) ast.Expr {
	if len(c.temporaries) == 0 || isInvalid(e) {
		return e
	}
	pos := e.Pos()
	all := &ast.StmtExpr{}
	if e.Type().IsScalar() {
		all.X = c.conditionValue(e, &all.Stmts)
	} else {
		all.Stmts, all.X = []ast.Stmt{ast.Do(e, pos)}, number(ctypes.Int, 0, pos)
		c.endFullExpression(&all.Stmts, 0, pos)
	}
	all.Typed = ast.Of(all.X.Type(), pos)
	return all
}
