package launches

import (
	"fmt"
	"math"

	"gpupipe/frontend/ctypes"
)

// Value is what is known of a value of host code: a number, a dim3, or why it is not
// known.
type Value struct {
	Scalar  ctypes.Value // Type is nil where it is not a number
	Extents *[3]int64    // of a dim3; nil: it is none
	Why     string       // it is not known, or empty
	texts   []string     // of the program's arguments, argv or one of them; Why says that they are no number
	elems   []Value      // of an array; Why says that it is no number
}

// unknownf is a value that is not known, and why.
func unknownf(format string, args ...any) Value {
	return Value{Why: fmt.Sprintf(format, args...)}
}

// element is element i of the program's arguments or of an array.
func (v Value) element(i Value) (Value, bool) {
	n := max(len(v.texts), len(v.elems))
	switch {
	case !i.IsScalar() || i.Scalar.Int < 0 || i.Scalar.Int >= int64(n):
		return v, false
	case v.elems != nil:
		return v.elems[i.Scalar.Int], true
	}
	return textsOf(v.texts[i.Scalar.Int : i.Scalar.Int+1]), n > 1
}

func textsOf(list []string) Value { return Value{Why: "a text is not a number", texts: list} }

func number(v ctypes.Value) Value { return Value{Scalar: v} }

// Known reports whether it is a number or a dim3 that is known.
func (v Value) Known() bool { return v.Why == "" && (v.Scalar.Type != nil || v.Extents != nil) }

// IsScalar reports whether it is a number that is known.
func (v Value) IsScalar() bool { return v.Why == "" && v.Scalar.Type != nil }

func (v Value) equal(w Value) bool {
	switch {
	case !v.Known() || !w.Known():
		return v.Known() == w.Known() && v.Why == w.Why
	case v.Extents != nil && w.Extents != nil:
		return *v.Extents == *w.Extents
	case v.Extents != nil || w.Extents != nil:
		return false
	}
	return v.Scalar.Type.Kind == w.Scalar.Type.Kind && v.Scalar.Int == w.Scalar.Int &&
		math.Float64bits(v.Scalar.Float) == math.Float64bits(w.Scalar.Float)
}

// as is v converted to a type; nil is one that is not understood.
func (v Value) as(t *ctypes.Type) Value {
	switch {
	case !v.Known():
		return v
	case t != nil && isDim3(t):
		return v.asDim3()
	case t == nil || !t.IsScalar() || v.Scalar.Type == nil:
		return unknownf("its type is not understood")
	case v.Scalar.Type.IsFloat() && t.IsInteger() && t.Kind != ctypes.Bool && !ctypes.InRange(v.Scalar.Float, t.Kind):
		return unknownf("%g is out of the range of its type", v.Scalar.Float)
	}
	return number(ctypes.Convert(v.Scalar, t))
}

// Convert is v converted to a number of kind k.
func (v Value) Convert(k ctypes.Kind) Value { return v.as(ctypes.Scalar(k)) }

// isDim3 reports whether a type is that of grids and blocks.
func isDim3(t *ctypes.Type) bool { return t.Name == "dim3" }

// asDim3 is v as a grid or a block: a number is its first extent.
func (v Value) asDim3() Value {
	if !v.Known() || v.Extents != nil {
		return v
	}
	n := v.as(ctypes.Scalar(ctypes.UInt))
	if !n.Known() {
		return n
	}
	return Value{Extents: &[3]int64{n.Scalar.Int, 1, 1}}
}

// dim3Of makes a dim3 of one to three numbers, as its constructor does; of none it is 1, 1, 1.
func dim3Of(args []Value) Value {
	if len(args) > 3 {
		return unknownf("a dim3 of %d values", len(args))
	}
	if len(args) == 1 && args[0].Extents != nil {
		return args[0]
	}
	d := [3]int64{1, 1, 1}
	for i, a := range args {
		n := a.as(ctypes.Scalar(ctypes.UInt))
		if !n.Known() {
			return n
		}
		d[i] = n.Scalar.Int
	}
	return Value{Extents: &d}
}

// member is v.x, v.y or v.z.
func (v Value) member(name string) Value {
	if !v.Known() {
		return v
	}
	if i := axisOf(name); v.Extents != nil && i >= 0 {
		return number(ctypes.IntValue(ctypes.UInt, v.Extents[i]))
	}
	return unknownf("member %s is not understood", name)
}

// withMember is v with one extent changed.
func (v Value) withMember(name string, n Value) Value {
	i := axisOf(name)
	n = n.as(ctypes.Scalar(ctypes.UInt))
	switch {
	case !v.Known():
		return v
	case !n.Known():
		return n
	case v.Extents == nil || i < 0:
		return unknownf("member %s is not understood", name)
	}
	d := *v.Extents
	d[i] = n.Scalar.Int
	return Value{Extents: &d}
}

// axisOf is the dimension that a member of dim3 stands for, or -1.
func axisOf(name string) int {
	if len(name) == 1 && name[0] >= 'x' && name[0] <= 'z' {
		return int(name[0] - 'x')
	}
	return -1
}

// compute is x op y as C does. What C leaves undefined is not known.
func compute(op ctypes.Op, x, y Value) Value {
	switch {
	case !x.Known():
		return x
	case !y.Known():
		return y
	case !x.IsScalar() || !y.IsScalar():
		return unknownf("%v of no numbers", op)
	}
	t := ctypes.Usual(x.Scalar.Type, y.Scalar.Type)
	if op == ctypes.Shl || op == ctypes.Shr {
		t = ctypes.Promoted(x.Scalar.Type)
		if !y.Scalar.Type.IsInteger() || !t.IsInteger() || y.Scalar.Int < 0 || y.Scalar.Int >= 8*t.Size() {
			return unknownf("a shift by as many bits or more than there are")
		}
	}
	a, b := ctypes.Convert(x.Scalar, t), ctypes.Convert(y.Scalar, t)
	if op == ctypes.Shl || op == ctypes.Shr {
		b = ctypes.Value{Type: t, Int: y.Scalar.Int}
	}
	if ctypes.Overflows(op, a, b) {
		return unknownf("%d %v %d overflows", a.Int, op, b.Int)
	}
	v, ok, err := ctypes.EvalBinary(op, a, b)
	switch {
	case err != nil:
		return unknownf("a division by zero")
	case !ok:
		return unknownf("%v of such numbers", op)
	}
	return number(v)
}
