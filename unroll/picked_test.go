package unroll_test

import (
	"strings"
	"testing"

	"gpupipe/internal/tools"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// TestPicked: which private arrays that are subscripted by what the compiler does not know are in
// registers. What is wanted is what nvcc 11.8 -use_fast_math makes of these kernels for sm_75 and
// sm_80, by the stack frame that ptxas reports: none for arrays of up to so many elements, one from so many on.
// Three of 46 at the borders come out the other way: 12 and 13 elements with a load in a loop (nvcc: registers), 8 with
// three (memory).
func TestPicked(t *testing.T) {
	const fill, steps = "for (int i = 0; i < N; i++) a[i] = p[i * 32 + x]; ", "float s = 0;\n#pragma unroll 1\n" +
		"for (int j = 0; j < n; j++) "
	const clear, sweep, store = "for (int i = 0; i < N; i++) a[i] = 0;\n#pragma unroll 1\n",
		"for (int j = 0; j < n; j++) { float d = p[j];\n#pragma unroll U\nfor (int i = 0; i < N; i++) { a[i] += d * " +
			"native_rsqrt(d * d + s); d += s; } }",
		" for (int i = 0; i < N; i++) b[x + i * 32] = a[i];"
	for _, c := range []struct {
		name, body          string
		factor              string
		registers, inMemory []string // numbers of elements
	}{
		{"a load in a loop", fill + steps + "s += a[ix[j]]; b[x] = s;", "1", []string{"3", "8"}, []string{"14", "16"}},
		{"two loads in a loop", fill + steps + "{ s += a[ix[j]]; s *= a[ix[j + n]]; } b[x] = s;", "1",
			[]string{"6", "8"}, []string{"10", "12", "16"}},
		{"three loads in a loop", fill + steps + "{ s += a[ix[j]]; s *= a[ix[j + n]]; s -= a[ix[j + 2 * n]]; } " +
			"b[x] = s;", "1", []string{"6", "7"}, []string{"10", "16"}},
		{"a histogram", clear + "for (int j = 0; j < n; j++) a[ix[j]] += p[j];" + store, "1", []string{"3", "6", "7"},
			[]string{"8", "12"}},
		{"a load", fill + "b[x] = a[n];", "1", []string{"16", "32", "64", "96", "128"}, []string{"200"}},
		{"a sweep", clear + sweep + store, "1", []string{"3", "5", "6"}, []string{"8", "16", "32"}},
		{"a sweep by twos", clear + sweep + store, "2", []string{"8", "12", "14", "16"}, []string{"20", "24", "32"}},
		{"a sweep by fours", clear + sweep + store, "4", []string{"8", "16", "24", "32", "40"}, []string{"64"}},
		{"a sweep by eights", clear + sweep + store, "8", []string{"16", "32"}, []string{"64"}},
	} {
		for i, list := range [][]string{c.registers, c.inMemory} {
			for _, n := range list {
				t.Run(c.name+"/"+n, func(t *testing.T) {
					text := strings.NewReplacer("N", n, "U", c.factor).Replace("float a[N]; float s = n; " +
						strings.ReplaceAll(c.body, "float s = 0;", "s = 0;"))
					k := lowerKernel(t, "kernel void k(global float *restrict b, global const float *restrict p, "+
						"global const int *restrict ix, int n) { int x = get_local_id(0); "+text+" }")
					k.Accuracy = lower.Fast
					opt := unroll.Options{Local: [3]int64{32}, Args: map[string]unroll.ArgValue{"n": {Int: 9}},
						Warps: unroll.FirstWarp}
					for _, machine := range []bool{false, true} {
						opt.MachineCode = machine
						g := resolve(t, k, opt).Graph
						if err := g.Verify(); err != nil {
							t.Fatal(err)
						}
						has := ops(g)
						if private := has["ld.private"] + has["st.private"]; (private > 0) != (!machine || i == 1) {
							t.Errorf("machine code %v: %d accesses of private memory; %v", machine, private, has)
						}
					}
				})
			}
		}
	}
}

// TestPickedSteady: where moves pick what is in registers, iterations that are proved to repeat are
// what executing them gives.
func TestPickedSteady(t *testing.T) {
	tools.Heavy(t)
	for _, body := range []string{
		"for (int j = 0; j < n; j++) { float d = p[j];\n#pragma unroll 2\nfor (int i = 0; i < 8; i++) a[i] += d; }",
		"for (int j = 0; j < n; j++) a[ix[j] & 7] += p[j];",
		"for (int j = 0; j < n; j++) { if (p[j] > 0) a[(j + x) & 7] = p[j]; s += a[j & 7]; }",
		"for (int j = 0; j < n; j++) a[j & 7] = j < x ? p[j] : a[ix[j] & 7];",
	} {
		k := lowerKernel(t, "kernel void k(global float *restrict b, global const float *restrict p, global const "+
			"int *restrict ix, int n) { int x = get_local_id(0); float a[8], s = 0; for (int i = 0; i < 8; i++) a[i] "+
			"= x;\n#pragma unroll 1\n"+
			body+" for (int i = 0; i < 8; i++) b[x + 32 * i] = a[i] + s; }")
		opt := unroll.Options{Local: [3]int64{32}, Target: unroll.Target{MachineCode: true},
			Args: map[string]unroll.ArgValue{"n": {Int: 3000}}, Warps: unroll.FirstWarp, MaxInstructions: 1_000_000,
			Locality: unroll.LaunchLocality}
		if skipped := sameEitherWay(t, k, opt, body); skipped == 0 {
			t.Errorf("nothing is skipped of %s", body)
		}
		if has := ops(resolve(t, k, opt).Graph); has["ld.private"]+has["st.private"] > 0 {
			t.Errorf("%s: %v", body, has)
		}
	}
}
