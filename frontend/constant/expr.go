package constant

import (
	"math"
	"strconv"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
)

// The values of expressions.

// value evaluates an expression.
func (ev *evaluation) value(e ast.Expr) datum {
	ev.step()
	switch x := e.(type) {
	case *ast.Literal:
		return known(x.Value)
	case *ast.VarRef, *ast.Deref, *ast.Index, *ast.Member:
		return ev.copyOf(ev.place(e))
	case *ast.Swizzle:
		of := ev.place(x.X)
		if len(x.Lanes) == 1 {
			return ev.copyOf(of.d.parts[x.Lanes[0]])
		}
		d := datum{set: true}
		for _, l := range x.Lanes {
			d.parts = append(d.parts, &cell{t: x.T.Elem, d: ev.copyOf(of.d.parts[l])})
		}
		return d
	case *ast.Decay:
		in := ev.place(x.X)
		p := &address{in: in}
		if len(in.d.parts) > 0 {
			p.cell = in.d.parts[0]
		}
		return datum{ptr: p, set: true}
	case *ast.AddrOf:
		if i, ok := x.X.(*ast.Index); ok && i.X.Type().Kind == ctypes.Pointer {
			return ev.moved(ev.value(i.X), ev.value(i.I).num.Int)
		}
		return datum{ptr: &address{cell: ev.object(x.X)}, set: true}
	case *ast.PtrAdd:
		n := ev.value(x.Index).num.Int
		if x.Sub {
			n = -n
		}
		return ev.moved(ev.value(x.X), n)
	case *ast.Unary:
		return ev.unary(x)
	case *ast.Binary:
		return ev.binary(x)
	case *ast.Convert:
		return ev.convert(x)
	case *ast.Cond:
		if x.C.Type().Kind == ctypes.Vector {
			return ev.fail()
		}
		if ev.truth(x.C) {
			return ev.value(x.X)
		}
		return ev.value(x.Y)
	case *ast.Comma:
		ev.value(x.X)
		return ev.value(x.Y)
	case *ast.Assign:
		return ev.assign(x)
	case *ast.IncDec:
		return ev.incDec(x)
	case *ast.InitList:
		t := ev.newCell(x.T, true)
		for i, el := range x.Elems {
			if x.Index[i] >= int64(len(t.d.parts)) {
				return ev.fail()
			}
			ev.store(t.d.parts[x.Index[i]], ev.value(el))
		}
		return t.d
	case *ast.VectorLit:
		d := datum{set: true}
		for _, el := range x.Elems {
			v := ev.value(el)
			if v.parts != nil {
				d.parts = append(d.parts, v.parts...)
				continue
			}
			d.parts = append(d.parts, &cell{t: x.T.Elem, d: v})
		}
		return d
	case *ast.Call:
		return ev.call(x)
	case *ast.BuiltinCall:
		return ev.builtin(x)
	case *ast.Bitcast:
		return ev.bitcast(x)
	case *ast.StmtExpr:
		for _, s := range x.Stmts {
			if ev.stmt(s) != goesOn {
				return ev.fail()
			}
		}
		if x.X == nil {
			return datum{set: true}
		}
		return ev.value(x.X)
	}
	return ev.fail()
}

func (ev *evaluation) truth(e ast.Expr) bool {
	d := ev.value(e)
	if e.Type().Kind == ctypes.Pointer {
		return d.ptr != nil
	}
	if d.num.Type == nil {
		ev.fail()
	}
	return d.num.IsTrue()
}

func (ev *evaluation) unary(x *ast.Unary) datum {
	if x.T.Kind == ctypes.Vector {
		return ev.fail()
	}
	if x.Op == ctypes.Not {
		return known(ctypes.BoolValue(!ev.truth(x.X)))
	}
	v, ok := ctypes.EvalUnary(x.Op, ev.value(x.X).num)
	if !ok {
		return ev.fail()
	}
	return known(v.Named(x.T))
}

func (ev *evaluation) binary(x *ast.Binary) datum {
	switch x.Op {
	case ctypes.LogAnd:
		return known(ctypes.BoolValue(ev.truth(x.X) && ev.truth(x.Y)))
	case ctypes.LogOr:
		return known(ctypes.BoolValue(ev.truth(x.X) || ev.truth(x.Y)))
	}
	a, b := ev.value(x.X), ev.value(x.Y)
	if x.X.Type().Kind == ctypes.Pointer {
		return ev.pointers(x.Op, a, b)
	}
	return known(ev.compute(x.Op, a, b).Named(x.T))
}

func (ev *evaluation) compute(op ctypes.Op, a, b datum) ctypes.Value {
	if a.num.Type == nil || b.num.Type == nil {
		ev.fail()
	}
	if (op == ctypes.Shl || op == ctypes.Shr) && (b.num.Int < 0 || b.num.Int >= 8*a.num.Type.Size()) {
		ev.fail()
	}
	v, ok, err := ctypes.EvalBinary(op, a.num, b.num)
	if !ok || err != nil || ctypes.Overflows(op, a.num, b.num) {
		ev.fail()
	}
	return v
}

// pointers compares and subtracts pointers into one array.
func (ev *evaluation) pointers(op ctypes.Op, a, b datum) datum {
	if a.ptr == nil || b.ptr == nil {
		if op == ctypes.Eq || op == ctypes.Ne {
			return known(ctypes.BoolValue((a.ptr == nil && b.ptr == nil) == (op == ctypes.Eq)))
		}
		return ev.fail()
	}
	p, q := a.ptr, b.ptr
	if p.in == nil || p.in != q.in {
		if op == ctypes.Eq || op == ctypes.Ne {
			return known(ctypes.BoolValue((p.cell == q.cell) == (op == ctypes.Eq)))
		}
		return ev.fail()
	}
	if op == ctypes.Sub {
		return known(ctypes.IntValue(ctypes.Long, p.index-q.index))
	}
	return known(ev.compute(op, known(ctypes.IntValue(ctypes.Long, p.index)),
		known(ctypes.IntValue(ctypes.Long, q.index))))
}

func (ev *evaluation) convert(x *ast.Convert) datum {
	d := ev.value(x.X)
	from := x.X.Type()
	switch {
	case x.T.Kind == ctypes.Void:
		return datum{set: true}
	case x.T.IsScalar() && from.IsScalar() && x.Rounding == "" && !x.Saturate:
		if from.IsFloat() && x.T.IsInteger() && x.T.Kind != ctypes.Bool && !ctypes.InRange(d.num.Float, x.T.Kind) {
			return ev.fail()
		}
		return known(ctypes.Convert(d.num, x.T))
	case x.T.Kind == ctypes.Pointer && from.Kind == ctypes.Pointer && (x.T.Elem.Equal(from.Elem) || d.ptr == nil):
		return d
	case x.T.Kind == ctypes.Pointer && from.IsInteger() && d.num.Int == 0:
		return datum{set: true}
	case x.T.Kind == ctypes.Bool && from.Kind == ctypes.Pointer:
		return known(ctypes.Value{Type: x.T, Int: ctypes.BoolValue(d.ptr != nil).Int})
	case x.T.Kind == ctypes.Vector && from.IsScalar():
		v := datum{set: true}
		for range x.T.Len {
			v.parts = append(v.parts, &cell{t: x.T.Elem, d: d})
		}
		return v
	case x.T.Kind == ctypes.Pointer && from.Kind == ctypes.Pointer && x.T.Elem.IsClass() && from.Elem.IsClass() &&
		d.ptr != nil && ev.p.Empty(x.T.Elem):
		return datum{ptr: &address{cell: ev.newCell(x.T.Elem, true)}, set: true}
	}
	return ev.fail()
}

func (ev *evaluation) assign(x *ast.Assign) datum {
	to := ev.place(x.X)
	y := ev.value(x.Y)
	if x.Op != 0 {
		old := ev.copyOf(to)
		if x.T.Kind == ctypes.Pointer {
			n := y.num.Int
			if x.Op == ctypes.Sub {
				n = -n
			}
			y = ev.moved(old, n)
		} else {
			if x.T.Kind == ctypes.Vector {
				return ev.fail()
			}
			v := ev.compute(x.Op, known(ctypes.Convert(old.num, x.Common)), y)
			y = known(ctypes.Convert(v, x.T))
		}
	}
	ev.store(to, y)
	return ev.copyOf(to)
}

func (ev *evaluation) incDec(x *ast.IncDec) datum {
	to := ev.place(x.X)
	old := ev.copyOf(to)
	n := int64(1)
	if x.Dec {
		n = -1
	}
	switch {
	case x.T.Kind == ctypes.Pointer:
		to.d = ev.moved(old, n)
	case x.T.IsFloat():
		to.d = known(ctypes.FloatValue(x.T.Kind, old.num.Float+float64(n)))
	case x.T.IsInteger():
		to.d = known(ctypes.IntValue(x.T.Kind, old.num.Int+n))
	default:
		return ev.fail()
	}
	if x.Post {
		return old
	}
	return to.d
}

// maxCalls bounds the depth of calls in an evaluation.
const maxCalls = 512

// call executes a function.
func (ev *evaluation) call(x *ast.Call) datum {
	f := x.Fn
	switch {
	case !ev.p.Callable(f):
		panic(GiveUp{x.P, f.Name + " is not constexpr"})
	case ev.depth >= maxCalls:
		panic(GiveUp{x.P, "more than " + strconv.Itoa(maxCalls) + " calls are in each other"})
	case f.Body == nil:
		return ev.fail()
	}
	args := make([]*cell, len(x.Args))
	for i, a := range x.Args {
		args[i] = &cell{t: f.Params[i].Type, d: ev.value(a)}
	}
	saved := map[*ast.Object]*cell{}
	for i, p := range f.Params {
		saved[p] = ev.vars[p]
		ev.vars[p] = args[i]
	}
	outer := ev.ret
	ev.ret = nil
	ev.depth++
	how := ev.stmt(f.Body)
	ev.depth--
	result := ev.ret
	ev.ret = outer
	for p, v := range saved {
		ev.vars[p] = v
	}
	if f.Result.Kind == ctypes.Void {
		return datum{set: true}
	}
	if how != returns || result == nil {
		return ev.fail()
	}
	return result.d
}

// builtin computes functions of the language that need no device.
func (ev *evaluation) builtin(x *ast.BuiltinCall) datum {
	if x.Builtin.Class != builtins.Math || !x.T.IsScalar() || len(x.Args) == 0 {
		return ev.fail()
	}
	var args []ctypes.Value
	for _, a := range x.Args {
		d := ev.value(a)
		if d.num.Type == nil {
			return ev.fail()
		}
		args = append(args, d.num)
	}
	switch name := x.Builtin.Name; name {
	case "max", "min", "fmax", "fmin":
		if len(args) != 2 {
			return ev.fail()
		}
		op := ctypes.Gt
		if name == "min" || name == "fmin" {
			op = ctypes.Lt
		}
		if ev.compute(op, known(args[0]), known(args[1])).IsTrue() {
			return known(args[0])
		}
		return known(args[1])
	case "abs", "fabs":
		v := args[0]
		if v.Type.IsFloat() {
			v.Float = math.Abs(v.Float)
			return known(v)
		}
		if v.Int < 0 && !v.Type.IsUnsigned() {
			v.Int = -v.Int
		}
		return known(ctypes.IntValue(x.T.Kind, v.Int))
	case "sqrt", "floor", "ceil", "trunc":
		f := map[string]func(float64) float64{"sqrt": math.Sqrt, "floor": math.Floor, "ceil": math.Ceil,
			"trunc": math.Trunc}[name]
		if args[0].Type.IsFloat() {
			return known(ctypes.FloatValue(x.T.Kind, f(args[0].Float)))
		}
	}
	return ev.fail()
}

func (ev *evaluation) bitcast(x *ast.Bitcast) datum {
	d := ev.value(x.X)
	from := x.X.Type()
	switch {
	case from.Kind == ctypes.Float && x.T.IsInteger():
		return known(ctypes.IntValue(x.T.Kind, int64(math.Float32bits(float32(d.num.Float)))))
	case from.IsInteger() && x.T.Kind == ctypes.Float:
		return known(ctypes.Value{Type: x.T, Float: float64(math.Float32frombits(uint32(d.num.Int)))})
	case from.Kind == ctypes.Double && x.T.IsInteger():
		return known(ctypes.IntValue(x.T.Kind, int64(math.Float64bits(d.num.Float))))
	case from.IsInteger() && x.T.Kind == ctypes.Double:
		return known(ctypes.Value{Type: x.T, Float: math.Float64frombits(uint64(d.num.Int))})
	case from.IsInteger() && x.T.IsInteger():
		return known(ctypes.IntValue(x.T.Kind, d.num.Int))
	}
	return ev.fail()
}
