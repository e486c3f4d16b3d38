package unroll_test

import (
	"strings"
	"testing"

	"gpupipe/internal/tools"
	"gpupipe/unroll"
)

// TestSteadyPasses: loops with passes made one are skipped exactly, whatever is left of them, and each iteration is
// executed once.
func TestSteadyPasses(t *testing.T) {
	tools.Heavy(t)
	for _, body := range []string{"t += a[x * n + i];", "t = t * u + v;", "t += s[i];"} {
		text := `__global__ void f(const float *a, float *c, int n, float u, float v)
{
    __shared__ float s[8192];
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    float t = u;
    s[threadIdx.x] = v;
    __syncthreads();
    for (int i = 0; i < n; i++) { ` + body + ` }
    c[x] = t + s[x];
}`
		k := lowerSource(t, "k.cu", text)[0]
		for n := range int64(36) {
			for _, more := range []int64{0, 1000} {
				opt := unroll.Options{Local: [3]int64{32}, Groups: [3]int64{4},
					Target: unroll.Target{Compiler: unroll.NVCC, MachineCode: true}, Warps: unroll.FirstWarp,
					Args: map[string]unroll.ArgValue{"n": {Int: n + more}}}
				if skipped := sameEitherWay(t, k, opt, text); more > 0 && skipped == 0 {
					t.Errorf("%s, %d iterations: nothing is skipped", body, n+more)
				}
				g := resolve(t, k, opt).Graph
				floats := int64(0)
				for _, op := range g.ProgramMix(g.ProgramOf(0)).Ops {
					if strings.HasSuffix(op.Op, ".f32") {
						floats += op.Count
					}
				}
				if floats != n+more+1 {
					t.Errorf("%s, %d iterations: %d additions", body, n+more, floats)
				}
			}
		}
	}
}
