package unroll_test

import (
	"slices"
	"testing"

	"gpupipe/unroll"
)

// The updates of a warp's lanes are combined where the compiler can tell that they are of one
// word, not where they happen to be.
func TestCombinedAtomics(t *testing.T) {
	for _, c := range []struct {
		name, body string
		opt        unroll.Options
		want       string
	}{
		{"a counter", "atomicAdd(n, 1u);", unroll.Options{}, "atomic.add.combined.global"},
		{"the group's", "if (in[i] < 3) atomicMax(&n[blockIdx.x], in[i]);", unroll.Options{},
			"atomic.max.combined.global"},
		{"all bins are one", "atomicAdd(&n[in[i]], 1u);", unroll.Options{}, "atomic.add.global"},
		{"its own", "atomicAdd(&n[i & 0], 1u);", unroll.Options{Target: unroll.Target{Level: unroll.O0}},
			"atomic.add.global"},
		{"floats", "atomicAdd((float *)n, 1.0f);", unroll.Options{}, "atomic.add.global"},
		{"in local memory", "__shared__ unsigned s; atomicAdd(&s, 1u);", unroll.Options{}, "atomic.add.local"},
	} {
		k := lowerSource(t, "k.cu", "__global__ void k(const unsigned *in, unsigned *n) { unsigned i = threadIdx.x; "+
			c.body+" }")[0]
		c.opt.Local, c.opt.Contents = [3]int64{32, 1, 1}, map[string][]byte{"in": make([]byte, 128)}
		r, err := unroll.Resolve(k, c.opt)
		if err != nil {
			t.Fatal(c.name, err)
		}
		var ops []string
		for _, o := range r.Graph.GroupMix().Ops {
			ops = append(ops, o.Op)
		}
		if !slices.Contains(ops, c.want) {
			t.Errorf("%s: %v, want %s", c.name, ops, c.want)
		}
	}
}
