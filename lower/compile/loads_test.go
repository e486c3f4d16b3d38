package compile_test

import (
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
)

// compiled is a kernel in CUDA under launch bounds.
func compiled(t *testing.T, text string, threads, groups int) (*machine.Code, string) {
	t.Helper()
	o := options(t)
	o.Machine.MaxThreads, o.Machine.MinGroups = threads, groups
	code, err := compile.Compile(tree(t, frontend.Config{File: "k.cu", Text: text, Dialect: ast.CUDA}, ""), o)
	if err != nil {
		t.Fatal(err)
	}
	return code, code.String()
}

// TestLoadsInFlight: where a number of groups is asked for each of 40 loads has a register at once, as far as the
// limit goes; else as many as the most warps leave (ptxas 11.8 and 12.4: 47, 47, 30 and 30 registers).
func TestLoadsInFlight(t *testing.T) {
	const source = `extern "C" __global__ void k(const float *__restrict__ a, float *b) {
	int i = threadIdx.x;
	float s = 0;
	#pragma unroll
	for (int j = 0; j < 40; j++) s = s * 1.5f + a[i + j * 1024];
	b[i] = s;
}`
	for _, c := range []struct{ groups, least, most int }{{1, 40, 50}, {5, 40, 50}, {8, 24, 32}, {0, 24, 32}} {
		code, _ := compiled(t, source, 256, c.groups)
		if n := code.Resources.Registers; n < c.least || n > c.most {
			t.Errorf("%d groups: %d registers, want %d to %d", c.groups, n, c.least, c.most)
		}
	}
}

// TestClearedOnce: sums are cleared in front of the branch around their loop, not behind it again.
func TestClearedOnce(t *testing.T) {
	_, text := compiled(t, `extern "C" __global__ void k(const float *a, float *b, int n) {
	float s[4] = {};
	#pragma unroll 1
	for (int i = 0; i < n; i++)
		for (int j = 0; j < 4; j++) s[j] += a[4 * i + j] * a[i];
	for (int j = 0; j < 4; j++) b[j] = s[j];
}`, 256, 0)
	n := 0
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) > 2 && strings.Contains(f[0], "MOV") && strings.HasPrefix(f[1], "R") && !strings.Contains(line, "c[") &&
			(strings.Contains(line, ", RZ  ") || strings.Contains(line, ", RZ ;")) {
			n++
		}
	}
	if n < 4 || n > 5 {
		t.Errorf("%d registers are cleared, want 4 sums and perhaps a counter\n%s", n, text)
	}
}

// TestCarriesInTurns: independent addresses of two words are added one after the other, so that one predicate has all
// carries (ptxas 11.8 and 12.4, sm_80 and sm_90).
func TestCarriesInTurns(t *testing.T) {
	_, text := compiled(t, `extern "C" __global__ void k(const float *__restrict__ a, float *b, unsigned m, unsigned k,
	int n) {
	unsigned i = threadIdx.x;
	for (int r = 0; r < n; r++) {
		float s[8];
		#pragma unroll
		for (int j = 0; j < 8; j++) s[j] = a[(long long)((r * 7 + j * m + i) & 0xffff) + (long long)k];
		#pragma unroll
		for (int j = 0; j < 8; j++) b[i + j * 32 + r * 1024] = s[j];
	}
}`, 256, 0)
	live, carries := map[string]bool{}, 0
	for line := range strings.Lines(text) {
		f := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' })
		if len(f) < 3 || f[0] != "IADD3" && f[0] != "LEA" && !strings.HasSuffix(f[0], ".X") {
			continue
		}
		for k, p := range f[2:] {
			switch {
			case !strings.HasPrefix(p, "P"):
			case k == 0:
				live[p] = true
				carries++
			default:
				delete(live, p)
			}
		}
		if len(live) > 1 {
			t.Fatalf("several carries live at\n%s\n%s", line, text)
		}
	}
	if carries < 16 {
		t.Errorf("%d carries, want 16 or more\n%s", carries, text)
	}
}
