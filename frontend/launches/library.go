package launches

import (
	"math"
	"strconv"
	"strings"

	"gpupipe/frontend/ctypes"
)

// libraryCall computes the functions of C's library that sizes are computed with. ok is false for
// others. Of an argument that is not known, the value is not either.
func libraryCall(name string, args []Value) (v Value, ok bool) {
	if kind := parses[name]; kind != 0 && len(args) > 0 && len(args[0].texts) == 1 {
		return parsed(args[0].texts[0], kind)
	}
	of := func(i int) float64 { return ctypes.Convert(args[i].Scalar, ctypes.Scalar(ctypes.Double)).Float }
	one, isOne := libraryOfOne[strings.TrimSuffix(name, "f")]
	if name == "abs" {
		isOne = true
	}
	two := name == "min" || name == "max" || name == "fmin" || name == "fmax" || name == "fminf" || name == "fmaxf" ||
		name == "pow" || name == "powf"
	if !(isOne && len(args) == 1) && !(two && len(args) == 2) {
		return v, false
	}
	for _, a := range args {
		if !a.Known() {
			return a, true
		}
		if !a.IsScalar() {
			return v, false
		}
	}
	x := args[0].Scalar
	switch {
	case name == "abs" && x.Type.IsInteger():
		if x.Type.IsUnsigned() || x.Int >= 0 {
			return args[0], true
		}
		return compute(ctypes.Sub, number(ctypes.IntValue(ctypes.Int, 0)), args[0]), true
	case name == "abs":
		return number(ctypes.FloatValue(x.Type.Kind, math.Abs(x.Float))), true
	case isOne:
		kind := ctypes.Double
		if strings.HasSuffix(name, "f") || x.Type.Kind == ctypes.Float {
			kind = ctypes.Float
		}
		return number(ctypes.FloatValue(kind, one(of(0)))), true
	case strings.HasPrefix(name, "pow"):
		if p := math.Pow(of(0), of(1)); p == math.Trunc(p) && math.Abs(p) < 1<<24 { // exact
			return number(ctypes.FloatValue(ctypes.Double, p)), true
		}
		return v, false
	}
	return extreme(name, x, args[1].Scalar), true
}

// parses are the functions that make a number of a text, by the type of their results.
var parses = map[string]ctypes.Kind{
	"atoi": ctypes.Int, "stoi": ctypes.Int, "atol": ctypes.Long, "stol": ctypes.Long, "strtol": ctypes.Long,
	"atoll": ctypes.Long, "stoll": ctypes.Long, "strtoll": ctypes.Long, "stoul": ctypes.ULong, "strtoul": ctypes.ULong,
	"stoull": ctypes.ULong, "strtoull": ctypes.ULong, "atof": ctypes.Double, "stod": ctypes.Double,
	"strtod": ctypes.Double, "stof": ctypes.Float, "strtof": ctypes.Float,
}

// parsed is the number that a text is as a whole: what else those functions make of texts is not followed.
func parsed(text string, kind ctypes.Kind) (Value, bool) {
	if ctypes.Scalar(kind).IsInteger() {
		n, err := strconv.ParseInt(text, 10, 64)
		return number(ctypes.IntValue(kind, n)), err == nil
	}
	x, err := strconv.ParseFloat(text, 64)
	return number(ctypes.FloatValue(kind, x)), err == nil
}

// libraryOfOne are functions of one number whose result is the same on every machine.
var libraryOfOne = map[string]func(float64) float64{
	"ceil": math.Ceil, "floor": math.Floor, "round": math.Round, "trunc": math.Trunc, "sqrt": math.Sqrt,
	"fabs": math.Abs,
	"rint": math.RoundToEven, "nearbyint": math.RoundToEven,
}

// extreme is the smaller or the larger of two numbers, of their common type.
func extreme(name string, x, y ctypes.Value) Value {
	t := ctypes.Usual(x.Type, y.Type)
	if strings.HasPrefix(name, "f") && t.IsInteger() {
		t = ctypes.Scalar(ctypes.Double)
	}
	a, b := number(ctypes.Convert(x, t)), number(ctypes.Convert(y, t))
	if compute(ctypes.Lt, b, a).Scalar.IsTrue() == strings.Contains(name, "min") {
		return b
	}
	return a
}
