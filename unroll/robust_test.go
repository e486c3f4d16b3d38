package unroll_test

import (
	"bytes"
	"io/fs"
	"testing"

	"gpupipe/idg/isa"
	"gpupipe/internal/tools"
	"gpupipe/kernels"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// TestUnknownArguments resolves random kernels of whose arguments nothing is known:
// both sides, assumed trip counts and unknown addresses everywhere. The graphs are
// valid, and come out again the same.
func TestUnknownArguments(t *testing.T) {
	assumed, unknown, tooLarge := 0, 0, 0
	for seed := range uint64(tools.Cases(400, 20)) {
		text := generateKernel(seed)
		k := lowerKernel(t, text)
		for _, level := range []unroll.Level{unroll.O0, unroll.O2} {
			opt := unroll.Options{Target: unroll.Target{Level: level}, Local: [3]int64{20, 2}, AssumeTrips: 3,
				MaxInstructions: 50_000, Warps: unroll.FirstWarp}
			res, err := unroll.Resolve(k, opt)
			if err != nil {
				// A loop that ends only for some arguments.
				if c := codes(err); len(c) != 1 || c[0][:3] != "TOO" {
					t.Fatalf("seed %d %v: %v\n%s", seed, level, err, numbered(text))
				}
				tooLarge++
				continue
			}
			if err := res.Graph.Verify(); err != nil {
				t.Fatalf("seed %d %v: %v\n%s", seed, level, err, numbered(text))
			}
			again := resolve(t, k, opt)
			if !bytes.Equal(encoded(t, res.Graph), encoded(t, again.Graph)) {
				t.Fatalf("seed %d %v: resolved again, another graph\n%s", seed, level, numbered(text))
			}
			assumed += len(res.Warnings)
			for _, a := range res.Graph.Accesses() {
				if !a.Known() {
					unknown++
				}
			}
		}
	}
	t.Logf("%d assumptions, %d unknown patterns, %d too large", assumed, unknown, tooLarge)
	if enough := tools.Cases(400, 40); assumed < enough || unknown < enough || tooLarge > 40 {
		t.Errorf("%d assumptions, %d unknown patterns, %d kernels too large", assumed, unknown, tooLarge)
	}
}

// TestBuiltinKernels resolves every embedded kernel at both levels and with every
// compiler's habits. Whatever the level and the habits, the stores are the same.
func TestBuiltinKernels(t *testing.T) {
	for _, entry := range kernels.List() {
		t.Run(entry.Name, func(t *testing.T) {
			text, err := fs.ReadFile(kernels.FS(), entry.File)
			if err != nil {
				t.Fatal(err)
			}
			var k *lower.Kernel
			for _, c := range lowerSource(t, entry.File, string(text), entry.Defines...) {
				if c.Name == entry.Function {
					k = c
				}
			}
			opt := unroll.Options{Local: [3]int64{16, 16}, Groups: [3]int64{4, 4}, Warps: unroll.FirstWarp,
				Args: map[string]unroll.ArgValue{}}
			for _, p := range k.Params {
				if p.Type != lower.Ptr {
					opt.Args[p.Name] = unroll.ArgValue{Int: 64}
				}
			}
			var want int
			for i, c := range []struct {
				level    unroll.Level
				compiler unroll.Compiler
			}{{unroll.O0, unroll.NoCompiler}, {unroll.O0, unroll.NVCC}, {unroll.O2, unroll.NVCC},
				{unroll.O2, unroll.Clang}, {unroll.O2, unroll.NoCompiler}} {
				opt.Level, opt.Compiler = c.level, c.compiler
				g := resolve(t, k, opt).Graph
				stores := 0
				for op, n := range ops(g) {
					if isa.Parse(op).Class() == "st.global" || isa.Parse(op).Class() == "st.local" {
						stores += n
					}
				}
				if i == 0 {
					want = stores
				}
				if stores != want || want == 0 {
					t.Errorf("%v %v: %d stores, at -O0 %d", c.level, c.compiler, stores, want)
				}
			}
		})
	}
}
