package resolve

import (
	"strings"
	"testing"

	"gpupipe/frontend/ast"
)

// TestHalfAtomic: two halves are added in one operation, and clocks can be read.
func TestHalfAtomic(t *testing.T) {
	u := mustParse(t, ast.CUDA, "#include <cuda_fp16.h>\n__global__ void k(half2 *h, long long *c) { long long t = "+
		"clock64(); half2 old = atomicAdd(h, __float2half2_rn(1.0f)); c[0] = clock64() - t + clock(); h[1] = old; }")
	for _, want := range []string{"atomic_add", "get_special_clock64"} {
		if !strings.Contains(u.String(), want) {
			t.Errorf("no %s in\n%s", want, u)
		}
	}
}
