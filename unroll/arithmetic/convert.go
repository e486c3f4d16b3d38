package arithmetic

import (
	"math"
	"math/bits"
	"strings"

	"gpupipe/lower"
)

// Convert changes a lane value from one type to another, with the modifiers of lower.Instr.Fn:
// "sat" and a direction. Without them it follows C's rules: round to nearest even to floats,
// towards zero to integers.
func Convert(to, from lower.Type, modifiers string, a uint64) uint64 {
	mode, saturates := strings.CutPrefix(modifiers, "sat")
	mode = strings.TrimPrefix(mode, ".")
	switch {
	case from.IsFloat() && to.IsFloat():
		return FromFloat(to, roundFloat(to, mode, ToFloat(from, a)))
	case from.IsFloat():
		f := ToFloat(from, a)
		if to == lower.Pred {
			return FromBool(f != 0)
		}
		return floatToInt(to, mode, f)
	case to.IsHalf():
		f := float64(a)
		if from.IsSigned() {
			f = float64(int64(a)) // not exact from 2^53 on: 53 bits round as all would to 11 or fewer, but for ties
		}
		return FromFloat(to, roundFloat(to, mode, f))
	case to.IsFloat():
		return intToFloat(to, from, mode, a)
	case to == lower.Pred:
		return FromBool(a != 0)
	case saturates:
		return widen(from, a).saturate(to)
	}
	return Canon(to, a)
}

// directions are the modes of rounding to whole numbers.
var directions = map[string]func(float64) float64{"": math.RoundToEven, "rte": math.RoundToEven, "rtz": math.Trunc,
	"rtp": math.Ceil, "rtn": math.Floor}

// roundFloat rounds f to the numbers of a floating type.
func roundFloat(t lower.Type, mode string, f float64) float64 {
	digits, least, most := 24, -149, math.MaxFloat32
	switch t {
	case lower.F64:
		return f
	case lower.F16:
		digits, least, most = 11, -24, 65504
	case lower.BF16:
		digits, least, most = 8, -133, 0x1.fep127
	}
	if f == 0 || math.IsNaN(f) || math.IsInf(f, 0) {
		return f
	}
	_, e := math.Frexp(f) // f = m * 2^e, 0.5 <= |m| < 1
	e = max(e-digits, least)
	r := math.Ldexp(directions[mode](math.Ldexp(f, -e)), e)
	if math.Abs(r) <= most {
		return r
	}
	if directions[mode](math.Copysign(0.75, f)) == 0 { // towards zero: the last number
		return math.Copysign(most, f)
	}
	return math.Inf(int(math.Copysign(1, f)))
}

// intToFloat rounds an integer once, not a second time by way of double.
func intToFloat(to, from lower.Type, mode string, a uint64) uint64 {
	negative := from.IsSigned() && int64(a) < 0
	if negative {
		a = -a
	}
	digits := 24
	if to == lower.F64 {
		digits = 53
	}
	drop := max(0, bits.Len64(a)-digits)
	whole, part := a>>drop, a&(1<<drop-1)
	switch half := uint64(1) << drop >> 1; {
	case part == 0:
	case mode == "rtz" || mode == "rtp" && negative || mode == "rtn" && !negative:
	case mode == "rtp" || mode == "rtn", part > half, part == half && whole&1 != 0:
		whole++
	}
	f := math.Ldexp(float64(whole), drop)
	if negative {
		f = -f
	}
	return FromFloat(to, f)
}

// floatToInt rounds to a whole number, towards zero without a mode, and saturates, as GPUs do.
func floatToInt(to lower.Type, mode string, f float64) uint64 {
	if math.IsNaN(f) {
		return 0
	}
	if mode == "" {
		mode = "rtz"
	}
	f = directions[mode](f)
	lo, hi := limits(to)
	end := math.Ldexp(1, width(to)) // the first number behind the type's
	if to.IsSigned() {
		end /= 2
	}
	switch {
	case f >= end:
		return hi
	case to.IsSigned() && f < -end, !to.IsSigned() && f < 0:
		return lo
	case to.IsSigned():
		return uint64(int64(f))
	}
	return uint64(f)
}
