package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/idg"
)

// Bodies of functions, read when something calls them.

// bodyOf reads the body of a function, once.
func (c *checker) bodyOf(f *function) {
	if f.checked != unchecked || f.body == nil {
		return
	}
	f.checked = checking
	saved := c.context
	depth := c.depth
	c.context = context{errs: &f.bodyErrs, fn: f, names: f.names}
	if f.tmpl != nil || f.class != nil && f.class.tmpl != nil {
		c.nesting++
		defer func() { c.nesting-- }()
	}
	c.readBody(f)
	c.context = saved
	c.depth = depth
	f.checked = checked
}

func (c *checker) readBody(f *function) {
	fn := c.represent(f)
	up := f.in
	decl := f.decl
	if f.bodyScope != nil {
		up, decl = f.bodyScope, f.bodyDecl
	}
	c.scope = &scope{kind: functionScope, up: up, limit: f.limitDef(), fn: f}
	if f.body.Body != nil {
		if f.body.Body.Parse(); f.body.Body.Err != nil {
			c.blameOne(f.body.Body.Err)
			return
		}
	}
	c.checkResult(f)
	objects := fn.Params
	if f.takesThis() {
		this := objects[0]
		objects = objects[1:]
		c.dynamic[this] = f.known[-1]
		if f.kind == destructor {
			c.dynamic[this] = f.class
		}
		f.this = &ast.Deref{Typed: ast.Of(f.class.typ, f.pos), X: ast.RefTo(this, f.pos)}
	}
	c.declareParams(f, decl, objects)
	c.attributes(f)
	body := &ast.Block{Positioned: ast.At(f.pos)}
	if f.body.Body != nil {
		body.P = f.body.Body.Pos
	}
	leave := c.pushCleanups(false)
	switch {
	case f.kind == constructor:
		body.Stmts = c.constructorBody(f)
	case f.body.Body == nil: // by default, in the class or behind it
		if f.kind != destructor {
			c.defaulted(f, &body.Stmts)
		}
	default:
		if f.kind == destructor {
			c.setTables(f.class, f.this, f.pos, &body.Stmts)
		}
		body.Stmts = append(body.Stmts, c.blockStmts(f.body.Body.Stmts)...)
	}
	leave(&body.Stmts)
	if f.kind == destructor {
		c.destroyMembers(f, &body.Stmts)
	}
	body.Stmts = append(f.carry.Decls(f.pos), body.Stmts...)
	fn.Body = body
	if f.sig.auto && hasAutoQ(f.sig.result) { // no return says otherwise
		f.sig.result = plain(ctypes.Scalar(ctypes.Void))
		fn.Result = ctypes.Scalar(ctypes.Void)
	}
	c.finishJumps()
	if f.isKernel {
		c.launchDirectives(f)
	}
}

// declareParams declares the parameters of a function in the scope of its body.
func (c *checker) declareParams(f *function, decl *syntax.Function, objects []*ast.Object) {
	names := make([]string, len(f.sig.params))
	for i := range f.sig.params {
		names[i] = f.sig.params[i].name
	}
	if decl != f.decl { // the definition's names count
		for i, p := range functionOp(decl.Decl).Params {
			if i < len(names) && !p.Decl.Pack {
				names[i] = p.Decl.Ident()
			}
		}
	}
	next := 0
	var symbols []*symbol
	for i, p := range f.sig.params {
		if set := f.bound[i]; set != nil {
			sym := &symbol{kind: symBinding, name: names[i], pos: p.pos, expr: set}
			symbols = append(symbols, sym)
			if names[i] != "" && p.pack == 0 {
				c.scope.declare(sym)
			}
			continue
		}
		obj := objects[next]
		next++
		if cl := f.known[i]; cl != nil && (p.typ.ref != noRef || p.typ.isConst) {
			c.dynamic[obj] = cl
		} else if cl != nil {
			c.knowPointer(obj, cl)
		}
		if names[i] != "" {
			obj.Name = names[i]
		}
		sym := &symbol{kind: symObject, name: names[i], pos: p.pos, obj: obj, ref: p.typ.ref, owner: f, in: c.scope,
			inPlace: !f.isKernel && c.inPlace(p.typ)}
		symbols = append(symbols, sym)
		if names[i] != "" && p.pack == 0 {
			if c.scope.names[names[i]] != nil {
				c.errorf(p.pos, codeDeclare, "two parameters are called %s", names[i])
			}
			c.scope.declare(sym)
		}
	}
	for _, k := range f.sig.packs {
		if k.name != "" {
			c.scope.declare(&symbol{kind: symPack, name: k.name, pack: symbols[k.first : k.first+k.size]})
		}
	}
}

func (c *checker) checkResult(f *function) {
	t := f.fn.Result
	switch {
	case f.isKernel && t.Kind != ctypes.Void && t.Kind != 0:
		c.errorf(f.pos, codeDeclare, "kernel %s returns %v", f.name, t).WithNote("a kernel's result type is void")
	case t.Kind != ctypes.Void && t.Kind != 0 && !hasAuto(t) && !c.isComplete(t):
		c.errorf(f.pos, codeDeclare, "%s returns the incomplete type %v", f.name, t)
	}
}

// attributes reads reqd_work_group_size and launch bounds.
func (c *checker) attributes(f *function) {
	attrs := append(slices.Clone(f.decl.Specs.Attrs), f.decl.Decl.Attrs...)
	for _, d := range f.extra {
		attrs = append(append(attrs, d.Specs.Attrs...), d.Decl.Attrs...)
	}
	if a := attribute(attrs, "reqd_work_group_size"); a != nil {
		sizes := c.positiveArgs(a, 3)
		for i := range f.fn.WorkGroupSize {
			f.fn.WorkGroupSize[i] = 1
			if i < len(sizes) {
				f.fn.WorkGroupSize[i] = sizes[i]
			}
		}
	}
	if a := attribute(attrs, "launch_bounds"); a != nil {
		bounds := c.positiveArgs(a, 3)
		if len(bounds) > 0 {
			f.fn.MaxWorkItems = bounds[0]
		}
		if len(bounds) > 1 {
			f.fn.MinResident = bounds[1]
		}
	}
}

// positiveArgs evaluates the arguments of an attribute, at most limit.
func (c *checker) positiveArgs(a *syntax.Attr, limit int) (values []int64) {
	for _, x := range a.Args {
		v, ok := c.constantInt(x, "a work-group size")
		switch {
		case !ok:
			return nil
		case v <= 0:
			c.errorf(x.ExprPos(), codeConstant, "work-group size %d is not positive", v)
			return nil
		case len(values) == limit:
			c.errorf(x.ExprPos(), codeDeclare, "%s takes at most %d sizes", a.Name, limit)
			return nil
		}
		values = append(values, v)
	}
	return values
}

// returnStmt checks return; a result whose type is auto has that of the first.
func (c *checker) returnStmt(n *syntax.ReturnStmt, out *[]ast.Stmt) {
	at := ast.At(n.Pos)
	f := c.fn
	if f == nil {
		return
	}
	if f.kind == constructor {
		if n.X != nil {
			c.errorf(n.Pos, codeStatement, "a constructor returns a value")
		}
		c.unwind(unwindReturn, out, n.Pos, nil)
		*out = append(*out, &ast.Return{Positioned: at, X: c.rvalue(f.this)})
		return
	}
	var e ast.Expr
	if n.X != nil {
		c.resultAhead(f, n)
		e = c.argument(n.X)
		if isInvalid(e) {
			if len(*c.errs) == 0 { // no statement may be left out in silence
				c.errorf(n.Pos, codeType, "what is returned has no value")
			}
			if f.sig.auto && hasAutoQ(f.sig.result) {
				f.sig.result, f.fn.Result = invalid, invalidType
			}
			return
		}
	}
	if f.sig.auto {
		c.deduceResult(f, e, n)
	}
	var kept *ast.Object
	want, from := f.fn.Result, len(*out)
	s := &ast.Return{Positioned: at}
	switch {
	case e == nil:
		if want.Kind != ctypes.Void && want.Kind != 0 {
			c.errorf(n.Pos, codeStatement, "return without a value in a function that returns %v", want)
		}
	case want.Kind == ctypes.Void:
		e = c.rvalue(e)
		if !isInvalid(e) && e.Type().Kind != ctypes.Void {
			c.errorf(n.Pos, codeStatement, "return with a value in a function that returns nothing")
		}
		*out = append(*out, &ast.ExprStmt{Positioned: at, X: e}) // return f(); of a void f
	case f.sig.result.ref != noRef:
		if set, ok := e.(*overloads); ok && len(f.body.Body.Stmts) == 1 {
			f.passes = set
		}
		s.X = c.asPointer(c.bindReference(e, f.sig.result, "return value"), want, "return value")
	default:
		if c.isLocalObject(e) && e.Type() == want && f.returnsOne() {
			s.X, kept = e, e.(*ast.VarRef).Obj // it is made where the result is ([class.copy.elision])
		} else {
			s.X = c.convert(c.movedAway(e, want), want, "return value")
		}
	}
	// the value before the destructors
	if s.X != nil && (c.hasCleanups(unwindReturn) || len(c.temporaries) > 0) && !isInvalid(s.X) {
		decl, ref := ownVariable("result", s.X, n.Pos)
		decl.Obj.Type, ref.T, s.X = want, want, ref
		*out = append(*out, decl)
	}
	c.endFullExpression(out, from, n.Pos)
	c.unwind(unwindReturn, out, n.Pos, kept)
	*out = append(*out, s)
}

// resultAhead deduces what a function declared auto returns from the types of its expression alone, in front of the
// functions that it calls: they may call it.
func (c *checker) resultAhead(f *function, n *syntax.ReturnStmt) {
	if !f.sig.auto || !hasAutoQ(f.sig.result) || f.class == nil && f.tmpl == nil {
		return
	}
	lambda := false
	syntax.Visit(n.X, func(x any) bool {
		_, is := x.(*syntax.Lambda)
		lambda = lambda || is
		return !lambda
	})
	if lambda { // it is read once
		return
	}
	c.quietly(func() {
		if e := c.unevaluated(n.X); !isInvalid(e) && !hasNodes(e) {
			c.deduceResult(f, e, n)
		}
	})
}

// isLocalObject reports whether an expression is a variable of the function that is being read, and no parameter of it.
func (c *checker) isLocalObject(e ast.Expr) bool {
	ref, ok := e.(*ast.VarRef)
	return ok && isClass(e.Type()) && !ref.Obj.Param && ref.Obj.Space == idg.SpacePrivate
}

// returnsOne reports whether all return statements of a function name the same variable, which may then be made where
// the result is; otherwise compilers do so for none.
func (f *function) returnsOne() bool {
	if f.returned == "" {
		f.returned = "?"
		syntax.Visit(f.body.Body, func(n any) bool {
			s, ok := n.(*syntax.ReturnStmt)
			_, lambda := n.(*syntax.Lambda)
			if !ok || s.X == nil {
				return !lambda
			}
			name := "*"
			if id, ok := syntax.Bare(s.X).(*syntax.Ident); ok {
				name = id.Name.String()
			}
			if f.returned == "?" {
				f.returned = name
			} else if f.returned != name {
				f.returned = "*"
			}
			return true
		})
	}
	return f.returned != "*"
}

// movedAway is what a return statement names as what its function moves from: a parameter or a variable of a class, if
// a T of the result can be made of an rvalue of it ([class.copy.elision]).
func (c *checker) movedAway(e ast.Expr, want *ctypes.Type) ast.Expr {
	ref, ok := e.(*ast.VarRef)
	if d, is := e.(*ast.Deref); is {
		if ref, ok = d.X.(*ast.VarRef); ok && !c.callers[ref.Obj] {
			return e
		}
	}
	if !ok || !isClass(e.Type()) || ref.Obj.Space != idg.SpacePrivate || ref.Obj.Volatile {
		return e
	}
	rvalue := &xvalue{ast.Of(e.Type(), e.Pos()), e}
	if errs := c.quietly(func() { c.convert(rvalue, want, "return value") }); len(errs) > 0 {
		return e
	}
	return rvalue
}

// deduceResult gives a function declared auto the type of what a return statement returns, which is that of all others.
func (c *checker) deduceResult(f *function, e ast.Expr, n *syntax.ReturnStmt) {
	t := c.returnedType(f, e, n)
	if hasAutoQ(f.sig.result) {
		f.sig.result = t
		f.fn.Result = c.represented(t)
		return
	}
	if e == nil { // said below
		return
	}
	if before := f.sig.result; t.Kind != 0 && before.Kind != 0 && !(same(t.Type, before.Type) && t.ref == before.ref) {
		c.errorf(n.Pos, codeType, "this returns %s, an earlier return %s", c.spellQual(t), c.spellQual(before)).
			WithNote("convert one of them, or write the type of the result")
	}
}

// returnedType is the type that a return statement says for the result of a function declared auto.
func (c *checker) returnedType(f *function, e ast.Expr, n *syntax.ReturnStmt) qtype {
	switch x := e.(type) {
	case nil:
		return plain(ctypes.Scalar(ctypes.Void))
	case *braceList:
		c.errorf(n.Pos, codeType, "the type of a list in braces is not known")
		return invalid
	case *overloads:
		c.stray(x)
		return invalid
	}
	switch {
	case e.Type().Kind == ctypes.Void:
		return plain(ctypes.Scalar(ctypes.Void))
	case f.sig.exact:
		return c.decltype(&syntax.Decltype{Pos: n.Pos, X: n.X})
	}
	return c.deduceAuto(f.sig.written, e)
}
