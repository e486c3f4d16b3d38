package compile_test

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower/compile"
)

// TestAgainstListings: what nvcc 11.8 writes for small kernels, by words that its listing has and others that it lacks.
func TestAgainstListings(t *testing.T) {
	for _, c := range []struct{ name, arch, source, has, lacks string }{
		{"a parameter is the second operand of a comparison", "sm_80",
			`__global__ void k(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = 1; }`,
			"c[0x0][0x168], PT", "MOV R5, c[0x0][0x168]"},
		{"and so is one that is compared with 0", "sm_80",
			`__global__ void k(float *p, int n) { if (n == 0) p[threadIdx.x] = 1; }`, "RZ, c[0x0][0x168], PT", "c[0x0][0x168] "},
		{"a guard and its loop load it once", "sm_90", `__global__ void k(float *p, int n, float *q) {
	float s = 0;
	for (int j = threadIdx.x; j < n; j = j * 2 + 1) s += q[j];
	p[threadIdx.x] = s;
}`, "ULDC UR2, c[0x0][0x218]", "ULDC UR0, c[0x0][0x218]"},
		{"numbers of two words lie in a bank", "sm_80",
			`__global__ void k(double *p) { p[threadIdx.x] = p[threadIdx.x] * 0.3 + p[0]; }`, "c[0x2]", "0x33333333"},
		{"or in a register of the warp", "sm_90",
			`__global__ void k(double *p) { p[threadIdx.x] = p[threadIdx.x] * 0.3 + p[0]; }`, "UMOV UR1, 0x3fd33333", " MOV R"},
		{"steps that are computed stay products where the count is not known", "sm_80",
			`__global__ void k(float *p, unsigned long long n) {
	for (unsigned long long i = threadIdx.x; i < n; i += blockDim.x * gridDim.x) p[i] = 1;
}`, "LEA.HI.X", "IMAD.WIDE.U32"},
		{"a routine follows the code", "sm_80", `__global__ void k(float *p) { p[0] = p[1] / p[2]; }`,
			"routine div.f32", "routine recip"},
		{"a loop with a return stays rolled, as one with a break", "sm_80", `__global__ void k(const float *p, int *o, int n) {
	for (int i = 0; i < n; i++) if (p[i] > 0.5f) { o[i] = 1; return; }
	o[0] = -1;
}`, "loop L", "+0x4]"},
		{"the only slow path of sine has its words in registers", "sm_80",
			`__global__ void k(float *p) { p[0] = sinf(p[1]); }`, "1 in line of trig.f32 alone", "STL"},
		{"several have them in memory", "sm_80", `__global__ void k(float *p) { p[0] = sinf(p[1]) * cosf(p[2]); }`,
			"STL  ; 4 times", "alone"},
		{"two tests of zero are one", "sm_80",
			`__global__ void k(float *p) { if (threadIdx.x == 0 && threadIdx.y == 0) p[0] = 1; }`, "LOP3.LUT", "RZ, P0"},
		{"a range is one comparison", "sm_80",
			`__global__ void k(int *p) { if (p[1] >= 3 && p[1] < 20) p[0] = 1; }`, "ISETP.LT.U32.AND P0, R0, 0x11", "0x14"},
	} {
		k := tree(t, frontend.Config{File: "k.cu", Text: c.source, Dialect: ast.CUDA}, "")
		code, err := compile.Compile(k, optionsFor(t, c.arch, "nvcc-11.8"))
		if err != nil {
			t.Fatal(err)
		}
		if text := code.String(); !strings.Contains(text, c.has) || strings.Contains(text, c.lacks) {
			t.Errorf("%s: not %q without %q:\n%s", c.name, c.has, c.lacks, text)
		}
	}
}
