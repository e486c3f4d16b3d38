package prelude

import (
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/internal/target"
)

// TestBefore: the macros end with what the GPU decides.
func TestBefore(t *testing.T) {
	for _, c := range []struct {
		dialect ast.Dialect
		gpu     string
		want    string
		lanes   int
	}{
		{ast.OpenCL, "", "#define CLK_LOCAL_MEM_FENCE 1\n", 32},
		{ast.OpenCL, "gfx1032", "#define __AMDGCN_WAVEFRONT_SIZE 32\n", 32},
		{ast.CUDA, "", "#define __CUDA_ARCH__ 800\n", 32},
		{ast.CUDA, "8.6", "#define __CUDA_ARCH__ 860\n", 32},
		{ast.CUDA, "gfx90a", "#define __AMDGCN_WAVEFRONT_SIZE 64\n", 64},
	} {
		if text := Before(c.dialect, &target.Target{Capability: c.gpu, WarpSize: c.lanes})[0].Text; !strings.Contains(
			text, c.want) {
			t.Errorf("%v for %q has no %s", c.dialect, c.gpu, c.want)
		}
	}
}

// TestHeader: what stands for a header depends on its name and on the GPU.
func TestHeader(t *testing.T) {
	if text, ok := Header("cub/block/block_reduce.cuh", ""); !ok || !strings.Contains(text, "namespace cub") {
		t.Error("CUB's header is not there")
	}
	if text, ok := Header("hipcub/hipcub.hpp", ""); !ok || strings.Contains(text, "namespace cub") ||
		!strings.Contains(text, "namespace hipcub") {
		t.Error("hipCUB's header is not CUB's under its own name")
	}
	for gpu, platform := range map[string]string{"": "AMD", "gfx90a": "AMD", "8.0": "NVIDIA"} {
		if text, _ := Header(HIPHeader, gpu); !strings.Contains(text, "#define __HIP_PLATFORM_"+platform+"__ 1") {
			t.Errorf("%q: the platform is not %s", gpu, platform)
		}
	}
	for name, want := range map[string]bool{"stdio.h": true, "thrust/sort.h": false, "kernel.h": false} {
		if text, ok := Header(name, ""); ok != want || text != "" {
			t.Errorf("%s: known %v, text %q", name, ok, text)
		}
	}
}

// TestHeaderOf: names of libraries are found in the headers that programs include for them, others are not.
func TestHeaderOf(t *testing.T) {
	for name, want := range map[string]string{
		"cooperative_groups": "cooperative_groups.h", "cuda::barrier": "cuda/barrier",
		"cuda::make_pipeline":    "cuda/pipeline",
		"nvcuda::wmma::fragment": "mma.h", "cub": "cub/cub.cuh", "cub::BlockReduce": "cub/cub.cuh", "i": "", "M": "",
		"mine::barrier": "",
	} {
		if got := HeaderOf(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
