package unroll_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/target"
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
		{"five, unaligned", "s[x] = 1; barrier(1); b[x] = s[x] + s[x+1] + s[x+2] + s[x+3] + s[x+4];",
			[]string{"16/4", "4/4"}, []string{"4/4"}},
		{"seven", "s[x] = 1; barrier(1); b[x] = s[x] + s[x+1] + s[x+2] + s[x+3] + s[x+4] + s[x+5] + s[x+6];",
			[]string{"16/4", "12/4"}, []string{"4/4"}},
		{"across a boundary", "s[x] = 1; barrier(1); b[x] = s[4*x+1] + s[4*x+2];", []string{"8/16"}, []string{"4/4"}},
		{"odd rows", "s[x] = 1; barrier(1); b[x] = s[3*x] + s[3*x+1];", []string{"8/12"}, []string{"4/4"}},
		{"a hole", "s[x] = 1; barrier(1); b[x] = s[4*x] + s[4*x+1] + s[4*x+3];", []string{"8/16", "4/16"},
			[]string{"4/4"}},
		{"far", "s[x] = 1; barrier(1); b[x] = s[x] + s[x+64];", []string{"4/4", "4/4"}, []string{"4/4"}},
		{"a loop from a work item's id", "s[x] = 1; barrier(1); float f = 0;\n#pragma unroll 4\nfor (int i = 0; i < " +
			"8; i++) f += s[i + x];\nb[x] = f;", []string{"16/4", "16/4"}, []string{"4/4"}},
		{"four stores", "s[4*x] = a[x]; s[4*x+1] = a[x+64]; s[4*x+2] = a[x+128]; s[4*x+3] = a[x+192]; barrier(1); " +
			"b[x] = s[33*x];", []string{"4/132"}, []string{"16/16"}},
		{"three stores", "s[4*x] = a[x]; s[4*x+1] = a[x+64]; s[4*x+2] = a[x+128]; barrier(1); b[x] = s[33*x];",
			[]string{"4/132"}, []string{"8/16", "4/16"}},
		{"two stores to odd rows", "s[3*x] = a[x]; s[3*x+1] = a[x+64]; barrier(1); b[x] = s[33*x];", []string{"4/132"},
			[]string{"8/12"}},
		{"far stores", "s[x] = a[x]; s[x+64] = a[x+64]; barrier(1); b[x] = s[33*x];", []string{"4/132"},
			[]string{"4/4", "4/4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := lowerKernel(t, "kernel void k(global float *restrict b, const global float *restrict a, int n) { "+
				"int x = get_local_id(0); local float s[4096]; "+c.body+" }")
			g := resolve(t, k, unroll.Options{Local: [3]int64{64},
				Target: unroll.Target{WarpSize: 64, MachineCode: true, Compiler: unroll.Clang}}).Graph
			if got := localLoads(g); !slices.Equal(got, c.loads) {
				t.Errorf("loads %q, want %q", got, c.loads)
			}
			if got := localStores(g); !slices.Equal(got, c.stores) {
				t.Errorf("stores %q, want %q", got, c.stores)
			}
		})
	}
}

// TestWideDeviceAMD: which accesses of device memory become one, as clang 14 compiles the same
// statements for gfx90a and gfx1030.
func TestWideDeviceAMD(t *testing.T) {
	const loads = "a[%[1]s] + a[%[1]s+1] + a[%[1]s+2] + a[%[1]s+3] + a[%[1]s+4] + a[%[1]s+5] + a[%[1]s+6]"
	row := func(format, index string) string { return fmt.Sprintf("b[x] = "+format+";", index) }
	for _, c := range []struct {
		name, body    string
		loads, stores []int // widths
	}{
		{"two", "b[x] = a[x] + a[x+1];", []int{8}, []int{4}},
		{"seven", row(loads, "x"), []int{16, 12}, []int{4}},
		{"backwards", "b[x] = a[x+2] / (a[x+1] / a[x]);", []int{12}, []int{4}},
		{"a hole", "b[x] = a[x] + a[x+1] + a[x+3];", []int{8, 4}, []int{4}},
		{"of two words", "c[x] = d[x] + d[x+1] + d[x+2];", []int{16, 8}, []int{8}},
		{"an index times an argument", "b[x] = a[x*n] + a[x*n+1] + a[x*n+2];", []int{12}, []int{4}},
		{"unsigned", "uint y = x * n; b[x] = a[y] + a[y+1] + a[y+2];", []int{4, 4, 4}, []int{4}},
		{"unsigned, a multiple of four", "uint y = x * n; b[x] = a[4*y] + a[4*y+1] + a[4*y+2] + a[4*y+3];",
			[]int{16}, []int{4}},
		{"of 64 bits", "size_t y = get_global_id(0); b[x] = a[y*n] + a[y*n+1] + a[y*n+2];", []int{12}, []int{4}},
		{"behind a store elsewhere", "float f = a[x]; b[x] = f; b[x+64] = a[x+1];", []int{8}, []int{4, 4}},
		{"behind a store that may meet it", "float f = p[x]; q[x] = f; q[x+64] = p[x+1];", []int{4, 4}, []int{4, 4}},
		{"under a condition", "float f = a[x]; if (x < n) f += a[x+1] + a[x+2]; b[x] = f;", []int{4, 8}, []int{4}},
		{"two stores", "b[x] = a[x]; b[x+1] = a[x+64];", []int{4, 4}, []int{8}},
		{"three stores", "b[x] = a[x]; b[x+1] = a[x+64]; b[x+2] = a[x+128];", []int{4, 4, 4}, []int{12}},
		{"five stores", "b[x] = n; b[x+1] = x; b[x+2] = 1; b[x+3] = 2; b[x+4] = 3;", nil, []int{16, 4}},
		{"stores before loads that may meet them", "q[x] = p[x]; q[x+1] = p[x+64];", []int{4, 4}, []int{4, 4}},
		{"same in all lanes", row(loads, "g*n"), []int{16, 8, 4}, []int{4}},
		{"constants", row(strings.ReplaceAll(loads, "a[", "w["), "g"), []int{16, 8, 4}, []int{4}},
		{"twenty-five constants", "float f = 0;\n#pragma unroll\nfor (int i = 0; i < 25; i++) f = f * 3 + w[i];\n" +
			"b[x] = f;", []int{64, 32, 4}, []int{4}},
		{"constants by lane", "b[x] = w[x] + w[x+1] + w[x+2];", []int{12}, []int{4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := lowerKernel(t, "kernel void k(global float *restrict b, const global float *restrict a, global "+
				"double *restrict c, const global double *restrict d, global float *p, global float *q, constant "+
				"float *w, int n) { int x = get_global_id(0), g = get_group_id(0); "+c.body+" }")
			g := resolve(t, k, unroll.Options{
				Local: [3]int64{64}, Target: unroll.Target{WarpSize: 64, MachineCode: true, Compiler: unroll.Clang,
					Uniform: target.InScalarRegisters},
				Args: map[string]unroll.ArgValue{"n": {Int: 1000}},
			}).Graph
			var got [2][]int
			p, err := g.Programs()[0].Expanded(1 << 20)
			if err != nil {
				t.Fatal(err)
			}
			for v := range p.Len() {
				in := g.Instr(p.Instr(idg.NodeID(v)))
				if a := g.Access(in.Access); a != nil {
					i := 0
					if a.Store {
						i = 1
					}
					got[i] = append(got[i], int(a.Width))
				}
			}
			for i, want := range [2][]int{c.loads, c.stores} {
				slices.SortFunc(got[i], func(x, y int) int { return y - x })
				slices.SortFunc(want, func(x, y int) int { return y - x })
				if !slices.Equal(got[i], want) {
					t.Errorf("%s %v, want %v", [2]string{"loads", "stores"}[i], got[i], want)
				}
			}
		})
	}
}

// TestWideLoadWaits: a load of four neighbours waits for the store before it, as each of them did.
func TestWideLoadWaits(t *testing.T) {
	k := lowerKernel(t, "kernel void k(global float *p, global float *q) { int x = get_global_id(0); q[x] = 1; p[x] "+
		"= q[4*x+4096] + q[4*x+4097] + q[4*x+4098] + q[4*x+4099]; }")
	g := resolve(t, k, unroll.Options{Local: [3]int64{64}, Target: unroll.Target{WarpSize: 64, MachineCode: true,
		Compiler: unroll.Clang, Uniform: target.InScalarRegisters}}).Graph
	p, err := g.Programs()[0].Expanded(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	wide := 0
	for v := range p.Len() {
		in := g.Instr(p.Instr(idg.NodeID(v)))
		if a := g.Access(in.Access); a == nil || a.Width != 16 {
			continue
		}
		wide++
		if _, kinds := p.Preds(idg.NodeID(v)); !slices.Contains(kinds, idg.Order) {
			t.Errorf("node %d, %s, does not wait for the store", v, in.Op)
		}
	}
	if wide != 1 {
		t.Errorf("%d loads of 16 bytes, want 1", wide)
	}
}
