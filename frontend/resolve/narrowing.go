package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
)

// withoutNarrowing is the value of an element in braces, where conversions that may lose something are errors in C++
// ([dcl.init.list]).
func (c *checker) withoutNarrowing(e ast.Expr, t *ctypes.Type) ast.Expr {
	c.checkNarrowing(e, t)
	return c.convert(e, t, "initialisation")
}

func (c *checker) checkNarrowing(e ast.Expr, t *ctypes.Type) {
	if c.cfg.Dialect != ast.CUDA || hasNodes(e) || isInvalid(e) || !t.IsScalar() || !e.Type().IsScalar() ||
		e.Type().Kind == t.Kind {
		return
	}
	from := e.Type()
	if from.IsHalf() || t.IsHalf() { // classes with constructors
		return
	}
	if lit, ok := c.evaluated(c.rvalue(e)).(*ast.Literal); ok {
		if !losesValue(lit.Value, t) {
			return
		}
	} else if !narrows(from, t) {
		return
	}
	c.errorf(e.Pos(), codeType, "%v in braces does not become %v by itself, which may not hold its value", from, t).
		WithNote("write static_cast<%s>(...)", c.spell(t))
}

// narrows reports whether a type has values that another one does not hold.
func narrows(from, t *ctypes.Type) bool {
	switch {
	case from.IsFloat() && t.IsFloat():
		return from.Kind > t.Kind
	case from.IsFloat() || t.IsFloat():
		return true
	case t.Kind == ctypes.Bool:
		return true
	case from.Kind == ctypes.Bool:
		return false
	case from.IsUnsigned() == t.IsUnsigned():
		return from.Size() > t.Size()
	}
	return !from.IsUnsigned() || from.Size() >= t.Size()
}

// losesValue reports whether a constant changes where it becomes another type: of a float, only where it is out of
// range.
func losesValue(v ctypes.Value, t *ctypes.Type) bool {
	switch to := ctypes.Convert(v, t); {
	case v.Type.IsFloat() && t.IsFloat():
		return t.Kind == ctypes.Float && to.Float-to.Float != 0 && v.Float-v.Float == 0
	case v.Type.IsFloat():
		return true
	case t.IsFloat():
		back := ctypes.Convert(to, v.Type)
		return back.Int != v.Int
	case t.Kind == ctypes.Bool:
		return v.Int != 0 && v.Int != 1
	case v.Type.Kind == ctypes.ULong || t.Kind == ctypes.ULong:
		return to.Int != v.Int || v.Type.Kind != t.Kind && v.Int < 0
	default:
		return to.Int != v.Int
	}
}
