package compile_test

import (
	"fmt"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower/compile"
)

// TestRelieve: the counter of a loop goes to the registers of the warp where warps are won by that, and only there.
func TestRelieve(t *testing.T) {
	const source = `__constant__ float tab[96];
extern "C" __global__ void __launch_bounds__(256) k(const float* __restrict__ a, float* __restrict__ o, int pitch)
{
	const float* p = a + threadIdx.x;
	float s[N];
	for (int j = 0; j < N; ++j) s[j] = 0;
#pragma unroll 1
	for (int i = 0; i < 81; i++) {
		float f = tab[i];
#pragma unroll
		for (int j = 0; j < N; ++j) s[j] += f * p[i * pitch + j * 32];
	}
	for (int j = 0; j < N; ++j) o[threadIdx.x + j * 32] = s[j];
}`
	for _, c := range []struct{ sums, registers, uniform int }{{22, 32, 2}, {25, 32, 3}, {26, 40, 2}} {
		k := tree(t, frontend.Config{File: "sums.cu", Text: source, Dialect: ast.CUDA,
			Defines: []string{fmt.Sprint("N=", c.sums)}}, "")
		o := optionsFor(t, "sm_90", "nvcc-11.8")
		o.Machine.MaxThreads = 256
		code, err := compile.Compile(k, o)
		if err != nil {
			t.Fatal(err)
		}
		if r := code.Resources; r.Registers != c.registers || r.UniformRegisters != c.uniform {
			t.Errorf("%d sums: %d registers, %d of the warp, want %d, %d", c.sums, r.Registers, r.UniformRegisters,
				c.registers, c.uniform)
		}
	}
}
