package arithmetic

import (
	"math"

	"gpupipe/lower"
)

// Fma is a*b + c rounded once to type t.
func Fma(t lower.Type, args []uint64) uint64 {
	v, _ := Moded(lower.Fma, "", t, args)
	return v
}

// Moded evaluates an operation on floats that names its mode: where it rounds to, or "nan" of a minimum or maximum
// that is NaN where one operand is.
func Moded(op lower.Op, mode string, t lower.Type, args []uint64) (uint64, bool) {
	x := make([]float64, len(args))
	for i, a := range args {
		x[i] = ToFloat(t, a)
	}
	if mode == "nan" {
		if len(x) != 2 || math.IsNaN(x[0]) || math.IsNaN(x[1]) {
			return FromFloat(t, math.NaN()), len(x) == 2
		}
		return Binary(op, t, args[0], args[1])
	}
	near, rest, ok := nearest(op, t, x)
	switch {
	case !ok:
		return 0, false
	case op == lower.Fma && t == lower.F64 && mode != "" && mode != "rte":
		return 0, false
	case math.IsInf(near, 0) || math.IsNaN(near) || rest == 0 && t == lower.F64:
		return FromFloat(t, near), t != lower.F64 || !math.IsInf(near, 0) || mode == "" || mode == "rte"
	case t == lower.F64:
		toward := map[string]float64{"": near, "rte": near, "rtz": 0, "rtp": math.Inf(1), "rtn": math.Inf(-1)}[mode]
		if (toward > near) == (rest > 0) {
			near = math.Nextafter(near, toward)
		}
	case rest != 0 && math.Float64bits(near)&1 == 0:
		near = math.Nextafter(near, math.Inf(int(math.Copysign(1, rest))))
	}
	return FromFloat(t, roundFloat(t, mode, near)), true
}

// nearest is the double next to what an operation gives, and a number of the sign of what the exact result has more.
// Made odd where it has, the double rounds to a narrower type as the exact result does (S. Boldo and G. Melquiond,
// "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008). Products of single
// precision are exact.
func nearest(op lower.Op, t lower.Type, x []float64) (near, rest float64, ok bool) {
	sum := func(a, b float64) (float64, float64, bool) {
		s := a + b
		back := s - a
		return s, a - (s - back) + (b - back), true
	}
	switch op {
	case lower.Add:
		return sum(x[0], x[1])
	case lower.Sub:
		return sum(x[0], -x[1])
	case lower.Mul:
		p := x[0] * x[1]
		return p, math.FMA(x[0], x[1], -p), true
	case lower.Div:
		q := x[0] / x[1]
		return q, math.FMA(-q, x[1], x[0]) * math.Copysign(1, x[1]), true
	case lower.Fma:
		if t == lower.F64 {
			return math.FMA(x[0], x[1], x[2]), 0, true
		}
		return sum(x[0]*x[1], x[2])
	case lower.Call:
		s := math.Sqrt(x[0])
		return s, math.FMA(-s, s, x[0]), true
	}
	return 0, 0, false
}
