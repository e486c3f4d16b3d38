package unroll

import "gpupipe/lower"

// amdRoutines are what clang 14 writes for quotients on AMD's GPUs, the same for gfx906, gfx90a
// and gfx1030. The first two instructions scale the operands and the last two what comes out
// (v_div_scale, v_div_fmas, v_div_fixup). OpenCL's default asks for quotients as exact as
// CUDA's where denormal numbers count, which these GPUs have by default. Roots are one
// instruction.
var amdRoutines = parseRoutines(map[lower.Accuracy]map[string]string{
	0: {
		"div.by.f32": `a = fma.f32 x; b = fma.f32 x; c = native_recip.f32 a; d = fma.f32 a c; e = fma.f32 d c; f = mul.f32 b e; g = fma.f32 a f b;
			h = fma.f32 g e f; i = fma.f32 a h b; j = fma.f32 i e h; k = fma.f32 j x`,
		"div.f32": `a = fma.f32 y x; b = fma.f32 x y; c = native_recip.f32 a; d = fma.f32 a c; e = fma.f32 d c; f = mul.f32 b e;
			g = fma.f32 a f b; h = fma.f32 g e f; i = fma.f32 a h b; j = fma.f32 i e h; k = fma.f32 j y x`,
		"div.of.f32": `a = fma.f32 x; b = fma.f32 x; c = native_recip.f32 a; d = fma.f32 a c; e = fma.f32 d c; f = mul.f32 b e; g = fma.f32 a f b;
			h = fma.f32 g e f; i = fma.f32 a h b; j = fma.f32 i e h; k = fma.f32 j x`,
		"recip.f32": `a = fma.f32 x; b = fma.f32 x; c = native_recip.f32 a; d = fma.f32 a c; e = fma.f32 d c; f = mul.f32 b e; g = fma.f32 a f b;
			h = fma.f32 g e f; i = fma.f32 a h b; j = fma.f32 i e h; k = fma.f32 j x`,
	},
	lower.Relaxed: {
		"recip.f32": `a = setp.f32 x; b = select.f32 a; c = mul.f32 x b; d = native_recip.f32 c; e = mul.f32 b d`,
	},
	lower.Fast: {
		"div.by.f32": `a = mul.f32 x`,
		"div.f32":    `a = native_recip.f32 y; b = mul.f32 x a`,
		"div.of.f32": `a = native_recip.f32 x; b = mul.f32 a`,
		"recip.f32":  `a = native_recip.f32 x`,
	},
})
