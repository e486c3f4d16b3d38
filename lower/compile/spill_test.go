package compile_test

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
)

// TestSpillProduct: 128 sums of 32 values by 4 live in 128 registers beside the four and one of the 32; what has none is
// spilled, and its zeros are stored as they are.
func TestSpillProduct(t *testing.T) {
	const source = `extern "C" __global__ void __launch_bounds__(512) k(const float *a, const float *b, float *c, int n)
{
	float s[32][4] = {};
	int t = threadIdx.x;
	for (int k = 0; k < n; ++k) {
		float x[32], y[4];
		for (int m = 0; m < 32; ++m) x[m] = a[k * 1024 + m * 32 + t];
		for (int m = 0; m < 4; ++m) y[m] = b[k * 128 + m * 32 + t];
		for (int m = 0; m < 32; ++m)
			for (int l = 0; l < 4; ++l) s[m][l] += x[m] * y[l];
	}
	for (int m = 0; m < 32; ++m)
		for (int l = 0; l < 4; ++l) c[(m * 4 + l) * 1024 + t] = s[m][l];
}`
	o := options(t)
	o.Machine.MaxThreads = 512
	code, err := compile.Compile(tree(t, frontend.Config{File: "k.cu", Text: source, Dialect: ast.CUDA}, ""), o)
	if err != nil {
		t.Fatal(err)
	}
	r := code.Resources
	// sums, values, address of two words; the stack pointer and what ptxas counts beside
	const live, words = 128 + 4 + 1 + 2, 128 - 2 - 1
	if r.Registers != 128 || r.SpillBytes < 4*(live-words) || r.SpillBytes > 8*(live-words) {
		t.Errorf("%d registers, %d bytes are spilled, want 128, %d at least", r.Registers, r.SpillBytes, 4*(live-words))
	}
	var b strings.Builder
	if err := machine.Format(&b, code); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "], RZ "); n < int(r.SpillBytes/4) {
		t.Errorf("%d zeros are stored, %d bytes spilled\n%.3000s", n, r.SpillBytes, b.String())
	}
}
