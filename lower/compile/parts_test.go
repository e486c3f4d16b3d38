package compile_test

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower/compile"
)

// TestConvertedParts: a conversion reads a byte or a half of what a wide load brought itself, and is one of narrow
// numbers (listings of nvcc 12.4 for sm_90 and clang 14 for gfx90a); what somebody else reads, too, is taken out of
// its word once.
func TestConvertedParts(t *testing.T) {
	const bytes = "uchar4 c = a[i]; b[i] = c.x * 1.5f + c.y * 2.5f + c.z * 3.5f + c.w;"
	for _, c := range []struct {
		target, profile, body string
		taken                 int // instructions that take a part out of a word
		want                  []string
	}{
		{"sm_90", "nvcc-11.8", bytes, 0, []string{"I2F.U8 ", ", R2 ", "R2.B1", "R2.B2", "R2.B3"}},
		{"sm_90", "nvcc-11.8", "b[i] = ((const signed char *)a)[i];", 0, []string{"I2F.S16"}},
		{"sm_90", "nvcc-11.8", "short2 c = ((const short2 *)a)[i]; b[i] = c.x * 1.5f + c.y;", 0,
			[]string{"I2F.S16", "R2.H1"}},
		{"sm_90", "nvcc-11.8", "b[i] = ((const int *)a)[i];", 0, []string{"I2FP.F32.S32"}},
		{"sm_90", "nvcc-11.8", "uchar4 c = a[i]; b[i] = c.y * 1.5f + (c.y ^ i);", 1,
			[]string{"I2F.U16", "PRMT", "0x7771"}},
		{"gfx90a", "clang-amdgcn-14", bytes, 0,
			[]string{"v_cvt_f32_ubyte0", "v_cvt_f32_ubyte1", "v_cvt_f32_ubyte2", "v_cvt_f32_ubyte3"}},
	} {
		text := `extern "C" __global__ void k(const uchar4 *__restrict__ a, float *b) { int i = threadIdx.x; ` +
			c.body + " }"
		k := tree(t, frontend.Config{File: "k.cu", Text: text, Dialect: ast.CUDA}, "")
		code, err := compile.Compile(k, optionsFor(t, c.target, c.profile))
		if err != nil {
			t.Fatal(err)
		}
		text = code.String()
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s, %s: no %q in\n%s", c.target, c.body, want, text)
			}
		}
		if taken := strings.Count(text, "PRMT") + strings.Count(text, "bfe"); taken != c.taken {
			t.Errorf("%s, %s: %d instructions take parts, want %d", c.target, c.body, taken, c.taken)
		}
	}
}
