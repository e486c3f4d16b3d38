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

// Calls of functions of the language: the overload that needs the least conversion.

// ignores reports whether the calls of a function of the language stand for nothing, so that its arguments are not
// looked at.
func (c *checker) ignores(name string) bool {
	o := c.builtins.Find(name)
	return len(o) > 0 && (o[0].Function.Class == builtins.Ignored || o[0].Function.Class == builtins.WaitEvents)
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
	return v != nil && !slices.ContainsFunc(v.seqs, func(s sequence) bool { return s.rank > rankExact })
}

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
		if what, advice, found := builtins.Unsupported(name); found && !isTextureName(name, c.cfg.Dialect) {
			return c.refuse(pos, name+": "+what, advice)
		}
	case overloads[0].Function.Class == builtins.Ignored:
		return c.ignoredCall(overloads[0], pos)
	case overloads[0].Function.Class == builtins.WaitEvents: // whatever the events are
		return &ast.BuiltinCall{Typed: ast.Of(ctypes.Scalar(ctypes.Void), pos), Builtin: overloads[0].Function,
			Args: nil}
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
	if len(c.builtins.Find(strings.TrimSuffix(name, "_explicit"))) > 0 ||
		c.cfg.Dialect == ast.CUDA && isHalfName(name) {
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

// costOther is the cost of a conversion between types that have little in common, impossible that of one that there is
// none of.
const (
	costOther  = 100
	impossible = 10000
)

// conversionCost ranks conversions for functions of the language: none, within a class of types, across classes,
// impossible.
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
func (c *checker) applyBuiltin(o builtins.Overload, args []ast.Expr, params []*ctypes.Type, result *ctypes.Type,
	pos diag.Pos) ast.Expr {
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
		return c.refuse(call.P, call.Builtin.Name+" of a dimension that is not constant is",
			"write one call for each dimension")
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
