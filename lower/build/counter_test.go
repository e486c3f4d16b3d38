package build_test

import (
	"testing"

	"gpupipe/internal/test/irtest"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// TestCounter: i counts the iterations of a loop, or nothing does.
func TestCounter(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"increment", `for (int i = 0; i < n; i++) o[i] = 0;`, "i"},
		{"decrement", `for (int i = n; i > 0; --i) o[i] = 0;`, "i"},
		{"inclusive", `for (int i = 0; i <= n; i += 4) o[i] = 0;`, "i"},
		{"variable on the right", `for (int i = 0; n > i; i++) o[i] = 0;`, "i"},
		{"variable on the right, at least", `for (int i = n; 0 <= i; i--) o[i] = 0;`, "i"},
		{"not equal", `for (int i = 0; i != n; i++) o[i] = 0;`, "i"},
		{"negated", `for (int i = 0; !(i == n); i++) o[i] = 0;`, "i"},
		{"negated, at least", `for (int i = 0; !(i >= n); i++) o[i] = 0;`, "i"},
		{"negated twice", `for (int i = 0; !!(i < n); i++) o[i] = 0;`, "i"},
		{"equal, negated twice, is not", `for (int i = 0; !!(i == n); i++) o[i] = 0;`, ""},
		{"equal is not counted", `for (int i = 0; i == n; i++) o[i] = 0;`, ""},
		{"truth of the variable", `for (int i = n; i; i--) o[i] = 0;`, "i"},
		{"at most four, or fewer", `for (int i = 0; i < 4 && i < n; i++) o[i] = 0;`, "i"},
		{"at most eight, with two more conditions", `for (int i = 0; i <= 8 && (i < n && o[i] > 0); i++) o[i] = 0;`,
			"i"},
		{"too many to be unrolled", `for (int i = 0; i < 9 && i < n; i++) o[i] = 0;`, ""},
		{"the other order", `for (int i = 0; i < n && i < 4; i++) o[i] = 0;`, ""},
		{"doubling", `for (int i = 1; i < n; i *= 2) o[i] = 0;`, "i"},
		{"shift left", `for (int i = 1; i < n; i <<= 1) o[i] = 0;`, "i"},
		{"shift right", `for (uint i = u; i > 0; i >>= 2) o[i] = 0;`, "i"},
		{"halving", `for (int i = n; i > 0; i /= 2) o[i] = 0;`, "i"},
		{"sum written out", `for (int i = 0; i < n; i = i + 3) o[i] = 0;`, "i"},
		{"sum the other way", `for (int i = 0; i < n; i = m + i) o[i] = 0;`, "i"},
		{"difference the other way", `for (int i = 0; i < n; i = m - i) o[i] = 0;`, ""},
		{"step by a variable", `for (int i = 0; i < n; i += m) o[i] = 0;`, "i"},
		{"step that changes", `for (int i = 0; i < n; i += m) m = o[i];`, ""},
		{"bound that changes", `for (int i = 0; i < n; i++) n = o[i];`, ""},
		{"both sides move", `for (int i = 0, j = n; i < j; i++, j--) o[i] = j;`, ""},
		{"two variables", `for (int i = 0, j = n; i < m; j--, i++) o[i] = j;`, "i"},
		{"assigned in the body", `for (int i = 0; i < n; i++) if (o[i]) i++;`, ""},
		{"bound is a sum", `for (int i = 0; i < n - m; i++) o[i] = 0;`, "i"},
		{"constant added for the comparison", `for (int i = 0; i + 4 <= n; i += 4) o[i] = 0;`,
			"i"},
		{"constant added on the right", `for (uint i = 0; u > 2 + i; i++) o[i] = 0;`, "i"},
		{"constant added to a doubled variable", `for (int i = 1; i + 4 <= n; i *= 2) o[i] = 0;`, ""},
		{"variable added for the comparison", `for (int i = 0; i + m <= n; i++) o[i] = 0;`, ""},
		{"size_t against int", `for (int i = 0; i < get_local_size(0); i++) o[i] = 0;`, "i"},
		{"char counter", `for (char i = 0; i < 9; i++) o[i] = 0;`, "i"},
		{"char counter with a step", `for (uchar i = 0; i < 9; i += 2) o[i] = 0;`, ""}, // narrowing
		{"float counter", `for (float x = 0; x < 9; x++) o[0] = 0;`, ""},
		{"pointer counter", `for (global int *p = o; p < o + n; p++) *p = 0;`, ""},
		{"while", `int i = 0; while (i < n) { o[i] = 0; i += 2; }`, "i"},
		{"while, step not last", `int i = 0; while (i < n) { i++; o[i] = 0; }`, ""},
		{"while, step skipped", `int i = 0; while (i < n) { if (o[i]) continue; i++; }`, ""},
		{"while, step conditional", `int i = 0; while (i < n) { if (o[i]) i++; }`, ""},
		{"for without a step", `int i = 0; for (; i < n; ) { o[i] = 0; i++; }`, "i"},
		{"for, continue reaches the step", `for (int i = 0; i < n; i++) { if (o[i]) continue; o[i] = 1; }`,
			"i"},
		{"do", `int i = 0; do { o[i] = 0; i++; } while (i < n);`, "i"},
		{"break", `for (int i = 0; i < n; i++) if (o[i]) break;`, "i"},
		{"return", `for (int i = 0; i < n; i++) { if (o[i]) return; o[i] = 2; }`, "i"},
		{"break of a switch",
			`for (int i = 0; i < n; i++) switch (o[i]) { case 1: o[i] = 2; break; default: o[i] = 3; }`,
			"i"},
		{"break of an inner loop", `for (int i = 0; i < n; i++) for (;;) { if (o[i]) break; }`, "i"},
		{"bound in memory that is only read", `for (int i = o[0]; i < o[1]; i++) m += o[i];`, "i"},
		{"bound in memory that is written", `for (int i = o[0]; i < o[1]; i++) o[i] = 0;`, ""},
		{"bound in constant memory", `for (int i = 0; i < limits[1]; i++) o[i] = 0;`, "i"},
		{"bound in memory that an atomic writes", `for (int i = o[0]; i < o[1]; i++) atomic_inc(o);`, ""},
		{"bound in constant memory at a place that changes",
			`for (int i = 0; i < limits[o[0]]; i++) o[i] = 0;`, ""},
		{"forever", `for (int i = 0; ; i++) if (o[i]) break;`, ""},
		{"two conditions", `for (int i = 0; i < n && o[i]; i++) m++;`, ""},
		{"decrement in the condition", `while (n--) o[n] = 0;`, ""},
		{"address taken", `int i; int *p = &i; for (i = 0; i < n; i++) *p = o[i];`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, got := irtest.Build(t, irtest.Config("k.cl", "constant int limits[2] = {3, 4};\n"+
				"kernel void k(global int *o, int n, int m, uint u) {\n"+c.body+"\no[0] = m; }\n"))[0], ""
			f.Body.Walk(func(in *ir.Instr) {
				if in.Op == lower.OpIf && in.Kind == "loop" && in.Counting {
					got = "i"
				}
			})
			if got != c.want {
				t.Errorf("got %q, want %q\n%s", got, c.want, f)
			}
		})
	}
}
