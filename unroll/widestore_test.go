package unroll_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/unroll"
)

// TestWideStores: which stores to local memory become one, as in the machine code that nvcc
// 11.8 makes of the same statements for sm_80.
func TestWideStores(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       []string // width x lanes' stride of each store to local memory
	}{
		{"four neighbours", "s[4*x] = a[x]; s[4*x+1] = a[x+64]; s[4*x+2] = a[x+128]; s[4*x+3] = a[x+192];",
			[]string{"16/16"}},
		{"any order", "s[4*x+3] = a[x]; s[4*x+1] = a[x+64]; s[4*x] = a[x+128]; s[4*x+2] = a[x+192];",
			[]string{"16/16"}},
		{"constants", "s[4*x] = 1; s[4*x+1] = 2; s[4*x+2] = 3; s[4*x+3] = 4;", []string{"16/16"}},
		{"two neighbours", "s[4*x] = a[x]; s[4*x+1] = a[x+64];", []string{"8/16"}},
		{"three of four", "s[4*x] = a[x]; s[4*x+1] = a[x+64]; s[4*x+2] = a[x+128];", []string{"8/16", "4/16"}},
		{"unaligned rows", "s[3*x] = a[x]; s[3*x+1] = a[x+64];", []string{"4/12", "4/12"}},
		{"two across a boundary", "s[4*x+1] = a[x]; s[4*x+2] = a[x+64];", []string{"4/16", "4/16"}},
		{"a load between", "s[4*x] = a[x]; s[4*x+1] = a[x+64]; s[4*x+2] = s[x+900]; s[4*x+3] = a[x+192];",
			[]string{"8/16", "8/16"}},
		{"another store between", "s[4*x] = a[x]; s[4*x+1] = a[x+64]; s[x+1000] = 7; s[4*x+2] = a[x+128]; s[4*x+3] = " +
			"a[x+192];", []string{"8/16", "4/4", "8/16"}},
		{"a store to global memory between",
			"s[4*x] = a[x]; s[4*x+1] = a[x+64]; b[x] = 1; s[4*x+2] = a[x+128]; s[4*x+3] = a[x+192];",
			[]string{"16/16"}},
		{"several rows", "for (int i = 0; i < 8; i++)\ns[64*x+i] = a[x+i*64];", []string{"16/256", "16/256"}},
		{"written twice", "s[4*x] = a[x]; s[4*x] = a[x+64]; s[4*x+1] = a[x+128];", []string{"8/16"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := lowerKernel(t, "kernel void k(global float *restrict b, const global float *restrict a, int n) { "+
				"int x = get_local_id(0); local float s[4096]; "+c.body+" barrier(1); b[x] = s[33*x]; }")
			opt := unroll.Options{Local: [3]int64{32}, Target: unroll.Target{MachineCode: true}}
			g := resolve(t, k, opt).Graph
			if got := localStores(g); !slices.Equal(got, c.want) {
				t.Errorf("stores %q, want %q", got, c.want)
			}
			wide := slices.ContainsFunc(c.want, func(s string) bool { return !strings.HasPrefix(s, "4/") })
			if noted := slices.ContainsFunc(g.Notes, func(n idg.Note) bool {
				return n.Code == "WIDE-STORE"
			}); noted != wide {
				t.Errorf("noted: %v, want %v", noted, wide)
			}
			opt.MachineCode = false
			for _, s := range localStores(resolve(t, k, opt).Graph) {
				if !strings.HasPrefix(s, "4/") {
					t.Errorf("PTX has a store of %s", s)
				}
			}
		})
	}
}

// localStores lists the stores to local memory of warp 0 as width/stride.
func localStores(g *idg.Graph) []string {
	var list []string
	p, err := g.Programs()[0].Expanded(1 << 20)
	if err != nil {
		panic(err)
	}
	for v := range p.Len() {
		if in := g.Instr(p.Instr(idg.NodeID(v))); in.Op == "st.local" {
			a := g.Access(in.Access)
			list = append(list, fmt.Sprintf("%d/%d", a.Width, a.Offsets[1]-a.Offsets[0]))
		}
	}
	return list
}

// TestWideStoreWaits: a wide store waits for all values, and the barrier behind it
// for the store.
func TestWideStoreWaits(t *testing.T) {
	k := lowerKernel(t, "kernel void k(global float *b, const global float *a) { int x = get_local_id(0); local "+
		"float s[256]; s[4*x] = a[x]; s[4*x+1] = a[x+64]; barrier(1); b[x] = s[x]; }")
	g := resolve(t, k, unroll.Options{Local: [3]int64{32}, Target: unroll.Target{MachineCode: true},
		Warps: unroll.FirstWarp}).Graph
	var loads, barrier int
	p, err := g.Programs()[0].Expanded(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	store := -1
	for v := range p.Len() {
		switch op := g.Instr(p.Instr(idg.NodeID(v))).Op; op {
		case "st.local":
			store = v
			preds, kinds := p.Preds(idg.NodeID(v))
			for i, u := range preds {
				if g.Instr(p.Instr(u)).Op == "ld.global" && kinds[i] == idg.Data {
					loads++
				}
			}
		case "barrier":
			if preds, _ := p.Preds(idg.NodeID(v)); slices.Contains(preds, idg.NodeID(store)) {
				barrier++
			}
		}
	}
	if loads != 2 || barrier != 1 {
		t.Errorf("the store waits for %d loads, and the barrier %d times for the store, want 2 and 1", loads, barrier)
	}
}
