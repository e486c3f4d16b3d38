package frontend

import (
	"fmt"
	"math"
)

// hostType is the type of a variable of host code, as far as values go.
type hostType struct {
	kind Kind // of a scalar; 0: something else, whose values are not known
	dim3 bool
	auto bool // that of the value
}

// hostValue is what is known of a value of host code: a number, a dim3, or why it is not
// known.
type hostValue struct {
	scalar Value     // Type is nil where it is no number
	dim3   *[3]int64 // not nil: the extents
	why    string    // not empty: not known
}

// unknownf is a value that is not known, and why.
func unknownf(format string, args ...any) hostValue {
	return hostValue{why: fmt.Sprintf(format, args...)}
}

func scalarValue(v Value) hostValue { return hostValue{scalar: v} }

func (v hostValue) known() bool    { return v.why == "" && (v.scalar.Type != nil || v.dim3 != nil) }
func (v hostValue) isScalar() bool { return v.why == "" && v.scalar.Type != nil }

func (v hostValue) equal(w hostValue) bool {
	switch {
	case !v.known() || !w.known():
		return v.known() == w.known() && v.why == w.why
	case v.dim3 != nil && w.dim3 != nil:
		return *v.dim3 == *w.dim3
	case v.dim3 != nil || w.dim3 != nil:
		return false
	}
	return v.scalar.Type.Kind == w.scalar.Type.Kind && v.scalar.Int == w.scalar.Int &&
		math.Float64bits(v.scalar.Float) == math.Float64bits(w.scalar.Float)
}

// as is v converted to a type of host code.
func (v hostValue) as(t hostType) hostValue {
	switch {
	case !v.known() || t.auto:
		return v
	case t.dim3:
		return v.asDim3()
	case t.kind == 0 || v.scalar.Type == nil:
		return unknownf("its type is not understood")
	case v.scalar.Type.IsFloat() && Scalar(t.kind).IsInteger() && t.kind != Bool && !inRange(v.scalar.Float, t.kind):
		return unknownf("%g is out of the range of its type", v.scalar.Float)
	}
	return scalarValue(convertValue(v.scalar, Scalar(t.kind)))
}

// inRange reports whether C defines the conversion of a number to an integer kind.
func inRange(f float64, k Kind) bool {
	f = math.Trunc(f)
	switch k {
	case Long:
		return f >= -1<<63 && f < 1<<63
	case ULong:
		return f >= 0 && f < 1<<64
	}
	return f >= intLimits[k][0] && f <= intLimits[k][1]
}

// asDim3 is v as a grid or a block: a number is its first extent.
func (v hostValue) asDim3() hostValue {
	if !v.known() || v.dim3 != nil {
		return v
	}
	n := v.as(hostType{kind: UInt})
	if !n.known() {
		return n
	}
	return hostValue{dim3: &[3]int64{n.scalar.Int, 1, 1}}
}

// dim3Of makes a dim3 of one to three numbers, as its constructor does; of none it is 1, 1, 1.
func dim3Of(args []hostValue) hostValue {
	if len(args) > 3 {
		return unknownf("a dim3 of %d values", len(args))
	}
	if len(args) == 1 && args[0].dim3 != nil {
		return args[0]
	}
	d := [3]int64{1, 1, 1}
	for i, a := range args {
		n := a.as(hostType{kind: UInt})
		if !n.known() {
			return n
		}
		d[i] = n.scalar.Int
	}
	return hostValue{dim3: &d}
}

// member is v.x, v.y or v.z.
func (v hostValue) member(name string) hostValue {
	if !v.known() {
		return v
	}
	if i := axisOf(name); v.dim3 != nil && i >= 0 {
		return scalarValue(intValue(UInt, v.dim3[i]))
	}
	return unknownf("member %s is not understood", name)
}

// withMember is v with one extent changed.
func (v hostValue) withMember(name string, n hostValue) hostValue {
	i := axisOf(name)
	n = n.as(hostType{kind: UInt})
	switch {
	case !v.known():
		return v
	case !n.known():
		return n
	case v.dim3 == nil || i < 0:
		return unknownf("member %s is not understood", name)
	}
	d := *v.dim3
	d[i] = n.scalar.Int
	return hostValue{dim3: &d}
}

// axisOf is the dimension that a member of dim3 stands for, or -1.
func axisOf(name string) int {
	if len(name) == 1 && name[0] >= 'x' && name[0] <= 'z' {
		return int(name[0] - 'x')
	}
	return -1
}

// hostOps are the binary operators that values are computed with.
var hostOps = map[string]Op{"+": Add, "-": Sub, "*": Mul, "/": Div, "%": Rem, "&": And, "|": Or, "^": Xor, "<<": Shl, ">>": Shr,
	"==": Eq, "!=": Ne, "<": Lt, "<=": Le, ">": Gt, ">=": Ge}

// hostBinary computes x op y as C does. What C leaves undefined is not known.
func hostBinary(op string, x, y hostValue) hostValue {
	switch {
	case !x.known():
		return x
	case !y.known():
		return y
	case !x.isScalar() || !y.isScalar():
		return unknownf("%s of no numbers", op)
	}
	o := hostOps[op]
	t := usualType(x.scalar.Type, y.scalar.Type)
	if o == Shl || o == Shr {
		t = promoted(x.scalar.Type)
		if !y.scalar.Type.IsInteger() || !t.IsInteger() || y.scalar.Int < 0 || y.scalar.Int >= 8*t.Size() {
			return unknownf("a shift by as many bits or more than there are")
		}
	}
	a, b := convertValue(x.scalar, t), convertValue(y.scalar, t)
	if o == Shl || o == Shr {
		b = Value{Type: t, Int: y.scalar.Int}
	}
	if overflows(o, a, b) {
		return unknownf("%d %s %d overflows", a.Int, op, b.Int)
	}
	v, ok, err := evalBinary(o, a, b)
	switch {
	case err != nil:
		return unknownf("a division by zero")
	case !ok:
		return unknownf("%s of such numbers", op)
	}
	return scalarValue(v)
}

// overflows reports whether a sum, difference, product or quotient of signed integers has no value in C.
func overflows(op Op, a, b Value) bool {
	k := a.Type.Kind
	if !a.Type.IsInteger() || a.Type.IsUnsigned() {
		return false
	}
	x, y := a.Int, b.Int
	var r int64
	switch op {
	case Add:
		r = x + y
		if k == Long {
			return (x >= 0) == (y >= 0) && (r >= 0) != (x >= 0)
		}
	case Sub:
		r = x - y
		if k == Long {
			return (x >= 0) != (y >= 0) && (r >= 0) != (x >= 0)
		}
	case Mul:
		r = x * y
		if k == Long {
			return x != 0 && (r/x != y || x == -1 && y == math.MinInt64)
		}
	case Div, Rem:
		return y == -1 && x == wrap(k, math.MinInt64>>(64-8*Scalar(k).Size()))
	default:
		return false
	}
	return wrap(k, r) != r
}
