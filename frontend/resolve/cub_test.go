package resolve

import (
	"gpupipe/frontend/ast"
	"regexp"
	"strings"
	"testing"
)

// TestCUB checks what is known of the library and what is not: the algorithms by their numbers, types of the
// program's own as operators, hipCUB, and an error that names what there is no text for.
func TestCUB(t *testing.T) {
	for _, c := range []struct{ header, body, want string }{
		{"cub/cub.cuh", "typedef cub::BlockReduce<float, 64> R; __shared__ R::TempStorage t; f[0] = R(t).Sum(f[1]);",
			"cub::BlockReduce<float, 64, 2, 1, 1, 0>::Reduce<cub::Sum>"},
		{"cub/block/block_reduce.cuh", "using R = cub::BlockReduce<int, 64, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 2>; " +
			"__shared__ R::TempStorage t; n[0] = R(t).Reduce(n[1], Larger(), n[2]);", "Reduce<Larger>"},
		{"cub/cub.cuh", "__shared__ cub::WarpReduce<float, 8>::TempStorage t; f[0] = cub::WarpReduce<float, " +
			"8>(t).Reduce(f[1], cub::Min());", "sub_group_shuffle_down"},
		{"hipcub/hipcub.hpp", "typedef hipcub::BlockScan<int, 64> S; __shared__ S::TempStorage t; int x; " +
			"S(t).InclusiveSum(n[1], x); n[0] = x;", "hipcub::BlockScan<int, 64, 0, 1, 1, 0>"},
		{"cub/block/block_load.cuh", "typedef cub::BlockLoad<float, 64, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> L; " +
			"__shared__ L::TempStorage t; float x[4]; L(t).Load(f, x, n[0], 1.0f);", "WarpStripedToBlocked"},
		{"hipcub/hipcub.hpp", "typedef hipcub::BlockStore<float, 64, 4> S; __shared__ S::TempStorage t; float x[4] = " +
			"{}; S(t).Store(f, x, n[0]);", "hipcub::BlockStore<float, 64, 4, 0, 1, 1, 0>"},
		{"cub/cub.cuh", "typedef cub::BlockExchange<int, 64, 8> E; __shared__ E::TempStorage t; int x[8] = {}; " +
			"E(t).BlockedToStriped(x); n[0] = x[0];", "struct cub::KlValues<int, 528>"},
		{"cub/cub.cuh", "typedef cub::BlockExchange<int, 64, 4> E; __shared__ E::TempStorage t; int x[4] = {}; " +
			"E(t).BlockedToWarpStriped(x); n[0] = x[0];", "struct cub::KlValues<int, 256>"},
	} {
		program := "#include <" + c.header + ">\nstruct Larger { __device__ int operator()(int a, int b) const { " +
			"return a > b ? a : b; } };\n" +
			"__global__ void k(float *f, int *n) { " + c.body + " }\n"
		readsAs(t, c.body, program, c.want)
	}
	_, err := Parse(Config{File: "k.cu", Dialect: ast.CUDA, Text: "#include <cub/cub.cuh>\n__global__ void k(float " +
		"*f) { using R = cub::BlockReduce<float, 64, cub::BLOCK_REDUCE_RAKING>;\n" +
		"__shared__ R::TempStorage t; f[0] = R(t).Sum(f[1]); }\n"})
	if want := "cub_block_reduce_raking: this algorithm of CUB is not supported\n" +
		"\ttake BLOCK_REDUCE_WARP_REDUCTIONS"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = Parse(Config{File: "k.cu", Dialect: ast.CUDA, Text: "#include <cub/cub.cuh>\n" +
		"__global__ void k(int *n) { typedef cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_VECTORIZE> L;\n" +
		"__shared__ L::TempStorage t; int x[4];\nL(t).Load(n, x); }\n"})
	if want := "k.cu:4:1: error[UNSUPPORTED]: cub_block_load_vectorize: this algorithm of CUB is not supported\n" +
		"\ttake BLOCK_LOAD_DIRECT"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = Parse(Config{File: "k.cu", Dialect: ast.CUDA, Text: "#include <cub/cub.cuh>\n" +
		"__global__ void k(int *n) { typedef cub::BlockHistogram<int, 64, 4, 8> S; __shared__ S::TempStorage t; " +
		"S(t).Sort(n); }\n"})
	if want := "k.cu:2:42: error[UNSUPPORTED]: cub::BlockHistogram is not supported\n" +
		"\twrite out what it does"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// inText is a place in the text that stands for CUB.
var inText = regexp.MustCompile(`<cub/cub\.cuh>:\d+:\d+`)

// TestLibraryErrors: what is wrong inside of a library's text is reported where the program calls the library,
// once a call, and not at all where no kernel needs it.
func TestLibraryErrors(t *testing.T) {
	const head = "#include <cub/cub.cuh>\nstruct P { float a, b; };\n"
	for _, c := range []struct{ text, want string }{
		{"__global__ void k(P *f) {\n  typedef cub::BlockReduce<P, 64> R;\n  __shared__ R::TempStorage t;\n" +
			"  f[0] = R(t).Sum(f[1]);\n}",
			"k.cu:6:15: error[TYPE]: operator + does not take P and P\n\tthis is needed at cub/cub.cuh:LINE, in " +
				"the text that stands for the library"},
		{"template <typename T> __device__ T mine(T *f) {\n  __shared__ typename cub::WarpReduce<T, N>::TempStorage " +
			"t;\n  return cub::WarpReduce<T, N>(t).Sum(f[1]);\n}\n__global__ void k(float *f) { f[0] = mine(f); }",
			"k.cu:4:42: error[UNDECLARED]: N is not declared\n\tlooks like a macro: add -D N=..."},
		{"__global__ void k(float *f) {\n  typedef cub::BlockScan<float, 64> S;\n  __shared__ S::TempStorage t; " +
			"float x;\n  S(t).InclusiveScan(f[1], x, 3);\n}",
			"k.cu:6:8: error[TYPE]: a value of type int is not a function\n\tthis is needed at cub/cub.cuh:LINE, in " +
				"the text that stands for the library"},
		{"__global__ void k(float *f) {\n  typedef cub::WarpReduce<float> R;\n  __shared__ R::TempStorage t;\n" +
			"  f[0] = R(t).Total(f[1]);\n}",
			"k.cu:6:15: error[UNSUPPORTED]: member Total of cub::WarpReduce<float, 32, 0> is not supported"},
	} {
		_, err := Parse(Config{File: "k.cu", Dialect: ast.CUDA, Text: head + c.text})
		if err == nil || inText.ReplaceAllString(err.Error(), "cub/cub.cuh:LINE") != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
		u, err := Parse(Config{File: "k.cu", Dialect: ast.CUDA,
			Text: head + "__global__ void fine(float *f) { f[0] = 0; }\n" + c.text})
		if err != nil || len(u.Warnings) > 0 || len(u.Broken) != 1 || strings.HasPrefix(u.Broken[0].Err.Error(), "<") {
			t.Errorf("%s: %v, warnings %v", c.text, err, u.Warnings)
		}
	}
}

// TestCURAND checks that the device functions of both generators are known, and that what curand_init leaves out is
// said.
func TestCURAND(t *testing.T) {
	u, err := Parse(Config{File: "k.cu", Dialect: ast.CUDA, Text: `#include <curand_kernel.h>
__global__ void k(float *f, double *d, curandState_t *states) {
  curandState s = states[threadIdx.x];
  curand_init(clock64(), threadIdx.x, 0, &s);
  f[0] = curand_uniform(&s) + curand_normal(&s) + curand_log_normal(&s, 0.0f, 1.0f) + curand_normal2(&s).x;
  d[0] = curand_uniform_double(&s);
  curandStatePhilox4_32_10_t p;
  curand_init(1, 2, 3, &p);
  f[1] = curand_uniform(&p) + curand_normal(&p) + curand_uniform4(&p).w + curand_normal4(&p).z + curand4(&p).x;
  states[threadIdx.x] = s;
}
`})
	if err != nil {
		t.Fatal(err)
	}
	if got := u.Kernels[0].Params[2].Type.Elem.Size(); got != 48 {
		t.Errorf("a state has %d bytes, want 48", got)
	}
	if got := u.Warnings.Error(); strings.Count(got, "curand_init") != 1 ||
		!strings.Contains(got, "k.cu:4:3: warning[IGNORED]") {
		t.Errorf("got %s", got)
	}
}
