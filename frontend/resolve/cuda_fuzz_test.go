package resolve

import (
	"errors"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
	"gpupipe/internal/test/tools"
)

// cudaPieces are what FuzzParseCUDA puts CUDA files together from: tokens and
// half constructs, so that most of what it makes is wrong in an interesting way.
var cudaPieces = strings.Split(
	`template <typename T, int N = 4>|template <>|template <class... A>|template|typename|__global__ void k(float *a, int n)|__device__ T f(T x)|__device__ inline|__host__|
|{|}|(|)|<|>|>>|<<<1, 2>>>|;|,|::|:|...|&|&&|*|=|->|.|[|]|"s|'|\|#if 1|#else|#endif|#pragma unroll N|#pragma unroll|#define T float|
|struct S { float x; __device__ float get() const { return x; } };|struct V { T a[N]; __device__ T &operator[](int i) { return a[i]; } };|class C { public: enum { K = 3 }; static const int W = K; };|struct S s;|S|V<float>|V<T>|C::K|
|operator+|operator()|this->x|return|if constexpr (N > 2)|else|for (int i = 0; i < N; i++)|while (n--)|switch (n) { case 1:|default:|goto out;|out:|do|break;|
|T|N|a[i] = f<float, 2>(n);|f<N>(a[0])|a[threadIdx.x] += blockIdx.y;|__shared__ T t[N];|extern __shared__ float e[];|__syncthreads();|auto v = a[0];|auto g = [&](int i) { return i; };|static_cast<T>(n)|reinterpret_cast<float4 *>(a)[0]|(float4){1, 2, 3, 4}|make_float4(1, 2, 3, 4)|
|namespace m {|using namespace m;|using R = float;|typedef S Q;|m::f(1)|constexpr int L = N * 2;|__constant__ float c[N];|extern "C"|__launch_bounds__(256)|__restrict__|const|unsigned long long|half2 h;|atomicAdd(a, 1.0f)|__shfl_down_sync(0xffffffff, n, 1)|cg::thread_block b = cg::this_thread_block();|__pipeline_memcpy_async(a, a, 16);|cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline();|cuda::aligned_size_t<N>(4)|__shared__ cuda::barrier<cuda::thread_scope_block> q;|q.arrive_and_wait();|wmma::fragment<wmma::accumulator, 16, N, 16, float> f;|wmma::mma_sync(f, f, f, f);|asm volatile("");|int main() { k<<<1, 32>>>(0, 1); }|k<float, 8><<<n, 32>>>(a, n);|template __global__ void k<float>(float *, int);|typename... A|A... a|a...|(a + ...)|sizeof...(A)|: public S|: V<float>|int w = 3;|for (auto &x : t)|auto [x, y] = v;|template <class U> using W = V<U>;|f([=](int i) { return i; }, n)|float (*F)(float)|F F|(T &)a[0]|struct D : S { int n{4}; __device__ D(int i) : S(), n(i) {} };|D d(n);|sizeof(S)|new S|nullptr|0x1p3f|1e|08`, "|")

// cudaText writes a file of pieces: a byte picks a piece, 255 the raw text.
func cudaText(choices []byte, raw string) string {
	var b strings.Builder
	for _, c := range choices {
		if c == 255 {
			b.WriteString(raw)
		} else {
			b.WriteString(cudaPieces[int(c)%len(cudaPieces)])
		}
		b.WriteByte(" \n"[c>>7])
	}
	return b.String()
}

// FuzzParseCUDA feeds the frontend files of CUDA's constructs in any order: it
// returns a unit that is well formed and the same each time, or an error with a
// position.
func FuzzParseCUDA(f *testing.F) {
	for _, pattern := range []string{"testdata/errors/*.cu", "testdata/typed/cuda*.txtar", "../../kernels/*.cu"} {
		for _, text := range readFiles(f, pattern) {
			f.Add([]byte{255}, text)
		}
	}
	for n := range cudaPieces {
		if !tools.Full() && n%3 > 0 {
			continue
		}
		f.Add([]byte{0, byte(n), 5, byte(n), 10, byte(n), 12, 11, 255}, "__global__ void k(float *a) { a[0] = 1; }")
	}
	f.Fuzz(func(t *testing.T, choices []byte, raw string) {
		text := cudaText(choices, raw)
		if len(text) > 8192 {
			return
		}
		cfg := Config{File: "k.cu", Text: text, Dialect: ast.CUDA}
		u, err := Parse(cfg)
		if err != nil {
			checkFuzzError(t, err)
			return
		}
		if err := u.Verify(); err != nil {
			t.Fatal(err)
		}
		again, err := Parse(cfg)
		if err != nil || again.String() != u.String() {
			t.Fatalf("the second time it is %v, %v", again, err)
		}
	})
}

func checkFuzzError(t *testing.T, err error) {
	t.Helper()
	var one *diag.Error
	var list diag.List
	if errors.As(err, &one) {
		list = diag.List{one}
	} else if !errors.As(err, &list) {
		t.Fatalf("error is not a diagnostic: %v", err)
	}
	for _, e := range list {
		if e.Pos.File == "" {
			t.Errorf("bad diagnostic %v", e)
		}
	}
}
