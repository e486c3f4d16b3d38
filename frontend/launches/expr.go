package launches

import (
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// eval is the value of an expression of host code. What it does not understand has no value: it
// never guesses.
func (r *interpreter) eval(x syntax.Expr) Value {
	if !r.spend(1) {
		return unknownf("the program is too long to be followed")
	}
	switch x := x.(type) {
	case *syntax.Paren:
		return r.eval(x.X)
	case *syntax.Lit:
		return r.literal(x)
	case *syntax.Ident:
		return r.variable(x.Name)
	case *syntax.Unary:
		return r.unary(x)
	case *syntax.Binary:
		return r.binary(x)
	case *syntax.Cond:
		return r.cond(x)
	case *syntax.CallExpr:
		return r.call(x)
	case *syntax.Construct:
		return r.construct(x)
	case *syntax.List:
		return r.list(x)
	case *syntax.CastExpr:
		return r.eval(x.X).as(r.names.Type(r.place(), x.Type.Specs, x.Type.Decl))
	case *syntax.NamedCast:
		return r.eval(x.X).as(r.names.Type(r.place(), x.Type.Specs, x.Type.Decl))
	case *syntax.SizeOf:
		return r.sizeOf(x)
	case *syntax.MemberExpr:
		if n := r.run.ComputeUnits; n > 0 && last(x.Name) == "multiProcessorCount" { // of cudaDeviceProp
			return number(ctypes.IntValue(ctypes.Int, int64(n)))
		}
		if v := r.eval(x.X); !x.Arrow && v.Known() {
			return v.member(last(x.Name))
		}
		return unknownf("member %s of an object is not known (%s)", last(x.Name), r.line(x.Pos))
	case *syntax.IndexExpr:
		if v, ok := r.eval(x.X).element(r.eval(x.I)); ok {
			return v
		}
		return unknownf("an element of an array is not known (%s)", r.line(x.Pos))
	}
	if x == nil {
		return unknownf("an expression is missing")
	}
	return unknownf("an expression is not understood (%s)", r.line(x.ExprPos()))
}

func (r *interpreter) values(list []syntax.Expr) []Value {
	values := []Value{}
	for _, x := range list {
		values = append(values, r.eval(x))
	}
	return values
}

func (r *interpreter) literal(x *syntax.Lit) Value {
	switch x.Kind {
	case syntax.BoolLit:
		return number(ctypes.Value{Type: ctypes.Scalar(ctypes.Bool), Int: ctypes.BoolValue(x.Text == "true").Int})
	case syntax.CharLit:
		if v, problem := ctypes.ParseChar(x.Text); problem == "" {
			return number(ctypes.IntValue(ctypes.Char, v.Int))
		}
	case syntax.IntLit, syntax.FloatLit:
		if v, problem := ctypes.ParseNumber(x.Text); problem == "" {
			return number(v)
		}
	case syntax.StringLit:
		return unknownf("a string is not a number")
	}
	return unknownf("%s is not understood (%s)", x.Text, r.line(x.Pos))
}

// list is {1, 2}: of one value that, of more the extents of a dim3.
func (r *interpreter) list(x *syntax.List) Value {
	var args []Value
	for _, e := range x.Elems {
		args = append(args, r.eval(e.X))
	}
	if len(args) == 1 {
		return args[0]
	}
	return dim3Of(args)
}

// construct is dim3(4, 4), int(x) or the like with braces.
func (r *interpreter) construct(x *syntax.Construct) Value {
	t := r.names.Type(r.place(), x.Type.Specs, x.Type.Decl)
	args := r.values(x.Args)
	if x.List != nil {
		for _, e := range x.List.Elems {
			args = append(args, r.eval(e.X))
		}
	}
	switch {
	case t == nil:
		return unknownf("its type is not understood (%s)", r.line(x.Pos))
	case isDim3(t):
		return dim3Of(args)
	case len(args) == 0:
		return number(ctypes.IntValue(ctypes.Int, 0)).as(t)
	case len(args) == 1:
		return args[0].as(t)
	}
	return unknownf("an object is not understood (%s)", r.line(x.Pos))
}

func (r *interpreter) unary(x *syntax.Unary) Value {
	op := map[string]ctypes.Op{"-": ctypes.Neg, "~": ctypes.BitNot, "!": ctypes.Not}[x.Op]
	if op == 0 && x.Op != "+" {
		return unknownf("%s is not understood (%s)", x.Op, r.line(x.Pos))
	}
	v := r.eval(x.X)
	if !v.IsScalar() || op == 0 {
		return v
	}
	if op != ctypes.Not {
		v.Scalar = ctypes.Convert(v.Scalar, ctypes.Promoted(v.Scalar.Type))
	}
	if n, ok := ctypes.EvalUnary(op, v.Scalar); ok {
		return number(n)
	}
	return unknownf("%s of such a number (%s)", x.Op, r.line(x.Pos))
}

func (r *interpreter) binary(x *syntax.Binary) Value {
	op := ctypes.BinaryOp(x.Op)
	if op == 0 {
		return unknownf("%s in an expression is not followed (%s)", x.Op, r.line(x.Pos))
	}
	a := r.eval(x.X)
	b := r.eval(x.Y)
	if op == ctypes.LogAnd || op == ctypes.LogOr {
		return connective(op, a, b)
	}
	return compute(op, a, b)
}

// connective is x && y or x || y; y need not be known where x decides.
func connective(op ctypes.Op, x, y Value) Value {
	if !x.IsScalar() {
		return x
	}
	if x.Scalar.IsTrue() == (op == ctypes.LogOr) {
		return number(ctypes.BoolValue(op == ctypes.LogOr))
	}
	if !y.IsScalar() {
		return y
	}
	return number(ctypes.BoolValue(y.Scalar.IsTrue()))
}

func (r *interpreter) cond(x *syntax.Cond) Value {
	c, a, b := r.eval(x.C), r.eval(x.X), r.eval(x.Y)
	if c.IsScalar() { // what is not chosen need not be known where its type is
		if !a.Known() && !c.Scalar.IsTrue() && parsesInt(x.X) {
			a = number(ctypes.IntValue(ctypes.Int, 0))
		}
		if !b.Known() && c.Scalar.IsTrue() && parsesInt(x.Y) {
			b = number(ctypes.IntValue(ctypes.Int, 0))
		}
	}
	switch {
	case !c.Known():
		return c
	case !c.IsScalar():
		return unknownf("a condition is not understood (%s)", r.line(x.Pos))
	case !a.Known(): // the type depends on both
		return a
	case !b.Known():
		return b
	case a.IsScalar() && b.IsScalar(): // of their common type
		t := ctypes.Usual(a.Scalar.Type, b.Scalar.Type)
		a, b = number(ctypes.Convert(a.Scalar, t)), number(ctypes.Convert(b.Scalar, t))
	}
	if c.Scalar.IsTrue() {
		return a
	}
	return b
}

// parsesInt reports whether an operand is a call that makes an int of a text, as programs do
// of their arguments.
func parsesInt(x syntax.Expr) bool {
	call, ok := syntax.Bare(x).(*syntax.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fn.(*syntax.Ident)
	return ok && (last(id.Name) == "atoi" || last(id.Name) == "stoi")
}

// sizeOf is sizeof(T) and sizeof x.
func (r *interpreter) sizeOf(x *syntax.SizeOf) Value {
	var t *ctypes.Type
	what := "an expression"
	switch {
	case x.Align || x.Pack != "":
	case x.Type != nil:
		t = r.names.Type(r.place(), x.Type.Specs, x.Type.Decl)
		if n, ok := x.Type.Specs.Type.(*syntax.NamedType); ok {
			what = last(n.Name)
		}
	default:
		t = r.names.TypeOf(r.place(), x.X)
		if n := ident(syntax.Bare(x.X)); n != "" {
			what = n
		}
	}
	if t == nil || t.Size() <= 0 {
		return unknownf("the size of %s is not known (%s)", what, r.line(x.Pos))
	}
	return number(ctypes.IntValue(ctypes.ULong, t.Size()))
}

// variable is the value of a variable or constant.
func (r *interpreter) variable(n *syntax.Name) Value {
	name := last(n)
	if len(n.Parts) == 1 && !n.Global {
		if v := r.env.find(name); v != nil {
			return v.value
		}
	}
	if v, ok := r.names.Constant(r.place(), &syntax.Ident{Name: n}); ok {
		return number(v)
	}
	g := r.globals[name]
	switch {
	case g == nil:
		return unknownf("%s is not declared in what was read (%s)", name, r.line(n.Pos))
	case g.again:
		return unknownf("%s is declared more than once", name)
	}
	v := r.global(g)
	if v == nil {
		return unknownf("%s depends on itself (%s)", name, r.line(n.Pos))
	}
	if !v.constant {
		if r.fn != nil && r.fn.member {
			return unknownf("%s may be a member of an object (%s)", name, r.line(n.Pos))
		}
		if at, ok := r.changed[name]; ok {
			return unknownf("%s may be changed (%s)", name, r.line(at))
		}
	}
	return v.value
}

// global is the variable that a declaration outside of functions declares; nil while it is being evaluated.
func (r *interpreter) global(g *global) *variable {
	if g.value != nil || g.entering {
		return g.value
	}
	g.entering = true
	defer func() { g.entering = false }()
	vars, base, fn := r.env.vars, r.env.base, r.fn
	r.env.vars, r.env.base, r.fn = nil, 0, nil
	v := r.declarator(g.specs, g.v)
	r.env.vars, r.env.base, r.fn = vars, base, fn
	g.value = &v
	return g.value
}

// call is the value of a call.
func (r *interpreter) call(x *syntax.CallExpr) Value {
	id, ok := x.Fn.(*syntax.Ident)
	if !ok {
		if m, isMember := x.Fn.(*syntax.MemberExpr); isMember {
			return unknownf("what %s() gives is not known (%s)", last(m.Name), r.line(x.Pos))
		}
		return unknownf("what a call gives is not known (%s)", r.line(x.Pos))
	}
	name := last(id.Name)
	args := r.values(x.Args)
	v := unknownf("what %s() gives is not known (%s)", name, r.line(x.ExprPos()))
	std := len(id.Name.Parts) == 2 && id.Name.Parts[0].Ident == "std"
	switch {
	case len(id.Name.Parts) == 1 && r.env.find(name) != nil: // a lambda, or a functor
		return v
	case len(r.funcs[name]) > 0 && !std:
		if f := r.callee(name, len(args)); f != nil {
			v = r.result(f, x, args)
		}
	case len(id.Name.Parts) == 1 || std:
		if w, ok := libraryCall(name, args); ok {
			return w
		}
		return v
	default:
		return v
	}
	for _, a := range args { // a reason nearer to the cause
		if !v.Known() && !a.Known() {
			return a
		}
	}
	return v
}
