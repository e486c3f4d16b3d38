package unroll_test

import (
	"strings"
	"testing"

	"gpupipe/idg"
)

// accesses counts the loads and stores of the only warp of a graph.
func accesses(g *idg.Graph) (loads, stores int64) {
	for _, op := range g.ProgramMix(g.ProgramOf(0)).Ops {
		switch {
		case strings.HasPrefix(op.Op, "ld."):
			loads += op.Count
		case strings.HasPrefix(op.Op, "st."):
			stores += op.Count
		}
	}
	return loads, stores
}

// counts are loads and stores.
type counts struct{ loads, stores int64 }

// TestPathsNotTaken: what a path that is not taken would do to memory counts. The figures of clang are
// what the PTX of clang 14 -O2 executes; those of nvcc are its own for the loops at the top (1
// load in 4 iterations), and elsewhere what clang's code becomes where loops are unrolled
// before redundant loads are removed, as clang -O3 does.
func TestPathsNotTaken(t *testing.T) {
	for _, c := range []struct {
		name, body  string
		clang, nvcc counts
	}{
		{"store in a loop", "float x = 0; for (int i = 0; i < n; i++) { x += in[g]; if (i > 100) out[i] = x; } " +
			"out[g] = x;", counts{16, 1}, counts{4, 1}},
		{"store under an invariant condition",
			"float x = 0; for (int i = 0; i < n; i++) { x += in[g]; if (flag) out[i] = x; } out[g] = x;", counts{16, 1},
			counts{4, 1}},
		{"barrier in a loop", "s[l] = n; barrier(1); float x = 0; for (int i = 0; i < n; i++) { x += s[31 - l]; if " +
			"(i > 100) barrier(1); } out[g] = x;", counts{16, 2}, counts{4, 2}},
		{"barrier behind a store", "s[l] = 0; for (int i = 0; i < n; i++) { s[l] += i; if (n > 1000) barrier(1); } " +
			"out[g] = s[l];", counts{16, 18}, counts{4, 18}},
		{"loaded at the end of the other path", "float x = in[g]; if (flag) out[g + 1] = 3; x += in[g]; out[g] = x;",
			counts{1, 1}, counts{1, 1}},
		{"two other paths", "float x = in[g]; if (flag) out[g + 1] = 3; if (n > 100) out[g + 2] = 4; x += in[g]; " +
			"out[g] = x;", counts{2, 1}, counts{2, 1}},
		{"loaded under another condition",
			"float x = in[g]; if (flag) out[g + 1] = 3; if (n < 100) { x += in[g]; out[g + 5] = 1; } out[g] = x;",
			counts{2, 2}, counts{2, 2}},
		{"two cases", "float x = in[g]; switch (flag) { case 3: out[g + 1] = 1; break; case 5: out[g + 7] = 2; " +
			"break; default: x *= x; } x += in[g]; out[g] = x;", counts{2, 1}, counts{2, 1}},
		{"return", "float x = in[g]; if (flag) { out[g + 1] = 3; return; } x += in[g]; out[g] = x;", counts{1, 1},
			counts{1, 1}},
		{"return of a function", "float x = in[g]; early(out + g, flag); early(out + g + 1, n > 100); x += in[g]; " +
			"out[g] = x;", counts{2, 1}, counts{2, 1}},
		{"no iteration", "float x = in[g]; for (int i = 0; i < flag; i++) out[g + i] = 3; x += in[g]; out[g] = x;",
			counts{1, 1}, counts{1, 1}},
		{"break", "float x = 0; for (int i = 0; i < n; i++) { x += in[g]; if (i == flag + 100) { out[g] = x; break; " +
			"} } x += in[g]; out[g + 1] = x;", counts{2, 1}, counts{2, 1}},
		{"continue", "float x = 0; for (int i = 0; i < n; i++) { x += in[g]; if (i == flag + 100) { out[g] = x; " +
			"continue; } x *= x; } x += in[g]; out[g + 1] = x;", counts{17, 1}, counts{5, 1}},
		{"unrolled fully", "float x = 0;\n#pragma unroll\nfor (int i = 0; i < 16; i++) { x += in[g]; if (flag > i) " +
			"out[i] = x; } out[g] = x;", counts{1, 1}, counts{1, 1}},
		{"a constant's path", "const int never = 0; float x = in[g]; for (int i = 0; i < n; i++) { x += in[g]; if " +
			"(never) out[i] = x; } out[g] = x;", counts{1, 1}, counts{1, 1}},
		{"restrict", "float x = 0; for (int i = 0; i < n; i++) { x += alone[g]; if (flag) out[i] = x; } out[g] = x;",
			counts{1, 1}, counts{1, 1}},
	} {
		testAccesses(t, c.name, c.body, "clang", c.clang)
		testAccesses(t, c.name, c.body, "nvcc", c.nvcc)
	}
}

// TestStoresBehindLoops: a place at an address that a loop does not change is stored behind it, if nothing else may
// touch it there and each execution of the loop stores to it. The figures are what the PTX of
// clang 14 -O2 executes.
func TestStoresBehindLoops(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       counts
	}{
		{"sum", "for (int i = 0; i < n; i++) c[g] += a[i * 32 + g];", counts{17, 1}},
		{"counter", "for (int i = 0; i < n; i++) out[g] += i;", counts{1, 1}},
		{"last value", "for (int i = 0; i < n; i++) c[g] = a[i * 32 + g];", counts{1, 1}},
		{"constant trip count", "for (int i = 0; i < 16; i++) c[g] += a[i * 32 + g];", counts{17, 1}},
		{"two places", "for (int i = 0; i < n; i++) { c[g] += a[i * 32 + g]; c[g + 1] += 1; }", counts{18, 2}},
		{"twice", "for (int i = 0; i < n; i++) { c[g] += a[i * 32 + g]; c[g] = c[g] * 2 + 1; }", counts{17, 1}},
		{"function", "for (int i = 0; i < n; i++) add(c + g, a[i * 32 + g]);", counts{17, 1}},
		{"while with two conditions", "int i = 0, m = 5; while (i < n && m > 0) { c[g] += a[i * 32 + g]; i++; m " +
			"*= 2; }", counts{17, 1}},
		{"break behind the store", "for (int i = 0; i < n; i++) { c[g] += a[i * 32 + g]; if (i == flag + 100) break; }",
			counts{17, 1}},
		{"on both sides", "for (int i = 0; i < n; i++) { if (i > 5) c[g] += a[i * 32 + g]; else c[g] = c[g] * 2 + " +
			"a[i * 32 + g]; }", counts{17, 1}},
		{"also under a condition", "for (int i = 0; i < n; i++) { c[g] += a[i * 32 + g]; if (flag > i) c[g] *= 2; }",
			counts{17, 1}},
		{"loop of constant trip count in a loop",
			"for (int j = 0; j < n; j++) for (int i = 0; i < 8; i++) c[g] += a[i * 32 + g * j];", counts{129, 1}},
		{"inner loop", "for (int j = 0; j < n; j++) for (int i = 0; i < 5 + flag; i++) c[j * 32 + g] += a[i * 32 + g];",
			counts{96, 16}},
		{"local memory", "s[l] = 0; for (int i = 0; i < n; i++) s[l] += a[i * 32 + g]; barrier(1); c[g] = s[31 - l];",
			counts{17, 3}},
		{"under a condition", "for (int i = 0; i < n; i++) if (i >= flag + 2) c[g] += a[i * 32 + g];", counts{28, 14}},
		{"behind a continue", "for (int i = 0; i < n; i++) { if (i == flag + 100) continue; c[g] += a[i * 32 + g]; }",
			counts{32, 16}},
		{"what may overlap", "for (int i = 0; i < n; i++) out[g] += in[i * 32 + g];", counts{17, 16}},
		{"another place that may be the same",
			"for (int i = 0; i < n; i++) { c[g] += a[i * 32 + g]; if (flag > i) c[i] *= 2; }", counts{32, 16}},
		{"volatile", "for (int i = 0; i < n; i++) v[g] += a[i * 32 + g];", counts{32, 16}},
		{"barrier", "s[l] = 0; for (int i = 0; i < n; i++) { s[l] += a[i * 32 + g]; barrier(1); } c[g] = s[l];",
			counts{32, 18}},
	} {
		testAccesses(t, c.name, c.body, "clang", c.want)
	}
}

// testAccesses resolves a kernel of a body and compares its accesses.
func testAccesses(t *testing.T, name, body, compiler string, want counts) {
	t.Helper()
	text := `void early(__global float *p, int flag) { if (flag) { *p = 1; return; } }
void add(__global float *p, float v) { *p += v; }
__kernel void k(__global float *out, __global const float *in, __global const float *restrict alone, __global float *restrict c, __global const float *restrict a, int flag, int n, __local float *s, __global volatile float *v)
{
	int g = get_global_id(0), l = get_local_id(0);
` + body + "\n}\n"
	var got counts
	got.loads, got.stores = accesses(resolveText(t, text, "--local 32 --groups 4 --arg n=16 --arg flag=0 --compiler "+
		compiler).Graph)
	if got != want {
		t.Errorf("%s, %s: %d loads and %d stores, want %d and %d", name, compiler, got.loads, got.stores, want.loads,
			want.stores)
	}
}

// TestUsedElsewhere: a load of which another path alone uses the value moves there, but not past a barrier or a store
// that may change what it loads. The figures are what the PTX of nvcc 11.8 executes where no lane takes the branch.
func TestUsedElsewhere(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       counts
	}{
		{"nothing between", "float y = in[g + 1]; if (flag) out[g] = y;", counts{0, 0}},
		{"store", "float y = in[g + 1]; out[g] = g; if (flag) out[g + 1] = y;", counts{1, 1}},
		{"store elsewhere", "float y = alone[g + 1]; out[g] = g; if (flag) out[g + 1] = y;", counts{0, 1}},
		{"barrier", "s[l] = in[g]; barrier(1); float y = s[l ^ 1] * 3; barrier(1); if (flag) out[g] = y;", counts{2, 1}},
		{"barrier before", "s[l] = in[g]; barrier(1); float y = s[l ^ 1] * 3; if (flag) out[g] = y;", counts{1, 1}},
		{"return", "float y = in[g + 1]; out[g] = g; if (!flag) return; out[g + 1] = y;", counts{1, 1}},
		{"case", "float y = in[g + 1]; out[g] = g; switch (flag) { case 3: out[g + 1] = y; }", counts{1, 1}},
		{"loop", "float y = in[g + 1]; out[g] = g; for (int i = 0; i < flag; i++) out[g + i] = y;", counts{1, 1}},
		{"set before it is used", "float y = in[g + 1]; out[g] = g; if (flag) { y = 4; out[g + 1] = y; }", counts{0, 1}},
		{"a constant's path", "const int never = 0; float y = in[g + 1]; out[g] = g; " +
			"if (flag) { if (never) out[g + 1] = y; }", counts{0, 1}},
	} {
		testAccesses(t, c.name, c.body, "nvcc", c.want)
	}
}
