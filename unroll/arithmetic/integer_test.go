package arithmetic_test

import (
	"math"
	"testing"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

// TestCall: functions of known lane values, and those that have none.
func TestCall(t *testing.T) {
	single := func(f float32) uint64 { return uint64(math.Float32bits(f)) }
	for _, c := range []struct {
		fn       string
		typ, arg lower.Type
		args     []uint64
		want     uint64
		ok       bool
	}{
		{"popcount", lower.S32, lower.U64, []uint64{1<<40 + 6}, 3, true},
		{"popcount", lower.S32, lower.U32, []uint64{1<<40 + 6}, 2, true},
		{"clz", lower.S32, lower.S64, []uint64{0}, 64, true},
		{"clz", lower.S32, lower.S32, []uint64{96}, 25, true},
		{"ctz", lower.S32, lower.U32, []uint64{0}, 32, true},
		{"ffs", lower.S32, lower.S32, []uint64{0}, 0, true},
		{"ffs", lower.S32, lower.S32, []uint64{96}, 6, true},
		{"bit_reverse", lower.U32, lower.U32, []uint64{96}, 0x06000000, true},
		{"rotate", lower.U32, lower.U32, []uint64{0x80000001, 33}, 3, true},
		{"rotate", lower.U64, lower.U64, []uint64{1<<63 + 1, 65}, 3, true},
		{"rotate", lower.U16, lower.U16, []uint64{1, 1}, 0, false},
		{"popcount", lower.S32, lower.F32, []uint64{1}, 0, false},
		{"unheard_of", lower.S32, lower.S32, []uint64{1}, 0, false},
		{"sqrt", lower.F32, lower.F32, []uint64{single(6.25)}, single(2.5), true},
		{"pow", lower.F32, lower.F32, []uint64{single(3), single(4)}, single(81), true},
		{"fmod", lower.F32, lower.F32, []uint64{single(-7.5), single(2)}, single(-1.5), true},
		{"unheard_of", lower.F32, lower.F32, []uint64{single(1)}, 0, false},
	} {
		if got, ok := arithmetic.Call(c.fn, c.typ, c.arg, c.args); got != c.want || ok != c.ok {
			t.Errorf("%s of %v %#x = %#x (%v), want %#x (%v)", c.fn, c.arg, c.args, got, ok, c.want, c.ok)
		}
	}
}
