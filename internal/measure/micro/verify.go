package micro

import (
	"encoding/binary"
	"math"

	"gpupipe/internal/measure"
)

// value reads the output with that index.
func (s *spec) value(out []byte, i int) float64 {
	at := out[i*s.typ.bytes():]
	switch s.typ {
	case f32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(at)))
	case f64:
		return math.Float64frombits(binary.LittleEndian.Uint64(at))
	case f16, f16x2:
		return fromHalf(binary.LittleEndian.Uint16(at))
	case bf16x2:
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(at)) << 16))
	case s32:
		return float64(int32(binary.LittleEndian.Uint32(at)))
	}
	return float64(binary.LittleEndian.Uint32(at))
}

// fromHalf is the value of an IEEE 754 binary16.
func fromHalf(h uint16) float64 {
	fraction, exponent := float64(h&0x3ff), int(h>>10&0x1f)
	v := math.Ldexp(fraction, -24)
	switch {
	case exponent == 0x1f && fraction == 0:
		v = math.Inf(1)
	case exponent == 0x1f:
		v = math.NaN()
	case exponent > 0:
		v = math.Ldexp(1+fraction/1024, exponent-15)
	}
	if h>>15 != 0 {
		v = -v
	}
	return v
}

// check compares the output of some work items: the first, the last, and two between.
func (s *spec) check(class string, out []byte, at place) error {
	for _, item := range []int{0, at.items / 3, at.items/2 + 5, at.items - 1} {
		item = min(item, at.items-1)
		at.item, at.lid = item, item%at.size
		for chain := range at.chains {
			want := s.want(at, chain)
			if math.IsNaN(want) {
				continue
			}
			if got := s.value(out, item*at.chains+chain); !(math.Abs(got-want) <= s.tolerance*max(1, math.Abs(want))) {
				return &measure.WrongError{Class: class, Item: item, Got: got, Want: want}
			}
		}
	}
	return nil
}

// checkSum compares the first word of memory with the steps of all work items, modulo 2^32.
func checkSum(class string, memory []byte, at place) error {
	want := uint32(int64(at.items) * at.steps * int64(at.chains))
	if got := binary.LittleEndian.Uint32(memory); got != want {
		return &measure.WrongError{Class: class, Got: float64(got), Want: float64(want)}
	}
	return nil
}
