package lower

import (
	"math"

	"gpupipe/frontend/ctypes"
)

// HalfBits rounds f to IEEE binary16, to nearest even, and returns its bits.
func HalfBits(f float64) uint16 {
	sign := uint16(0)
	if math.Signbit(f) {
		sign = 0x8000
		f = -f
	}
	switch {
	case math.IsNaN(f):
		return 0x7e00
	case f >= 65520: // halfway between the largest number, 65504, and 2^16
		return sign | 0x7c00
	case f < 0x1p-14: // subnormal: a multiple of 2^-24
		return sign | uint16(math.RoundToEven(f*0x1p24))
	}
	frac, exp := math.Frexp(f) // f = frac * 2^exp, 0.5 <= frac < 1
	m := uint16(math.RoundToEven(frac * 0x1p11))
	return sign | (uint16(exp+13)<<10 + m) // m = 1024..2048 carries into the exponent
}

// HalfFloat is the number whose IEEE binary16 bits are b.
func HalfFloat(b uint16) float64 {
	m := float64(b & 0x3ff)
	var f float64
	switch e := int(b >> 10 & 31); e {
	case 0:
		f = m * 0x1p-24
	case 31:
		f = math.Inf(1)
		if m != 0 {
			f = math.NaN()
		}
	default:
		f = math.Ldexp(1024+m, e-25)
	}
	if b&0x8000 != 0 {
		f = -f
	}
	return f
}

// BFloatBits rounds f to bfloat16, to nearest even, and returns its bits: the upper half of a float's.
func BFloatBits(f float64) uint16 {
	if math.IsNaN(f) {
		return 0x7fff
	}
	return uint16(math.Float32bits(float32(ctypes.RoundBFloat(f))) >> 16)
}

// BFloatFloat is the number whose bits as bfloat16 are b.
func BFloatFloat(b uint16) float64 { return float64(math.Float32frombits(uint32(b) << 16)) }
