package routine

import "gpupipe/lower"

// AMD are what clang 14 writes for quotients on AMD's GPUs, the same for gfx906, gfx90a
// and gfx1030 (TestAMDFunctions of internal/evidence/fidelity). The first two instructions scale the
// operands and the last two what comes out (v_div_scale, v_div_fmas, v_div_fixup). Where denormal
// numbers count, as they do by default, it writes OpenCL's quotients as HIP's, but for
// reciprocals. Other functions are a library's, which is not known.
var AMD = parseTables(map[lower.Accuracy]map[string]string{
	0: {
		"div.by.f32": `a = fma.f32 x; b = fma.f32 x; c = native_recip.f32 a; d = fma.f32 a c; e = fma.f32 d c;
			f = mul.f32 b e; g = fma.f32 a f b; h = fma.f32 g e f; i = fma.f32 a h b; j = fma.f32 i e h;
			k = fma.f32 j x`,
		"div.by.f64": `a = fma.f64 x; b = fma.f64 x; c = native_recip.f32 a; d = fma.f64 a c; e = fma.f64 d c;
			f = fma.f64 a e; g = fma.f64 f e; h = mul.f64 b g; i = fma.f64 a h b; j = fma.f64 i g h; k = fma.f64 j x`,
		"div.f32": `a = fma.f32 y x; b = fma.f32 x y; c = native_recip.f32 a; d = fma.f32 a c; e = fma.f32 d c;
			f = mul.f32 b e; g = fma.f32 a f b; h = fma.f32 g e f; i = fma.f32 a h b; j = fma.f32 i e h;
			k = fma.f32 j y x`,
		"div.f64": `a = fma.f64 y x; b = fma.f64 x y; c = native_recip.f32 a; d = fma.f64 a c; e = fma.f64 d c;
			f = fma.f64 a e; g = fma.f64 f e; h = mul.f64 b g; i = fma.f64 a h b; j = fma.f64 i g h; k = fma.f64 j y x`,
		"div.of.f32": `a = fma.f32 x; b = fma.f32 x; c = native_recip.f32 a; d = fma.f32 a c; e = fma.f32 d c;
			f = mul.f32 b e; g = fma.f32 a f b; h = fma.f32 g e f; i = fma.f32 a h b; j = fma.f32 i e h;
			k = fma.f32 j x`,
		"div.of.f64": `a = fma.f64 x; b = fma.f64 x; c = native_recip.f32 a; d = fma.f64 a c; e = fma.f64 d c;
			f = fma.f64 a e; g = fma.f64 f e; h = mul.f64 b g; i = fma.f64 a h b; j = fma.f64 i g h; k = fma.f64 j x`,
		"recip.f32": `a = fma.f32 x; b = fma.f32 x; c = native_recip.f32 a; d = fma.f32 a c; e = fma.f32 d c;
			f = mul.f32 b e; g = fma.f32 a f b; h = fma.f32 g e f; i = fma.f32 a h b; j = fma.f32 i e h;
			k = fma.f32 j x`,
		"recip.f64": `a = fma.f64 x; b = fma.f64 x; c = native_recip.f32 a; d = fma.f64 a c; e = fma.f64 d c;
			f = fma.f64 a e; g = fma.f64 f e; h = mul.f64 b g; i = fma.f64 a h b; j = fma.f64 i g h; k = fma.f64 j x`,
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
