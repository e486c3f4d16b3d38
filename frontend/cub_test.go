package frontend

import (
	"strings"
	"testing"
)

// TestCUB checks what is known of the library and what is not: the algorithms by their numbers, types of the
// program's own as operators, hipCUB, and an error that names what there is no text for.
func TestCUB(t *testing.T) {
	for _, c := range []struct{ header, body, want string }{
		{"cub/cub.cuh", "typedef cub::BlockReduce<float, 64> R; __shared__ R::TempStorage t; f[0] = R(t).Sum(f[1]);", "BlockReduce<float, 64, 2, 1, 1, 0>::Reduce<Sum>"},
		{"cub/block/block_reduce.cuh", "using R = cub::BlockReduce<int, 64, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 2>; __shared__ R::TempStorage t; n[0] = R(t).Reduce(n[1], Larger(), n[2]);", "Reduce<Larger>"},
		{"cub/cub.cuh", "__shared__ cub::WarpReduce<float, 8>::TempStorage t; f[0] = cub::WarpReduce<float, 8>(t).Reduce(f[1], cub::Min());", "sub_group_shuffle_down"},
		{"hipcub/hipcub.hpp", "typedef hipcub::BlockScan<int, 64> S; __shared__ S::TempStorage t; int x; S(t).InclusiveSum(n[1], x); n[0] = x;", "BlockScan<int, 64, 0, 1, 1, 0>"},
	} {
		program := "#include <" + c.header + ">\nstruct Larger { __device__ int operator()(int a, int b) const { return a > b ? a : b; } };\n" +
			"__global__ void k(float *f, int *n) { " + c.body + " }\n"
		readsAs(t, c.body, program, c.want)
	}
	_, err := Parse(Config{File: "k.cu", Dialect: CUDA, Text: "#include <cub/cub.cuh>\n__global__ void k(float *f) { using R = cub::BlockReduce<float, 64, cub::BLOCK_REDUCE_RAKING>;\n" +
		"__shared__ R::TempStorage t; f[0] = R(t).Sum(f[1]); }\n"})
	if want := "cub_block_reduce_raking: this algorithm of CUB is not supported\n\ttake BLOCK_REDUCE_WARP_REDUCTIONS"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = Parse(Config{File: "k.cu", Dialect: CUDA, Text: "#include <cub/cub.cuh>\n" +
		"__global__ void k(int *n) { typedef cub::BlockRadixSort<int, 64, 4> S; __shared__ S::TempStorage t; S(t).Sort(n); }\n"})
	if want := "k.cu:2:37: error[UNSUPPORTED]: cub::BlockRadixSort is not supported\n\twrite the algorithm out"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
