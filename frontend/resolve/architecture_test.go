package resolve

import (
	"fmt"
	"gpupipe/frontend/ast"
	"gpupipe/internal/target"
	"strings"
	"testing"
)

// What a program is told of the GPU follows the GPU, and the command line has the last word.
func TestArchitecture(t *testing.T) {
	const hip = "#include <hip/hip_runtime.h>\n"
	for _, c := range []struct {
		dialect      ast.Dialect
		architecture string
		defines      string
		header       string
		holds        string
		lanes        int
	}{
		{ast.CUDA, "", "", "", "__CUDA_ARCH__ == 800 && !defined(__AMDGCN__)", 32},
		{ast.CUDA, "1.0", "", "", "__CUDA_ARCH__ == 100", 32},
		{ast.CUDA, "6.1", "", "", "__CUDA_ARCH__ == 610", 32},
		{ast.CUDA, "9.0", "", "", "__CUDA_ARCH__ == 900", 32},
		{ast.CUDA, "8.6", "__CUDA_ARCH__=520", "", "__CUDA_ARCH__ == 520", 32},
		{ast.CUDA, "gfx90a", "", "", "__CUDA_ARCH__ == 800 && defined(__gfx90a__) && defined(__CUDACC__)", 32},
		{ast.CUDA, "unheard-of", "", "", "__CUDA_ARCH__ == 800", 32},
		{ast.CUDA, "", "", hip, "defined(__AMDGCN__) && !defined(__CUDA_ARCH__) && !defined(__GFX9__) && " +
			"__HIP_PLATFORM_AMD__ && __HIP_ARCH_HAS_WARP_BALLOT__", 32},
		{ast.CUDA, "gfx90a", "", hip, "__GFX9__ && __gfx90a__ && __AMDGCN_WAVEFRONT_SIZE == 64 && " +
			"!defined(__CUDA_ARCH__)", 64},
		{ast.CUDA, "gfx1032", "", hip, "__GFX10__ && __gfx1032__ && __AMDGCN_WAVEFRONT_SIZE == 32 && " +
			"!defined(__gfx90a__)", 32},
		{ast.CUDA, "8.0", "", hip, "__CUDA_ARCH__ == 800 && __HIP_PLATFORM_NVIDIA__ && " +
			"!defined(__HIP_PLATFORM_AMD__) && defined(__NVCC__)", 32},
		{ast.OpenCL, "8.0", "", "", "!defined(__CUDA_ARCH__)", 32},
		{ast.OpenCL, "gfx1100", "", "", "__GFX11__ && __gfx1100__", 32},
		{ast.OpenCL, "", "", "", "!defined(__AMDGCN__)", 32},
	} {
		cfg := Config{File: "k", Dialect: c.dialect, Target: target.Target{Capability: c.architecture,
			WarpSize: c.lanes}, Text: c.header + "#if !(" + c.holds + ")\n#error\n#endif\n" + kernelOf(c.dialect, "f",
			"a[0] = 1;")}
		if c.defines != "" {
			cfg.Defines = []string{c.defines}
		}
		if _, err := Parse(cfg); err != nil {
			t.Errorf("%v for %q %s: not %s: %v", c.dialect, c.architecture, c.defines, c.holds, err)
		}
	}
}

// A template's typedefs are chosen by the same macros, before preprocessing.
func TestArchitectureOfTemplates(t *testing.T) {
	text := "#if __CUDA_ARCH__ >= 800\ntypedef double T;\n#else\ntypedef float T;\n#endif\n" +
		"template <typename U> __device__ U twice(U x) { return x + x; }\n__global__ void f(T *a) { a[0] = " +
		"twice<T>(a[1]); }\n"
	for architecture, want := range map[string]string{"": "double", "7.5": "float", "8.6": "double"} {
		u, err := Parse(Config{File: "k.cu", Dialect: ast.CUDA, Target: target.Target{Capability: architecture},
			Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if got := u.Kernels[0].Params[0].Type.String(); !strings.Contains(got, want) {
			t.Errorf("%q: the parameter is %s, not of %s", architecture, got, want)
		}
	}
}

// kernelOf is a kernel with one parameter, int *a.
func kernelOf(d ast.Dialect, name, body string) string {
	if d == ast.OpenCL {
		return fmt.Sprintf("__kernel void %s(__global int *a) { %s }\n", name, body)
	}
	return fmt.Sprintf("__global__ void %s(int *a) { %s }\n", name, body)
}
