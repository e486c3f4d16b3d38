package idg

import (
	"testing"

	"gpupipe/idg/isa"
)

func TestDescribe(t *testing.T) {
	lanes := func(n int, offset func(lane int64) int64) []int64 {
		var o []int64
		for i := range n {
			o = append(o, offset(int64(i)))
		}
		return o
	}
	for _, c := range []struct {
		a    Access
		want string
	}{
		{Access{Width: 4}, "unknown"},
		{Access{Width: 4, Assumed: "value loaded from memory"}, "unknown: value loaded from memory"},
		{Access{Width: 4, Assumed: "value loaded from memory", Same: true},
			"unknown, the same in all lanes: value loaded from memory"},
		{Access{Width: 4, Offsets: lanes(32, func(i int64) int64 { return 4 * i })},
			"32 lanes x 4 B, stride 4 B (contiguous)"},
		{Access{Width: 4, Offsets: lanes(32, func(i int64) int64 { return 4*i + 4 })},
			"32 lanes x 4 B, stride 4 B (contiguous), from byte 4"},
		{Access{Width: 8, Offsets: lanes(32, func(i int64) int64 { return 64 * i })}, "32 lanes x 8 B, stride 64 B"},
		{Access{Width: 4, Offsets: lanes(32, func(i int64) int64 { return 124 - 4*i })}, "32 lanes x 4 B, stride -4 B"},
		{Access{Width: 4, Offsets: lanes(16, func(int64) int64 { return 0 })}, "16 lanes x 4 B, broadcast"},
		{Access{Width: 4, Offsets: []int64{8}}, "1 lane x 4 B, from byte 8"},
		// mmul_08: a warp is four rows of the 8x8 tile of a 1024-wide matrix.
		{Access{Width: 4, Offsets: lanes(32, func(i int64) int64 { return i%8*4 + i/8*4096 })},
			"32 lanes x 4 B, 4 rows of 8 lanes, stride 4 B (contiguous), 4096 B apart"},
		// Its read of As[ty][k]: each row reads one element.
		{Access{Width: 4, Offsets: lanes(32, func(i int64) int64 { return i / 8 * 32 })},
			"32 lanes x 4 B, 4 rows of 8 lanes, same address, 32 B apart"},
		{Access{Width: 4, Offsets: []int64{0, 4, 8, 100, 104, 112}}, "6 lanes x 4 B, irregular"},
		{Access{Width: 4, Offsets: []int64{0, 4, 8, 100, 104}}, "5 lanes x 4 B, irregular"},
		{Access{Width: 4, Offsets: []int64{0, 4}}, "2 lanes x 4 B, stride 4 B (contiguous)"},
		{Access{Width: 4, Offsets: []int64{}}, "no lanes"},
	} {
		if got := c.a.Describe(); got != c.want {
			t.Errorf("%v: %q, want %q", c.a.Offsets, got, c.want)
		}
	}
}

func TestSpaceNames(t *testing.T) {
	for s := SpaceGlobal; s <= SpaceImage; s++ {
		if isa.SpaceNamed(s.String()) != s {
			t.Errorf("space %d is named %q", s, s)
		}
	}
	if got := Space(0).String(); got != "invalid space" || isa.SpaceNamed(got) != 0 {
		t.Errorf("the zero space is named %q", got)
	}
}
