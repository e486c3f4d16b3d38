package unroll_test

import (
	"testing"

	"gpupipe/unroll"
)

// TestConstantOperands: in machine code a word of constant memory at a known place
// is an operand and leaves no instruction; at a place that varies it is loaded.
func TestConstantOperands(t *testing.T) {
	const source = `
__constant__ float w[16];
__global__ void k(float *a) {
    float s = a[threadIdx.x];
    #pragma unroll
    for (int i = 0; i < 4; i++) s = s * w[i] + w[i + 4];
    a[threadIdx.x] = s * w[threadIdx.x & 15];
}`
	k := lowerSource(t, "k.cu", source)[0]
	for _, c := range []struct {
		machine bool
		want    int64
	}{{false, 9}, {true, 1}} {
		r, err := unroll.Resolve(k, unroll.Options{Local: [3]int64{32, 1, 1},
			Target: unroll.Target{MachineCode: c.machine}})
		if err != nil {
			t.Fatal(err)
		}
		loads, fma := int64(0), int64(0)
		for _, o := range r.Graph.GroupMix().Ops {
			switch o.Op {
			case "ld.constant":
				loads = o.Count
			case "fma.f32":
				fma = o.Count
			}
		}
		if loads != c.want || fma != 4 {
			t.Errorf("machine code %t: %d loads of constant memory and %d multiply-adds, want %d and 4", c.machine,
				loads, fma, c.want)
		}
	}
}

// TestContents: subscripts that are loaded from a buffer of which the contents are given
// have known addresses, also behind a store to another buffer.
func TestContents(t *testing.T) {
	const source = `
__global__ void k(float *a, const unsigned *at) {
    a[at[blockIdx.x] + threadIdx.x] = 1.0f;
    a[at[blockIdx.x + 1] + threadIdx.x] = 2.0f;
}`
	k := lowerSource(t, "k.cu", source)[0]
	for _, known := range []bool{false, true} {
		opt := unroll.Options{Local: [3]int64{32, 1, 1}}
		if known {
			opt.Contents = map[string][]byte{"at": {8, 0, 0, 0, 16, 0, 0, 0}}
		}
		r, err := unroll.Resolve(k, opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range r.Graph.Accesses() {
			if a.Store && a.Known() != known {
				t.Errorf("contents given: %t; the store's addresses are known: %t", known, a.Known())
			}
		}
	}
}
