package translate

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/lower"
)

// vectorLit is (float4)(a, b.xy, c): the lanes of its elements in order.
func (l *lowerer) vectorLit(e *ast.VectorLit) value {
	v := value{typ: e.T}
	for _, x := range e.Elems {
		for _, o := range l.expr(x).ops {
			v.ops = append(v.ops, l.convertOperand(o, lower.IrType(e.T), "", x.Pos()))
		}
	}
	if len(v.ops) == 1 {
		for len(v.ops) < e.T.Lanes() {
			v.ops = append(v.ops, v.ops[0])
		}
	}
	if len(v.ops) != e.T.Lanes() {
		if !l.errs.HasErrors() {
			l.unsupported(e.Pos(), "%v with %d elements", e.T, len(v.ops))
		}
		return l.poison(e.T)
	}
	return v
}

// laneConds lowers a vector condition to one predicate for each lane. OpenCL
// looks at the sign bit of a lane; comparisons set all bits or none.
func (l *lowerer) laneConds(e ast.Expr) []Operand {
	n := e.Type().Lanes()
	pos := e.Pos()
	cs := make([]Operand, n)
	switch e := e.(type) {
	case *ast.Unary:
		if e.Op == ctypes.Not {
			x := l.laneTruths(e.X)
			for i := range cs {
				cs[i] = l.op(lower.Not, lower.Pred, pos, x[i])
			}
			return cs
		}
	case *ast.Binary:
		switch {
		case e.Op.IsComparison():
			x, y := l.expr(e.X), l.expr(e.Y)
			for i := range cs {
				cs[i] = l.compare(e.Op, x.lane(i), y.lane(i), pos)
			}
			return cs
		case e.Op == ctypes.LogAnd || e.Op == ctypes.LogOr:
			op := lower.And
			if e.Op == ctypes.LogOr {
				op = lower.Or
			}
			x, y := l.laneTruths(e.X), l.laneTruths(e.Y)
			for i := range cs {
				cs[i] = l.op(op, lower.Pred, pos, x[i], y[i])
			}
			return cs
		}
	case *ast.BuiltinCall:
		if e.Builtin.Class == builtins.Relational {
			return l.relations(e)
		}
	}
	return l.signs(l.expr(e), pos)
}

// laneTruths is lane != 0 for each lane, what !, && and || look at.
func (l *lowerer) laneTruths(e ast.Expr) []Operand {
	if allOrNone(e) {
		return l.laneConds(e)
	}
	x := l.expr(e)
	cs := make([]Operand, len(x.ops))
	for i, o := range x.ops {
		cs[i] = l.nonzero(o, e.Pos())
	}
	return cs
}

// allOrNone reports whether a vector expression's lanes are -1 or 0, so that
// the sign bit and != 0 agree.
func allOrNone(e ast.Expr) bool {
	if e.Type().Lanes() == 1 {
		return false
	}
	switch e := e.(type) {
	case *ast.Unary:
		return e.Op == ctypes.Not
	case *ast.Binary:
		return e.Op.IsComparison() || e.Op == ctypes.LogAnd || e.Op == ctypes.LogOr
	case *ast.BuiltinCall:
		return e.Builtin.Class == builtins.Relational
	}
	return false
}

// signs is the sign bit of each lane.
func (l *lowerer) signs(v value, pos Pos) []Operand {
	cs := make([]Operand, len(v.ops))
	for i, o := range v.ops {
		if o.Type == lower.Pred {
			cs[i] = o
			continue
		}
		o = l.bits(o, o.Type.Signed(), pos)
		cs[i] = l.op(lower.Lt, o.Type, pos, o, lower.Zero(o.Type))
	}
	return cs
}

// geometric lowers dot, cross, length, distance, normalize and their fast
// variants to the operations that OpenCL C libraries expand them to.
func (l *lowerer) geometric(e *ast.BuiltinCall) value {
	pos := e.Pos()
	t := lower.IrType(e.Args[0].Type())
	a := l.expr(e.Args[0]).ops
	var b []Operand
	if len(e.Args) > 1 {
		b = l.expr(e.Args[1]).ops
	}
	scalar := func(o Operand) value { return value{typ: e.T, ops: []Operand{o}} }
	switch name := e.Builtin.Name; name {
	case "dot":
		return scalar(l.dot(t, a, b, pos))
	case "length", "fast_length":
		return scalar(l.norm(name == "fast_length", t, a, pos))
	case "distance", "fast_distance":
		d := make([]Operand, len(a))
		for i := range a {
			d[i] = l.op(lower.Sub, t, pos, a[i], b[i])
		}
		return scalar(l.norm(name == "fast_distance", t, d, pos))
	case "normalize", "fast_normalize":
		fn := "rsqrt"
		if name == "fast_normalize" {
			fn = "half_rsqrt"
		}
		r := l.call(fn, t, pos, l.dot(t, a, a, pos))
		v := value{typ: e.T}
		for i := range a {
			v.ops = append(v.ops, l.op(lower.Mul, t, pos, a[i], r))
		}
		return v
	case "cross":
		v := value{typ: e.T}
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			p := l.op(lower.Mul, t, pos, a[j], b[k])
			q := l.op(lower.Mul, t, pos, a[k], b[j])
			v.ops = append(v.ops, l.op(lower.Sub, t, pos, p, q))
		}
		if len(a) == 4 {
			v.ops = append(v.ops, lower.Zero(t))
		}
		return v
	}
	l.unsupported(pos, "function %s", e.Builtin.Name)
	return l.poison(e.T)
}

// dot is a chain of multiply-adds over the lanes.
func (l *lowerer) dot(t Type, a, b []Operand, pos Pos) Operand {
	s := l.op(lower.Mul, t, pos, a[0], b[0])
	for i := 1; i < len(a); i++ {
		s = l.op(lower.Fma, t, pos, a[i], b[i], s)
	}
	return s
}

// norm is the square root of dot(a, a); of a scalar it is its absolute value.
func (l *lowerer) norm(fast bool, t Type, a []Operand, pos Pos) Operand {
	if len(a) == 1 {
		return l.op(lower.Abs, t, pos, a[0])
	}
	fn := "sqrt"
	if fast {
		fn = "half_sqrt"
	}
	return l.call(fn, t, pos, l.dot(t, a, a, pos))
}
