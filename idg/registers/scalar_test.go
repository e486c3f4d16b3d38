package registers

import (
	"testing"

	"gpupipe/idg/idgtest"
	"gpupipe/internal/target"
)

// TestScalarRegisters counts by hand the registers of a lane where a warp has registers of
// its own.
func TestScalarRegisters(t *testing.T) {
	for _, c := range []struct {
		name    string
		program string
		want    int
	}{
		{"what comes from arguments takes none", "add.s32; mul.wide.s32 0; add.s64 1", 0},
		{"what comes from a work-item id does", "index.s32; mul.wide.s32 0; add.s64 1", 2},
		{"a counter takes none", "loop; loop 0; loop 1", 0},
		{"floating-point numbers do, whatever they come from", "cvt.f32.s32; add.f32 0", 1},
		{"and what comes from them", "cvt.f32.s32; cvt.s32.f32 0; add.s32 1", 1},
		{"a load of constant memory takes none", "ld.constant:16; setp.s32 0", 0},
		{"where its address is the same in all lanes", "index.s32; ld.constant:16 0; setp.s32 1", 4},
		{"nor does one of global memory", "ld.global:4; setp.s32 0", 0},
		{"unless it is stored to before", "st.global:4; ld.global:4; setp.s32 1", 1},
		{"or an atomic is executed before", "atomic.add.global:4; ld.global:4; setp.s32 1", 1},
		{"a load of local memory does", "ld.local:4; setp.s32 0", 1},
	} {
		if got := Estimate(idgtest.Listed(t, c.program), target.InScalarRegisters); got != c.want {
			t.Errorf("%s: %d registers, want %d", c.name, got, c.want)
		}
	}
}
