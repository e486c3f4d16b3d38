package unroll_test

import (
	"bytes"
	"slices"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// FuzzResolve resolves whatever the frontend accepts: no panic, no hang, and either
// an error with a position or a valid graph that comes out again the same, also
// when every iteration is executed.
func FuzzResolve(f *testing.F) {
	for seed := range uint64(12) {
		f.Add(generateKernel(seed), uint8(seed*37), int64(seed)*7-3)
	}
	for seed := range uint64(6) {
		f.Add(generateLoops(seed), uint8(seed*45), int64(1700))
	}
	for seed := range uint64(8) {
		f.Add(generateNest(seed), uint8(seed*45), int64(90+seed))
	}
	for _, text := range []string{
		"kernel void k(global int *a, int n) { for (int i = 0; i < n; i++) a[i] = a[a[i]]; }",
		"kernel void k(global float4 *a, local int *s) { s[a[0].x > 1] = 1; barrier(1); a[s[0]] *= 2; }",
		"kernel void k(global int *a) { for (;;) { if (a[1]) break; if (a[2]) return; if (a[3]) continue; a[0]++; } }",
		"kernel void k(global int *a) { int p[4]; switch (a[0]) { case 1: p[a[1]] = 2; default: a[2] = p[1]; } }",
		"kernel void k(global int *a, int n) { int *p = n ? (int *)a : 0; while (p) p++; }",
		"kernel void k(global uint *a) { for (uint i = 1; i; i <<= 1) { for (uint j = i; j >= 0; j -= i) a[j / " +
			"i] = 1; } }",
	} {
		f.Add(text, uint8(0), int64(3))
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
			k, err := lower.Lower(u, fn)
			if err != nil {
				continue
			}
			opt := unroll.Options{
				Target: unroll.Target{Level: unroll.Level(1 + choices&1),
					Compiler: unroll.Compiler(1 + choices>>1%3)},
				Local:           [3]int64{8, 5},
				MaxInstructions: 20_000, AssumeTrips: 3, Args: map[string]unroll.ArgValue{},
			}
			if choices>>4&1 != 0 {
				opt.Warps = unroll.FirstWarp
			}
			if choices>>6&1 != 0 {
				opt.Groups, opt.Kinds, opt.Locality = [3]int64{5, 2}, unroll.EdgeGroups, unroll.LaunchLocality
				n %= 3000 // millions of accesses take their time
			}
			for _, p := range k.Params {
				if p.Type != lower.Ptr && choices>>5&1 == 0 {
					opt.Args[p.Name] = unroll.ArgValue{Int: n}
				}
			}
			res, err := unroll.Resolve(k, opt)
			if err != nil {
				if len(codes(err)) == 0 {
					t.Fatalf("error without a code: %v", err)
				}
				continue
			}
			if err := res.Graph.Verify(); err != nil {
				t.Fatal(err)
			}
			opt.EveryIteration = true
			again, err := unroll.Resolve(k, opt)
			if err != nil && codes(err)[0][:9] == "TOO-LARGE" {
				continue // what is skipped does not count
			}
			if err == nil && slices.ContainsFunc(again.Warnings, func(e *diag.Error) bool {
				return e.Code == "GROUPS" || e.Code == "WARPS"
			}) {
				continue // nor for how many groups and warps are resolved
			}
			if err != nil || !bytes.Equal(encoded(t, res.Graph), encoded(t, again.Graph)) {
				t.Fatalf("resolved again: another graph (%v)", err)
			}
		}
	})
}
