package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Copies of objects: by the class's own constructor or operator, else member by member where a member has one, else bit
// by bit.

// copied is a value made of an expression of the same type: a prvalue is the object itself ([class.copy.elision]).
func (c *checker) copied(e ast.Expr) ast.Expr {
	cl := c.classes[e.Type()]
	if cl == nil || category(e) == noRef {
		return c.rvalue(e)
	}
	if c.hasOwnCopy(cl, e) {
		return c.constructClass(cl.typ, []ast.Expr{e}, false, e.Pos())
	}
	made := c.copiedParts(cl, e)
	if cl.isPolymorphic() && c.dynamicClass(e) != cl && !isInvalid(made) {
		return c.withTable(cl, made)
	}
	return made
}

// copiedParts is a copy as a compiler makes it.
func (c *checker) copiedParts(cl *class, e ast.Expr) ast.Expr {
	if !c.copiesParts(cl, e) {
		return c.rvalue(e)
	}
	pos := e.Pos()
	list := &ast.InitList{Typed: ast.Of(cl.typ, pos)}
	stmts, whole := c.named(e)
	moves := c.movesParts(cl, false)
	for i := range cl.typ.Fields {
		part := c.partOf(whole, e, i, moves, pos)
		if part.Type().Kind == ctypes.Array {
			part = c.arrayCopy(part, pos)
		} else {
			part = c.copied(part)
		}
		if isInvalid(part) {
			return part
		}
		list.Add(int64(i), part)
	}
	if stmts == nil {
		return list
	}
	return &ast.StmtExpr{Typed: list.Typed, Stmts: stmts, X: list}
}

// copiesParts reports whether copying an object takes a constructor of a member's or base's class.
func (c *checker) copiesParts(cl *class, e ast.Expr) (copies bool) {
	how := c.typeOf(e).qualifiers
	if known, ok := cl.copiesParts[how]; ok {
		return known
	}
	moves := c.movesParts(cl, false)
	for i, f := range cl.typ.Fields {
		sub := c.classes[innermost(f.Type)]
		if own := cl.field(i); sub == nil || own != nil && own.typ.ref != noRef {
			continue
		}
		part := c.partOf(stripped(e), e, i, moves, e.Pos())
		for part.Type().Kind == ctypes.Array {
			part = c.elementOf(part, 0, e.Pos())
		}
		if copies = c.hasOwnCopy(sub, part) || c.copiesParts(sub, part); copies {
			break
		}
	}
	if cl.copiesParts == nil {
		cl.copiesParts = map[qualifiers]bool{}
	}
	cl.copiesParts[how] = copies
	return copies
}

// partOf is a member of an object, which is moved from where e is and the class moves.
func (c *checker) partOf(object, e ast.Expr, i int, moves bool, pos diag.Pos) ast.Expr {
	m := ast.Expr(&ast.Member{Typed: ast.Of(object.Type().Fields[i].Type, pos), X: object, Field: i})
	if !moves {
		return m
	}
	return moved(m, e)
}

// movesParts reports whether the constructor, or the operator=, that a compiler makes moves members: one that the class
// defaults itself, or where it declares no other of these functions ([class.copy.ctor]/8, [class.copy.assign]/4).
func (c *checker) movesParts(cl *class, assigns bool) bool {
	var operators []*function
	if sym := cl.scope.own("operator=", 0, false); sym != nil {
		operators = sym.funcs
	}
	declared := cl.dtor != nil
	for i, funcs := range [][]*function{cl.ctors, operators} {
		for _, f := range funcs {
			if f.params != nil || f.decl.Decl.Name == nil { // a template, or made by declareAssignment
				continue
			}
			sig := c.signatureOf(f)
			if sig == nil || len(sig.params) != 1 || sig.params[0].typ.Type != cl.typ {
				continue
			}
			if sig.params[0].typ.ref == rvalue && assigns == (i == 1) {
				return true
			}
			declared = true
		}
	}
	return !declared
}

// elementOf is an element of an array, which is moved from where the array is.
func (c *checker) elementOf(array ast.Expr, i int64, pos diag.Pos) ast.Expr {
	return moved(c.index(c.rvalue(array), number(ctypes.Int, i, pos), pos), array)
}

// baseOf is the part of an object that is of a class that it is derived from.
func (c *checker) baseOf(e ast.Expr, t *ctypes.Type) ast.Expr {
	return moved(stripped(c.asBase(c.lvalueOf(e), t)), e)
}

// moved is a part of e: an xvalue where e is no lvalue.
func moved(part, e ast.Expr) ast.Expr {
	if category(e) != lvalue {
		return &xvalue{ast.Of(part.Type(), part.Pos()), part}
	}
	return part
}

// named is an lvalue that can be read more than once, behind the statements that it needs first.
func (c *checker) named(e ast.Expr) ([]ast.Stmt, ast.Expr) {
	e = stripped(e)
	if !c.hasEffects(e) {
		return nil, e
	}
	pos := e.Pos()
	p := c.addressOf(e, pos)
	decl, ref := ownVariable("object", p, pos)
	decl.Obj.Const = true
	return []ast.Stmt{decl}, &ast.Deref{Typed: ast.Of(e.Type(), pos), X: ref}
}

// assignObject assigns an object of a class without an operator of its own: member by member where a member has one.
func (c *checker) assignObject(x, y ast.Expr, pos diag.Pos) ast.Expr {
	if isInvalid(x, y) {
		return invalidAt(pos)
	}
	y = c.materialized(y)
	cl := c.classes[x.Type()]
	if cl == nil || !c.assignsParts(cl) {
		return &ast.Assign{Typed: ast.Of(x.Type(), pos), X: x, Y: c.rvalue(y)}
	}
	stmts, to := c.named(x)
	more, from := c.named(c.lvalueOf(y))
	stmts = append(stmts, more...)
	from = moved(from, y)
	moves := c.movesParts(cl, true)
	for i := range cl.typ.Fields {
		if i == 0 && cl.isDispatched() { // it stays what the object is
			continue
		}
		if !c.assignPart(c.partOf(to, to, i, false, pos), c.partOf(stripped(from), from, i, moves, pos), pos, &stmts) {
			return invalidAt(pos)
		}
	}
	p := c.addressOf(to, pos)
	return &ast.Deref{Typed: ast.Of(x.Type(), pos), X: &ast.StmtExpr{Typed: ast.Of(p.Type(), pos), Stmts: stmts, X: p}}
}

// assignPart assigns a member, of an array each element; false with an error.
func (c *checker) assignPart(x, y ast.Expr, pos diag.Pos, out *[]ast.Stmt) bool {
	if x.Type().Kind == ctypes.Array {
		for i := range x.Type().Len {
			if !c.assignPart(c.elementOf(x, i, pos), c.elementOf(y, i, pos), pos, out) {
				return false
			}
		}
		return true
	}
	one := c.rvalue(c.assignment("=", x, y, pos))
	*out = append(*out, ast.Do(one, pos))
	return !isInvalid(one)
}

// assignsBits reports whether the operator that a compiler makes by itself assigns one object to another.
func (c *checker) assignsBits(x, y ast.Expr) bool {
	cl := c.classes[x.Type()]
	if cl == nil || y.Type() != x.Type() || c.ownAssignment(cl) != nil {
		return false
	}
	sym := cl.scope.own("operator=", 0, false)
	return sym == nil || !slices.ContainsFunc(sym.funcs, func(f *function) bool { return f.params != nil })
}

// assignsParts reports whether assigning an object takes an operator of a member's or base's class.
func (c *checker) assignsParts(cl *class) bool {
	if cl.isPolymorphic() {
		return true
	}
	for i, f := range cl.typ.Fields {
		sub := c.classes[innermost(f.Type)]
		if own := cl.field(i); sub == nil || own != nil && own.typ.ref != noRef {
			continue
		}
		if c.ownAssignment(sub) != nil || c.assignsParts(sub) {
			return true
		}
	}
	return false
}

// declareAssignment declares the operator that a compiler makes to assign objects of a class.
func (c *checker) declareAssignment(cl *class) {
	if cl.assigns || cl.state != complete || cl.symbol == nil {
		return
	}
	cl.assigns = true
	sym := cl.scope.own("operator=", 0, false)
	if !c.isAssignable(cl) || sym != nil && slices.ContainsFunc(sym.funcs, func(f *function) bool {
		return f.isDefaulted
	}) {
		return
	}
	pos := cl.symbol.pos
	from := param{pos: pos, typ: qtype{cl.typ, qualifiers{isConst: true, ref: lvalue}}}
	d := &syntax.Function{Specs: &syntax.Specifiers{Pos: pos}, Decl: &syntax.Declarator{Pos: pos,
		Ops: []syntax.DeclOp{&syntax.FuncOp{Params: []*syntax.Param{{}}}}}}
	f := &function{name: "operator=", pos: pos, in: cl.scope, class: cl, isDefaulted: true, decl: d, body: d,
		state: read, sig: &signature{params: []param{from}, result: qtype{cl.typ, qualifiers{ref: lvalue}}}}
	if sym == nil {
		sym = &symbol{kind: symFunction, name: f.name, pos: pos, in: cl.scope}
		cl.scope.declare(sym)
	}
	sym.funcs = append(sym.funcs, f)
}

// isAssignable reports whether a compiler makes the operator that assigns objects of a class ([class.copy.assign]).
func (c *checker) isAssignable(cl *class) bool {
	if c.ownAssignment(cl) != nil || cl.closure != nil {
		return false
	}
	sym := cl.scope.own("operator=", 0, false)
	isDefault := sym != nil && slices.ContainsFunc(sym.funcs, func(f *function) bool { return f.isDefaulted })
	for _, f := range cl.ctors {
		if op := functionOp(f.decl.Decl); f.params != nil || len(op.Params) != 1 || isDefault {
			continue
		}
		if sig := c.signatureOf(f); sig != nil && sig.params[0].typ.ref == rvalue && sig.params[0].typ.Type == cl.typ {
			return false // what is moved is not copied
		}
	}
	for i, f := range cl.typ.Fields {
		own, sub := cl.field(i), c.classes[innermost(f.Type)]
		switch {
		case own != nil && (own.typ.ref != noRef || own.typ.isConst):
			return false
		case sub == nil || c.isAssignable(sub):
		default:
			if f := c.ownAssignment(sub); f == nil || f.isDeleted {
				return false
			}
		}
	}
	return true
}

// ownAssignment is the operator by which a class says itself how objects of it are assigned; nil where it does not.
func (c *checker) ownAssignment(cl *class) (own *function) {
	sym := cl.scope.own("operator=", 0, false)
	if sym == nil || sym.kind != symFunction {
		return nil
	}
	for _, f := range sym.funcs {
		if f.params != nil || f.isDefaulted && !f.isDeleted || own != nil && f.isDeleted {
			continue
		}
		if sig := c.signatureOf(f); sig != nil && len(sig.params) == 1 && sig.params[0].typ.Type == cl.typ {
			own = f
		}
	}
	return own
}
