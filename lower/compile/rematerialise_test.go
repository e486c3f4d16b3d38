package compile_test

import (
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
