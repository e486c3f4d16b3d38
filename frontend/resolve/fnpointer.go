package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
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

// dispatch is a call through a pointer, which is written when all functions are known.
type dispatch struct {
	context
	of      *ctypes.Type // the type of the functions
	pointer *ast.VarRef
	object  ast.Expr // nil of functions that are called for none
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

// closureAddress is the pointer that a lambda without captures converts to ([expr.prim.lambda.closure]).
func (c *checker) closureAddress(e ast.Expr, t *ctypes.Type) ast.Expr {
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
	if f == nil {
		return nil
	}
	return c.numbered(addressed{f, cl.typ}, t, e.Pos())
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
	if d, ok := p.(*ast.Deref); ok {
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
	if isClass(sig.result.Type) || sig.result.ref != noRef {
		return c.refuse(pos, "calls through a pointer to a function that returns "+c.spellQual(sig.result)+" are",
			"call the function directly")
	}
	decl, ref := ownVariable("callee", p, pos)
	call := &ast.StmtExpr{Typed: ast.Of(sig.result.Type, pos), Stmts: []ast.Stmt{decl}, X: invalidAt(pos)}
	for i, t := range sig.params {
		if c.inPlace(t) {
			return c.refuse(pos, "calls through a pointer to a function that takes "+c.spellQual(t)+" are",
				"call the function directly")
		}
		value := c.passed(args[i], t, "argument")
		if isInvalid(value) {
			return invalidAt(pos)
		}
		one, arg := ownVariable("argument", value, pos)
		call.Stmts, args[i] = append(call.Stmts, one), c.resultOf(arg, t, pos)
	}
	if object != nil {
		one, at := ownVariable("object", c.addressOf(c.lvalueOf(object), pos), pos)
		call.Stmts, object = append(call.Stmts, one), c.deref(at, pos)
	}
	if c.quiet == 0 && c.dead == 0 {
		c.dispatches = append(c.dispatches, dispatch{c.context, of, ref, object, args, call})
	}
	return call
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

// writeDispatches completes the calls through pointers. What they call may take the addresses of more functions.
func (c *checker) writeDispatches() {
	outer := c.context
	defer func() { c.context = outer }()
	written := map[*ast.StmtExpr]int{}
	for again := true; again; {
		again = false
		for i := 0; i < len(c.dispatches); i++ {
			d := c.dispatches[i]
			if list := c.addressed[d.of]; written[d.call] != len(list) || len(list) == 0 && d.call.X.Type().Kind == 0 {
				written[d.call] = len(list)
				c.context = d.context
				c.writeDispatch(&d, list)
				again = len(list) > 0
			}
		}
		if !again {
			break
		}
	}
}

func (c *checker) writeDispatch(d *dispatch, list []addressed) {
	pos := d.call.Pos()
	var e ast.Expr
	for i, a := range slices.Backward(list) {
		if f := a.f; a.closure == nil && (f.takesThis() != (d.object != nil) ||
			d.object != nil && d.object.Type() != f.class.typ && !c.derives(d.object.Type(), f.class.typ)) {
			continue
		}
		one := c.rvalue(c.callAddressed(a, d.object, d.args, pos))
		if e == nil {
			e = one
			continue
		}
		at := &ast.Convert{Typed: ast.Of(d.pointer.T, pos), X: number(ctypes.ULong, int64(i)+1, pos), Explicit: true}
		is := c.condition(c.truth(c.comparePointers(ctypes.Eq, d.pointer, at, pos)), "?:")
		e = &ast.Cond{Typed: d.call.Typed, C: is, X: one, Y: e}
	}
	if d.call.X = e; e == nil {
		d.call.X = c.refuse(pos, "calls through a pointer to functions that nothing here names are",
			"call the function directly")
	}
}

// isReassigned reports whether a function assigns to a variable, or takes its address, after its declaration.
func (c *checker) isReassigned(name string) (found bool) {
	if c.fn == nil || c.fn.body == nil {
		return true
	}
	isName := func(x syntax.Expr) bool {
		id, ok := syntax.Bare(x).(*syntax.Ident)
		return ok && len(id.Name.Parts) == 1 && id.Name.Parts[0].Ident == name
	}
	syntax.Visit(c.fn.body, func(n any) bool {
		switch n := n.(type) {
		case *syntax.Binary:
			found = found || n.Op == "=" && isName(n.X)
		case *syntax.Unary:
			found = found || n.Op == "&" && isName(n.X)
		}
		return !found
	})
	return found
}
