package unroll_test

import (
	"slices"
	"testing"

	"gpupipe/unroll"
)

// TestWideAMD: which accesses of local memory become one, as clang 14 compiles the same
// statements for gfx90a and gfx1032 (where the two differ, for gfx90a).
func TestWideAMD(t *testing.T) {
	for _, c := range []struct {
		name, body    string
		loads, stores []string // width x lanes' stride
	}{
		{"two", "s[x] = 1; barrier(1); b[x] = s[4*x] + s[4*x+1];", []string{"8/16"}, []string{"4/4"}},
		{"three", "s[x] = 1; barrier(1); b[x] = s[4*x] + s[4*x+1] + s[4*x+2];", []string{"12/16"}, []string{"4/4"}},
		{"five, unaligned", "s[x] = 1; barrier(1); b[x] = s[x] + s[x+1] + s[x+2] + s[x+3] + s[x+4];", []string{"16/4", "4/4"}, []string{"4/4"}},
		{"seven", "s[x] = 1; barrier(1); b[x] = s[x] + s[x+1] + s[x+2] + s[x+3] + s[x+4] + s[x+5] + s[x+6];", []string{"16/4", "12/4"}, []string{"4/4"}},
		{"across a boundary", "s[x] = 1; barrier(1); b[x] = s[4*x+1] + s[4*x+2];", []string{"8/16"}, []string{"4/4"}},
		{"odd rows", "s[x] = 1; barrier(1); b[x] = s[3*x] + s[3*x+1];", []string{"8/12"}, []string{"4/4"}},
		{"a hole", "s[x] = 1; barrier(1); b[x] = s[4*x] + s[4*x+1] + s[4*x+3];", []string{"8/16", "4/16"}, []string{"4/4"}},
		{"far", "s[x] = 1; barrier(1); b[x] = s[x] + s[x+64];", []string{"4/4", "4/4"}, []string{"4/4"}},
		{"a loop from a work item's id", "s[x] = 1; barrier(1); float f = 0;\n#pragma unroll 4\nfor (int i = 0; i < 8; i++) f += s[i + x];\nb[x] = f;", []string{"16/4", "16/4"}, []string{"4/4"}},
		{"four stores", "s[4*x] = a[x]; s[4*x+1] = a[x+64]; s[4*x+2] = a[x+128]; s[4*x+3] = a[x+192]; barrier(1); b[x] = s[33*x];", []string{"4/132"}, []string{"16/16"}},
		{"three stores", "s[4*x] = a[x]; s[4*x+1] = a[x+64]; s[4*x+2] = a[x+128]; barrier(1); b[x] = s[33*x];", []string{"4/132"}, []string{"8/16", "4/16"}},
		{"two stores to odd rows", "s[3*x] = a[x]; s[3*x+1] = a[x+64]; barrier(1); b[x] = s[33*x];", []string{"4/132"}, []string{"8/12"}},
		{"far stores", "s[x] = a[x]; s[x+64] = a[x+64]; barrier(1); b[x] = s[33*x];", []string{"4/132"}, []string{"4/4", "4/4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := lowerKernel(t, "kernel void k(global float *restrict b, const global float *restrict a, int n) { int x = get_local_id(0); local float s[4096]; "+c.body+" }")
			g := resolve(t, k, unroll.Options{Local: [3]int64{64}, WarpSize: 64, MachineCode: true, Compiler: unroll.Clang}).Graph
			if got := localLoads(g); !slices.Equal(got, c.loads) {
				t.Errorf("loads %q, want %q", got, c.loads)
			}
			if got := localStores(g); !slices.Equal(got, c.stores) {
				t.Errorf("stores %q, want %q", got, c.stores)
			}
		})
	}
}
