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

// TestBitFields: bfe and bfi give what the PTX ISA says bit by bit, beyond the width too.
func TestBitFields(t *testing.T) {
	places := []uint64{0, 1, 5, 31, 32, 33, 63, 64, 65, 255, 256 + 3}
	for _, typ := range []lower.Type{lower.S32, lower.U32, lower.S64, lower.U64} {
		width := 8 * uint64(typ.Size())
		for _, a := range []uint64{0, 1, 0x89abcdef, 0x8000000080000000, math.MaxUint64, 0x123456789abcdef0} {
			for _, pos := range places {
				for _, n := range places {
					p, l, b := pos&255, n&255, a*0x9e3779b97f4a7c15
					var sign, extracted uint64
					if typ.IsSigned() && l > 0 {
						sign = a >> min(p+l-1, width-1) & 1
					}
					inserted := b
					for i := range width {
						bit := sign
						if i < l && p+i < width {
							bit = a >> (p + i) & 1
							inserted = inserted&^(1<<(p+i)) | a>>i&1<<(p+i)
						}
						extracted |= bit << i
					}
					for _, c := range []struct {
						fn   string
						args []uint64
						want uint64
					}{{"bfe", []uint64{arithmetic.Canon(typ, a), pos, n}, extracted}, {"bfi", []uint64{arithmetic.Canon(typ, a), arithmetic.Canon(typ, b), pos, n}, inserted}} {
						want := arithmetic.Canon(typ, c.want)
						if got, ok := arithmetic.Call(c.fn, typ, typ, c.args); got != want || !ok {
							t.Fatalf("%s of %v %#x = %#x (%v), want %#x", c.fn, typ, c.args, got, ok, want)
						}
					}
				}
			}
		}
	}
}
