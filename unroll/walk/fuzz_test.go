package walk_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
	"gpupipe/internal/test/tools"
	"gpupipe/kernels"
	"gpupipe/lower"
	"gpupipe/lower/translate"
	"gpupipe/unroll"
	"gpupipe/unroll/walk"
)

// FuzzExecute compiles and executes whatever the frontend accepts: no panic, no hang, and either an error with a
// position or a graph that keeps its invariants and comes out again the same.
func FuzzExecute(f *testing.F) {
	for _, text := range []string{
		"kernel void k(global int *a, int n) { for (int i = 0; i < n; i++) a[i] = a[a[i]]; }",
		"kernel void k(global float4 *a, local int *s) { s[a[0].x > 1] = 1; barrier(1); a[s[0]] *= 2; }",
		"kernel void k(global int *a) { for (;;) { if (a[1]) break; if (a[2]) return; if (a[3]) continue; a[0]++; } }",
		"kernel void k(global int *a) { int p[4]; switch (a[0]) { case 1: p[a[1]] = 2; default: a[2] = p[1]; } }",
		"kernel void k(global int *a, int n) { int *p = n ? (int *)a : 0; while (p) p++; }",
		"kernel void k(global int *a) { for (;;) { if (a) continue; a[0]++; } }",
		"kernel void k(global uint *a) { for (uint i = 1; i; i <<= 1) { for (uint j = i; j >= 0; j -= i) a[j / " +
			"i] = 1; } }",
		"kernel void k(global int *a, int n) { local int s[64]; int i = get_local_id(0); for (int j = 0; j < n; j++) { " +
			"s[i] = a[j]; barrier(1); a[i] += s[63 - i]; if (i > n) return; } }",
	} {
		for choices := range uint8(8) {
			f.Add(text, choices*37, int64(choices)*7-3)
		}
	}
	f.Fuzz(func(t *testing.T, text string, choices uint8, n int64) {
		if len(text) > 20_000 {
			return
		}
		u, err := frontend.Parse(frontend.Config{File: "k.cl", Text: text, Dialect: ast.OpenCL})
		if err != nil {
			return
		}
		for _, fn := range u.Kernels[:min(2, len(u.Kernels))] {
			k, err := translate.Kernel(u, fn)
			if err != nil {
				continue
			}
			o := unroll.Options{Local: [3]int64{8, 5}, MaxInstructions: 20_000, AssumeTrips: 3,
				Args: map[string]unroll.ArgValue{}}
			o.Level, o.Compiler = unroll.Level(1+choices&1), unroll.Compiler(1+choices>>1%3)
			if o.Compiler == unroll.Clang && choices&8 != 0 {
				o.Capability = "gfx90a"
			}
			if choices>>4&1 != 0 {
				o.Warps = unroll.FirstWarp
			}
			if choices>>6&1 != 0 {
				o.Groups, o.Kinds, o.Locality = [3]int64{5, 2}, unroll.EdgeGroups, unroll.LaunchLocality
				n %= 3000 // millions of accesses take their time
			}
			for _, p := range k.Params {
				if p.Type != lower.Ptr && choices>>5&1 == 0 {
					o.Args[p.Name] = unroll.ArgValue{Int: n}
				}
			}
			g, _, err := execute(u, fn, o)
			if err != nil {
				if len(codes(err)) == 0 || diag.IsDefect(err) {
					t.Fatalf("error without a code: %v", err)
				}
				continue
			}
			if err := g.Verify(); err != nil {
				t.Fatal(err)
			}
			again, _, err := execute(u, fn, o)
			if err != nil || !bytes.Equal(encoded(t, g), encoded(t, again)) {
				t.Fatalf("executed again: another graph (%v)", err)
			}
		}
	})
}

// TestUnknownArguments executes random kernels of whose arguments nothing is known: both sides, assumed trip counts and
// unknown addresses everywhere. Graphs keep their invariants and come out again the same, and what is said to be the
// same in all lanes is, with values of the arguments.
func TestUnknownArguments(t *testing.T) {
	assumed, unknown, same, failed := 0, 0, 0, 0
	for seed := range tools.Cases(400, 25) {
		text := walk.RandomKernel(uint64(seed))
		u := unit(t, "k.cl", text)
		o := parsed(t, "--local 20x2 --assume-trip 3 --max-instructions 50000 --warps first "+levels[seed%len(levels)])
		g, notes, err := execute(u, u.Kernels[0], o)
		if err != nil {
			if failed++; len(codes(err)) == 0 || diag.IsDefect(err) {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			continue
		}
		if err := g.Verify(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if again, _, err := execute(u, u.Kernels[0], o); err != nil || !bytes.Equal(encoded(t, g), encoded(t, again)) {
			t.Fatalf("seed %d: executed again, another graph\n%s", seed, text)
		}
		assumed += len(notes)
		told := map[string]bool{} // to be the same in all lanes, by instruction
		for _, in := range g.Instrs() {
			if a := g.Access(in.Access); a != nil {
				at := fmt.Sprint(in.Op, a.Buffer, in.Pos)
				before, seen := told[at]
				if told[at] = !a.Known() && a.Same && (before || !seen); !a.Known() {
					unknown++
				}
			}
		}
		o.Args = map[string]unroll.ArgValue{"n": {Int: int64(seed % 23)}, "m": {Int: int64(seed % 5)}}
		if g, notes, err = execute(u, u.Kernels[0], o); err != nil || len(notes) > 0 {
			continue
		}
		for _, in := range g.Instrs() {
			if a := g.Access(in.Access); a != nil && a.Known() && told[fmt.Sprint(in.Op, a.Buffer, in.Pos)] {
				if same++; a.Offsets[0] != a.Offsets[len(a.Offsets)-1] {
					t.Errorf("seed %d: %v was told to be the same in all lanes and is %s\n%s", seed, in.Pos, a.Describe(), text)
				}
			}
		}
	}
	t.Logf("%d assumptions, %d unknown patterns, %d the same in all lanes, %d not executed", assumed, unknown, same,
		failed)
	if enough := tools.Cases(300, 20); assumed < enough || unknown < enough || same == 0 {
		t.Errorf("only %d assumptions, %d unknown patterns, %d the same in all lanes", assumed, unknown, same)
	}
}

// TestBuiltinKernels executes every embedded kernel at both levels, for every compiler and with every choice of warps.
// Whatever these are, the stores are the same.
func TestBuiltinKernels(t *testing.T) {
	for _, entry := range kernels.List() {
		text, err := fs.ReadFile(kernels.FS(), entry.File)
		if err != nil {
			t.Fatal(err)
		}
		u, err := frontend.Parse(frontend.Config{File: entry.File, Text: string(text), Dialect: dialectOf(entry.File),
			Defines: entry.Defines})
		if err != nil {
			t.Fatal(err)
		}
		for _, fn := range u.Kernels {
			if fn.Name != entry.Function {
				continue
			}
			k, err := translate.Kernel(u, fn)
			if err != nil {
				t.Fatal(err)
			}
			want := int64(0)
			for i, options := range append([]string{"-O0"}, levels...) {
				o := parsed(t, "--local 16x16 --groups 4x4 "+options)
				o.Warps, o.WarpList = unroll.WarpChoice(1+i%3), []uint32{0, 3}
				for _, p := range k.Params {
					if p.Type != lower.Ptr {
						o.Args[p.Name] = unroll.ArgValue{Int: 64}
					}
				}
				g, _, err := execute(u, fn, o)
				if err == nil {
					err = g.Verify()
				}
				if err != nil {
					t.Errorf("%s, %s: %v", entry.Name, options, err)
					continue
				}
				stores := int64(0)
				for j, times := range g.Programs()[0].Tally(len(g.Instrs())) {
					if a := g.Access(g.Instrs()[j].Access); a != nil && a.Store && !strings.HasPrefix(g.Instrs()[j].Op, "atomic") {
						stores += times * int64(a.Width)
					}
				}
				if i == 0 {
					want = stores
				}
				if stores != want || want == 0 {
					t.Errorf("%s, %s: %d bytes are stored, at -O0 %d", entry.Name, options, stores, want)
				}
			}
		}
	}
}
