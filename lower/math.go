package lower

import (
	"math"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
)

// math lowers a component-wise function lane by lane.
func (l *lowerer) math(e *ast.BuiltinCall) value {
	args := make([]value, len(e.Args))
	for i, a := range e.Args {
		args[i] = l.expr(a)
	}
	if len(args) == 0 || irType(e.T) == 0 {
		l.unsupported(e.Pos(), "function %s", e.Builtin.Name)
		return l.poison(e.T)
	}
	v := value{typ: e.T}
	for i := range e.T.Lanes() {
		lane := make([]Operand, len(args))
		for j, a := range args {
			lane[j] = a.lane(i)
		}
		l.component = componentOf(e.T, i)
		v.ops = append(v.ops, l.mathLane(e.Builtin.Name, irType(e.T), e.Pos(), lane))
	}
	l.component = 0
	return v
}

// mathOp is the operation that a function of args arguments is, 0 if it is not
// a single one.
func mathOp(name string) (op Op, args int) {
	switch name {
	case "min", "fmin":
		return Min, 2
	case "max", "fmax":
		return Max, 2
	case "abs", "fabs":
		return Abs, 1
	case "mul_hi":
		return MulHi, 2
	case "mul24":
		return Mul, 2
	case "fma", "mad", "mad24":
		return Fma, 3
	}
	return 0, 0
}

// mathLane lowers one lane of a math function. What compilers expand to basic
// operations is expanded, by the definitions of OpenCL C 1.2, 6.12.2 to 6.12.4;
// the rest is a Call.
func (l *lowerer) mathLane(name string, t Type, pos Pos, a []Operand) Operand {
	at := a[0].Type
	if op, n := mathOp(name); op != 0 && len(a) == n {
		if op == Abs && !at.IsFloat() && !at.IsSigned() {
			return l.convertOperand(a[0], t, "", pos)
		}
		return l.convertOperand(l.op(op, at, pos, a...), t, "", pos)
	}
	op := func(o Op, x ...Operand) Operand { return l.op(o, t, pos, x...) }
	switch {
	case name == "clamp" && len(a) == 3:
		return op(Min, op(Max, a[0], a[1]), a[2])
	case name == "mad_hi" && len(a) == 3:
		return op(Add, op(MulHi, a[0], a[1]), a[2])
	case name == "mix" && len(a) == 3:
		return op(Fma, op(Sub, a[1], a[0]), a[2], a[0])
	case name == "step" && len(a) == 2:
		return op(Select, op(Lt, a[1], a[0]), number(t, 0), number(t, 1))
	case name == "smoothstep" && len(a) == 3:
		s := op(Div, op(Sub, a[2], a[0]), op(Sub, a[1], a[0]))
		s = op(Min, op(Max, s, number(t, 0)), number(t, 1))
		return op(Mul, op(Mul, s, s), op(Fma, number(t, -2), s, number(t, 3)))
	case name == "sign" && len(a) == 1:
		neg := op(Select, op(Lt, a[0], number(t, 0)), number(t, -1), number(t, 0))
		return op(Select, op(Gt, a[0], number(t, 0)), number(t, 1), neg)
	case name == "degrees" && len(a) == 1:
		return op(Mul, a[0], number(t, 180/math.Pi))
	case name == "radians" && len(a) == 1:
		return op(Mul, a[0], number(t, math.Pi/180))
	case name == "fdim" && len(a) == 2: // NaN where one is NaN: not (x <= y)
		return op(Select, op(Le, a[0], a[1]), number(t, 0), op(Sub, a[0], a[1]))
	case name == "abs_diff" && len(a) == 2:
		d := l.op(Sub, at, pos, l.op(Max, at, pos, a...), l.op(Min, at, pos, a...))
		return l.convertOperand(d, t, "", pos)
	case name == "copysign" && len(a) == 2:
		u := unsignedOf(t)
		mask := int64(1) << (8*t.Size() - 1)
		mag := l.op(And, u, pos, l.bits(a[0], u, pos), ConstInt(u, ^mask))
		sgn := l.op(And, u, pos, l.bits(a[1], u, pos), ConstInt(u, mask))
		return l.bits(l.op(Or, u, pos, mag, sgn), t, pos)
	}
	return l.call(l.fast(name, t), t, pos, a...)
}

// cheapBuiltin counts the operations of a builtin call that may be evaluated
// whether its value is needed or not, arguments aside.
func cheapBuiltin(e *ast.BuiltinCall) (n int, ok bool) {
	switch e.Builtin.Class {
	case builtins.WorkItem, builtins.Relational:
		return e.T.Lanes(), true
	case builtins.Math:
		if op, _ := mathOp(e.Builtin.Name); op != 0 {
			return e.T.Lanes(), true
		}
	}
	return 0, false
}

// relation lowers a scalar relational function, any or all to a condition.
func (l *lowerer) relation(e *ast.BuiltinCall) Operand {
	if e.Builtin.Class != builtins.AnyAll {
		return l.relations(e)[0]
	}
	op := Or
	if e.Builtin.Name == "all" {
		op = And
	}
	x := e.Args[0]
	var cs []Operand
	if x.Type().Lanes() > 1 {
		cs = l.laneConds(x)
	} else {
		cs = l.signs(l.expr(x), e.Pos())
	}
	c := cs[0]
	for _, d := range cs[1:] {
		c = l.op(op, Pred, e.Pos(), c, d)
	}
	return c
}

// relations lowers a relational function to one condition for each lane.
func (l *lowerer) relations(e *ast.BuiltinCall) []Operand {
	args := make([]value, len(e.Args))
	for i, a := range e.Args {
		args[i] = l.expr(a)
	}
	cs := make([]Operand, e.T.Lanes())
	for i := range cs {
		lane := make([]Operand, len(args))
		for j, a := range args {
			lane[j] = a.lane(i)
		}
		c, ok := l.relationLane(e.Builtin.Name, e.Pos(), lane)
		if !ok {
			l.unsupported(e.Pos(), "function %s with %d arguments", e.Builtin.Name, len(args))
			c = zero(Pred)
		}
		cs[i] = c
	}
	return cs
}

// relationLane is one lane of OpenCL C 1.2, 6.12.6. A number is NaN when it
// differs from itself.
func (l *lowerer) relationLane(name string, pos Pos, a []Operand) (Operand, bool) {
	if len(a) == 0 {
		return Operand{}, false
	}
	t := a[0].Type
	cmp := func(o Op, x, y Operand) Operand { return l.op(o, t, pos, x, y) }
	both := func(o Op, x, y Operand) (Operand, bool) { return l.op(o, Pred, pos, x, y), true }
	if len(a) == 2 {
		x, y := a[0], a[1]
		switch name {
		case "isequal":
			return cmp(Eq, x, y), true
		case "isnotequal":
			return cmp(Ne, x, y), true
		case "isgreater":
			return cmp(Gt, x, y), true
		case "isgreaterequal":
			return cmp(Ge, x, y), true
		case "isless":
			return cmp(Lt, x, y), true
		case "islessequal":
			return cmp(Le, x, y), true
		case "islessgreater":
			return both(Or, cmp(Lt, x, y), cmp(Gt, x, y))
		case "isordered":
			return both(And, cmp(Eq, x, x), cmp(Eq, y, y))
		case "isunordered":
			return both(Or, cmp(Ne, x, x), cmp(Ne, y, y))
		}
		return Operand{}, false
	}
	x := a[0]
	inf := number(t, math.Inf(1))
	switch name {
	case "isnan":
		return cmp(Ne, x, x), true
	case "isinf":
		return cmp(Eq, l.op(Abs, t, pos, x), inf), true
	case "isfinite":
		return cmp(Lt, l.op(Abs, t, pos, x), inf), true
	case "isnormal":
		m := l.op(Abs, t, pos, x)
		return both(And, cmp(Ge, m, number(t, smallestNormal(t))), cmp(Lt, m, inf))
	case "signbit":
		return l.signs(value{ops: []Operand{x}}, pos)[0], true
	}
	return Operand{}, false
}

// smallestNormal is the smallest positive normal number of a floating type.
func smallestNormal(t Type) float64 {
	switch t {
	case F16:
		return 0x1p-14
	case F32:
		return 0x1p-126
	}
	return 0x1p-1022
}
