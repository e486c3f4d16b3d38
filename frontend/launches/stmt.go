package launches

import (
	"slices"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// simple executes an expression.
func (r *interpreter) simple(x syntax.Expr) {
	switch y := syntax.Bare(x).(type) {
	case nil:
		return
	case *syntax.Binary:
		if y.Op == "," {
			r.simple(y.X)
			r.simple(y.Y)
			return
		}
	}
	if !r.assignment(syntax.Bare(x)) {
		r.effects(x)
	}
}

// declaration declares the variables and names of types of a function.
func (r *interpreter) declaration(d syntax.Decl) {
	switch d := d.(type) {
	case *syntax.Using:
		if d.Namespace {
			r.env.declare(variable{Local: Local{Using: d.Names[0]}})
		}
	case *syntax.Alias:
		if d.Type != nil {
			t := r.names.Type(r.place(), d.Type.Specs, d.Type.Decl)
			r.env.declare(variable{Local: Local{Name: d.Ident, Param: true, Arg: r.typeArgument(t)}})
		}
	case *syntax.Vars:
		if e, ok := d.Specs.Type.(*syntax.Enum); ok && e.Define {
			r.enumerators(e)
		}
		for _, v := range d.Decls {
			switch {
			case d.Specs.Typedef:
				t := r.names.Type(r.place(), d.Specs, v.Decl)
				r.env.declare(variable{Local: Local{Name: last(v.Decl.Name), Param: true, Arg: r.typeArgument(t)}})
			case v.Decl == nil || v.Decl.Name == nil:
				r.unknown(d.Specs, v, "is not understood")
			case v.Decl.Func() == nil:
				r.effectsOf(&v.Init)
				one := r.declarator(d.Specs, v)
				if _, auto := d.Specs.Type.(*syntax.Auto); auto { // others may be assigned another lambda
					one.lambda, _ = v.Init.Expr.(*syntax.Lambda)
				}
				r.env.declare(one)
			}
		}
	}
}

func (r *interpreter) typeArgument(t *ctypes.Type) any {
	if t == nil {
		return nil
	}
	return r.names.TypeArgument(t)
}

// enumerators declares the constants of an enumeration in a function.
func (r *interpreter) enumerators(e *syntax.Enum) {
	value := number(ctypes.IntValue(ctypes.Int, -1))
	for _, v := range e.Values {
		if v.Value != nil {
			value = r.eval(v.Value)
		} else {
			value = compute(ctypes.Add, value, number(ctypes.IntValue(ctypes.Int, 1)))
		}
		r.env.declare(variable{Local: Local{Name: v.Ident, Type: ctypes.Scalar(ctypes.Int)}, constant: true,
			value: value})
	}
}

// unknown declares the names of a declarator whose values are not known.
func (r *interpreter) unknown(s *syntax.Specifiers, v *syntax.Var, why string) {
	for _, n := range v.Names {
		r.env.declare(variable{Local: Local{Name: n.Ident}, value: unknownf("%s %s (%s)", n.Ident, why, r.line(n.Pos))})
	}
	if v.Decl != nil && v.Decl.Name != nil {
		name := last(v.Decl.Name)
		r.env.declare(variable{Local: Local{Name: name, Type: r.names.Type(r.place(), s, v.Decl)},
			value: unknownf("the value of %s %s", name, why)})
	}
}

// declarator is the variable that a declarator declares.
func (r *interpreter) declarator(s *syntax.Specifiers, d *syntax.Var) variable {
	name := last(d.Decl.Name)
	at := r.line(d.Decl.Pos)
	constant := s.Quals.Const || s.Constexpr
	v := variable{Local: Local{Name: name, Type: r.names.Type(r.place(), s, d.Decl)}, constant: constant}
	_, auto := s.Type.(*syntax.Auto)
	if auto && v.Type == nil {
		v.Type = r.typeOfInit(&d.Init)
	}
	var op syntax.DeclOp
	if len(d.Decl.Ops) > 0 {
		op = d.Decl.Ops[0]
	}
	switch op.(type) {
	case *syntax.ArrayOp:
		v.value = unknownf("%s is an array (%s)", name, at)
		isArray := len(d.Decl.Ops) == 1 && v.Type != nil && v.Type.Kind == ctypes.Array
		if list := d.Init.List; list != nil && isArray && (constant || r.onlyRead(name)) {
			v.value.elems = r.elements(list, v.Type.Elem)
		}
		v.constant = false
		return v
	case nil:
	default:
		v.constant, v.forever, v.value = false, true, unknownf("%s is a pointer or reference (%s)", name, at)
		// it may be changed by another name
		if other := ident(syntax.Bare(d.Init.Expr)); syntax.Has[*syntax.RefOp](d.Decl) && other != "" {
			r.env.forget(other, "the value of "+other+" may be changed as "+name, true)
		}
		return v
	}
	if s.Static && !constant && r.fn != nil {
		v.value = unknownf("%s keeps its value from call to call (%s)", name, at)
		return v
	}
	v.value = r.initial(v.Type, auto, name, &d.Init, at)
	if s.Constexpr && !v.value.Known() && d.Init.Expr != nil {
		if c, ok := r.names.Constant(r.place(), d.Init.Expr); ok {
			v.value = number(c).as(v.Type)
		}
	}
	if auto && v.value.IsScalar() {
		v.Type = v.value.Scalar.Type
	}
	return v
}

// elements are those of an array of t that a list initialises; nil is the type of the elements themselves.
func (r *interpreter) elements(list *syntax.List, t *ctypes.Type) (values []Value) {
	for _, e := range list.Elems {
		v := r.eval(e.X)
		if t != nil {
			v = v.as(t)
		}
		values = append(values, v)
	}
	return values
}

// onlyRead reports whether the function that is executed reads elements of an array, and does nothing else with it.
func (r *interpreter) onlyRead(name string) bool {
	if r.fn == nil {
		return false
	}
	uses := 0
	syntax.Visit(r.fn.decl.Body, func(n any) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			if last(n.Name) == name {
				uses++
			}
		case *syntax.IndexExpr:
			if ident(n.X) == name {
				uses--
			}
		case *syntax.SizeOf:
			if ident(syntax.Bare(n.X)) == name {
				uses--
			}
		case *syntax.RangeStmt:
			if ident(n.Range) == name {
				uses--
			}
		}
		return true
	})
	return uses == 0
}

// typeOfInit is the type that auto stands for.
func (r *interpreter) typeOfInit(i *syntax.Init) *ctypes.Type {
	switch {
	case i.Expr != nil:
		return r.names.TypeOf(r.place(), i.Expr)
	case i.Parens != nil && len(*i.Parens) == 1:
		return r.names.TypeOf(r.place(), (*i.Parens)[0])
	}
	return nil
}

// initial is the first value of a variable of type t.
func (r *interpreter) initial(t *ctypes.Type, auto bool, name string, i *syntax.Init, at string) Value {
	var v Value
	switch {
	case !i.IsSet() && t != nil && isDim3(t):
		return dim3Of(nil)
	case !i.IsSet():
		return unknownf("%s has no value yet (%s)", name, at)
	case i.Expr != nil:
		v = r.eval(i.Expr)
	default:
		var args []Value
		if i.List != nil {
			for _, e := range i.List.Elems {
				args = append(args, r.eval(e.X))
			}
		} else {
			args = r.values(*i.Parens)
		}
		switch {
		case t != nil && isDim3(t):
			v = dim3Of(args)
		case len(args) == 0:
			v = number(ctypes.IntValue(ctypes.Int, 0))
		case len(args) == 1:
			v = args[0]
		default:
			return unknownf("the value of %s is not understood (%s)", name, at)
		}
	}
	if auto {
		return v
	}
	if v.Known() && t == nil {
		return unknownf("the type of %s is not understood (%s)", name, at)
	}
	return v.as(t)
}

// assignment executes x = e, x += e, x.y = e, ++x and x++, where that is all of an expression.
func (r *interpreter) assignment(x syntax.Expr) bool {
	var left, right syntax.Expr
	op := ""
	switch x := x.(type) {
	case *syntax.Binary:
		if !slices.Contains(assignments, x.Op) {
			return false
		}
		left, right, op = x.X, x.Y, x.Op
	case *syntax.Unary:
		left, op = x.X, x.Op
	case *syntax.Postfix:
		left, op = x.X, x.Op
	}
	left = syntax.Bare(left)
	member := ""
	if m, ok := left.(*syntax.MemberExpr); ok && !m.Arrow {
		left, member = syntax.Bare(m.X), last(m.Name)
	}
	name := ident(left)
	v := r.env.find(name)
	if name == "" || v == nil {
		return false
	}
	old := v.value
	if member != "" {
		old = old.member(member)
	}
	var value Value
	switch {
	case op == "++" || op == "--":
		value = compute(ctypes.BinaryOp(op[:1]), old, number(ctypes.IntValue(ctypes.Int, 1)))
	case right == nil:
		return false
	case r.changes(right):
		return false
	case op == "=":
		value = r.eval(right)
	default:
		value = compute(ctypes.BinaryOp(op[:len(op)-1]), old, r.eval(right))
	}
	if right != nil {
		r.effects(right)
	}
	if v = r.env.find(name); member != "" {
		value = v.value.withMember(member, value)
	}
	r.env.set(name, value)
	return true
}

// changes reports whether an expression assigns to something.
func (r *interpreter) changes(x syntax.Expr) (found bool) {
	r.assigned(x, func(string, syntax.Pos, bool) { found = true })
	return found
}
