package resolve

import (
	"strings"
	"testing"
)

// TestNamedAlignedSize: what a copy knows of its alignment comes from the type of the size, wherever that is kept.
func TestNamedAlignedSize(t *testing.T) {
	const text = `#include <cuda/pipeline>
__global__ void k(float *a) {
  __shared__ float s[128];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  SIZE;
  pipe.producer_acquire();
  cuda::memcpy_async(&s[4 * threadIdx.x], &a[4 * threadIdx.x], WHAT, pipe);
  pipe.producer_commit();
}
`
	const size = "cuda::aligned_size_t<alignof(float4)>(sizeof(float4))"
	for _, c := range []struct {
		declared, passed string
	}{{"", size}, {"const auto shape = " + size + ";", "shape"}, {"auto shape = " + size + ";", "shape"}} {
		program := strings.NewReplacer("SIZE;", c.declared, "WHAT", c.passed).Replace(text)
		readsAs(t, c.declared, program, "copy.void((to +p i), (from +p i), 16ul)")
	}
}
