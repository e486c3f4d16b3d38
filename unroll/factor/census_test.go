package factor_test

import (
	"fmt"
	"testing"

	"gpupipe/unroll"
)

// TestUnrolledWithoutInvariants: what a loop does not change is not a part of its size, and a private
// array counts where a reference names it, too. nvcc 11.8 unrolls the nest of 8 rows, and no longer
// that of 64.
func TestUnrolledWithoutInvariants(t *testing.T) {
	for rows, want := range map[int]bool{8: true, 64: false} {
		text := fmt.Sprintf(`__global__ void k(unsigned *out, const unsigned *in, int stride) {
  unsigned acc[%d][8];
  unsigned (&r)[%[1]d][8] = reinterpret_cast<unsigned(&)[%[1]d][8]>(acc);
  for (int i = 0; i < %[1]d; i++)
    for (int j = 0; j < 8; j++) {
      const unsigned lane = threadIdx.x %% 32, row = lane / 4 * (stride / 2) %% 64 / 3 * (stride / 4), col = lane %% 4 ^ stride;
      r[i][j] = in[i * 16 * stride + j * 8 + row + col];
      r[i][j] ^= in[i * 16 * stride + j * 8 + row + col + 8 * stride];
    }
#pragma unroll
  for (int i = 0; i < 8 * %[1]d; i++) out[i] = acc[i / 8][i %% 8];
}`, rows)
		k := lowered(t, "k.cu", text)
		opt := unroll.Options{Local: [3]int64{32, 1, 1}, Groups: [3]int64{4, 1, 1},
			Target: unroll.Target{Compiler: unroll.NVCC}}
		g := resolve(t, k, opt).Graph
		if l := g.Loops[0]; l.Full != want || (g.Resources.PrivateBytes > 0) == want {
			t.Errorf("%d rows: fully unrolled: %v (%s), %d bytes in memory", rows, l.Full, l.Reason,
				g.Resources.PrivateBytes)
		}
	}
}
