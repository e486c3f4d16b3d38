package unroll_test

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/unroll"
)

// TestLargestIncremented: up to which size of a loop's body nvcc 11.8 increments pointers to global memory, and from
// which on it computes each address from the counter (mul.wide in the loop).
func TestLargestIncremented(t *testing.T) {
	for _, c := range []struct {
		typ        string
		statements int
		increments bool
	}{{"float", 8, true}, {"float", 64, true}, {"float4", 8, true}, {"float4", 64, true}, {"float4", 128, false}} {
		var body strings.Builder
		for i := range c.statements / 2 {
			fmt.Fprintf(&body, "(o + %d)[i] += (h + %d)[k] * (s + %d)[i * 98 + 14 * k];\n", i/8*2000, i*300, i*2000)
			fmt.Fprintf(&body, "(o + %d)[i] -= (s + %d)[i * 98 + k] * (h + %d)[7 * k];\n", i/8*2000, i*2000, i*300)
		}
		k := lowerSource(t, "k.cu", fmt.Sprintf(`
__device__ float4 operator*(float a, float4 b) { return make_float4(a * b.x, a * b.y, a * b.z, a * b.w); }
__device__ float4 operator*(float4 b, float a) { return make_float4(b.x * a, b.y * a, b.z * a, b.w * a); }
__device__ void operator-=(float4 &a, float4 b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; a.w -= b.w; }
__device__ void operator+=(float4 &a, float4 b) { a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w; }
__global__ void k(const float *__restrict__ h, const %s *__restrict__ s, %[1]s *__restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 100; k++) {
%s  }
}`, c.typ, body.String()))[0]
		ops := opsOf(resolve(t, k, unroll.Options{Local: [3]int64{32}, Groups: [3]int64{1}}).Graph)
		if got := ops["mul.wide.s32"] < 100; got != c.increments {
			t.Errorf("%d statements of %s: increments %v, want %v: %d mul.wide, %d add.s64", c.statements, c.typ, got,
				c.increments, ops["mul.wide.s32"], ops["add.s64"])
		}
	}
	// The same of a body with a loop that is unrolled fully.
	for steps, increments := range map[int]bool{16: true, 96: false} {
		k := lowerSource(t, "k.cu", fmt.Sprintf(`
__global__ void k(const float *__restrict__ a, float *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int j = 0; j < 100; j++) {
    float p = a[i + j * 256], q = a[i + j * 256 + 512], v = p - q, w = q;
    for (int k = 0; k < %d; k++) { v = v * p - q; w = w * p - v; }
    sum += v + w;
  }
  o[i] = sum;
}`, steps))[0]
		ops := opsOf(resolve(t, k, unroll.Options{Local: [3]int64{32}, Groups: [3]int64{1}}).Graph)
		if got := ops["mul.wide.s32"] < 100; got != increments {
			t.Errorf("%d steps: increments %v, want %v", steps, got, increments)
		}
	}
}
