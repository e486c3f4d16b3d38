package prelude

import (
	"slices"
	"strings"
	"testing"

	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
)

// TestText: the preludes can be cut into tokens, declare each vector type once, and end with what the GPU decides.
func TestText(t *testing.T) {
	for _, c := range []struct {
		dialect source.Dialect
		gpu     string
		want    string
	}{
		{source.OpenCL, "", "typedef int float16;"},
		{source.OpenCL, "gfx1032", "#define __AMDGCN_WAVEFRONT_SIZE 32"},
		{source.CUDA, "", "#define __CUDA_ARCH__ 700"},
		{source.CUDA, "8.6", "#define __CUDA_ARCH__ 860"},
		{source.CUDA, "gfx90a", "#define __AMDGCN_WAVEFRONT_SIZE 64"},
	} {
		text := Text(c.dialect, c.gpu)
		if _, _, err := tokens.Lex(text, c.dialect == source.CUDA); err != nil {
			t.Errorf("%v for %q: %v", c.dialect, c.gpu, err)
		}
		if !strings.Contains(text, c.want) {
			t.Errorf("%v for %q has no %s", c.dialect, c.gpu, c.want)
		}
		for _, v := range VectorTypes(c.dialect) {
			if n := strings.Count(text, "typedef int "+v+";"); n != 1 {
				t.Errorf("%v declares %s %d times", c.dialect, v, n)
			}
		}
	}
}

// TestMacros: object-like macros have their values, and those of the GPU are not those of the language.
func TestMacros(t *testing.T) {
	if words, ok := CUDAMacro("INT_MIN"); !ok || !slices.Equal(words, []string{"(", "-", "2147483647", "-", "1", ")"}) {
		t.Errorf("INT_MIN is %v", words)
	}
	if _, ok := CUDAMacro("__CUDA_ARCH__"); ok {
		t.Error("__CUDA_ARCH__ does not depend on the GPU")
	}
	if words := GPUMacros(source.CUDA, "9.0")["__CUDA_ARCH__"]; !slices.Equal(words, []string{"900"}) {
		t.Errorf("__CUDA_ARCH__ is %v", words)
	}
	if strings.Contains(HostMacros, "__CUDA_ARCH__") || !strings.Contains(HostMacros, "#define __CUDACC__ 1\n") {
		t.Error("the macros of host code are not those of nvcc's host compiler")
	}
}

// TestHeaders: what stands for a header depends on its name and on the GPU.
func TestHeaders(t *testing.T) {
	if text, ok := CUBHeader("cub/block/block_reduce.cuh"); !ok || !strings.Contains(text, "namespace cub") {
		t.Error("CUB's header is not there")
	}
	if text, ok := CUBHeader("hipcub/hipcub.hpp"); !ok || strings.Contains(text, "namespace cub") || !strings.Contains(text, "namespace hipcub") {
		t.Error("hipCUB's header is not CUB's under its own name")
	}
	if _, ok := CUBHeader("thrust/sort.h"); ok {
		t.Error("thrust is not known")
	}
	for gpu, platform := range map[string]string{"": "AMD", "gfx90a": "AMD", "8.0": "NVIDIA"} {
		if !strings.Contains(HIPRuntime(gpu), "#define __HIP_PLATFORM_"+platform+"__ 1") {
			t.Errorf("%q: the platform is not %s", gpu, platform)
		}
	}
	if !IsKnown("stdio.h") || !IsKnown(HIPHeader) || IsKnown("kernel.h") {
		t.Error("system headers are not known by their names")
	}
}
