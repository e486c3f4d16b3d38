package unroll_test

import (
	"testing"

	"gpupipe/unroll"
)

// TestVolatile: every access to a volatile variable, array, member or pointee is executed, as in
// the PTX that nvcc 11.8 writes of these kernels (ld.volatile and st.volatile).
func TestVolatile(t *testing.T) {
	const text = `struct pair { volatile int a; int b; };
__device__ volatile int flag;
__global__ void shared(float *out) {
  __shared__ volatile float w[64];
  volatile __shared__ float one;
  int i = threadIdx.x;
  w[i] = i; w[i] += 1.0f; w[i] += 2.0f;
  one = 1.0f;
  out[i] = w[i] + w[i] + one + one + flag + flag;
}
__global__ void member(pair *q, int *out) { out[threadIdx.x] = q->a + q->a + q->b + q->b; }
__global__ void pointer(float *out) {
  __shared__ float w[64];
  volatile float *p = w;
  p[threadIdx.x] = 1;
  out[threadIdx.x] = p[threadIdx.x] + p[threadIdx.x];
}
__global__ void decayed(float *out) {
  __shared__ volatile float w[64];
  volatile float *p = &w[threadIdx.x];
  *p = 1;
  out[threadIdx.x] = *p + p[0];
}
`
	want := map[string]map[string]int{
		"shared":  {"ld.local": 6, "st.local": 4, "ld.global": 2, "st.global": 1},
		"member":  {"ld.global": 3, "st.global": 1},
		"pointer": {"ld.local": 2, "st.local": 1, "st.global": 1},
		"decayed": {"ld.local": 2, "st.local": 1, "st.global": 1},
	}
	for _, k := range lowerSource(t, "k.cu", text) {
		got := opsOf(resolve(t, k, unroll.Options{Local: [3]int64{32}, Groups: [3]int64{1},
			Warps: unroll.FirstWarp}).Graph)
		for _, op := range []string{"ld.local", "st.local", "ld.global", "st.global"} {
			if got[op] != want[k.Name][op] {
				t.Errorf("%s: %d %s, want %d", k.Name, got[op], op, want[k.Name][op])
			}
		}
	}
}
