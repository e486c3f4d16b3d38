package unroll_test

import "testing"

// TestHandOn: a warp of which no work item uses what a rolled loop computes executes the loop all the
// same, as in nvcc 11.8's code; straight and unrolled code is in the branch that
// uses it, and what nobody can use is not in the code.
func TestHandOn(t *testing.T) {
	for _, c := range []struct {
		name, body string
		loads      int
	}{
		{"rolled", "float s = 0;\n#pragma unroll 1\nfor (int i = 0; i < 9; i++) s += a[i * 64 + l];\n" +
			"if (l >= 32) c[l] = s;", 9},
		{"of a trip count at run time", "float s = 0;\n#pragma unroll 1\nfor (int i = 0; i < n; i++) s += a[i * 64 + " +
			"l];\nif (l >= 32) c[l] = s;", 5},
		{"unrolled", "float s = 0;\n#pragma unroll\nfor (int i = 0; i < 9; i++) s += a[i * 64 + l];\n" +
			"if (l >= 32) c[l] = s;", 0},
		{"straight", "float s = a[l] * a[l + 64];\nif (l >= 32) c[l] = s;", 0},
		{"behind a return", "float s = 0;\n#pragma unroll 1\nfor (int i = 0; i < 9; i++) s += a[i * 64 + l];\n" +
			"if (l < 32) return;\nc[l] = s;", 9},
		{"an array", "float s[2] = {0, 0};\n#pragma unroll 1\nfor (int i = 0; i < 9; i++) { s[0] += a[i * 64 + l]; " +
			"s[1] += a[i * 64 + l + 1000]; }\nif (l >= 32) c[l] = s[0] + s[1];", 18},
		{"integers", "int s = 0;\n#pragma unroll 1\nfor (int i = 0; i < 9; i++) s += a[i * 64 + l] > 0;\n" +
			"if (l >= 32) c[l] = s;", 9},
		{"of no use", "float s = 0;\n#pragma unroll 1\nfor (int i = 0; i < 9; i++) s += a[i * 64 + l];\n" +
			"if (l >= 32) c[l] = 1;", 0},
		{"of no use as compiled", "const int debug = 0;\nfloat s = 0;\n#pragma unroll 1\nfor (int i = 0; i < 9; i++) " +
			"s += a[i * 64 + l];\nif (debug) c[l] = s;\nc[l] = 1;", 0},
	} {
		text := "__kernel void k(__global float *restrict c, __global const float *restrict a, int n)\n{\n" +
			"int l = get_local_id(0);\n" + c.body + "\n}\n"
		if got := opsOf(resolveText(t, text, "--local 64 --arg n=5").Graph)["ld.global"]; got != c.loads {
			t.Errorf("%s: %d loads, want %d", c.name, got, c.loads)
		}
	}
}
