package unroll_test

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// TestSteadyTensor: a loop of matrix products is skipped like others, whatever the leading dimension
// is and wherever the tiles lie.
func TestSteadyTensor(t *testing.T) {
	const text = `__global__ void k(const half *a, const half *b, float *c, int n) {
	__shared__ half s[2][16 * 24];
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::LAYOUT_major> y;
	wmma::fill_fragment(sum, 0.0f);
	for (int i = 0; i < n; i++) {
		s[0][threadIdx.x] = a[i * 32 + threadIdx.x];
		__syncthreads();
		wmma::load_matrix_sync(x, s[0], 24);
		wmma::load_matrix_sync(y, b + i * 16, 1024);
		wmma::mma_sync(sum, x, y, sum);
		__syncthreads();
	}
	wmma::store_matrix_sync(c, sum, n, wmma::mem_row_major);
}`
	for _, layout := range []string{"row", "col"} {
		for _, cores := range []frontend.TensorCores{frontend.VoltaTensorCores, frontend.TuringTensorCores, frontend.AmpereTensorCores} {
			text := strings.ReplaceAll(text, "LAYOUT", layout)
			u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: text, Dialect: frontend.CUDA})
			if err != nil {
				t.Fatal(err)
			}
			u.TensorCores = cores
			k, err := lower.Lower(u, u.Kernels[0])
			if err != nil {
				t.Fatal(err)
			}
			opt := unroll.Options{Local: [3]int64{32}, Groups: [3]int64{9}, Args: map[string]unroll.ArgValue{"n": {Int: 900}}, MachineCode: true, Locality: unroll.LaunchLocality}
			if sameEitherWay(t, k, opt, text) == 0 {
				t.Errorf("%s, %d: no iterations are skipped", layout, cores)
			}
		}
	}
}
