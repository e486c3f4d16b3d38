package translate

import (
	"math"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/lower"
)

// math lowers a component-wise function lane by lane.
func (l *lowerer) math(e *ast.BuiltinCall) value {
	args := make([]value, len(e.Args))
	for i, a := range e.Args {
		args[i] = l.expr(a)
	}
	if len(args) == 0 || lower.IrType(e.T) == 0 {
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
		v.ops = append(v.ops, l.mathLane(e.Builtin.Name, lower.IrType(e.T), e.Pos(), lane))
	}
	l.component = 0
	return v
}

// mathOp is the operation that a function of args arguments is without its mode, 0 if it is not
// a single one.
func mathOp(name string) (op Op, args int) {
	switch name {
	case "add":
		return lower.Add, 2
	case "sub":
		return lower.Sub, 2
	case "mul", "mul24":
		return lower.Mul, 2
	case "div":
		return lower.Div, 2
	case "min", "fmin":
		return lower.Min, 2
	case "max", "fmax":
		return lower.Max, 2
	case "abs", "fabs":
		return lower.Abs, 1
	case "mul_hi":
		return lower.MulHi, 2
	case "fma", "mad", "mad24":
		return lower.Fma, 3
	}
	return 0, 0
}

// mathLane lowers one lane of a math function. What compilers expand to basic
// operations is expanded, by the definitions of OpenCL C 1.2, 6.12.2 to 6.12.4;
// the rest is a Call.
func (l *lowerer) mathLane(name string, t Type, pos Pos, a []Operand) Operand {
	at := a[0].Type
	base, mode := lower.Mode(name)
	if op, n := mathOp(base); op != 0 && len(a) == n {
		if op == lower.Abs && !at.IsFloat() && !at.IsSigned() {
			return l.convertOperand(a[0], t, "", pos)
		}
		return l.convertOperand(l.opAs(op, mode, at, pos, a...), t, "", pos)
	}
	op := func(o Op, x ...Operand) Operand { return l.op(o, t, pos, x...) }
	switch {
	case base == "recip" && len(a) == 1:
		return l.opAs(lower.Div, mode, t, pos, number(t, 1), a[0])
	case name == "clamp" && len(a) == 3:
		return op(lower.Min, op(lower.Max, a[0], a[1]), a[2])
	case name == "mad_hi" && len(a) == 3:
		return op(lower.Add, op(lower.MulHi, a[0], a[1]), a[2])
	case name == "mix" && len(a) == 3:
		return op(lower.Fma, op(lower.Sub, a[1], a[0]), a[2], a[0])
	case name == "step" && len(a) == 2:
		return op(lower.Select, op(lower.Lt, a[1], a[0]), number(t, 0), number(t, 1))
	case name == "smoothstep" && len(a) == 3:
		s := op(lower.Div, op(lower.Sub, a[2], a[0]), op(lower.Sub, a[1], a[0]))
		s = op(lower.Min, op(lower.Max, s, number(t, 0)), number(t, 1))
		return op(lower.Mul, op(lower.Mul, s, s), op(lower.Fma, number(t, -2), s, number(t, 3)))
	case name == "sign" && len(a) == 1:
		neg := op(lower.Select, op(lower.Lt, a[0], number(t, 0)), number(t, -1), number(t, 0))
		return op(lower.Select, op(lower.Gt, a[0], number(t, 0)), number(t, 1), neg)
	case name == "degrees" && len(a) == 1:
		return op(lower.Mul, a[0], number(t, 180/math.Pi))
	case name == "radians" && len(a) == 1:
		return op(lower.Mul, a[0], number(t, math.Pi/180))
	case name == "fdim" && len(a) == 2: // NaN where one is NaN: not (x <= y)
		return op(lower.Select, op(lower.Le, a[0], a[1]), number(t, 0), op(lower.Sub, a[0], a[1]))
	case name == "abs_diff" && len(a) == 2:
		d := l.op(lower.Sub, at, pos, l.op(lower.Max, at, pos, a...), l.op(lower.Min, at, pos, a...))
		return l.convertOperand(d, t, "", pos)
	case name == "copysign" && len(a) == 2:
		u := t.Unsigned()
		mask := int64(1) << (8*t.Size() - 1)
		mag := l.op(lower.And, u, pos, l.bits(a[0], u, pos), lower.ConstInt(u, ^mask))
		sgn := l.op(lower.And, u, pos, l.bits(a[1], u, pos), lower.ConstInt(u, mask))
		return l.bits(l.op(lower.Or, u, pos, mag, sgn), t, pos)
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
		base, _ := lower.Mode(e.Builtin.Name)
		if op, _ := mathOp(base); op != 0 {
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
	op := lower.Or
	if e.Builtin.Name == "all" {
		op = lower.And
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
		c = l.op(op, lower.Pred, e.Pos(), c, d)
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
			c = lower.Zero(lower.Pred)
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
	both := func(o Op, x, y Operand) (Operand, bool) {
		return l.op(o, lower.Pred, pos, x, y), true
	}
	if len(a) == 2 {
		x, y := a[0], a[1]
		switch name {
		case "isequal":
			return cmp(lower.Eq, x, y), true
		case "isnotequal":
			return cmp(lower.Ne, x, y), true
		case "isgreater":
			return cmp(lower.Gt, x, y), true
		case "isgreaterequal":
			return cmp(lower.Ge, x, y), true
		case "isless":
			return cmp(lower.Lt, x, y), true
		case "islessequal":
			return cmp(lower.Le, x, y), true
		case "islessgreater":
			return both(lower.Or, cmp(lower.Lt, x, y), cmp(lower.Gt, x, y))
		case "isordered":
			return both(lower.And, cmp(lower.Eq, x, x), cmp(lower.Eq, y, y))
		case "isunordered":
			return both(lower.Or, cmp(lower.Ne, x, x), cmp(lower.Ne, y, y))
		}
		return Operand{}, false
	}
	x := a[0]
	inf := number(t, math.Inf(1))
	switch name {
	case "isnan":
		return cmp(lower.Ne, x, x), true
	case "isinf":
		return cmp(lower.Eq, l.op(lower.Abs, t, pos, x), inf), true
	case "isfinite":
		return cmp(lower.Lt, l.op(lower.Abs, t, pos, x), inf), true
	case "isnormal":
		m := l.op(lower.Abs, t, pos, x)
		return both(lower.And, cmp(lower.Ge, m, number(t, smallestNormal(t))), cmp(lower.Lt, m, inf))
	case "signbit":
		return l.signs(value{ops: []Operand{x}}, pos)[0], true
	}
	return Operand{}, false
}

// smallestNormal is the smallest positive normal number of a floating type.
func smallestNormal(t Type) float64 {
	switch t {
	case lower.F16:
		return 0x1p-14
	case lower.BF16, lower.F32:
		return 0x1p-126
	}
	return 0x1p-1022
}

// fastMath are the functions that -use_fast_math takes in single precision in the place of the
// accurate ones: the intrinsics (CUDA C++ Programming Guide, Mathematical Functions Appendix,
// functions affected by -use_fast_math), and what -ftz=true and -prec-sqrt=false, which it
// implies, leave of the roots (PTX ISA, rsqrt.approx.ftz and sqrt.approx.ftz: one instruction of the
// special function unit, without scaling of small arguments). OpenCL's
// -cl-fast-relaxed-math allows the same.
var fastMath = map[string]string{
	"cos": "native_cos", "exp": "native_exp", "exp10": "native_exp10", "exp2": "native_exp2",
	"log": "native_log", "log10": "native_log10", "log2": "native_log2", "pow": "native_powr", "powr": "native_powr",
	"rsqrt": "native_rsqrt", "sin": "native_sin", "sqrt": "native_sqrt", "tan": "native_tan",
}

// fast is what a math function becomes where the unit is compiled for speed.
func (l *lowerer) fast(fn string, t Type) string {
	if n, ok := fastMath[fn]; ok && l.unit.Target.FastMath && t == lower.F32 {
		return n
	}
	return fn
}
