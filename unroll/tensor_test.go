package unroll_test

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/target"
	"gpupipe/internal/tools"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// TestSteadyTensor: a loop of matrix products is skipped like others, whatever the leading dimension
// is and wherever the tiles lie.
func TestSteadyTensor(t *testing.T) {
	const text = `#include <mma.h>
using namespace nvcuda;
__global__ void k(const half *a, const half *b, float *c, int n) {
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
		for _, cores := range []target.TensorCores{target.Volta, target.Turing, target.Ampere} {
			if !tools.Full() && (layout == "row") != (cores == target.Turing) {
				continue
			}
			text := strings.ReplaceAll(text, "LAYOUT", layout)
			u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: text, Dialect: ast.CUDA})
			if err != nil {
				t.Fatal(err)
			}
			u.Target.TensorCores = cores
			k, err := lower.Lower(u, u.Kernels[0])
			if err != nil {
				t.Fatal(err)
			}
			opt := unroll.Options{Local: [3]int64{32}, Groups: [3]int64{9},
				Args: map[string]unroll.ArgValue{"n": {Int: 900}}, Target: unroll.Target{MachineCode: true},
				Locality: unroll.LaunchLocality}
			if sameEitherWay(t, k, opt, text) == 0 {
				t.Errorf("%s, %d: no iterations are skipped", layout, cores)
			}
		}
	}
}

// TestMatrixNames: matrix instructions have the machine's names.
func TestMatrixNames(t *testing.T) {
	const text = `#include <mma.h>
using namespace nvcuda;
__global__ void k(const FACTOR *a, const FACTOR *b, SUM *c) {
	wmma::fragment<wmma::accumulator, SHAPE, SUM> sum;
	wmma::fragment<wmma::matrix_a, SHAPE, TYPE, wmma::row_major> x;
	wmma::fragment<wmma::matrix_b, SHAPE, TYPE, wmma::col_major> y;
	wmma::load_matrix_sync(x, a, 64);
	wmma::load_matrix_sync(y, b, 64);
	wmma::fill_fragment(sum, 0);
	wmma::mma_sync(sum, x, y, sum);
	wmma::store_matrix_sync(c, sum, 64, wmma::mem_row_major);
}`
	for _, c := range []struct {
		factor, typ, sum, shape, want string
		cores                         target.TensorCores
		n                             int64
	}{
		{"half", "half", "half", "16, 16, 16", "hmma.16816.f16", target.Ampere, 2},
		{"__nv_bfloat16", "__nv_bfloat16", "float", "16, 16, 16", "hmma.16816.f32", target.Ampere, 2},
		{"float", "wmma::precision::tf32", "float", "16, 16, 8", "hmma.1684.f32", target.Ampere, 4},
		{"double", "double", "double", "8, 8, 4", "dmma.884.f64", target.Ampere, 1},
		{"int8_t", "int8_t", "int", "32, 8, 16", "imma.16816.s32", target.Ampere, 2},
		{"uint8_t", "uint8_t", "int", "32, 8, 16", "imma.8816.s32", target.Turing, 4},
	} {
		u, err := frontend.Parse(frontend.Config{File: "k.cu", Text: strings.NewReplacer("FACTOR", c.factor, "TYPE",
			c.typ, "SUM", c.sum, "SHAPE", c.shape).Replace(text), Dialect: ast.CUDA})
		if err != nil {
			t.Fatal(err)
		}
		u.Target.TensorCores = c.cores
		k, err := lower.Lower(u, u.Kernels[0])
		if err != nil {
			t.Fatal(err)
		}
		res, err := unroll.Resolve(k, unroll.Options{Local: [3]int64{32}, Target: unroll.Target{MachineCode: true}})
		if err != nil {
			t.Fatal(err)
		}
		var n int64
		program := res.Graph.ProgramOf(0)
		for s := range program.StaticLen() {
			if res.Graph.Instr(program.StaticInstr(idg.StaticID(s))).Op == c.want {
				n++
			}
		}
		if n != c.n {
			t.Errorf("%s: %d %s, want %d", c.typ, n, c.want, c.n)
		}
	}
}
