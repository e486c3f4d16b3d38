package resolve

import (
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
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
	if c.cfg.Dialect == ast.OpenCL && len(set.funcs) > 0 && set.funcs[0].overloadable && len(c.builtins.Find(set.name)) > 0 {
		set.builtin = true
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

// ignores reports whether the calls of a function of the language stand for nothing, so that its arguments are not looked at.
func (c *checker) ignores(name string) bool {
	o := c.builtins.Find(name)
	return len(o) > 0 && (o[0].Function.Class == builtins.Ignored || o[0].Function.Class == builtins.WaitEvents)
}

// callSet calls the best of functions.
func (c *checker) callSet(set *overloads, args []ast.Expr, x *syntax.CallExpr, pos diag.Pos) ast.Expr {
	funcs := set.funcs
	if set.adl {
		funcs = c.argumentDependent(slices.Clone(funcs), set.name, args, x)
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
	return c.callFunction(best, set.object, args, pos)
}

// misfit reports the first argument that is none for the parameter of a function, and whether there is one.
func (c *checker) misfit(f *function, args []ast.Expr) bool {
	if f.params != nil && f.tmpl == nil || f.state != read {
		return false
	}
	for i, p := range f.sig.params[:min(len(f.sig.params), len(args))] {
		if c.sequenceTo(args[i], p.typ, true).rank == rankNone {
			before := len(*c.errs)
			c.passed(args[i], p.typ, "argument "+strconv.Itoa(i+1)+" of "+c.display(f))
			return len(*c.errs) > before
		}
	}
	return false
}

func (set *overloads) explicitArgs() templateArgs {
	if set.explicit == nil {
		return nil
	}
	return *set.explicit
}

// prefersBuiltin reports whether a function of the language fits a call better than the program's of that name.
func (c *checker) prefersBuiltin(name string, best *function, args []ast.Expr, pos diag.Pos) bool {
	overloads := c.builtins.Find(name)
	if len(overloads) == 0 {
		if best != nil && c.fitsExactly(best, args, pos) {
			return false
		}
		found := false
		errs := c.quietly(func() { _, found = c.familyOf(name, args, pos) })
		return found && len(errs) == 0
	}
	values := make([]ast.Expr, len(args))
	errs := c.quietly(func() {
		for i, a := range args {
			values[i] = c.rvalue(a)
		}
	})
	if len(errs) > 0 || isInvalid(values...) {
		return false
	}
	var fit *candidate
	c.quietly(func() { fit, _ = c.cheapest(overloads, values) })
	if fit == nil {
		return false
	}
	if best == nil {
		return true
	}
	v, _ := c.fit(best, nil, args, nil, pos)
	if v == nil {
		return true
	}
	other := viable{}
	for i, p := range fit.params {
		other.seqs = append(other.seqs, c.sequenceTo(values[i], plain(p), false))
	}
	mine := v.seqs
	if v.object {
		mine = mine[1:]
	}
	result := 0
	for i := range min(len(mine), len(other.seqs)) {
		if d := better(other.seqs[i], mine[i]); d < 0 {
			return false
		} else if d > 0 {
			result = 1
		}
	}
	return result > 0 || best.tmpl != nil && result == 0 && len(mine) > 0
}

// fitsExactly reports whether a function takes arguments without a conversion.
func (c *checker) fitsExactly(f *function, args []ast.Expr, pos diag.Pos) bool {
	v, _ := c.fit(f, nil, args, nil, pos)
	if v == nil {
		return false
	}
	for _, s := range v.seqs {
		if s.rank > rankExact {
			return false
		}
	}
	return true
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
			if isInvalid(e) {
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
			set := &overloads{Typed: ast.Of(overloadType, n.Pos), name: name, builtin: true, adl: c.cfg.Dialect == ast.CUDA && !n.Global}
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
		return c.fail(pos, "%v has no operator()", obj.Type())
	}
	if f := c.functionBehind(obj); f != nil {
		return c.callSet(f, args, x, pos)
	}
	if t := obj.Type(); c.funcTypes[t] == nil && (t.Kind != ctypes.Pointer || c.funcTypes[t.Elem] == nil) {
		if id, ok := syntax.Bare(x.Fn).(*syntax.Ident); ok && !c.isLibrary(pos) {
			return c.fail(pos, "%s is not a function", spelled(id.Name))
		}
		return c.fail(pos, "a value of type %v is not a function", t)
	}
	return c.refuse(pos, "calls through a pointer are", "call the function directly")
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

// arguments types a call's arguments; they stay lvalues, for references.
func (c *checker) arguments(list []syntax.Expr) (args []ast.Expr, ok bool) {
	for _, a := range list {
		if p, is := a.(*syntax.PackExpansion); is {
			c.expand(p.X, func() { args = append(args, c.argument(p.X)) })
			continue
		}
		args = append(args, c.argument(a))
	}
	return args, !isInvalid(args...)
}

// argument types one argument, which may be a list in braces or a function.
func (c *checker) argument(a syntax.Expr) ast.Expr {
	if l, ok := a.(*syntax.List); ok {
		return c.braces(l)
	}
	return c.referred(a)
}

// callFunction calls a function of the program.
func (c *checker) callFunction(f *function, object ast.Expr, args []ast.Expr, pos diag.Pos) ast.Expr {
	sig := c.signatureOf(f)
	if sig == nil {
		return invalidAt(pos)
	}
	if f.isDeleted {
		return c.fail(pos, "%s is deleted", c.display(f))
	}
	c.checkCall(f, object, pos)
	args = slices.Clone(args)
	for i := len(args); i < len(sig.params); i++ {
		e := c.defaultValue(f, &sig.params[i])
		args = append(args, e)
	}
	if len(args) > len(sig.params) {
		if slices.ContainsFunc(args[len(sig.params):], c.hasEffects) {
			return c.refuse(pos, "arguments for ... that do more than give a value are", "store them in a variable first")
		}
		args = args[:len(sig.params)]
	}
	name := c.display(f)
	if f.body == nil && c.dead == 0 {
		f = c.definitionOf(f)
	}
	if g := c.withCallables(f, args); g != nil {
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
	call := &ast.Call{Typed: ast.Of(fn.Result, pos), Fn: fn, Args: out}
	if f.isConstexpr && f.callsItself() { // where it ends, it is a constant
		if lit, ok := c.evaluated(call).(*ast.Literal); ok {
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

func (f *function) callsItself() bool {
	return slices.ContainsFunc(f.calls, func(s callSite) bool { return s.fn == f })
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

// defaultValue evaluates a default argument where the function is declared.
func (c *checker) defaultValue(f *function, p *param) ast.Expr {
	if p.init == nil {
		return c.fail(f.pos, "an argument is missing")
	}
	defer c.inside(f.in.upTo(f.seq))()
	return c.initValue(p.init)
}

// initValue is the expression of an initialiser that is one value or a list.
func (c *checker) initValue(i *syntax.Init) ast.Expr {
	switch {
	case i.List != nil:
		return c.braces(i.List)
	case i.Expr != nil:
		return c.argument(i.Expr)
	case i.Parens != nil && len(*i.Parens) == 1:
		return c.argument((*i.Parens)[0])
	}
	return c.fail(i.Pos, "one value is needed here")
}

// objectAddress is the address of the object that a member function is called for.
func (c *checker) objectAddress(object ast.Expr, t *ctypes.Type, pos diag.Pos) ast.Expr {
	object = c.lvalueOf(object)
	if object.Type() != t && c.derives(object.Type(), t) {
		object = c.asBase(object, t)
	}
	return c.addressOf(object, pos)
}

// passed is an argument as a parameter of a type takes it: a reference gets an address.
func (c *checker) passed(arg ast.Expr, t qtype, what string) ast.Expr {
	if t.ref == noRef {
		return c.convert(arg, c.represented(t), what)
	}
	return c.bindReference(arg, t, what)
}

// bindReference is the address of what a reference refers to.
func (c *checker) bindReference(arg ast.Expr, t qtype, what string) ast.Expr {
	pos := arg.Pos()
	if isInvalid(arg) || t.Kind == 0 {
		return invalidAt(pos)
	}
	s := c.sequenceTo(arg, t, true)
	if s.rank == rankNone {
		return c.fail(pos, "%s: a reference of type %s is needed, this is %s", what, c.spellQual(t), c.spellArgument(arg))
	}
	if set, ok := arg.(*overloads); ok {
		return c.stray(set)
	}
	direct := false
	if _, list := arg.(*braceList); !list {
		from := c.typeOf(arg)
		direct = c.derives(from.Type, t.Type) || from.ref != noRef && (same(from.Type, t.Type) || from.Kind == ctypes.Array && t.Kind == ctypes.Array)
		if !direct && from.ref != noRef && isClass(from.Type) && t.ref == lvalue && !t.isConst {
			if own := c.userConversionRef(arg, t); own != nil {
				arg, direct = own, true
			}
		}
	}
	var target ast.Expr
	if direct {
		if target = stripped(arg); !t.isConst || isClass(t.Type) {
			target = c.place(arg) // of a constant number, the value is enough
		}
		if isClass(t.Type) && target.Type() != t.Type {
			target = c.lvalueOf(target)
			target = c.asBase(target, t.Type)
		}
	} else {
		target = c.lvalueOf(c.convert(arg, t.Type, what))
	}
	if isInvalid(target) {
		return target
	}
	if _, lanes := target.(*ast.Swizzle); !lanes && !ast.IsLvalue(target) {
		target = c.lvalueOf(target)
	}
	p := c.addressOf(target, pos)
	if isInvalid(p) {
		return p
	}
	want := c.represented(t)
	if p.Type().Equal(want) {
		return p
	}
	if want.Elem.Kind == ctypes.Array && p.Type().Elem.Kind == ctypes.Array {
		return &ast.Convert{Typed: ast.Of(want, pos), X: p}
	}
	return c.asPointer(p, want, what)
}

// trivialCall is a call of a function that a compiler makes by itself: copies of objects.
func (c *checker) trivialCall(f *function, args []ast.Expr, pos diag.Pos) ast.Expr {
	if !f.isDefaulted || f.body == nil || f.body.Body != nil || c.inits(f) {
		return nil
	}
	switch {
	case f.kind == ordinary && f.name == "operator=" && len(args) == 2:
		to := c.deref(args[0], pos)
		from := args[1]
		if from.Type().Kind == ctypes.Pointer {
			from = c.deref(from, pos)
		}
		return &ast.Assign{Typed: ast.Of(to.Type(), pos), X: to, Y: from}
	case f.kind == constructor && len(args) == 1 && args[0].Type().Kind == ctypes.Pointer && args[0].Type().Elem == f.class.typ:
		return c.deref(args[0], pos)
	}
	return nil
}

func (c *checker) inits(f *function) bool { return len(f.body.Inits) > 0 }

// builtinCall types a call of a function of the language.
func (c *checker) builtinCall(name string, x *syntax.CallExpr, pos diag.Pos) ast.Expr {
	var args []ast.Expr
	if !c.ignores(name) {
		args = c.builtinArguments(x, name)
	}
	return c.builtinOf(name, args, x, pos)
}

// builtinOf types a call of a function of the language whose arguments have been typed; x is nil of an operator.
func (c *checker) builtinOf(name string, args []ast.Expr, x *syntax.CallExpr, pos diag.Pos) ast.Expr {
	overloads := c.builtins.Find(name)
	switch {
	case len(overloads) == 0:
		if !isTextureName(name, c.cfg.Dialect) && c.unsupportedCall(name, pos) {
			return invalidAt(pos)
		}
	case overloads[0].Function.Class == builtins.Ignored:
		return c.ignoredCall(overloads[0], pos)
	case overloads[0].Function.Class == builtins.WaitEvents: // whatever the events are
		return &ast.BuiltinCall{Typed: ast.Of(ctypes.Scalar(ctypes.Void), pos), Builtin: overloads[0].Function, Args: nil}
	}
	values := make([]ast.Expr, len(args))
	for i, a := range args {
		values[i] = c.rvalue(a)
	}
	if c.cfg.Dialect == ast.CUDA && x != nil {
		if e, ok := c.typedTexture(name, x, values, pos); ok {
			return e
		}
	}
	if isInvalid(values...) {
		if !c.isBuiltin(name, values, pos) {
			c.unknownFunction(name, pos)
		}
		return invalidAt(pos)
	}
	return c.builtinValues(name, values, pos)
}

// isBuiltin reports whether the language has a function of a name, whatever the arguments.
func (c *checker) isBuiltin(name string, args []ast.Expr, pos diag.Pos) (found bool) {
	if len(c.builtins.Find(strings.TrimSuffix(name, "_explicit"))) > 0 || c.cfg.Dialect == ast.CUDA && isHalfName(name) {
		return true
	}
	c.quietly(func() { _, found = c.familyOf(name, args, pos) })
	return found
}

// builtinValues types a call of a function of the language with values.
func (c *checker) builtinValues(name string, args []ast.Expr, pos diag.Pos) ast.Expr {
	overloads := c.builtins.Find(name)
	if c.cfg.Dialect == ast.CUDA {
		if e, known := c.halfCall(name, args, pos); known {
			return e
		}
	}
	if len(overloads) > 0 {
		return c.resolve(name, overloads, args, pos)
	}
	// The _explicit atomics of OpenCL C 2.0 end in a memory order and a scope,
	// which make no difference to the operation.
	if base, explicit := strings.CutSuffix(name, "_explicit"); explicit {
		if o := c.builtins.Find(base); len(o) > 0 {
			_, codes := builtins.SplitSignature(o[0].Signature)
			return c.resolve(name, o[:1], args[:min(len(args), len(codes))], pos)
		}
	}
	if e, ok := c.familyOf(name, args, pos); ok {
		return e
	}
	c.unknownFunction(name, pos)
	return invalidAt(pos)
}

// familyOf types a call of a function of the language that is not in the tables.
func (c *checker) familyOf(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	if e, ok := c.family(name, args, pos); ok {
		return e, true
	}
	return c.special(name, args, pos)
}

// unknownFunction reports a call of nothing that is known, or of a function
// that could not be parsed.
func (c *checker) unknownFunction(name string, pos diag.Pos) {
	for _, r := range c.rejected {
		if r.Ident == name && r.Err != nil {
			c.blameOne(r.Err)
			return
		}
	}
	c.undeclared(pos, name, "function")
}

// writesResults reports whether a function of the language only writes results through its pointers.
func (c *checker) writesResults(name string) bool {
	o := c.builtins.Find(name)
	return len(o) > 0 && o[0].Function.Class == builtins.MathOut || strings.Contains(name, "sincos")
}

// builtinArguments types the arguments of a language function. Those that only
// write a result through &x leave x in its register.
func (c *checker) builtinArguments(x *syntax.CallExpr, name string) (args []ast.Expr) {
	out := c.writesResults(name)
	for _, a := range x.Args {
		u, isUnary := a.(*syntax.Unary)
		if out && isUnary && u.Op == "&" {
			args = append(args, c.pointerTarget(c.expr(u.X), u.Pos))
			continue
		}
		if p, is := a.(*syntax.PackExpansion); is {
			c.expand(p.X, func() { args = append(args, c.value(p.X)) })
			continue
		}
		args = append(args, c.value(a))
	}
	return args
}

// candidate is an overload of a language function, for the arguments of a call.
type candidate struct {
	builtins.Overload
	params []*ctypes.Type
	result *ctypes.Type
	cost   int // of converting the arguments
}

// cheapest chooses the overload of a language function that needs the least
// conversion; the first of equal ones. why says why there is none.
func (c *checker) cheapest(overloads []builtins.Overload, args []ast.Expr) (best *candidate, why string) {
	for _, o := range overloads {
		params, result, problem := c.match(o, args)
		if problem != "" {
			why = problem
			continue
		}
		this := &candidate{o, params, result, 0}
		for i, p := range params {
			this.cost += conversionCost(args[i], p)
		}
		if best == nil || this.cost < best.cost {
			best = this
		}
	}
	return best, why
}

// costOther is the cost of a conversion between types that have little in common, impossible that of one that there is none of.
const (
	costOther  = 100
	impossible = 10000
)

// conversionCost ranks conversions for functions of the language: none, within a class of types, across classes, impossible.
func conversionCost(arg ast.Expr, t *ctypes.Type) int {
	at := arg.Type()
	if at.Kind == ctypes.Array {
		at = ctypes.PointerTo(at.Elem, ast.SpaceOf(arg))
	}
	switch {
	case at.Equal(t):
		return 0
	case ctypes.Promoted(at).Equal(t):
		return 1
	case at.Kind == ctypes.Pointer && t.Kind == ctypes.Pointer && at.Elem.Equal(t.Elem):
		return 1
	case at.IsInteger() && t.IsInteger(), at.IsFloat() && t.IsFloat():
		return 10
	case at.IsScalar() && t.IsScalar():
		return 20
	case at.Kind == ctypes.Pointer && t.Kind == ctypes.Pointer, at.IsScalar() && t.Kind == ctypes.Vector:
		return costOther
	}
	return impossible
}

// resolve makes the call of the cheapest overload.
func (c *checker) resolve(name string, overloads []builtins.Overload, args []ast.Expr, pos diag.Pos) ast.Expr {
	for i, a := range args {
		if isClass(a.Type()) { // what a class converts to by itself
			if e := c.converted(a); e != nil {
				args = slices.Clone(args)
				args[i] = e
			}
		}
	}
	best, why := c.cheapest(overloads, args)
	if best == nil {
		return c.fail(pos, "%s: %s", name, why)
	}
	return c.applyBuiltin(best.Overload, args, best.params, best.result, pos)
}

// applyBuiltin makes the call of a chosen overload.
func (c *checker) applyBuiltin(o builtins.Overload, args []ast.Expr, params []*ctypes.Type, result *ctypes.Type, pos diag.Pos) ast.Expr {
	out := make([]ast.Expr, len(args))
	for i, a := range args {
		if params[i].Kind == ctypes.Pointer {
			out[i] = a
			if (o.Function.Class == builtins.Atomic || o.Function.Class == builtins.MathOut) && params[i].Const {
				return c.fail(a.Pos(), "%s: the pointer leads to something constant", o.Name)
			}
			continue
		}
		out[i] = c.convert(a, params[i], "argument "+strconv.Itoa(i+1)+" of "+o.Name)
	}
	if isInvalid(out...) {
		return invalidAt(pos)
	}
	for _, v := range o.Implicit {
		out = append(out, number(ctypes.UInt, v, pos))
	}
	call := &ast.BuiltinCall{Typed: ast.Of(result, pos), Builtin: o.Function, Args: out}
	if o.Function.Class == builtins.WorkItem && len(out) == 1 {
		return c.workItem(call)
	}
	return call
}

// workItem checks the dimension of a work-item function. Dimensions from 3 on
// have one work item, with index 0 (OpenCL C 1.2, 6.12.1).
func (c *checker) workItem(call *ast.BuiltinCall) ast.Expr {
	dim, ok := call.Args[0].(*ast.Literal)
	if !ok {
		return c.refuse(call.P, call.Builtin.Name+" of a dimension that is not constant is", "write one call for each dimension")
	}
	if dim.Value.Int >= 0 && dim.Value.Int < 3 {
		return call
	}
	v := ctypes.IntValue(ctypes.ULong, 0)
	if strings.HasSuffix(call.Builtin.Name, "_size") || call.Builtin.Name == "get_num_groups" {
		v.Int = 1
	}
	return ast.LiteralOf(v, call.P)
}

// ignoredCall types a call that stands for no instruction. Its arguments are
// not looked at: strings have no other use.
func (c *checker) ignoredCall(o builtins.Overload, pos diag.Pos) ast.Expr {
	if !c.noted[o.Name] {
		c.noted[o.Name] = true
		c.unit.Warnings.Add(diag.Notef(pos, codeIgnored, "%s is left out: it stands for no instruction", o.Name))
	}
	result, _ := builtins.SplitSignature(o.Signature)
	return &ast.BuiltinCall{Typed: ast.Of(c.codeType(result, nil), pos), Builtin: o.Function, Args: nil}
}

// special types the few functions that are neither in a table nor a family.
func (c *checker) special(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	switch name {
	case "__builtin_expect":
		if !c.takes(name, 2, args, pos) {
			return invalidAt(pos), true
		}
		return args[0], true
	case "vec_step":
		if !c.takes(name, 1, args, pos) {
			return invalidAt(pos), true
		}
		n := int64(args[0].Type().Lanes())
		if n == 3 {
			n = 4
		}
		return number(ctypes.Int, n, pos), true
	}
	if c.cfg.Dialect == ast.CUDA {
		return c.cudaSpecial(name, args, pos)
	}
	return nil, false
}

// noteRandom says what a call of cuRAND's curand_init leaves out.
func (c *checker) noteRandom(f *function, pos diag.Pos) {
	if f.name == "curand_init" && c.isLibrary(f.pos) && !c.noted[f.name] {
		c.noted[f.name] = true
		c.warnf(pos, codeIgnored, "curand_init is taken without the steps that skip to its sequence, which take most of its time where sequences differ")
	}
}

// typedTexture types tex2D<float4>(t, x, y), whose template argument says what a pixel is.
func (c *checker) typedTexture(name string, x *syntax.CallExpr, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	id, ok := x.Fn.(*syntax.Ident)
	if !ok || !isTextureName(name, c.cfg.Dialect) {
		return nil, false
	}
	var texel *ctypes.Type
	if part := id.Name.Last(); part.HasArgs {
		given, ok := c.templateArguments(part.Args)
		if !ok || len(given) == 0 || given[0].kind != argType {
			return invalidAt(pos), true
		}
		texel = given[0].typ.Type
	}
	if isInvalid(args...) {
		return invalidAt(pos), true
	}
	return c.textureCall(name, texel, args, pos)
}
