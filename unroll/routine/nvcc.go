package routine

import "gpupipe/lower"

// NVCC are what nvcc 11.8 executes for floating-point functions on compute capability
// 8.0, in the notation of parse (TestMachineCode of internal/evidence/fidelity). The special
// function units' square root has the name of its inverse; what they make of the high word of a
// double precision number those of single precision. A comparison beside a quotient's reciprocal
// looks for operands of extreme exponents (FCHK).
var NVCC = parseTables(map[lower.Accuracy]map[string]string{
	0: {
		"cbrt.f32": `a = mul.f32 x; b = setp.f32 x; c = add.f32 x; d = select.f32 a x b; e = setp.f32 c x;
			f = native_log2.f32 d; g = off f b; h = setp.f32 x; i = mul.f32 g; j = native_exp2.f32 i; k = mul.f32 j;
			l = native_recip.f32 k; m = fma.f32 x l j; n = fma.f32 m j; o = select.f32 n h e c`,
		"cos.f32": `branch; a = mul.f32 x; b = setp.f32 x; c = cvt.s32.f32 a; d = cvt.f32.s32 c; e = fma.f32 d x;
			f = fma.f32 d e; g = fma.f32 d f; branch b; branch; h = add.s32 c; i = mov.u32; j = mul.f32 g;
			k = and.s32 h; l = mov.u32; m = and.s32 h; n = mov.u32; o = select.f32 i k; p = select.f32 g k;
			q = select.f32 l k; r = mov.u32 k; s = fma.f32 j r k n; t = fma.f32 p j; u = fma.f32 j s o;
			v = fma.f32 j u q; w = fma.f32 v t p; z = fma.f32 w m`,
		"cosh.f32": `a = mov.u32; b = mul.f32 x; c = cvt.f32.f32 b; d = setp.f32 c; e = and.s32 c; f = off c d e;
			g = fma.f32 f x; h = fma.f32 f g; i = add.f32 f; j = mul.f32 h; k = shl.s32 i; l = native_exp2.f32 j;
			m = mul.f32 k l; n = mul.f32 m; o = setp.f32 m; p = select.f32 n m o; q = select.f32 a o; r = setp.f32 x;
			s = native_recip.f32 p; t = mul.f32 s q; u = fma.f32 m t; v = select.f32 u r`,
		"div.f64": `a = mov.u32; branch; b = native_recip.f32 y; c = setp.f32 x; d = fma.f64 y b a; e = fma.f64 d;
			f = fma.f64 b e; g = fma.f64 y f; h = fma.f64 f g; i = mul.f64 x h; j = fma.f64 y i x; k = fma.f64 h j i;
			l = fma.f32 k y; m = setp.f32 l c; branch m; branch; return k`,
		"erf.f32": `a = mov.u32; b = mov.u32; c = mov.u32; d = mov.u32; e = mul.f32 x; f = setp.f32 x;
			g = select.f32 x e f; h = select.f32 a f; i = select.f32 b f; j = select.f32 c f; k = select.f32 d f;
			l = fma.f32 g h i; m = mov.u32; n = mov.u32; o = fma.f32 g l j; p = mov.u32; q = fma.f32 g o k;
			r = select.f32 m f; s = select.f32 p f; t = fma.f32 g q r; u = select.f32 n f; v = fma.f32 g t s;
			w = select.f32 x f; z = fma.f32 g v u; aa = fma.f32 z w; ab = native_exp2.f32 aa f g; ac = add.f32 ab f p;
			ad = and.s32 ac x f aa`,
		"erfc.f32": `a = mov.u32; b = mov.u32; c = add.f32 x; d = setp.f32 x; e = add.f32 x; f = native_recip.f32 c;
			g = mul.f32 x; h = fma.f32 x b; i = mul.f32 e f; j = mul.f32 g; k = add.f32 i; l = fma.f32 k x;
			m = cvt.f32.f32 j; n = fma.f32 x i l; o = fma.f32 f n i; p = fma.f32 o a; q = fma.f32 o p; r = setp.f32 m;
			s = and.s32 m; t = fma.f32 o q; u = fma.f32 o t; v = fma.f32 o u; w = off m r s; z = fma.f32 o v;
			aa = native_recip.f32 h; ab = setp.f32 x; ac = fma.f32 w g; ad = fma.f32 o z; ae = fma.f32 w ac;
			af = fma.f32 o ad; ag = mul.f32 ae; ah = fma.f32 o af; ai = native_exp2.f32 ag; aj = fma.f32 x g;
			ak = fma.f32 o ah; al = add.f32 w; am = mul.f32 ak aa; an = shl.s32 al; ao = mul.f32 am;
			ap = fma.f32 x ao ak; aq = mul.f32 an ai; ar = add.f32 am ap; as = fma.f32 aq aj; at = fma.f32 aa ar am;
			au = mul.f32 at as; av = select.f32 au ab; aw = off av d`,
		"exp.f32": `a = mov.u32; b = mov.u32; c = fma.f32 x a; d = fma.f32 c b; e = add.f32 d; f = shl.s32 d;
			g = fma.f32 x e; h = fma.f32 x g; i = native_exp2.f32 h; j = mul.f32 f i`,
		"exp.f64": `a = mov.u32; b = mov.u32; c = mov.u32; branch; d = mov.u32; e = fma.f64 x a b; f = setp.f32 x;
			g = add.f64 e; h = fma.f64 g x; i = fma.f64 g h; j = fma.f64 i c d; k = fma.f64 i j; l = fma.f64 i k;
			m = fma.f64 i l; n = fma.f64 i m; o = fma.f64 i n; p = fma.f64 i o; q = fma.f64 i p; r = fma.f64 i q;
			s = fma.f64 i r; t = fma.f64 i s; u = add.s32 e t; v = mov.u32 t; branch f; branch; return u v`,
		"exp10.f32": `a = mov.u32; b = mov.u32; c = fma.f32 x a; d = fma.f32 c b; e = add.f32 d; f = shl.s32 d;
			g = fma.f32 x e; h = fma.f32 x g; i = native_exp2.f32 h; j = mul.f32 f i`,
		"exp2.f32": `a = setp.f32 x; b = off x a; c = native_exp2.f32 b; d = off c a`,
		"expm1.f32": `a = mov.u32; b = mul.f32 x; c = setp.f32 x; d = cvt.f32.f32 b; e = select.f32 d c; f = setp.f32 e;
			g = fma.f32 e x; h = fma.f32 e g; i = fma.f32 h a; j = off e f; k = fma.f32 h i; l = mul.f32 j;
			m = setp.f32 j; n = fma.f32 h k; o = setp.f32 j; p = select.f32 l j m; q = fma.f32 h n;
			r = native_exp2.f32 p; s = mul.f32 h q; t = fma.f32 h s; u = off r m; v = setp.f32 x; w = add.f32 u;
			z = fma.f32 t u w; aa = off z f; ab = setp.f32 j; ac = select.f32 aa ab; ad = select.f32 ac o;
			ae = off ad v x x`,
		"log.f32": `a = mov.u32; b = setp.f32 x; c = select.f32 b; d = off x b; e = add.s32 d; f = setp.s32 d;
			g = and.s32 e; h = add.s32 d g; i = cvt.f32.s32 g; j = add.f32 h; k = off f; l = fma.f32 j a;
			m = fma.f32 j l; n = fma.f32 j m; o = fma.f32 i c; p = fma.f32 j n; q = fma.f32 j p; r = fma.f32 j q;
			s = fma.f32 j r; t = fma.f32 j s; u = mul.f32 j t; v = fma.f32 j u; w = fma.f32 o v; z = off w f d k;
			aa = setp.f32 d; ab = select.f32 z aa`,
		"log10.f32": `a = mov.u32; b = setp.f32 x; c = select.f32 b; d = off x b; e = add.s32 d; f = setp.s32 d;
			g = and.s32 e; h = setp.f32 d; i = add.s32 d g; j = cvt.f32.s32 g; k = add.f32 i; l = off f;
			m = fma.f32 k a; n = fma.f32 k m; o = fma.f32 k n; p = fma.f32 j c; q = fma.f32 k o; r = fma.f32 k q;
			s = fma.f32 k r; t = fma.f32 k s; u = fma.f32 k t; v = mul.f32 k u; w = fma.f32 k v; z = fma.f32 p w;
			aa = off z f d l; ab = mul.f32 aa; ac = select.f32 ab h`,
		"log1p.f32": `a = mov.u32; b = mov.u32; branch; c = add.f32 x; d = setp.s32 x; e = add.s32 c; f = and.s32 e;
			g = add.s32 f; h = add.s32 x f; i = cvt.f32.s32 f; j = fma.f32 g a; k = add.f32 h j; l = fma.f32 k b;
			m = fma.f32 k l; n = mul.f32 i; o = fma.f32 k m; p = fma.f32 k o; q = fma.f32 k p; r = fma.f32 k q;
			s = fma.f32 k r; t = fma.f32 k s; u = mul.f32 k t; v = fma.f32 k u; w = fma.f32 n v; branch d; branch`,
		"log2.f32": `a = mov.u32; b = setp.f32 x; c = select.f32 b; d = off x b; e = add.s32 d; f = setp.s32 d;
			g = and.s32 e; h = add.s32 d g; i = cvt.f32.s32 g; j = add.f32 h; k = off f; l = fma.f32 j a;
			m = fma.f32 j l; n = fma.f32 j m; o = fma.f32 i c; p = fma.f32 j n; q = fma.f32 j p; r = fma.f32 j q;
			s = fma.f32 j r; t = fma.f32 j s; u = fma.f32 j t; v = mul.f32 j u; w = mul.f32 j v; z = fma.f32 j w;
			aa = add.f32 o z; ab = off aa f d k; ac = setp.f32 d; ad = select.f32 ab ac`,
		"native_cos.f32":    `a = mul.f32 x; b = native_cos.f32 a`,
		"native_divide.f32": `a = setp.f32 y; b = off y a; c = off x a; d = native_recip.f32 b; e = mul.f32 d c`,
		"native_exp.f32":    `a = mul.f32 x; b = setp.f32 a; c = off a b; d = native_exp2.f32 c; e = off d b`,
		"native_exp10.f32":  `a = mul.f32 x; b = setp.f32 a; c = off a b; d = native_exp2.f32 c; e = off d b`,
		"native_exp2.f32":   `a = setp.f32 x; b = off x a; c = native_exp2.f32 b; d = off c a`,
		"native_log.f32":    `a = setp.f32 x; b = off x a; c = native_log2.f32 b; d = off c a; e = mul.f32 d`,
		"native_log10.f32":  `a = setp.f32 x; b = off x a; c = native_log2.f32 b; d = off c a; e = mul.f32 d`,
		"native_log2.f32":   `a = setp.f32 x; b = off x a; c = native_log2.f32 b; d = off c a`,
		"native_powr.f32": `a = setp.f32 x; b = off x a; c = native_log2.f32 b; d = off c a; e = mul.f32 d y;
			f = setp.f32 e; g = off e f; h = native_exp2.f32 g; i = off h f`,
		"native_rsqrt.f32":  `a = setp.f32 x; b = off x a; c = native_rsqrt.f32 b; d = off c a`,
		"native_sin.f32":    `a = mul.f32 x; b = native_sin.f32 a`,
		"native_sincos.f32": `a = mul.f32 x; b = native_sin.f32 a; c = native_cos.f32 a; return b c`,
		"native_sqrt.f32":   `a = setp.f32 x; b = off x a; c = native_rsqrt.f32 b; d = off c a`,
		"native_tan.f32": `a = mul.f32 x; b = native_cos.f32 a; c = native_sin.f32 a; d = setp.f32 b; e = off b d;
			f = off c d; g = native_recip.f32 e; h = mul.f32 g f`,
		"pow.f32": `branch; a = mov.u32; b = mul.f32 x; c = setp.f32 x; d = setp.f32 x; e = select.f32 b x c;
			f = and.s32 e; g = shr.s32 e; h = and.s32 f; i = setp.f32 h; j = cvt.f32.s32 g; k = mul.f32 h i;
			l = add.f32 k; m = add.f32 k; n = native_recip.f32 l; o = add.f32 m; p = mul.f32 n o; q = mul.f32 p;
			r = fma.f32 q a; s = fma.f32 q r; t = mul.f32 q s; u = add.f32 m p; v = mul.f32 p t; w = mov.u32;
			z = add.f32 u; aa = add.f32 p v; ab = select.f32 w c; ac = fma.f32 m p z; ad = add.f32 p aa;
			ae = add.f32 ab j; af = mul.f32 n ac; ag = add.f32 v ad; ah = add.f32 ae i; ai = setp.f32 y;
			aj = add.f32 af ag; ak = mul.f32 ah; al = add.f32 aa aj; am = mul.f32 ah; an = add.f32 al ak;
			ao = add.f32 aa al; ap = add.f32 ak an; aq = add.f32 aj ao; ar = add.f32 al ap; as = mul.f32 y;
			at = add.f32 aq ar; au = add.f32 am at; av = select.f32 as y ai; aw = add.f32 an au; ax = add.f32 an aw;
			ay = mul.f32 aw av; az = add.f32 au ax; ba = fma.f32 aw av ay; bb = fma.f32 az av ba; bc = fma.f32 aw bb;
			bd = add.f32 ay bc; be = add.f32 ay bd; bf = setp.s32 bd; bg = add.f32 bc be; bh = off bd bf;
			bi = off bg bf; bj = mul.f32 bh; bk = cvt.f32.f32 bj; bl = setp.f32 bk; bm = and.s32 bk; bn = off bk bl bm;
			bo = mul.f32 y; bp = fma.f32 bn bh; bq = cvt.f32.f32 bo; br = fma.f32 bn bp; bs = add.f32 bn;
			bt = mul.f32 br; bu = shl.s32 bs; bv = native_exp2.f32 bt; bw = add.f32 bq; bx = mov.u32; by = add.f32 y bw;
			bz = setp.f32 by; ca = mul.f32 bu bv; cb = setp.f32 x bz; cc = setp.f32 ca; cd = fma.f32 bi ca cc bx;
			branch d; ce = cvt.f32.f32 y; cf = setp.f32 ce y; cg = mov.u32 cd; ch = setp.f32 x cf; ci = off cg cb;
			branch ch; branch; cj = add.f32 y x; branch; ck = setp.s32 cj; branch ck; branch; cl = setp.f32 y;
			cm = setp.f32 x cl; cn = select.f32 ci cm`,
		"recip.f64": `branch; a = native_recip.f32 x; b = add.s32 x; c = setp.f32 b; d = fma.f64 x a b; e = fma.f64 d;
			f = fma.f64 a e; g = fma.f64 x f; h = fma.f64 f g; branch c; branch`,
		"round.f32": `a = and.s32 x; b = or.s32 a; c = add.f32 x b; d = cvt.f32.f32 c`,
		"rsqrt.f32": `a = setp.f32 x; b = off x a; c = native_rsqrt.f32 b; d = off c a`,
		"rsqrt.f64": `a = mov.u32; b = mov.u32; c = mov.u32; branch; d = native_rsqrt.f32 x; e = add.s32 x;
			f = setp.s32 e; g = mul.f64 d a; h = fma.f64 x g; i = fma.f64 h b c; j = mul.f64 d h; k = fma.f64 i j d;
			branch f; branch`,
		"sin.f32": `branch; a = mul.f32 x; b = setp.f32 x; c = cvt.s32.f32 a; d = cvt.f32.s32 c; e = fma.f32 d x;
			f = fma.f32 d e; g = fma.f32 d f; branch b; branch; h = and.s32 c; i = mov.u32; j = and.s32 c;
			k = mul.f32 g; l = select.f32 g h; m = mov.u32; n = select.f32 i h; o = mov.u32; p = select.f32 m h;
			q = mov.u32 h; r = fma.f32 k q h o; s = fma.f32 l k; t = fma.f32 k r n; u = fma.f32 k t p;
			v = fma.f32 u s l; w = fma.f32 v j`,
		"sincos.f32": `branch; a = mul.f32 x; b = setp.f32 x; c = cvt.s32.f32 a; d = cvt.f32.s32 c; e = fma.f32 d x;
			f = fma.f32 d e; g = fma.f32 d f; branch b; branch; h = mov.u32; i = and.s32 c; j = mul.f32 g;
			k = and.s32 c; l = mov.u32; m = setp.s32 i; n = fma.f32 j h; o = fma.f32 j l; p = fma.f32 j n;
			q = fma.f32 j g; r = fma.f32 j o; s = fma.f32 j p; t = fma.f32 q r g; u = add.s32 c; v = fma.f32 j s;
			w = and.s32 u; z = select.f32 v t m; aa = select.f32 t v m; ab = select.f32 z k; ac = select.f32 aa w;
			return ab ac`,
		"sqrt.f64": `a = mov.u32; b = mov.u32; branch; c = native_rsqrt.f32 x; d = add.s32 x; e = setp.s32 d;
			f = mul.f64 c d; g = fma.f64 x f; h = fma.f64 g a b; i = mul.f64 c g; j = fma.f64 h i c; k = mul.f64 x j;
			l = add.s32 j; m = mov.u32 j; n = fma.f64 k x; o = fma.f64 n m l k; branch e; branch`,
		"tan.f32": `branch; a = mul.f32 x; b = setp.f32 x; c = cvt.s32.f32 a; d = cvt.f32.s32 c; e = fma.f32 d x;
			f = fma.f32 d e; g = fma.f32 d f; branch b; branch; h = mov.u32; i = setp.f32 g; j = mul.f32 g;
			k = and.s32 c; l = fma.f32 j h; m = setp.s32 k; n = fma.f32 j l; o = fma.f32 j n; p = fma.f32 j o;
			q = fma.f32 j p; r = mul.f32 j g; s = fma.f32 q r g i; t = native_recip.f32 s m`,
		"tanh.f32": `branch; a = setp.f32 x; branch a; b = mul.f32 x; c = mov.u32; d = setp.f32 x;
			e = native_exp2.f32 b; f = add.f32 e; g = native_recip.f32 f; h = fma.f32 g c; i = select.f32 h d;
			j = and.s32 i x; branch`,
	},
	lower.Rounded: {
		"div.by.f32": `a = mov.u32; branch; b = mov.u32; c = fma.f32 a b; d = fma.f32 c a; e = setp.f32 x;
			f = fma.f32 x d; g = fma.f32 f x; h = fma.f32 d g f; branch e; branch`,
		"div.f32": `branch; a = native_recip.f32 y; b = setp.f32 x y; c = fma.f32 y a; d = fma.f32 a c; e = fma.f32 x d;
			f = fma.f32 y e x; g = fma.f32 d f e; branch b; branch`,
		"div.of.f32": `a = mov.u32; branch; b = mov.u32 a; c = native_recip.f32 x; d = setp.f32 b x; e = fma.f32 x c;
			f = fma.f32 c e; g = fma.f32 f; h = fma.f32 x g; i = fma.f32 f h g; branch d; branch`,
		"hypot.f32": `branch; a = add.f32 x; b = add.f32 y; c = max.s32 a b; d = max.s32 a b; e = and.s32 c;
			f = add.s32 e; g = mul.f32 d f; h = mul.f32 c f; i = mul.f32 g; j = fma.f32 h i; k = native_rsqrt.f32 j;
			l = add.s32 j; m = setp.s32 l; branch m; n = mul.f32 j k; o = mul.f32 k; p = fma.f32 n j; q = fma.f32 p o n;
			branch; r = setp.f32 d; s = and.s32 e; t = mul.f32 s q r c; u = setp.f32 d; v = select.f32 t u`,
		"recip.f32": `branch; a = add.s32 x; b = and.s32 a; c = setp.s32 b; branch c; d = native_recip.f32 x;
			e = fma.f32 x d; f = add.f32 e; g = fma.f32 d f; branch`,
		"sqrt.f32": `branch; a = add.s32 x; b = native_rsqrt.f32 x; c = setp.s32 a; branch c; d = mul.f32 x b;
			e = mul.f32 b; f = fma.f32 d x; g = fma.f32 f e d; branch`,
	},
	lower.Relaxed: {
		"div.by.f32": `a = mul.f32 x`,
		"div.f32": `a = setp.f32 y; b = setp.f32 y; c = off y a; d = off x a; e = off c b; f = off d b;
			g = native_recip.f32 e; h = mul.f32 g f`,
		"div.of.f32": `a = mov.u32; b = setp.f32 x; c = setp.f32 x; d = select.f32 a b; e = off x b; f = off d c;
			g = off e c; h = native_recip.f32 g; i = mul.f32 h f`,
		"recip.f32": `a = mov.u32; b = setp.f32 x; c = setp.f32 x; d = select.f32 a b; e = select.f32 d c;
			f = mul.f32 x e; g = native_recip.f32 f; h = mul.f32 e g`,
		"sqrt.f32": `a = setp.f32 x; b = off x a; c = native_rsqrt.f32 b; d = off c a`,
	},
	lower.Fast: {
		"div.by.f32":        `a = mul.f32 x`,
		"div.f32":           `a = native_recip.f32 y; b = mul.f32 x a`,
		"div.of.f32":        `a = native_recip.f32 x; b = mul.f32 a`,
		"native_divide.f32": `a = native_recip.f32 y; b = mul.f32 x a`,
		"native_exp.f32":    `a = mul.f32 x; b = native_exp2.f32 a`,
		"native_exp10.f32":  `a = mul.f32 x; b = native_exp2.f32 a`,
		"native_exp2.f32":   `a = native_exp2.f32 x`,
		"native_log.f32":    `a = native_log2.f32 x; b = mul.f32 a`,
		"native_log10.f32":  `a = native_log2.f32 x; b = mul.f32 a`,
		"native_log2.f32":   `a = native_log2.f32 x`,
		"native_powr.f32":   `a = native_log2.f32 x; b = mul.f32 a y; c = native_exp2.f32 b`,
		"native_rsqrt.f32":  `a = native_rsqrt.f32 x`,
		"native_sqrt.f32":   `a = native_rsqrt.f32 x`,
		"native_tan.f32": `a = mul.f32 x; b = native_cos.f32 a; c = native_sin.f32 a; d = native_recip.f32 b;
			e = mul.f32 c d`,
		"recip.f32": `a = native_recip.f32 x`,
		"rsqrt.f32": `a = native_rsqrt.f32 x`,
	},
})
