package translate

import (
	"gpupipe/internal/test/irverify"
	"gpupipe/lower/build"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/test/tools"
)

// cudaStatements are what FuzzLowerCUDA puts kernels together from; each is
// right on its own in the scope that cudaKernel opens.
var cudaStatements = strings.Split(
	`i += tile[lane];|tile[i & 63] = x;|x = twice<float>(x);|n = twice<int>(n);|p = add(p, P{x, n});|p.x += x;|x += p.get();|p += p;|x = p[1];|__syncthreads();|
if (i < n) {|} else {|}|for (int k = 0; k < n; k++) {|#pragma unroll\nfor (int k = 0; k < 4; k++) {|while (n > 3) { n--;|do { x *= 2;|} while (x < 9);|switch (n & 3) { case 0: x++; case 1: {|} break; default: n = 2; }|
break;|continue;|return;|goto out;|x = i > 3 ? x : -x;|n = !(i && !n);|n = (i, n);|x += v.x * v.w; v.y = n;|v = make_float4(x, n, v.x, 1);|reinterpret_cast<float4 *>(out)[lane] = v;|
out[i] = x;|x = in[i] + in[n];|w = in + n; x = *w++;|x = __shfl_down_sync(~0u, x, 1);|n = __ballot_sync(~0u, i);|atomicAdd(out, x);|n = atomicCAS((int *)out, n, 2);|x = sinf(x); n = __float_as_int(x);|x = dyn[lane] + table[n & 3];|
arr[n & 3] = x;|x = arr[1];|x = *ptr(arr, n);|u.f = x; n = u.i;|h = __float2half(x); x = __half2float(h);|b = !b && i;|x = b;|n = sizeof(P) + (n << 33);|n = n / lane % 3;|auto y = x + n; x = y;|P q = p; q.n++; p = q;|float &r = arr[2]; r += 1; swap(r, x);|{|}|int n = 3;|if constexpr (N > 2) x = N;|g.sync(); x = g.thread_rank();|static_assert(N == 4, "");|printf("%d", n);|__pipeline_memcpy_async(&tile[lane], &in[i], 4);|__pipeline_commit();|__pipeline_wait_prior(1);|cuda::memcpy_async(&tile[n], in, sizeof(float), pipe);|
cuda::memcpy_async(g, tile, in, cuda::aligned_size_t<16>(n), bar);|pipe.producer_commit(); pipe.consumer_wait(); pipe.consumer_release();|bar.arrive_and_wait();|wmma::fill_fragment(fc, x);|wmma::load_matrix_sync(fa, hs, n);|wmma::load_matrix_sync(fb, hs + lane, 24);|wmma::mma_sync(fc, fa, fb, fc);|fc.x[n & 7] += fc.num_elements;|
wmma::store_matrix_sync(out, fc, n, wmma::mem_col_major);|wmma::load_matrix_sync(fc, in, 16, wmma::mem_row_major);|bar.wait(bar.arrive());|volatile float vf = x; x = vf + vf;|x = apply([&](float a) { return a + n; }, x);|x = apply(sinf, x) + apply(twice<float>, x);|n = count(x, n, i) + sum(n, i);|for (float &e : arr) {|for (auto e : arr) x += e;|auto [pa, pb] = p; x = pa; n = pb;|D d(x); d.add(n); x = d.get() + d.base + D().n;|x += reinterpret_cast<D &>(p).base + (float &)n;|Pair<float> pr = {x, n}; x = pr.first;`, "|")

// cudaKernel writes a kernel of the chosen statements; brackets that they leave
// open are closed.
func cudaKernel(choices []byte) string {
	var b strings.Builder
	b.WriteString(`#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <mma.h>
using namespace nvcuda;
namespace cg = cooperative_groups;
struct P { float x; int n; __device__ float get() const { return x * n; } __device__ P &operator+=(const P &o) { x += o.x; return *this; }
  __device__ float operator[](int i) const { return i ? x : n; } };
template <typename T> __device__ T twice(T a) { return a + a; }
template <typename T> __device__ void swap(T &a, T &b) { T c = a; a = b; b = c; }
__device__ P add(P a, P b) { return P{a.x + b.x, a.n - b.n}; }
__device__ float *ptr(float *a, int n) { return n ? a : a + 1; }
__constant__ float table[4] = {1, 2, 3, 4};
union U { float f; int i; };
template <typename F> __device__ float apply(F f, float x) { return f(f(x)); }
template <typename... A> __device__ int count(A... a) { return sizeof...(a); }
template <typename T, typename... A> __device__ T sum(T t, A... a) { return (t + ... + a); }
struct B { float base = 2; __device__ float get() const { return base; } };
struct D : public B { int n = 3; __device__ D(float x) : n(x) {} __device__ D() : D(4) {} __device__ void add(int i) { base += i; } };
template <typename T, typename S> struct Two { T first; S second; };
template <typename T> using Pair = Two<T, int>;
template <int N> __global__ void k(float *out, const float *in, int n) {
  __shared__ float tile[64]; extern __shared__ float dyn[];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x; float x = in[i], arr[4] = {}; float4 v = {}; P p = {x, n}; U u; half h; bool b = n;
  const float *w = in; auto g = cg::this_thread_block(); auto pipe = cuda::make_pipeline();
  __shared__ cuda::barrier<cuda::thread_scope_block> bar; init(&bar, g.size());
  __shared__ half hs[2048]; wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa; wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb; wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
`)
	open := 0
	for _, c := range choices {
		s := strings.ReplaceAll(cudaStatements[int(c)%len(cudaStatements)], `\n`, "\n")
		d := strings.Count(s, "{") - strings.Count(s, "}")
		if open+d < 0 {
			continue
		}
		open += d
		b.WriteString(s + "\n")
	}
	b.WriteString(strings.Repeat("}", open) + "\nout: out[0] = x;\n}\n" +
		"template __global__ void k<4>(float *, const float *, int);\n")
	return b.String()
}

// FuzzLowerCUDA lowers kernels of CUDA's constructs in any order: to IR that
// verifies, or an error; never a panic. What stands alone is always lowered.
func FuzzLowerCUDA(f *testing.F) {
	for n := range cudaStatements {
		if !tools.Full() && n%4 > 0 {
			continue
		}
		f.Add([]byte{13, byte(n), 10, byte(n), 11, byte(n), 12, byte(n)})
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) <= 200 {
			lowerCUDA(t, choices)
		}
	})
}

// lowerCUDA lowers the kernels of the chosen statements. The error says why one is none.
func lowerCUDA(t *testing.T, choices []byte) error {
	t.Helper()
	src := cudaKernel(choices)
	u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: src, Dialect: ast.CUDA})
	if err != nil {
		if strings.Contains(err.Error(), "INTERNAL") {
			t.Errorf("%v\n%s", err, src)
		}
		return err
	}
	for _, fn := range u.Kernels {
		k, failed := Kernel(u, fn)
		if failed != nil {
			err = failed
			continue
		}
		if err := irverify.Verify(build.Build(k)); err != nil {
			t.Errorf("%v\n%s\n%s", err, src, build.Build(k))
		}
	}
	return err
}

// TestCUDAStatements checks that each of the fuzzer's statements that is
// complete is right by itself: the target works on kernels, not on errors.
func TestCUDAStatements(t *testing.T) {
	usable := 0
	for n, s := range cudaStatements {
		if err := lowerCUDA(t, []byte{byte(n)}); err != nil {
			t.Logf("%q: %v", s, err)
			continue
		}
		usable++
	}
	if usable < len(cudaStatements)*3/4 {
		t.Errorf("%d of %d statements are usable", usable, len(cudaStatements))
	}
}
