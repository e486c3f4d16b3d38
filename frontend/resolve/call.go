package resolve

import (
	"slices"
	"strconv"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// call types a function call.
func (c *checker) call(x *syntax.CallExpr) ast.Expr {
	pos := x.ExprPos()
	if m, ok := x.Fn.(*syntax.MemberExpr); ok {
		pos = m.Name.Pos
	}
	fn := c.callee(x.Fn)
	if isInvalid(fn) {
		for _, a := range x.Args {
			c.expr(a)
		}
		return fn
	}
	set, ok := fn.(*overloads)
	if !ok {
		if t, is := fn.(*typeOperand); is {
			args, ok := c.arguments(x.Args)
			if !ok {
				return invalidAt(pos)
			}
			return c.construct(t.t, args, pos)
		}
		return c.callObject(fn, x, pos)
	}
	if c.cfg.Dialect == ast.OpenCL && len(set.funcs) > 0 && set.funcs[0].overloadable &&
		len(c.builtins.Find(set.name)) > 0 {
		set.builtin = true
	}
	if set.object != nil && len(set.funcs) == 0 && len(x.Args) == 0 { // ~T of a T without a destructor
		return c.castValue(c.addressOf(c.place(set.object), pos), ctypes.Scalar(ctypes.Void), pos)
	}
	if len(set.funcs) == 0 && (!set.adl || c.ignores(set.name) || c.writesResults(set.name)) {
		return c.builtinCall(set.name, x, pos)
	}
	args, ok := c.arguments(x.Args)
	switch {
	case ok:
	case len(set.funcs) == 0:
		return c.builtinOf(set.name, args, x, pos)
	default:
		return invalidAt(pos)
	}
	return c.callSet(set, args, x, pos)
}

// callSet calls the best of functions.
func (c *checker) callSet(set *overloads, args []ast.Expr, x *syntax.CallExpr, pos diag.Pos) ast.Expr {
	funcs := set.funcs
	if set.adl {
		funcs = c.argumentDependent(slices.Clone(funcs), set.name, args, x)
	}
	if set.builtin && len(c.builtins.Find(set.name)) > 0 { // declared again, as for editors
		funcs = slices.DeleteFunc(slices.Clone(funcs), func(f *function) bool {
			return f.class == nil && f.params == nil && c.definitionOf(f).body == nil
		})
	}
	if len(funcs) == 0 {
		return c.builtinOf(set.name, args, x, pos)
	}
	best, why := c.selectFunction(funcs, set.object, args, set.explicitArgs(), pos)
	if set.builtin && c.prefersBuiltin(set.name, best, args, pos) {
		return c.builtinOf(set.name, args, x, pos)
	}
	if best == nil {
		if len(why.reasons) == 1 && c.misfit(why.reasons[0].f, args) {
			return invalidAt(pos)
		}
		return c.report(set.name, why, pos)
	}
	for _, r := range c.rejected { // what cannot be read may be a better one
		if r.Ident == set.name && r.Device && r.Err != nil && best.class == nil {
			c.blameOne(r.Err)
		}
	}
	if set.qualified {
		return c.callThis(best, set.object, args, pos)
	}
	return c.callFunction(best, set.object, args, pos)
}

func (set *overloads) explicitArgs() templateArgs {
	if set.explicit == nil {
		return nil
	}
	return *set.explicit
}

// callee types what is called: the name of functions stays one.
func (c *checker) callee(n syntax.Expr) ast.Expr {
	if p, ok := n.(*syntax.Paren); ok {
		e := c.callee(p.X)
		if set, ok := e.(*overloads); ok { // in parentheses, arguments find no functions
			set.adl = false
		}
		return e
	}
	switch x := n.(type) {
	case *syntax.Ident:
		return c.calleeNamed(x.Name)
	case *syntax.MemberExpr:
		return c.memberExpr(x)
	case *syntax.Unary:
		if x.Op == "*" {
			e := c.callee(x.X) // (*f)(x)
			if _, ok := e.(*overloads); ok {
				return e
			}
			if isInvalid(e) || c.funcTypes[e.Type()] != nil {
				return e
			}
			return c.deref(c.rvalue(e), x.Pos)
		}
	}
	return c.expr(n)
}

// calleeNamed types the name of what is called.
func (c *checker) calleeNamed(n *syntax.Name) ast.Expr {
	if len(n.Parts) == 1 {
		name := n.Parts[0].Ident
		if !n.Global && c.lookup(name) == nil || n.Global && c.lookupIn(c.file, name, c.limit(), false, nil) == nil {
			set := &overloads{Typed: ast.Of(overloadType, n.Pos), name: name, builtin: true,
				adl: c.cfg.Dialect == ast.CUDA && !n.Global}
			if n.Parts[0].HasArgs {
				args, ok := c.templateArguments(n.Parts[0].Args)
				if !ok {
					return invalidAt(n.Pos)
				}
				set.explicit = &args
			}
			return set
		}
	}
	return c.nameExpr(n, true)
}

// callObject calls an object: operator(), or a function through a pointer.
func (c *checker) callObject(obj ast.Expr, x *syntax.CallExpr, pos diag.Pos) ast.Expr {
	args, ok := c.arguments(x.Args)
	if !ok {
		return invalidAt(pos)
	}
	if isClass(obj.Type()) {
		if e := c.callMember(obj, "operator()", args, pos); e != nil {
			return e
		}
		f := c.converted(obj) // a surrogate, [over.call.object]
		if f == nil || !c.isFunctionPointer(f.Type()) {
			return c.fail(pos, "%v has no operator()", obj.Type())
		}
		obj = f
	}
	if f := c.functionBehind(obj); f != nil {
		return c.callSet(f, args, x, pos)
	}
	if t := obj.Type(); c.funcTypes[t] == nil && (t.Kind != ctypes.Pointer || c.funcTypes[t.Elem] == nil) {
		if id, ok := syntax.Bare(x.Fn).(*syntax.Ident); ok && !c.isLibrary(pos) {
			return c.fail(pos, "%s is not a function", id.Name.String())
		}
		return c.fail(pos, "a value of type %v is not a function", t)
	}
	return c.callPointer(obj, args, pos)
}

// functionBehind is the function that a pointer is known to lead to.
func (c *checker) functionBehind(e ast.Expr) *overloads {
	for {
		switch x := e.(type) {
		case *overloads:
			return x
		case *ast.Deref:
			e = x.X
		case *ast.AddrOf:
			e = x.X
		default:
			return nil
		}
	}
}

// callMember calls a member function of an object by name; nil where the class has none.
func (c *checker) callMember(obj ast.Expr, name string, args []ast.Expr, pos diag.Pos) ast.Expr {
	cl := c.classes[obj.Type()]
	if cl == nil {
		return nil
	}
	sym := c.memberOf(cl, name)
	if sym == nil || sym.kind != symFunction {
		return nil
	}
	best, why := c.selectFunction(sym.funcs, obj, args, nil, pos)
	if best == nil {
		if name = join(cl.name, name); cl.closure != nil {
			name = "the lambda"
		}
		return c.report(name, why, pos)
	}
	return c.callFunction(best, obj, args, pos)
}

// callFunction calls a function of the program, of a virtual one the object's.
func (c *checker) callFunction(f *function, object ast.Expr, args []ast.Expr, pos diag.Pos) ast.Expr {
	if object != nil && f.class.isPolymorphic() && c.isVirtual(f) {
		g := c.dispatched(f, object)
		if g == nil {
			return c.callVirtual(f, object, args, pos)
		}
		f = g
	}
	return c.callThis(f, object, args, pos)
}

// callThis calls a function of the program, and no other.
func (c *checker) callThis(f *function, object ast.Expr, args []ast.Expr, pos diag.Pos) ast.Expr {
	sig := c.signatureOf(f)
	if sig == nil {
		return invalidAt(pos)
	}
	if f.isDeleted {
		return c.fail(pos, "%s is deleted", c.display(f))
	}
	if n := len(sig.params); len(args) > n { // those for ... are evaluated
		call := c.callThis(f, object, args[:n], pos)
		for _, e := range slices.Backward(args[n:]) {
			if !isInvalid(call, e) && c.hasEffects(e) {
				call = &ast.Comma{Typed: ast.Of(call.Type(), pos), X: c.rvalue(e), Y: call}
			}
		}
		return call
	}
	c.checkCall(f, object, pos)
	c.throws = c.throws || !c.cannotThrow(f)
	args = slices.Clone(args)
	for i := len(args); i < len(sig.params); i++ {
		e := c.defaultValue(f, &sig.params[i])
		args = append(args, e)
	}
	name := c.display(f)
	if f.body == nil && c.dead == 0 {
		f = c.definitionOf(f)
	}
	if g := c.specialised(f, object, args); g != nil {
		f, sig = g, g.sig
	}
	var out []ast.Expr
	if f.takesThis() {
		if object == nil {
			return c.fail(pos, "%s is called without an object", name)
		}
		out = append(out, c.objectAddress(object, f.class.typ, pos))
	}
	for i := range sig.params {
		p := &sig.params[i]
		if c.skipsCallable(f, i) {
			continue
		}
		e := c.passed(args[i], p.typ, "argument "+strconv.Itoa(i+1)+" of "+name)
		out = append(out, e)
	}
	if isInvalid(out...) {
		return invalidAt(pos)
	}
	if trivial := c.trivialCall(f, out, pos); trivial != nil {
		return trivial
	}
	fn := c.represent(f)
	for i, p := range fn.Params {
		if i < len(out) {
			out[i] = c.asPointer(out[i], p.Type, "argument of "+name)
		}
	}
	if c.dead == 0 && c.quiet == 0 || sig.auto || f.isConstexpr {
		c.bodyOf(f)
	}
	switch {
	case !sig.auto || !hasAutoQ(sig.result) && sig.result.Kind != 0:
	case f.checked == checking:
		return c.fail(pos, "%s is called before the type of its result is known", name)
	case len(f.bodyErrs) > 0:
		c.noteCall(f, pos)
		return invalidAt(pos)
	}
	if isInvalid(out...) || sig.result.Kind == 0 || fn.Result.Kind == 0 {
		return invalidAt(pos)
	}
	if f.passes != nil && !slices.ContainsFunc(out, c.hasEffects) {
		return f.passes // std::forward of a function
	}
	call := &ast.Call{Typed: ast.Of(fn.Result, pos), Fn: fn, Args: out}
	if f.recurs() { // where it ends, it is a constant
		any := func(*ast.Function) bool { return true }
		if lit, ok := c.folded(call, any).(*ast.Literal); ok {
			return lit
		}
	}
	c.noteCall(f, pos)
	c.noteRandom(f, pos)
	return c.resultOf(call, sig.result, pos)
}

// noteCall notes that the function whose body is being read calls another one, whose errors are its own then.
func (c *checker) noteCall(f *function, pos diag.Pos) {
	if c.fn != nil && c.dead == 0 && c.quiet == 0 {
		c.fn.calls = append(c.fn.calls, callSite{f, pos})
	}
}

// recurs reports whether a function, or one that it calls, calls itself.
func (f *function) recurs() bool {
	if f.checked != checked || f.recursive != nil {
		return f.recursive != nil && *f.recursive
	}
	active := map[*function]bool{}
	var visit func(f *function) bool
	visit = func(f *function) bool {
		within, seen := active[f]
		if seen {
			return within
		}
		active[f] = true
		found := slices.ContainsFunc(f.calls, func(s callSite) bool { return visit(s.fn) })
		active[f] = false
		return found
	}
	found := visit(f)
	f.recursive = &found
	return found
}

// resultOf is what a call gives: a reference is dereferenced.
func (c *checker) resultOf(call ast.Expr, t qtype, pos diag.Pos) ast.Expr {
	switch t.ref {
	case lvalue:
		return c.deref(call, pos)
	case rvalue:
		d := c.deref(call, pos)
		return &xvalue{ast.Of(d.Type(), pos), d}
	}
	return call
}

// definitionOf is the function itself, or another declaration of it that has a body.
func (c *checker) definitionOf(f *function) *function {
	in := f.in
	if f.tmpl != nil {
		return f
	}
	if sym := in.names[f.name]; sym != nil {
		for _, g := range sym.funcs {
			if g != f && g.body != nil && g.params == nil && g.class == f.class && c.sameSignature(f, g) {
				return g
			}
		}
	}
	return f
}

// hasEffects reports whether evaluating an expression does more than give a value.
func (c *checker) hasEffects(e ast.Expr) bool {
	found := false
	ast.WalkExpr(stripped(e), func(x ast.Expr) bool {
		switch x.(type) {
		case *ast.Call, *ast.Assign, *ast.IncDec, *ast.StmtExpr:
			found = true
		}
		return !found
	})
	return found
}

// trivialCall is a call of a function that a compiler makes by itself: copies of objects.
func (c *checker) trivialCall(f *function, args []ast.Expr, pos diag.Pos) ast.Expr {
	if !f.isDefaulted || f.body == nil || f.body.Body != nil || c.inits(f) {
		return nil
	}
	switch {
	case f.kind == ordinary && f.name == "operator=" && len(args) == 2:
		return c.assignObject(c.deref(args[0], pos), c.resultOf(args[1], f.sig.params[0].typ, pos), pos)
	case f.kind == constructor && len(args) == 1 && args[0].Type().Kind == ctypes.Pointer &&
		args[0].Type().Elem == f.class.typ:
		return c.copied(c.resultOf(args[0], f.sig.params[0].typ, pos))
	}
	return nil
}

func (c *checker) inits(f *function) bool { return len(f.body.Inits) > 0 }

// noteRandom says what a call of cuRAND's curand_init leaves out.
func (c *checker) noteRandom(f *function, pos diag.Pos) {
	if f.name == "curand_init" && c.isLibrary(f.pos) && !c.noted[f.name] {
		c.noted[f.name] = true
		c.warnf(pos, codeIgnored, "curand_init is taken without the steps that skip to its sequence, "+
			"which take most of its time where sequences differ")
	}
}
