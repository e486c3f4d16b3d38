package resolve_test

import (
	"testing"

	"gpupipe/frontend"
)

// TestLocalConstantArguments: a constant of the caller is an argument of a template, however
// it is initialised.
func TestLocalConstantArguments(t *testing.T) {
	for _, declared := range []string{"const int N = 2 * M;", "constexpr int N{2 * M};", "int const N{2 * M};"} {
		text := "template <int K> __device__ float sum(const float *p) { float s = 0; for (int i = 0; i < K; i++) s += p[i]; return s; }\n" +
			"template <int M> __global__ void k(float *p) { " + declared + " p[0] = sum<N>(p + N); }\n"
		u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: text, Dialect: frontend.CUDA, Templates: []string{"M=4"}})
		if err != nil || len(u.Kernels) != 1 || len(u.Broken) > 0 {
			t.Errorf("%s: %v, %+v", declared, err, u)
		}
	}
	// A variable is none.
	u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: "template <int K> __device__ int f() { return K; }\n__global__ void k(int *p) { int n{3}; p[0] = f<n>(); }\n", Dialect: frontend.CUDA})
	if err == nil && len(u.Broken) == 0 {
		t.Error("a variable is taken for a template argument")
	}
}
