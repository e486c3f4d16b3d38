package frontend

import (
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"

	"modernc.org/cc/v4"
)

// call types a function call.
func (c *checker) call(x *cc.PostfixExpression) Expr {
	if m := methodOf(x); m != nil && c.cfg.Dialect == CUDA {
		return c.methodCall(x, m)
	}
	name, pos, ok := calleeName(c, x)
	if !ok {
		if e := c.valueCall(x, pos); e != nil {
			return e
		}
		c.unsupported(pos, "calls through a pointer are", "call the function directly")
		return invalidAt(pos)
	}
	if obj := c.ownMethod(name, pos); obj != nil {
		args, ok := c.arguments(x)
		if !ok {
			return invalidAt(pos)
		}
		return c.callMember(obj, name, args, pos)
	}
	sym, name := c.resolveAlias(c.lookup(name), name)
	if sym == nil && !c.p.Program.Templates.Makes(name) {
		return c.builtinCall(name, x, pos)
	}
	if sym != nil {
		c.use(sym)
	}
	if sym != nil && sym.kind == symObject && (sym.obj.Type.Kind == Struct || sym.ref && sym.obj.Type.Elem.Kind == Struct) {
		args, ok := c.arguments(x)
		if !ok {
			return invalidAt(pos)
		}
		if e := c.overloaded("call", append([]Expr{c.ident(name, pos)}, args...), pos); e != nil {
			return e
		}
	}
	if sym != nil && sym.kind != symFunction && sym.kind != symLambda {
		return c.fail(pos, "%s is not a function", name)
	}
	args, ok := c.arguments(x)
	if !ok {
		return invalidAt(pos)
	}
	if sym != nil && sym.kind == symLambda {
		return c.callLambda(sym.lambda, name, args, pos)
	}
	var f *funcInfo
	why := "no template of this name fits these arguments"
	if sym != nil {
		f, why = c.selectFunction(sym, args)
	}
	// A template that fits exactly is better than a function that does not.
	if f == nil || c.callCost(f, args) > 1 {
		before := len(*c.errs)
		if t, all := c.deducedFunction(name, args, pos); t != nil {
			f, args = t, all
		} else if len(*c.errs) > before {
			return invalidAt(pos)
		}
	}
	if c.overloadsBuiltin(sym, name) && (f == nil || c.callCost(f, args) >= costOther || c.builtinCost(name, args) < c.callCost(f, args)) {
		return c.builtinCall(name, x, pos)
	}
	if c.cfg.Dialect == CUDA && strings.HasPrefix(name, "__") && (f == nil || c.callCost(f, args) > 0) {
		if e := c.tryFamily(name, args, pos); e != nil {
			return e
		}
	}
	if f == nil {
		return c.fail(pos, "%s: %s", c.p.Program.Templates.Display(name), why)
	}
	return c.callFunction(f, name, args, pos)
}

// overloadsBuiltin reports whether functions of the program stand beside those of the language with
// their name: in CUDA C++ any, in OpenCL C those with the attribute; others hide them.
func (c *checker) overloadsBuiltin(sym *symbol, name string) bool {
	if c.cfg.Dialect == CUDA {
		return len(c.builtins.Find(name)) > 0 || strings.HasPrefix(name, "make_")
	}
	return sym != nil && sym.overloadable && len(c.builtins.Find(name)) > 0
}

// builtinCost is the cost of the conversions that a language function needs, as of callCost. A pointer
// counts as one, for it may lose its address space there too.
func (c *checker) builtinCost(name string, args []Expr) int {
	best, _ := c.cheapest(c.builtins.Find(name), args)
	if best == nil {
		return impossible
	}
	cost := best.cost
	for _, p := range best.params {
		if p.Kind == Pointer {
			cost++
		}
	}
	return cost
}

// tryFamily types a call of a function of the language that is not in the tables, such as a warp
// shuffle, which takes numbers of any type as they are; nil where there is none for these arguments.
func (c *checker) tryFamily(name string, args []Expr, pos Pos) (e Expr) {
	outer, values := c.errs, make([]Expr, len(args))
	var errs diag.List
	c.errs = &errs
	defer func() { c.errs = outer }()
	for i, a := range args {
		values[i] = c.rvalue(a)
	}
	for _, typed := range []func(string, []Expr, Pos) (Expr, bool){c.halfCall, c.family, c.special} {
		if e, ok := typed(name, values, pos); ok {
			if isInvalid(e) || errs.HasErrors() {
				return nil
			}
			return e
		}
	}
	return nil
}

// valueCall types a call of an object that has no name, as in "Sum<T>()(a, b)"; nil for any other.
func (c *checker) valueCall(x *cc.PostfixExpression, pos Pos) Expr {
	n, ok := x.PostfixExpression.(*cc.PostfixExpression)
	if !ok || c.cfg.Dialect != CUDA || n.Case != cc.PostfixExpressionCall && n.Case != cc.PostfixExpressionComplit {
		return nil
	}
	obj := c.expr(n)
	if isInvalid(obj) {
		return obj
	}
	args, ok := c.arguments(x)
	if !ok {
		return invalidAt(pos)
	}
	if obj.Type().Kind != Struct {
		return nil
	}
	return c.overloaded("call", append([]Expr{obj}, args...), pos)
}

// calleeName is the name in front of a call's parentheses.
func calleeName(c *checker, x *cc.PostfixExpression) (name string, pos Pos, ok bool) {
	n := x.PostfixExpression
	for {
		p, isPrimary := n.(*cc.PrimaryExpression)
		switch {
		case !isPrimary:
			return "", c.p.Pos(n), false
		case p.Case == cc.PrimaryExpressionExpr:
			n = p.ExpressionList
			if u, ok := n.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionDeref && c.isCallableName(u.CastExpression) {
				n = u.CastExpression // (*f)(x)
			}
		case p.Case == cc.PrimaryExpressionIdent:
			return p.Token.SrcStr(), c.p.Pos(p), true
		default:
			return "", c.p.Pos(n), false
		}
	}
}

// arguments types a call's arguments; they stay lvalues, for references.
func (c *checker) arguments(x *cc.PostfixExpression) (args []Expr, ok bool) {
	for l := x.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		args = append(args, c.argument(l.AssignmentExpression))
	}
	return args, !isInvalid(args...)
}

// selectFunction chooses among the overloads of a function of the user's: the
// one with the right number of parameters whose types are nearest.
func (c *checker) selectFunction(sym *symbol, args []Expr) (best *funcInfo, why string) {
	bestCost := -1
	for _, f := range sym.funcs {
		if len(f.Params) != len(args) { // defaults have been filled in
			why = countOf(len(f.Params), "argument") + " expected, " + countOf(len(args), "argument") + " given"
			continue
		}
		cost := 0
		for i, p := range f.Params {
			cost += conversionCost(args[i], p.Type, f.refs[i])
		}
		if bestCost < 0 || cost < bestCost {
			best, bestCost = f, cost
		}
	}
	return best, why
}

// costOther is the cost of a conversion between types that have little in common:
// pointers to different types, or a scalar for a vector, which is none in C++.
const costOther = 100

// impossible is the cost of a conversion that there is none of.
const impossible = 10000

// conversionCost ranks conversions: none, within a class of types, across
// classes, impossible.
func conversionCost(arg Expr, t *Type, ref bool) int {
	at := arg.Type()
	if list, ok := arg.(*contextList); ok {
		return list.cost(t, ref)
	}
	if ref {
		at = PointerTo(at, t.Space)
	}
	if at.Kind == Array {
		at = PointerTo(at.Elem, ast.SpaceOf(arg))
	}
	switch {
	case at.Equal(t):
		return 0
	case derivedFrom(at, t):
		return 2
	case ctypes.Promoted(at).Equal(t):
		return 1
	case at.Kind == Pointer && t.Kind == Pointer && at.Elem.Equal(t.Elem):
		return 1
	case at.IsInteger() && t.IsInteger(), at.IsFloat() && t.IsFloat():
		return 10
	case at.IsScalar() && t.IsScalar():
		return 20
	case at.Kind == Pointer && t.Kind == Pointer, at.IsScalar() && t.Kind == Vector:
		return costOther
	}
	return impossible
}

// builtinCall types a call of a function of the language.
func (c *checker) builtinCall(name string, x *cc.PostfixExpression, pos Pos) Expr {
	if c.cfg.Dialect == CUDA {
		if e, ok := c.partCall(name, x, pos); ok {
			return e
		}
		if e, ok := c.groupReduce(name, x, pos); ok {
			return e
		}
	}
	overloads := c.builtins.Find(name)
	if len(overloads) > 0 && overloads[0].Function.Class == Ignored {
		return c.ignoredCall(overloads[0], pos)
	}
	if len(overloads) > 0 && overloads[0].Function.Class == WaitEvents {
		return &BuiltinCall{Typed: ast.Of(Scalar(Void), pos), Builtin: overloads[0].Function, Args: nil} // whatever the events are
	}
	if len(overloads) == 0 && !isTextureName(name, c.cfg.Dialect) && c.unsupportedCall(name, pos) {
		return invalidAt(pos)
	}
	args, ok := c.builtinArguments(x, name)
	if c.cfg.Dialect == CUDA && ok {
		if e, known := c.halfCall(name, args, pos); known {
			return e
		}
	}
	switch {
	case len(overloads) > 0 && !ok:
		return invalidAt(pos)
	case len(overloads) > 0:
		return c.resolve(name, overloads, args, pos)
	}
	// The _explicit atomics of OpenCL C 2.0 end in a memory order and a scope,
	// which make no difference to the operation.
	if base, explicit := strings.CutSuffix(name, "_explicit"); explicit {
		if o := c.builtins.Find(base); len(o) > 0 && ok {
			_, codes := builtins.SplitSignature(o[0].Signature)
			return c.resolve(name, o[:1], args[:min(len(args), len(codes))], pos)
		}
	}
	if e, ok := c.family(name, args, pos); ok {
		return e
	}
	if e, ok := c.special(name, args, pos); ok {
		return e
	}
	c.unknownFunction(name, pos)
	return invalidAt(pos)
}

// unknownFunction reports a call of nothing that is known, or of a function
// that could not be parsed.
func (c *checker) unknownFunction(name string, pos Pos) {
	for _, r := range c.p.Rejected {
		if r.Name == name {
			if !slices.Contains(*c.errs, r.Err) {
				c.errs.Add(r.Err)
			}
			return
		}
	}
	c.undeclared(pos, name, "function")
}

// builtinArguments types the arguments of a language function. Those that only
// write a result through &x leave x in its register.
func (c *checker) builtinArguments(x *cc.PostfixExpression, name string) (args []Expr, ok bool) {
	o := c.builtins.Find(name)
	out := len(o) > 0 && o[0].Function.Class == MathOut || strings.Contains(name, "sincos")
	for l := x.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		u, isUnary := l.AssignmentExpression.(*cc.UnaryExpression)
		if out && isUnary && u.Case == cc.UnaryExpressionAddrof {
			args = append(args, c.pointerTarget(c.expr(u.CastExpression), c.p.Pos(u)))
			continue
		}
		args = append(args, c.value(l.AssignmentExpression))
	}
	return args, !isInvalid(args...)
}

// candidate is an overload of a language function, for the arguments of a call.
type candidate struct {
	builtins.Overload
	params []*Type
	result *Type
	cost   int // of converting the arguments
}

// cheapest chooses the overload of a language function that needs the least
// conversion; the first of equal ones. why says why there is none.
func (c *checker) cheapest(overloads []builtins.Overload, args []Expr) (best *candidate, why string) {
	for _, o := range overloads {
		params, result, problem := c.match(o, args)
		if problem != "" {
			why = problem
			continue
		}
		this := &candidate{o, params, result, 0}
		for i, p := range params {
			this.cost += conversionCost(args[i], p, false)
		}
		if best == nil || this.cost < best.cost {
			best = this
		}
	}
	return best, why
}

// resolve makes the call of the cheapest overload.
func (c *checker) resolve(name string, overloads []builtins.Overload, args []Expr, pos Pos) Expr {
	best, why := c.cheapest(overloads, args)
	if best == nil {
		return c.fail(pos, "%s: %s", name, why)
	}
	return c.applyBuiltin(best.Overload, args, best.params, best.result, pos)
}

// applyBuiltin makes the call of a chosen overload.
func (c *checker) applyBuiltin(o builtins.Overload, args []Expr, params []*Type, result *Type, pos Pos) Expr {
	out := make([]Expr, len(args))
	for i, a := range args {
		if params[i].Kind == Pointer {
			out[i] = a
			if (o.Function.Class == Atomic || o.Function.Class == MathOut) && params[i].Const {
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
		out = append(out, &Literal{Typed: ast.Of(Scalar(UInt), pos), Value: ctypes.IntValue(UInt, v)})
	}
	call := &BuiltinCall{Typed: ast.Of(result, pos), Builtin: o.Function, Args: out}
	if o.Function.Class == WorkItem && len(out) == 1 {
		return c.workItem(call)
	}
	return call
}

// workItem checks the dimension of a work-item function. Dimensions from 3 on
// have one work item, with index 0 (OpenCL C 1.2, 6.12.1).
func (c *checker) workItem(call *BuiltinCall) Expr {
	dim, ok := call.Args[0].(*Literal)
	if !ok {
		c.unsupported(call.P, call.Builtin.Name+" of a dimension that is not constant is", "write one call for each dimension")
		return invalidAt(call.P)
	}
	if dim.Value.Int >= 0 && dim.Value.Int < 3 {
		return call
	}
	v := ctypes.IntValue(ULong, 0)
	if strings.HasSuffix(call.Builtin.Name, "_size") || call.Builtin.Name == "get_num_groups" {
		v.Int = 1
	}
	return &Literal{Typed: ast.Of(v.Type, call.P), Value: v}
}

// ignoredCall types a call that stands for no instruction. Its arguments are
// not looked at: strings have no other use.
func (c *checker) ignoredCall(o builtins.Overload, pos Pos) Expr {
	if !c.noted[o.Name] {
		c.noted[o.Name] = true
		c.unit.Warnings.Add(diag.Notef(pos, codeIgnored, "%s is left out: it stands for no instruction", o.Name))
	}
	result, _ := builtins.SplitSignature(o.Signature)
	return &BuiltinCall{Typed: ast.Of(c.codeType(result, nil), pos), Builtin: o.Function, Args: nil}
}

// special types the few functions that are neither in a table nor a family.
func (c *checker) special(name string, args []Expr, pos Pos) (Expr, bool) {
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
		return &Literal{Typed: ast.Of(Scalar(Int), pos), Value: ctypes.IntValue(Int, n)}, true
	}
	if c.cfg.Dialect == CUDA {
		return c.cudaSpecial(name, args, pos)
	}
	return nil, false
}
