package ir

import (
	"math"
	"strconv"
	"strings"

	"gpupipe/lower"
)

// constText prints a constant: conditions as words, floats with a point, an exponent or a name, addresses and
// what is not exactly a number of the type as bits.
func constText(t Type, bits uint64) string {
	text := ""
	switch {
	case t == lower.Pred && bits <= 1:
		return strconv.FormatBool(bits != 0)
	case t.IsFloat():
		text = floatText(t, lower.Operand{Type: t, Bits: bits}.Float())
	case t == lower.Ptr:
	case t.IsSigned():
		text = strconv.FormatInt(int64(bits), 10)
	default:
		text = strconv.FormatUint(bits, 10)
	}
	if back, ok := ParseConst(t, text); !ok || back != bits {
		return "0x" + strconv.FormatUint(bits, 16)
	}
	return text
}

func floatText(t Type, x float64) string {
	size := 32
	if t == lower.F64 {
		size = 64
	}
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	s := strconv.FormatFloat(x, 'g', -1, size)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// ParseConst reads a constant of a type; ok is false where the text is not exactly one.
func ParseConst(t Type, text string) (bits uint64, ok bool) {
	if hex, is := strings.CutPrefix(text, "0x"); is {
		n, err := strconv.ParseUint(hex, 16, 64)
		return n, err == nil
	}
	switch {
	case t == lower.Pred:
		return map[string]uint64{"true": 1}[text], text == "true" || text == "false"
	case t.IsFloat():
		if strings.ContainsAny(text, "xXpP_+i") && text != "inf" && text != "-inf" && !strings.Contains(text, "e+") {
			return 0, false
		}
		x, err := strconv.ParseFloat(text, 64)
		if t == lower.F32 { // once, not by way of double
			var y float64
			y, err = strconv.ParseFloat(text, 32)
			x = float64(float32(y))
		}
		return lower.ConstFloat(t, x).Bits, err == nil
	case t.IsSigned():
		n, err := strconv.ParseInt(text, 10, 64)
		return uint64(n), err == nil && lower.ConstInt(t, n).Bits == uint64(n)
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return n, err == nil && t != 0 && lower.ConstInt(t, int64(n)).Bits == n
}
