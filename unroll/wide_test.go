package unroll_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/unroll"
)

// TestMachineCode: with the loads merged that nvcc's machine-code stage merges, a tile
// iteration has as many loads of local memory as the machine code for sm_70 in testdata/unroll_matmul,
// for every BLOCK_SIZE and pragma.
func TestMachineCode(t *testing.T) {
	rows := readCompiled(t, true)
	if len(rows) != 40 {
		t.Errorf("%d configurations in the table, want 40", len(rows))
	}
	merged := 0
	for _, r := range rows {
		got, plain := resolveTile(t, r, true), resolveTile(t, r, false)
		if got.ldLocal != r.want.ldLocal {
			t.Errorf("BS=%d/%s: %g local loads per tile iteration, machine code has %g", r.bs, r.pragma, got.ldLocal, r.want.ldLocal)
		}
		if got.ldLocal < plain.ldLocal {
			merged++
		}
		plain.ldLocal = got.ldLocal
		if got != plain {
			t.Errorf("BS=%d/%s: merging changes other counts: %+v, %+v without", r.bs, r.pragma, got, plain)
		}
	}
	if merged < 20 {
		t.Errorf("loads are merged in %d configurations only", merged)
	}
}

// TestWideLoads: which loads of local memory become one, and which do not.
func TestWideLoads(t *testing.T) {
	for _, c := range []struct {
		name, declare, body string
		want                []string // width x lanes' stride of each load of local memory
	}{
		{"four neighbours", "local float s[256];", "a[x] = s[4*x] + s[4*x+1] + s[4*x+2] + s[4*x+3];", []string{"16/16"}},
		{"any order", "local float s[256];", "a[x] = s[4*x+3] + s[4*x+1] + s[4*x] + s[4*x+2];", []string{"16/16"}},
		{"two neighbours", "local float s[256];", "a[x] = s[4*x] + s[4*x+1];", []string{"8/16"}},
		{"two across a boundary", "local float s[256];", "a[x] = s[4*x+1] + s[4*x+2];", []string{"4/16", "4/16"}},
		{"three of four", "local float s[256];", "a[x] = s[4*x+1] + s[4*x+2] + s[4*x+3];", []string{"16/16"}},
		{"unaligned rows", "local float s[256];", "a[x] = s[3*x] + s[3*x+1];", []string{"4/12", "4/12"}},
		{"two doubles", "local double s[128];", "a[x] = s[2*x] + s[2*x+1];", []string{"16/16"}},
		{"shorts", "local short s[128];", "a[x] = s[2*x] + s[2*x+1];", []string{"2/4", "2/4"}},
		{"behind an odd array", "local float o[3], s[256]; o[0] = 1;", "a[x] = s[4*x] + s[4*x+1];", []string{"4/16", "4/16"}},
		{"a write between", "local float s[256];", "float f = s[4*x]; s[x+64] = 1; a[x] = f + s[4*x+1];", []string{"4/16", "4/16"}},
		{"a barrier between", "local float s[256];", "float f = s[4*x]; barrier(1); a[x] = f + s[4*x+1];", []string{"4/16", "4/16"}},
		{"volatile", "local float s[256];", "volatile local float *v = s; a[x] = v[4*x] + v[4*x+1];", []string{"4/16", "4/16"}},
		{"an argument", "", "a[x] = p[4*x] + p[4*x+1];", []string{"4/16", "4/16"}},
		{"global memory", "", "a[x] = a[4*x+64] + a[4*x+65];", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := lowerKernel(t, "kernel void k(global float *a, local float *p) { int x = get_local_id(0); "+c.declare+" "+c.body+" }")
			opt := unroll.Options{Local: [3]int64{32}, MachineCode: true}
			res := resolve(t, k, opt)
			if got := localLoads(res.Graph); !slices.Equal(got, c.want) {
				t.Errorf("loads %q, want %q", got, c.want)
			}
			wide := slices.ContainsFunc(c.want, func(s string) bool { return strings.HasPrefix(s, "16/") && c.name != "two doubles" || s == "8/16" })
			noted := slices.ContainsFunc(res.Graph.Notes, func(n idg.Note) bool { return n.Code == "WIDE-LOAD" })
			if c.name != "two doubles" && noted != wide {
				t.Errorf("noted: %v, want %v", noted, wide)
			}
			for _, other := range []unroll.Options{{Compiler: unroll.Clang}, {Level: unroll.O0}} {
				other.Local = opt.Local
				plain := localLoads(resolve(t, k, other).Graph)
				other.MachineCode = true
				if got := localLoads(resolve(t, k, other).Graph); !slices.Equal(got, plain) {
					t.Errorf("%v at %v: loads %q, want %q", other.Compiler, other.Level, got, plain)
				}
			}
		})
	}
}

// localLoads lists the loads of local memory of warp 0 as width/stride.
func localLoads(g *idg.Graph) []string {
	var list []string
	p, err := g.Programs()[0].Expanded(1 << 20)
	if err != nil {
		panic(err)
	}
	for v := range p.Len() {
		in := g.Instr(p.Instr(idg.NodeID(v)))
		if in.Op != "ld.local" {
			continue
		}
		a := g.Access(in.Access)
		list = append(list, fmt.Sprintf("%d/%d", a.Width, a.Offsets[1]-a.Offsets[0]))
	}
	return list
}

// TestWideLoadsOfAnyKernel: in generated kernels, merging removes loads of local
// memory at most and nothing else.
func TestWideLoadsOfAnyKernel(t *testing.T) {
	for seed := range uint64(60) {
		k := lowerKernel(t, generateKernel(seed))
		opt := unroll.Options{Local: [3]int64{32, 2}, AssumeTrips: 5, MaxInstructions: 50_000, Warps: unroll.FirstWarp}
		plain, err := unroll.Resolve(k, opt)
		if err != nil {
			continue
		}
		opt.MachineCode = true
		wide, err := unroll.Resolve(k, opt)
		if err != nil {
			t.Fatal(err)
		}
		if err := wide.Graph.Verify(); err != nil {
			t.Fatal(err)
		}
		a, b := ops(plain.Graph), ops(wide.Graph)
		if b["ld.local"] > a["ld.local"] {
			t.Errorf("seed %d: %d loads of local memory, %d without merging", seed, b["ld.local"], a["ld.local"])
		}
		delete(a, "ld.local")
		delete(b, "ld.local")
		if !maps.Equal(a, b) {
			t.Errorf("seed %d: other instructions differ: %v, %v without merging", seed, b, a)
		}
	}
}
