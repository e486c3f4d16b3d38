package frontend

import (
	"math"
	"strings"
)

// libraryCall computes the functions of C's library that sizes are computed with. ok is false for
// others. Of an argument that is not known, the value is not either.
func libraryCall(name string, args []hostValue) (v hostValue, ok bool) {
	of := func(i int) float64 { return convertValue(args[i].scalar, Scalar(Double)).Float }
	one, isOne := libraryOfOne[strings.TrimSuffix(name, "f")]
	if name == "abs" {
		isOne = true
	}
	two := name == "min" || name == "max" || name == "fmin" || name == "fmax" || name == "fminf" || name == "fmaxf" || name == "pow" || name == "powf"
	if !(isOne && len(args) == 1) && !(two && len(args) == 2) {
		return v, false
	}
	for _, a := range args {
		if !a.known() {
			return a, true
		}
		if !a.isScalar() {
			return v, false
		}
	}
	x := args[0].scalar
	switch {
	case name == "abs" && x.Type.IsInteger():
		if x.Type.IsUnsigned() || x.Int >= 0 {
			return args[0], true
		}
		return hostBinary("-", scalarValue(intValue(Int, 0)), args[0]), true
	case name == "abs":
		return scalarValue(floatValue(x.Type.Kind, math.Abs(x.Float))), true
	case isOne:
		kind := Double
		if strings.HasSuffix(name, "f") || x.Type.Kind == Float {
			kind = Float
		}
		return scalarValue(floatValue(kind, one(of(0)))), true
	case strings.HasPrefix(name, "pow"):
		if p := math.Pow(of(0), of(1)); p == math.Trunc(p) && math.Abs(p) < 1<<24 { // exact
			return scalarValue(floatValue(Double, p)), true
		}
		return v, false
	}
	return extreme(name, x, args[1].scalar), true
}

// libraryOfOne are functions of one number whose result is the same on every machine.
var libraryOfOne = map[string]func(float64) float64{
	"ceil": math.Ceil, "floor": math.Floor, "round": math.Round, "trunc": math.Trunc, "sqrt": math.Sqrt, "fabs": math.Abs,
	"rint": math.RoundToEven, "nearbyint": math.RoundToEven,
}

// extreme is the smaller or the larger of two numbers, of their common type.
func extreme(name string, x, y Value) hostValue {
	t := usualType(x.Type, y.Type)
	if strings.HasPrefix(name, "f") && t.IsInteger() {
		t = Scalar(Double)
	}
	a, b := scalarValue(convertValue(x, t)), scalarValue(convertValue(y, t))
	if hostBinary("<", b, a).scalar.IsTrue() == strings.Contains(name, "min") {
		return b
	}
	return a
}
