package registers

import (
	"testing"

	"gpupipe/idg/idgtest"
	"gpupipe/internal/target"
)

// TestEstimateRegisters counts live values by hand; the stack pointer is one more.
func TestEstimateRegisters(t *testing.T) {
	for _, c := range []struct {
		name    string
		program string
		want    int
	}{
		{"a chain takes the place of its operand", "add.f32; add.f32 0; add.f32 1", 1},
		{"two operands at once", "add.f32; add.f32; add.f32 0 1", 2},
		{"64 bits take two", "add.s64; mul.wide.s32; add.s64 0 1", 4},
		{"predicates take none", "setp.s32; setp.s32; branch 0 1", 0},
		{"a wide load", "ld.global:16; add.f32 0", 4},
		{"bytes take a register each", "ld.global:1; cvt.f32.u8 0", 1},
		{"loads move down to their users", "ld.local:4; ld.local:4; ld.local:4; add.f32 0; add.f32 1 3; add.f32 2 4",
			2},
		{"but not across a barrier", "ld.local:4; ld.local:4; ld.local:4; barrier; add.f32 0; add.f32 1 4; add.f32 2 5",
			3},
	} {
		g := idgtest.Listed(t, c.program)
		if got := Estimate(g, target.InVectorRegisters) - stackPointer; got != c.want {
			t.Errorf("%s: %d registers, want %d", c.name, got, c.want)
		}
	}
}
