package resolve

import (
	"strings"
	"testing"
)

// TestNamedAlignedSize: a constant that holds a cuda::aligned_size_t says as much of a copy
// as the size itself.
func TestNamedAlignedSize(t *testing.T) {
	const text = `#include <cuda/pipeline>
__global__ void k(float *a) {
  __shared__ float s[128];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  SIZE
  pipe.producer_acquire();
  cuda::memcpy_async(&s[4 * threadIdx.x], &a[4 * threadIdx.x], WHAT, pipe);
  pipe.producer_commit();
}
`
	const direct = "cuda::aligned_size_t<alignof(float4)>(sizeof(float4))"
	parsed := func(declared, size string) (*Unit, error) {
		return Parse(Config{File: "k.cu", Text: strings.NewReplacer("SIZE", declared, "WHAT", size).Replace(text), Dialect: CUDA})
	}
	want, err := parsed("", direct)
	if err != nil {
		t.Fatal(err)
	}
	const first = "copy.void"
	_, copied, ok := strings.Cut(want.String(), first)
	if !ok {
		t.Fatalf("no %s in %s", first, want)
	}
	named, err := parsed("const auto shape = "+direct+";", "shape")
	if err != nil {
		t.Fatal(err)
	}
	if _, got, _ := strings.Cut(named.String(), first); got != copied {
		t.Errorf("%s\nwant %s", named, want)
	}
	if _, err := parsed("auto shape = "+direct+";", "shape"); err == nil || !strings.Contains(err.Error(), "a number of bytes is needed") {
		t.Errorf("a variable: %v", err)
	}
}
