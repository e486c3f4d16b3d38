package pass_test

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass"
	"gpupipe/lower/profile"
)

// TestUnrollEveryLoop verifies what the passes leave of all kernels with all loops by three.
func TestUnrollEveryLoop(t *testing.T) {
	three := map[int]int{}
	for i := range 100 {
		three[i] = 3
	}
	irtest.Corpus(t, func(t *testing.T, c frontend.Config) {
		for _, f := range irtest.Build(t, c) {
			err := pass.Run(f, &profile.Context{Profile: profileNamed(""), Unroll: three}, "",
				irverify.After)
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	})
}

// TestCountable: which loops nvcc counts in front, and so unrolls by four, by the types of counter and bound, the step,
// and where the counter begins (PTX of nvcc 11.8 and 12.4; long from threadIdx.x by 64 to an unsigned long is
// decided wrongly). What is no constant, of a signed type, or compared as wide as it is may wrap around.
func TestCountable(t *testing.T) {
	types := []string{"int", "unsigned", "long", "unsigned long"}
	cases := []struct{ step, start string }{{"1", "0"}, {"1", "threadIdx.x"}, {"64", "0"}, {"64", "threadIdx.x"}}
	// by counter, then by bound, then by case: x is unrolled, - is not
	want := [][]string{
		{"xxxx", "xxx-", "x---", "x-x-"},
		{"xx--", "xx--", "----", "----"},
		{"xxxx", "xxxx", "xxxx", "xxx?"},
		{"xx--", "xxxx", "xx--", "xx--"},
	}
	for i, counter := range types {
		for k, bound := range types {
			got := ""
			for n, c := range cases {
				mark := countable(t, bound+" n", fmt.Sprintf("%s i = %s; i < n; i += %s", counter, c.start, c.step))
				if want[i][k][n] == '?' {
					mark = "?"
				}
				got += mark
			}
			if got != want[i][k] {
				t.Errorf("%s to %s: %s, want %s", counter, bound, got, want[i][k])
			}
		}
	}
}

// TestCountableSteps: the same where the step is not known (PTX of nvcc 11.8 and 12.4, 720 loops): a signed sum of the
// counter's type ends at a bound above it, whatever is added; an unsigned one may wrap around. A counter of 64 bits
// from threadIdx.x by a size of the launch (?) is decided wrongly, as are some with <=.
func TestCountableSteps(t *testing.T) {
	steps := []string{"st", "u", "gridDim.x", "8 * gridDim.x", "8 * (int)gridDim.x", "(int)blockDim.x"}
	want := map[string]string{"int <": "xxx --- --- --- xxx xxx", "unsigned <": "--- --- --- --- --- ---",
		"long <": "xxx xxx x?x xxx xxx xxx", "unsigned long <": "--- --- --- --- --- ---",
		"int <=": "--- --- --- --- --- ---", "int !=": "--- --- --- --- --- ---", "long !=": "--- --- --- --- --- ---"}
	for key, marks := range want {
		at := strings.LastIndex(key, " ")
		typ, op := key[:at], key[at+1:]
		for i, row := range strings.Fields(marks) {
			for k, start := range []string{"0", "threadIdx.x", "a"} {
				got := countable(t, typ+" n, int st, unsigned u, "+typ+" a",
					fmt.Sprintf("%s i = %s; i %s n; i += %s", typ, start, op, steps[i]))
				if row[k] != '?' && got != row[k:k+1] {
					t.Errorf("%s from %s by %s: %s, want %c", key, start, steps[i], got, row[k])
				}
			}
		}
	}
	for head, want := range map[string]string{
		"int i = 0; i + 3 < n; i += st":                "-", // what is compared may wrap around
		"int i = a; i > n; i -= st":                    "-", // downwards nothing is taken for granted
		"long i = 0; i < n; i += 2 * st":               "x",
		"int i = 0; i < (unsigned)n; i += st":          "-",
		"unsigned i = 0; i < (n & 0xfffffffc); i += 4": "x", // ends below 1 << 32
		"unsigned i = 0; i < (n & 0xfffffffd); i += 4": "-",
		"unsigned i = a; i > (unsigned)n / 2; i -= 4":  "-",
	} {
		if got := countable(t, "int n, int st, int a", head); got != want {
			t.Errorf("%s: %s, want %s", head, got, want)
		}
	}
}

// TestBarriersApart: which loops with a barrier ptxas unrolls by four (machine code of nvcc 11.8 and 12.4, sm_90): those
// of which the bound is an operand in constant memory and the start the same in all lanes, none with a fence.
func TestBarriersApart(t *testing.T) {
	for head, want := range map[string]bool{
		"int m = 0; m < n; ++m": true, "int m = 0; m < -n; ++m": true, "int m = 0; m < n + 1; ++m": true,
		"int m = 0; m < n - 1; ++m": false, "int m = 0; m < n / 16; ++m": false, "int m = 0; m < n + ld; ++m": false,
		"int m = 0; m < cn; ++m": true, "int m = 0; m < in[0]; ++m": false, "int m = 0; m < (int)gridDim.x; ++m": false,
		"int m = ld; m < n; ++m": true, "int m = blockIdx.x; m < n; ++m": true, "int m = threadIdx.x; m < n; ++m": false,
		"int m = n + ld; m > 0; --m": true, "int m = threadIdx.x + n; m > 0; --m": false,
	} {
		for _, sync := range []string{"__syncthreads()", "__threadfence()"} {
			f := irtest.Build(t, irtest.Config("k.cu", `__constant__ int cn;
__global__ void k(float *o, const float *in, int n, int ld) {
	__shared__ float a[32][32], b[32][32];
	int x = threadIdx.x, y = threadIdx.y;
	float s = 0;
	a[y][x] = b[y][x] = n;
	for (`+head+`) {
		a[0][0] += in[m * 16 + x];
		`+sync+`;
		for (int k = 0; k < 16; ++k) s += a[y][k] * b[k][x];
	}
	o[x] = s;
}`))[0]
			if err := pass.Run(f, &profile.Context{Profile: profileNamed("nvcc-11.8")}, "unroll late",
				irverify.After); err != nil {
				t.Fatal(err)
			}
			copies := 0
			f.Body.Walk(func(in *ir.Instr) {
				if in.Op == lower.Barrier || in.Op == lower.Fence {
					copies++
				}
			})
			if got := copies > 1; got != (want && sync == "__syncthreads()") {
				t.Errorf("%s with %s: %d copies", head, sync, copies)
			}
		}
	}
}

// TestLoopEnds: how many loads a loop has where it may equal its bound, counts down around zero, or counts in 64 bits:
// in PTX and in machine code (nvcc 11.8, sm_80, 54 loops).
func TestLoopEnds(t *testing.T) {
	for head, want := range map[string][2]int{
		"int i = 1; i <= n; i++": {5, 29}, "int i = a; i <= n; i++": {5, 29}, "int i = -n; i <= n; i++": {5, 29},
		"int i = n; i >= a; i--": {5, 29}, "long i = 1; i <= n; i++": {5, 5}, "int i = 0; i <= n; i += 3": {5, 29},
		"int i = a; i <= n; i += 3": {1, 7}, "int i = threadIdx.x; i <= n; i += 2": {1, 7},
		"int i = a; i >= n; i -= 3": {1, 7}, "int i = threadIdx.x; i <= n; i += blockDim.x": {1, 1},
		"unsigned i = u; i > 0; i--": {5, 29}, "unsigned i = u; i-- > 0;": {5, 29},
		"size_t i = 0; i < u; i++": {5, 5}, "size_t i = 0; i < n; i++": {5, 5}, "long i = a; i > 0; i -= 2": {5, 29},
	} {
		for k, stage := range []string{"unroll again", "unroll late"} {
			if got := loadsOf(t, "int n, int a, unsigned u", head, stage); got != want[k] {
				t.Errorf("%s: %d loads after %s, want %d", head, got, stage, want[k])
			}
		}
	}
}

// countable is "x" where a loop over loads is unrolled by four with the rest in front or behind, "-" where it is not.
func countable(t *testing.T, params, head string) string {
	return map[int]string{1: "-", 5: "x"}[loadsOf(t, params, head, "unroll again")]
}

// loadsOf is how many loads a pass leaves in a kernel with a loop over one.
func loadsOf(t *testing.T, params, head, after string) int {
	f := irtest.Build(t, irtest.Config("k.cu", fmt.Sprintf("__global__ void k(float* o, const float* in, %s)"+
		" { float s = 0; for (%s) s += in[i]; o[threadIdx.x] = s; }", params, head)))[0]
	if err := pass.Run(f, &profile.Context{Profile: profileNamed("nvcc-11.8")}, after, irverify.After); err != nil {
		t.Fatal(err)
	}
	loads := 0
	f.Body.Walk(func(in *ir.Instr) {
		if in.Op == lower.Load {
			loads++
		}
	})
	return loads
}
