package compile_test

import (
	"os"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
)

// TestRematerialise: addresses of a loop are made in it again where two groups are resident by that: nvcc 11.8 has 128
// registers, and S2R SR_TID.X in the loop.
func TestRematerialise(t *testing.T) {
	const source = `template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__(256, 1) product(int N, int K, const float *A, const float *B, float *C) {
	__shared__ float As[BM * BK];
	__shared__ float Bs[BK * BN];
	const int column = threadIdx.x % (BN / TN), row = threadIdx.x / (BN / TN);
	A += blockIdx.y * BM * K;
	B += blockIdx.x * BN;
	float sums[TM * TN] = {0.0f}, a[TM], b[TN], more[6];
	for (unsigned i = 0; i < 6; ++i) more[i] = C[i];
	for (unsigned at = 0; at < K; at += BK) {
		for (unsigned i = 0; i < BM; i += 32)
			As[(threadIdx.x / BK + i) * BK + threadIdx.x % BK] = A[(threadIdx.x / BK + i) * K + threadIdx.x % BK];
		for (unsigned i = 0; i < BK; i += 2)
			Bs[(threadIdx.x / BN + i) * BN + threadIdx.x % BN] = B[(threadIdx.x / BN + i) * N + threadIdx.x % BN];
		__syncthreads();
		A += BK;
		B += BK * N;
		for (unsigned k = 0; k < BK; ++k) {
			for (unsigned i = 0; i < TM; ++i) a[i] = As[(row * TM + i) * BK + k];
			for (unsigned i = 0; i < TN; ++i) b[i] = Bs[k * BN + column * TN + i];
			for (unsigned m = 0; m < TM; ++m)
				for (unsigned n = 0; n < TN; ++n) sums[m * TN + n] += a[m] * b[n];
		}
		__syncthreads();
	}
	for (unsigned m = 0; m < TM; ++m)
		for (unsigned n = 0; n < TN; ++n) C[(row * TM + m) * N + column * TN + n] += sums[m * TN + n];
	for (unsigned i = 0; i < 6; ++i) C[i] += more[i];
}
template __global__ void product<128, 128, 8, 8, 8>(int, int, const float *, const float *, float *);`
	k := tree(t, frontend.Config{File: "product.cu", Text: source, Dialect: ast.CUDA}, "")
	m, err := machine.LookupTarget("sm_86")
	if err != nil {
		t.Fatal(err)
	}
	o := options(t)
	o.Target, o.Machine.MaxThreads = m, 256
	code, err := compile.Compile(k, o)
	if err != nil {
		t.Fatal(err)
	}
	if n := code.Resources.Registers; n > 128 {
		t.Errorf("%d registers, want 128", n)
	}
	_, loop, _ := strings.Cut(code.String(), "loop ")
	if !strings.Contains(loop, "SR_TID") && !strings.Contains(loop, "LOP3") {
		t.Errorf("nothing is made again in\n%s", loop)
	}
}

// TestRematerialiseBehind: what loops carry through themselves is made again behind them where registers are short
// (nvcc 12.4: SR_TID.X and SR_CTAID.X behind the loops of this convolution, and of mm_square_tile and mm_column_tile of
// the H100's suite), also where one loop's values depend on another's.
func TestRematerialiseBehind(t *testing.T) {
	const source = `
extern "C" __global__ void __launch_bounds__(256) k(const float* __restrict__ a, float* __restrict__ o, int pitch)
{
	int t = threadIdx.x, u = blockIdx.x * 256 + t, w = u * 3;
	const float* p = a + u;
	float s[22];
	for (int j = 0; j < 22; ++j) s[j] = 0;
#pragma unroll 1
	for (int i = 0; i < 81; i++)
#pragma unroll
		for (int j = 0; j < 22; ++j) s[j] += p[i * pitch + j * 32];
	o[w] = s[0];
	int x = w + t * 5;
#pragma unroll 1
	for (int i = 0; i < 33; i++)
#pragma unroll
		for (int j = 0; j < 22; ++j) s[j] += p[i * pitch + j * 64] * x;
	o[x] = s[1];
#pragma unroll 1
	for (int i = 0; i < 35; i++)
#pragma unroll
		for (int j = 0; j < 22; ++j) s[j] += p[i * pitch + j * 96] * s[j];
	for (int j = 0; j < 22; ++j) o[u + t + w + x + j * 32] = s[j];
}`
	k := tree(t, frontend.Config{File: "sums.cu", Text: source, Dialect: ast.CUDA}, "")
	o := optionsFor(t, "sm_90", "nvcc-11.8")
	o.Machine.MaxThreads = 256
	code, err := compile.Compile(k, o)
	if err != nil {
		t.Fatal(err)
	}
	if n := code.Resources.Registers; n > 48 {
		t.Errorf("%d registers; nvcc has 48", n)
	}
	space, err := os.ReadFile("../../internal/evidence/compiler/testdata/conv/conv.cu")
	if err != nil {
		t.Fatal(err)
	}
	k = tree(t, frontend.Config{File: "conv.cu", Text: string(space), Dialect: ast.CUDA, Defines: []string{"BX=32",
		"BY=4", "TX=4", "TY=4", "USE_SHARED=0", "UNROLL=3"}}, "conv")
	o = optionsFor(t, "sm_90", "nvcc-12")
	o.Machine.MaxThreads = 128
	if code, err = compile.Compile(k, o); err != nil {
		t.Fatal(err)
	}
	_, behind, _ := strings.Cut(code.String(), "leave L1")
	if code.Resources.Registers > 32 || !strings.Contains(behind, "S2R") {
		t.Errorf("%d registers; want 32, and S2R behind the loop:\n%s", code.Resources.Registers, behind)
	}
}
