package unroll_test

import (
	"encoding/binary"
	"testing"

	"gpupipe/unroll"
)

// The given contents of a buffer that the kernel nowhere writes stay known behind what it does
// write, whatever the compiler takes to overlap: stores and atomics elsewhere, in a loop and
// behind a barrier. Those of a buffer that it may write do not.
func TestContentsStayKnown(t *testing.T) {
	in := make([]byte, 256)
	for i := range 64 {
		binary.LittleEndian.PutUint32(in[4*i:], uint32(i/2))
	}
	for _, c := range []struct {
		name, body string
		known      bool
	}{
		{"in a loop", "for (; i < 64; i += 32) atomicAdd(&out[in[i]], 1u);", true},
		{"behind a store", "out[i] = 0; atomicAdd(&out[in[i]], 1u);", true},
		{"behind a barrier", "out[i] = 0; __syncthreads(); atomicAdd(&out[in[i]], 1u);", true},
		{"through another name", "unsigned *p = out + in[i]; p[0] = 1; atomicAdd(&p[in[i]], 1u);", true},
		{"written itself", "in[i] = 7; atomicAdd(&out[in[i] + in[i + 1]], 1u);", false},
		{"written by others", "if (i == 40) in[0] = 1; __syncthreads(); atomicAdd(&out[in[i]], 1u);", false},
		{"one of two is written", "unsigned *p = i > 5 ? in : out; p[i] = 1; atomicAdd(&out[in[i]], 1u);", false},
		{"an unknown pointer is written", "*(unsigned *)far[0] = 1; atomicAdd(&out[in[i]], 1u);", false},
	} {
		k := lowerSource(t, "k.cu", "__global__ void k(unsigned *in, unsigned *out, unsigned long long *far) { "+
			"unsigned i = threadIdx.x; "+c.body+" }")[0]
		r, err := unroll.Resolve(k, unroll.Options{Local: [3]int64{32, 1, 1}, Contents: map[string][]byte{"in": in}})
		if err != nil {
			t.Fatal(c.name, err)
		}
		known := true
		for _, a := range r.Graph.Accesses() {
			known = known && (a.Known() || a.Buffer != "out")
		}
		if known != c.known {
			t.Errorf("%s: the atomic's addresses are known: %t, want %t", c.name, known, c.known)
		}
	}
}
