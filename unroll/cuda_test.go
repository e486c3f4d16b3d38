package unroll_test

import (
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// TestTemplateKernel resolves a kernel template as its source launches it, and
// with arguments given: a warp of 32 sums by 5 shuffles, one of 8 by 3.
func TestTemplateKernel(t *testing.T) {
	const text = `template <typename T, int N> __device__ T warpSum(T v) {
#pragma unroll
  for (int d = N / 2; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  return v;
}
template <typename T, int N> __global__ void k(T *out, const T *in) {
  T v = warpSum<T, N>(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (threadIdx.x == 0 && __any_sync(0xffffffff, v > 0)) out[blockIdx.x] = v;
}
void host() { k<float, 32><<<1, 32>>>(0, 0); }
`
	for _, c := range []struct {
		templates      []string
		name, add      string
		shuffles, adds int
	}{
		{nil, "k<float, 32>", "add.f32", 5, 5},
		{[]string{"k:T=double,N=8"}, "k<double, 8>", "add.f64", 3, 3},
	} {
		u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: text, Dialect: ast.CUDA, Templates: c.templates})
		if err != nil {
			t.Fatal(err)
		}
		if u.Kernels[0].Name != c.name || u.Kernel("k") != u.Kernels[0] {
			t.Fatalf("kernel %s, want %s", u.Kernels[0].Name, c.name)
		}
		k, err := lower.Lower(u, u.Kernels[0])
		if err != nil {
			t.Fatal(err)
		}
		r, err := unroll.Resolve(k, unroll.Options{Local: [3]int64{32}, Groups: [3]int64{4}, Warps: unroll.FirstWarp})
		if err != nil {
			t.Fatal(err)
		}
		got := opsOf(r.Graph)
		for op, want := range map[string]int{"shuffle": c.shuffles, c.add: c.adds, "vote": 1, "ld.global": 1,
			"loop": 0} {
			if got[op] != want {
				t.Errorf("%s: %d %s, want %d; all: %v", c.name, got[op], op, want, got)
			}
		}
	}
}
