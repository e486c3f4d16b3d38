package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// Pointers to functions as values. A function whose address the program takes has a number among those of its type,
// which is the pointer; 0 is null. A call through a pointer chooses among all of them, whatever order they are read
// in: no other function of the type can be meant.

// addressed is a function whose address is taken: a function, or the body of a lambda that captures nothing.
type addressed struct {
	f       *function
	closure *ctypes.Type // of the lambda
}

// dispatch is a call through a pointer to functions of a type, or of a virtual function through the table, which is
// written when all functions are known.
type dispatch struct {
	context
	of      *ctypes.Type
	virtual *function
	types   []qtype // of the parameters
	result  qtype
	pointer *ast.VarRef // or the table
	object  ast.Expr    // nil of functions that are called for none
	args    []ast.Expr
	call    *ast.StmtExpr
}

// isFunctionPointer reports whether values of a type are pointers to functions.
func (c *checker) isFunctionPointer(t *ctypes.Type) bool {
	return c.cfg.Dialect == ast.CUDA && t.Kind == ctypes.Pointer && c.funcTypes[t.Elem] != nil
}

// functionAddress is the pointer to the function of a set that has the type; nil where none has.
func (c *checker) functionAddress(set *overloads, t *ctypes.Type, pos diag.Pos) ast.Expr {
	if !c.isFunctionPointer(t) {
		return nil
	}
	one := c.chosen(set, t.Elem)
	if one == nil || len(one.funcs) != 1 {
		return nil
	}
	return c.numbered(addressed{f: one.funcs[0]}, t, pos)
}

// closureAddress is the pointer that a lambda without captures converts to ([expr.prim.lambda.closure]); nil where it
// does not.
func (c *checker) closureAddress(e ast.Expr, t *ctypes.Type) ast.Expr {
	if f := c.closureFunction(e, t); f != nil {
		return c.numbered(addressed{f, e.Type()}, t, e.Pos())
	}
	return nil
}

// closureFunction is the function that such a pointer leads to.
func (c *checker) closureFunction(e ast.Expr, t *ctypes.Type) *function {
	cl := c.classes[e.Type()]
	if cl == nil || cl.closure == nil || len(cl.fields) > 0 || !c.isFunctionPointer(t) {
		return nil
	}
	sym := c.memberOf(cl, "operator()")
	var args []ast.Expr
	for _, p := range c.funcTypes[t.Elem].params {
		args = append(args, c.probe(p))
	}
	f, _ := c.selectFunction(sym.funcs, e, args, nil, e.Pos())
	return f
}

func (c *checker) numbered(a addressed, t *ctypes.Type, pos diag.Pos) ast.Expr {
	of := c.functionsOf(t.Elem, nil)
	n := slices.Index(c.addressed[of], a)
	if n < 0 {
		n = len(c.addressed[of])
		c.addressed[of] = append(c.addressed[of], a)
	}
	return &ast.Convert{Typed: ast.Of(t, pos), X: number(ctypes.ULong, int64(n)+1, pos), Explicit: true}
}

// namedPointer is the pointer to the one function of a set; others stay as they are.
func (c *checker) namedPointer(e ast.Expr) ast.Expr {
	if set, ok := e.(*overloads); ok {
		if t := c.functionTypeOf(set); t.Type != nil {
			if p := c.functionAddress(set, ctypes.PointerTo(t.Type, 0), set.P); p != nil {
				return p
			}
		}
	}
	return e
}

// callPointer calls what a pointer leads to.
func (c *checker) callPointer(p ast.Expr, args []ast.Expr, pos diag.Pos) ast.Expr {
	var object ast.Expr
	if m, ok := p.(*memberCall); ok {
		p, object = m.Expr, m.object
	}
	if d, ok := p.(*ast.Deref); ok && !c.isFunctionPointer(d.T) {
		p = d.X
	}
	p = c.rvalue(p)
	if isInvalid(p) || !c.isFunctionPointer(p.Type()) {
		return c.refuse(pos, "calls through this pointer are", "call the function directly")
	}
	sig, of := c.funcTypes[p.Type().Elem], c.functionsOf(p.Type().Elem, nil)
	if (sig.class == nil) != (object == nil) {
		return c.fail(pos, "a pointer to a member is called for an object, other functions are not")
	}
	if len(args) != len(sig.params) {
		return c.fail(pos, "a function of type %v takes %s, not %d", of, countOf(len(sig.params), "argument"),
			len(args))
	}
	if lit := c.literalPointer(p); lit > 0 && int(lit) <= len(c.addressed[of]) {
		return c.callAddressed(c.addressed[of][lit-1], object, args, pos)
	}
	decl, ref := ownVariable("callee", p, pos)
	call := &ast.StmtExpr{Typed: ast.Of(c.represented(sig.result), pos), Stmts: []ast.Stmt{decl}, X: invalidAt(pos)}
	if object != nil {
		one, at := ownVariable("object", c.addressOf(c.lvalueOf(object), pos), pos)
		call.Stmts, object = append(call.Stmts, one), c.deref(at, pos)
	}
	return c.through(&dispatch{of: of, types: sig.params, result: sig.result, pointer: ref, object: object, args: args,
		call: call})
}

// through completes a call when all functions that it may be of are known.
func (c *checker) through(d *dispatch) ast.Expr {
	pos := d.call.P
	for i, t := range d.types {
		if c.inPlace(t) {
			return c.refuse(pos, "calls of an unknown function that takes "+c.spellQual(t)+" are",
				"call the function directly")
		}
		value := c.passed(d.args[i], t, "argument")
		if isInvalid(value) {
			return invalidAt(pos)
		}
		one, arg := ownVariable("argument", value, pos)
		d.call.Stmts, d.args[i] = append(d.call.Stmts, one), c.resultOf(arg, t, pos)
	}
	if c.quiet == 0 && c.dead == 0 {
		d.context = c.context
		c.dispatches = append(c.dispatches, d)
	}
	return c.resultOf(d.call, d.result, pos)
}

// literalPointer is the number of the function that a pointer is known to lead to, else 0.
func (c *checker) literalPointer(p ast.Expr) int64 {
	if x, ok := p.(*ast.Convert); ok {
		if lit, ok := x.X.(*ast.Literal); ok {
			return lit.Value.Int
		}
	}
	return 0
}

func (c *checker) callAddressed(a addressed, object ast.Expr, args []ast.Expr, pos diag.Pos) ast.Expr {
	if a.closure == nil {
		return c.callFunction(a.f, object, args, pos)
	}
	return c.callThis(a.f, c.lvalueOf(&ast.InitList{Typed: ast.Of(a.closure, pos)}), args, pos)
}

// writeDispatches completes the calls of unknown functions. What they call may take the addresses of more functions,
// and make objects of more classes.
func (c *checker) writeDispatches() {
	outer := c.context
	defer func() { c.context = outer }()
	written := map[*dispatch]int{}
	for again := true; again; {
		again = false
		for i := 0; i < len(c.dispatches); i++ {
			d := c.dispatches[i]
			known := len(c.made)
			if d.virtual == nil {
				known = len(c.addressed[d.of])
			}
			if before, done := written[d]; !done || before != known {
				written[d], again = known, true
				c.context = d.context
				c.writeDispatch(d)
			}
		}
	}
	for _, d := range c.dispatches {
		if isInvalid(d.call.X) {
			c.context = d.context
			c.refuseDispatch(d)
		}
	}
}

// refuseDispatch reports a call for which there is no function.
func (c *checker) refuseDispatch(d *dispatch) {
	if d.virtual == nil {
		c.unsupported(d.call.P, "calls through a pointer to functions that nothing here names are",
			"call the function directly")
		return
	}
	c.unsupported(d.call.P, "a call of the virtual function "+c.display(d.virtual)+
		" for an object of a class that nothing here makes is",
		"name the object itself, mark its class final, or call the function of the class, as in x.C::f()")
}

func (c *checker) writeDispatch(d *dispatch) {
	pos := d.call.P
	var e ast.Expr
	target := func(i int, one ast.Expr) {
		switch {
		case d.result.ref != noRef:
			one = c.bindReference(one, d.result, "result")
		case d.call.T.Kind != ctypes.Void:
			one = c.convert(one, d.call.T, "result")
		}
		if e == nil {
			e = one
			return
		}
		n := ast.Expr(number(ctypes.ULong, int64(i)+1, pos))
		if d.pointer.T.Kind == ctypes.Pointer {
			n = &ast.Convert{Typed: ast.Of(d.pointer.T, pos), X: n, Explicit: true}
		}
		is := &ast.Binary{Typed: ast.Of(ctypes.Scalar(ctypes.Int), pos), Op: ctypes.Eq, X: d.pointer, Y: n}
		e = &ast.Cond{Typed: d.call.Typed, C: is, X: one, Y: e}
	}
	if d.virtual != nil {
		c.virtualTargets(d, target)
	}
	for i, a := range slices.Backward(c.addressed[d.of]) {
		if f := a.f; a.closure != nil || f.takesThis() == (d.object != nil) &&
			(d.object == nil || d.object.Type() == f.class.typ || c.derives(d.object.Type(), f.class.typ)) {
			target(i, c.callAddressed(a, d.object, d.args, pos))
		}
	}
	if e != nil {
		d.call.X = e
	}
}
