package idg_test

import (
	"fmt"
	"testing"

	"gpupipe/internal/test/idgtest"
)

// TestRegisterReads counts words by hand.
func TestRegisterReads(t *testing.T) {
	for _, c := range []struct {
		name    string
		program string
		want    string
	}{
		{"three operands", "ld.local:4; ld.local:4; ld.local:4; fma.f32 0 1 2", "[0 0 0 3]"},
		{"a square", "ld.local:4; mul.f32 0", "[0 1]"},
		{"predicates are in registers of their own", "ld.local:4; ld.local:4; setp.f32 0 1; select.f32 0 1 2; branch 2",
			"[0 0 2 0 0]"},
		{"64 bits are two words", "ld.local:4; mul.wide.s32 0; add.s64 1", "[0 2 2]"},
		{"a product's halves read twice, and a third word waits for a pair", "ld.local:4; ld.local:4; mul.wide.s32 0 1; " +
			"barrier; mad.wide.s32 0 2; mulhi.s32 0 1", "[0 0 4 0 8 2]"},
		{"memory, special functions, conversions and doubles wait for the ports",
			"ld.local:4; ld.global:4 0; native_cos.f32 1; cvt.s32.f32 2; add.f64 3; popcount.s32 3; shuffle.s32 3; " +
				"st.global:4 3", "[0 0 0 0 0 0 0 0]"},
		{"a factor in common", "ld.local:4; ld.local:4; ld.local:4; fma.f32 0 1; fma.f32 0 2; fma.f32 1 3",
			"[0 0 0 2 1 2]"},
		{"a chain of every second one waits", "ld.local:4; ld.local:4; fma.f32 0 1; fma.f32 0 1; fma.f32 0 2; fma.f32 0 3",
			"[0 0 2 0 2 2]"},
		{"a chain of every third one does not", "ld.local:4; ld.local:4; fma.f32 0 1; fma.f32 0 1; fma.f32 0 1; " +
			"fma.f32 0 2; fma.f32 0 3", "[0 0 2 0 0 1 1]"},
		{"a chain waits for each result", "ld.local:4; ld.local:4; fma.f32 0 1; fma.f32 0 1 2; fma.f32 0 1 3",
			"[0 0 2 3 3]"},
		{"across a load", "ld.local:4; ld.local:4; fma.f32 0 1; ld.local:4; fma.f32 0 3", "[0 0 2 0 1]"},
		{"not across a barrier", "ld.local:4; ld.local:4; fma.f32 0 1; barrier; fma.f32 0 1", "[0 0 2 0 2]"},
		{"a scalar product of wide loads",
			"ld.local:16; ld.local:16; fma.f32 0 1; fma.f32 0 1 2; fma.f32 0 1 3; fma.f32 0 1 4", "[0 0 2 3 3 3]"},
		{"a row of one factor", "ld.local:4; ld.local:16; fma.f32 0 1; fma.f32 0 1; fma.f32 0 1; fma.f32 0 1",
			"[0 0 2 1 1 1]"},
		{"a column with a row", "ld.local:16; ld.local:4; ld.local:4; fma.f32 0 1; fma.f32 0 2; fma.f32 0 1; fma.f32 " +
			"0 2; fma.f32 0 1; fma.f32 0 2; fma.f32 0 1; fma.f32 0 2", "[0 0 0 2 1 1 1 1 2 2 2]"},
	} {
		g := idgtest.Listed(t, c.program)
		if got := fmt.Sprint(g.RegisterReads()[0]); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
