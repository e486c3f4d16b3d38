package isa

import "testing"

func TestFloatOperations(t *testing.T) {
	for op, want := range map[string]float64{
		"fma.f32": 64, "add.f64": 32, "fma.packed.f32": 128, "mad.s32": 0, "cos.f32": 0, "ld.global": 0,
		"hmma.16816.f32": 4096, "wgmma.m64n128k16.bf16.f32": 65536, "mystery": 0,
	} {
		if got := Parse(op).FloatOperations(32); got != want {
			t.Errorf("%s: %v operations, want %v", op, got, want)
		}
	}
}
