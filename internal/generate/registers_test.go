package generate

import (
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// TestLaunchBounds: what bounds leave are whole units of registers for as many groups as they
// ask for, where a compute unit holds so many warps; and for HIP wavefronts of a SIMD.
func TestLaunchBounds(t *testing.T) {
	for _, c := range []struct {
		gpu            string
		items, minimum int64
		want           int
	}{
		{"", 0, 0, 255},
		{"", 128, 0, 255},
		{"", 384, 0, 168}, // not 170
		{"", 768, 0, 80},
		{"", 1024, 0, 64},
		{"", 1024, 2, 32},
		{"", 256, 4, 64},
		{"", 256, 3, 80},
		{"", 256, 9, 255}, // more warps than there are: ignored
		{"a100", 256, 8, 32},
		{"rtx3090", 256, 6, 40},
		{"rtx3090", 256, 8, 255}, // 48 warps
		{"gtx480", 0, 0, 63},
		{"gtx480", 256, 4, 32}, // of 32,768
		{"mi250x", 1024, 0, 128},
		{"mi250x", 256, 0, 512},
		{"mi250x", 256, 2, 256},
		{"mi250x", 256, 8, 64},
		{"w7800", 256, 8, 192}, // 1,536 registers of each of 4 SIMDs
	} {
		var d *latencies.Device
		compiler := unroll.NVCC
		if c.gpu != "" {
			var err error
			if d, err = latencies.Builtin(c.gpu); err != nil {
				t.Fatal(err)
			}
			if d.Vendor == "AMD" {
				compiler = unroll.Clang
			}
		}
		fn := &ast.Function{MaxWorkItems: c.items, MinResident: c.minimum}
		if ignored := c.minimum*c.items == 9*256 ||
			c.gpu == "rtx3090" && c.minimum == 8; ignored != (CheckLaunchBounds(d, compiler, fn) != nil) {
			t.Errorf("%s: __launch_bounds__(%d, %d): %v", c.gpu, c.items, c.minimum, CheckLaunchBounds(d, compiler, fn))
		}
		if l := LimitOf(d, compiler, fn, ast.CUDA, 32); l.Registers != c.want {
			t.Errorf("%s: __launch_bounds__(%d, %d) leaves %d registers, want %d", c.gpu, c.items, c.minimum,
				l.Registers, c.want)
		}
	}
}
