package translate

import (
	"encoding/binary"
	"testing"

	"gpupipe/frontend/ast"
)

// TestRandomNumbers: Philox4x32-10 of a counter and a key of zeros gives what its authors print (Random123,
// kat_vectors), and XORWOW from Marsaglia's state what his recurrence gives.
func TestRandomNumbers(t *testing.T) {
	k := mustLower(t, ast.CUDA, `#include <curand_kernel.h>
__global__ void k(int *o, const int *a, float *f, int n, unsigned u) {
  curandStatePhilox4_32_10_t p;
  curand_init(0, 0, 0, &p);
  for (int i = 0; i < 4; i++) o[i] = curand(&p);
  curandState s;
  s.v[0] = 123456789; s.v[1] = 362436069; s.v[2] = 521288629; s.v[3] = 88675123; s.v[4] = 5783321; s.d = 6615241;
  for (int i = 0; i < 4; i++) o[4 + i] = curand(&s);
}`, "")
	got := execute(t, k)
	want := []uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}
	v, d := [5]uint32{123456789, 362436069, 521288629, 88675123, 5783321}, uint32(6615241)
	for range 4 {
		x := v[0] ^ v[0]>>2
		copy(v[:], v[1:])
		v[4] = v[4] ^ v[4]<<4 ^ x ^ x<<1
		d += 362437
		want = append(want, v[4]+d)
	}
	for i, w := range want {
		if g := binary.LittleEndian.Uint32(got[4*i:]); g != w {
			t.Errorf("number %d is %#x, want %#x", i, g, w)
		}
	}
}
