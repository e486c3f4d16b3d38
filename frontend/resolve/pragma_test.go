package resolve

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
)

// requests describes the unroll requests of a kernel's loops.
func requests(f *ast.Function) string {
	var all []string
	ast.WalkStmt(f.Body, func(s ast.Stmt) {
		l, ok := s.(*ast.Loop)
		switch {
		case !ok:
		case l.Pragma == nil:
			all = append(all, "none")
		case l.Pragma.Kind == ast.UnrollFull:
			all = append(all, fmt.Sprintf("%d:%d full", l.Pragma.Pos.Line, l.Pragma.Pos.Column))
		case l.Pragma.Kind == ast.NoUnroll:
			all = append(all, fmt.Sprintf("%d:%d no", l.Pragma.Pos.Line, l.Pragma.Pos.Column))
		default:
			all = append(all, fmt.Sprintf("%d:%d %d", l.Pragma.Pos.Line, l.Pragma.Pos.Column, l.Pragma.Factor))
		}
	})
	return strings.Join(all, ", ")
}

// TestPragmaSpellings has the ways of asking for loops to be unrolled, and what is said of those that ask for nothing.
func TestPragmaSpellings(t *testing.T) {
	const head = `#define N 4
#define F(x) (x * 2)
#define HINT __attribute__((opencl_unroll_hint(8)))
#define PRAGMA(x) _Pragma(#x)
#define EXPAND(x) PRAGMA(x)
#define FULL _Pragma("unroll")
#define FOR(p, i, n) p for (int i = 0; i < n; i++)
`
	for _, c := range []struct{ text, want, warning string }{
		{"#pragma unroll\nfor (;;);", "1:1 full", ""},
		{"#pragma unroll 4\nfor (;;);", "1:1 4", ""},
		{"#pragma unroll(4)\nwhile (1);", "1:1 4", ""},
		{"#pragma unroll (N)\ndo ; while (1);", "1:1 4", ""},
		{"#pragma unroll N/2 + F(1) // a\nfor (;;);", "1:1 4", ""},
		{"#pragma unroll ((int)N)\nfor (;;);", "1:1 4", ""},
		{"#pragma unroll sizeof(int)\nfor (;;);", "1:1 4", ""},
		{"#pragma unroll 1\nfor (;;);", "1:1 no", ""},
		{"#pragma nounroll\nfor (;;);", "1:1 no", ""},
		{"  #  pragma  unroll  \\\n 4\nfor (;;);", "1:3 4", ""},
		{"#pragma /* a */ unroll /* b */ 4 /* c */\nfor (;;);", "1:1 4", ""},
		{"#pragma clang loop unroll(full)\nfor (;;);", "1:1 full", ""},
		{"#pragma clang loop unroll(enable)\nfor (;;);", "1:1 full", ""},
		{"#pragma clang loop unroll(disable)\nfor (;;);", "1:1 no", ""},
		{"#pragma clang loop vectorize(enable) unroll_count(N)\nfor (;;);", "1:1 4", ""},
		{"#pragma clang loop unroll_count(2) unroll(enable)\nfor (;;);", "1:1 2", ""},
		{"#pragma GCC unroll 8\nfor (;;);", "1:1 8", ""},
		{"__attribute__((opencl_unroll_hint)) for (;;);", "1:1 full", ""},
		{"__attribute__((opencl_unroll_hint(N)))\nfor (;;);", "1:1 4", ""},
		{"__attribute__((unused, __opencl_unroll_hint__(3), cold)) for (;;);", "1:1 3", ""},
		{"HINT for (;;);", "1:1 8", ""},
		{"_Pragma(\"unroll\") for (;;);", "1:1 full", ""},
		{"_Pragma(\"unroll 2*N\") for (;;);", "1:1 8", ""},
		{"_Pragma (\n\"unroll(N)\"\n) for (;;);", "1:1 4", ""},
		{"PRAGMA(unroll 4) for (;;);", "1:1 4", ""},
		{"PRAGMA(unroll N) for (;;);", "1:1 4", ""},
		{"EXPAND(unroll N) for (;;);", "1:1 4", ""},
		{"PRAGMA(nounroll) for (;;);", "1:1 no", ""},
		{"PRAGMA(ivdep) for (;;);", "none", ""},
		{"FULL for (;;);", "1:1 full", ""},
		{"FOR(_Pragma(\"unroll 4\"), i, 8);", "1:5 4", ""},
		{"if (1)\n#pragma unroll 2\nfor (;;);\nelse\n#pragma unroll 3\nfor (;;);", "2:1 2, 5:1 3", ""},
		{"for (;;)\n#pragma unroll\nfor (;;) {\n#pragma unroll 2\nfor (;;);\n}", "none, 2:1 full, 4:1 2", ""},
		{"#pragma unroll 2\n#pragma nounroll\nfor (;;);", "2:1 no",
			"1:1: warning[PRAGMA]: #pragma unroll 2 has no effect: #pragma nounroll follows"},
		{"switch (1) { case 1:\n#pragma unroll\nfor (;;); break; default: ; }", "2:1 full", ""},
		{"#pragma unroll\nlabel: for (;;);", "1:1 full", ""},
		{"#pragma unroll\nint a;", "", "1:1: warning[PRAGMA]: #pragma unroll has no effect: no loop follows"},
		{"#pragma unroll\n", "", "1:1: warning[PRAGMA]: #pragma unroll has no effect: no loop follows"},
		{"#pragma unroll\nif (1) ;", "", "1:1: warning[PRAGMA]: #pragma unroll has no effect: no loop follows"},
		{"#pragma unroll 4;\nfor (;;);", "1:1 4",
			"1:1: warning[PRAGMA]: #pragma unroll 4;: what stands behind the factor is ignored"},
		{"#pragma unroll 4 5\nfor (;;);", "1:1 4",
			"1:1: warning[PRAGMA]: #pragma unroll 4 5: what stands behind the factor is ignored"},
		{"#pragma clang loop unroll\nfor (;;);", "none",
			"1:1: warning[PRAGMA]: #pragma clang loop unroll has no effect: write the value in parentheses"},
		{"#pragma unroll\na: b: for (;;);", "1:1 full", ""},
		{"#pragma clang loop unroll(maybe)\nfor (;;);", "none",
			"1:1: warning[PRAGMA]: #pragma clang loop unroll(maybe) has no effect: write full, enable or disable"},
	} {
		u, err := Parse(Config{File: "k.cl", Text: head + "__kernel void k(void) {\n#line 1\n" + c.text + "\n}\n",
			Dialect: ast.OpenCL})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := requests(u.Kernels[0]); got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
		if got := u.Warnings.Error(); c.warning == "" && got != "" || c.warning != "" && got != "k.cl:"+c.warning {
			t.Errorf("%s: %s", c.text, got)
		}
	}
}
