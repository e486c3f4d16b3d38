package frontend

import (
	"strings"
	"testing"
)

// TestOverloadedBuiltins checks that functions of the user's with the name of
// one of CUDA's take only the calls that are theirs: a scalar is no vector.
func TestOverloadedBuiltins(t *testing.T) {
	const text = `inline __host__ __device__ float2 floorf(float2 v) { return make_float2(floorf(v.x), floorf(v.y)); }
inline __host__ __device__ float2 make_float2(float s) { return make_float2(s, s); }
inline __host__ __device__ int2 max(int2 a, int2 b) { return make_int2(max(a.x, b.x), max(a.y, b.y)); }
__device__ double atomicAdd(double *a, double v) { return *a += v; }
__global__ void k(float2 *a, int2 *b, float *c, double *d) {
  a[0] = floorf(make_float2(c[0]));
  b[0] = max(b[1], b[2]);
  atomicAdd(c, 1.0f);
  atomicAdd(d, 1.0);
}
`
	u, err := Parse(Config{File: "k.cu", Text: text, Dialect: CUDA})
	if err != nil {
		t.Fatal(err)
	}
	got := u.String()
	for _, want := range []string{
		"a[0] = floorf(make_float2(", "{floor.float(v.s0), floor.float(v.s1)}", "{max.int(a.s0, b.s0), max.int(a.s1, b.s1)}",
		"b[0] = max(b[1], b[2]);", "atomic_add.float(c, 1.0f)", "atomicAdd((double *)(d), 1.0)",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
