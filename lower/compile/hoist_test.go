package compile_test

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower/compile"
)

// TestHoist: nvcc 13 loads a pointer in front of the only loop that reads it, nvcc 11.8 in the loop; both add the
// address of memory of the group in the access where the index needs no product, and count bits by instructions.
func TestHoist(t *testing.T) {
	const source = `__global__ void k(const int *in, int *out, int n) {
	__shared__ int s[256];
	int sum = 0;
	for (int i = threadIdx.x; i < n; i += blockDim.x) sum += __popc(in[i]) + __clz(in[i]);
	s[threadIdx.x] = sum;
	__syncthreads();
	out[threadIdx.x] = s[threadIdx.x ^ 1];
}`
	for _, hoist := range []bool{false, true} {
		k := tree(t, frontend.Config{File: "k.cu", Text: source, Dialect: ast.CUDA}, "")
		o := optionsFor(t, "sm_90", "nvcc-11.8")
		o.Machine.Hoist = hoist
		code, err := compile.Compile(k, o)
		if err != nil {
			t.Fatal(err)
		}
		text := code.String()
		_, loop, _ := strings.Cut(text, "loop ")
		loop, _, _ = strings.Cut(loop, "leave")
		if inside := strings.Contains(loop, "LDC"); inside == hoist {
			t.Errorf("hoist %v, a parameter is loaded in the loop %v:\n%s", hoist, inside, loop)
		}
		if !strings.Contains(loop, "POPC") || !strings.Contains(loop, "FLO") || strings.Contains(text, "CALL") {
			t.Errorf("bits are not counted by instructions:\n%s", loop)
		}
		if !strings.Contains(text, "+UR") {
			t.Errorf("no access adds a register of the warp:\n%s", text)
		}
	}
}
