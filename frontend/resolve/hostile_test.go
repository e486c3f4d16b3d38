package resolve

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
	"gpupipe/internal/test/tools"
)

// TestHostileInput has texts that nest deep, expand without end or are broken: each ends soon, in kernels or in errors
// with a position that show nothing of how it is done.
func TestHostileInput(t *testing.T) {
	const soon = 20 * time.Second
	deep := tools.Cases(20_000, 12_000)
	nested := func(open, close string, n int) string {
		return "__kernel void k(__global int *x) { x[0] = " + strings.Repeat(open, n) + "1" +
			strings.Repeat(close, n) + "; }"
	}
	inside := func(open string, n int) string {
		return "__kernel void k(__global int *x) { " + strings.Repeat(open, n) + "; }"
	}
	bomb := "#define A0 1\n"
	for i := range 40 {
		bomb += fmt.Sprintf("#define A%d A%d A%d\n", i+1, i, i)
	}
	for _, c := range []struct {
		name, text string
		want       string // in the error; "" = none
	}{
		{"an empty _Pragma", "__kernel void k(__global int *x) { _Pragma(\"\") for(;;) x[0] = 1; }", ""},
		{"an empty _Pragma of a macro", "#define P _Pragma(\"\")\nP\n" +
			"__kernel void k(__global int *x) { P for(;;) x[0] = 1; P }", ""},
		{"no newline at the end", "__kernel void k(__global int *x) { x[0] = 1; }//", ""},
		{"byte order mark", "\ufeff__kernel void k(__global int *x) { x[0] = 1; }", ""},
		{"a star at the end", "int *", "NOKERNEL"},
		{"a parameter at the end", "__kernel void k(int *", "SYNTAX"},
		{"a closing brace more", "__kernel void k(__global int *x) { x[0] = 1; }\n}\n", ""},
		{"a name of private characters",
			"__kernel void k(__global int *x) { int \ue001\ue002 = 1; x[0] = \ue001\ue002; }", ""},
		{"NUL and invalid UTF-8", "__kernel void k(__global int *x) { int y\x00 = \xff; }", "SYNTAX"},
		{"a macro bomb", bomb + "__kernel void k(__global int *x) { x[0] = A40; }", "TOO-LARGE"},
		{"parentheses", nested("(", ")", deep), "nested more than"},
		{"parentheses that are allowed", nested("(", ")", 300), ""},
		{"parentheses, never closed", nested("(", "", deep), "SYNTAX"},
		{"subscripts", nested("x[", "]", deep), "nested more than"},
		{"signs", nested("- ", "", deep), "nested more than"},
		{"casts", nested("(int)", "", deep), "nested more than"},
		{"assignments", nested("x[0]=", "", deep), "nested more than"},
		{"conditionals", nested("x[0]?1:", "", deep), "nested more than"},
		{"sums", nested("1+", "", deep), "nested more than"},
		{"commas", nested("1,", "", deep), "nested more than"},
		{"braces", inside("{", deep), "is not closed"},
		{"loops", inside("for (;;) ", deep), "nested more than"},
		{"do", inside("do ", deep), "nested more than"},
		{"else-ifs", inside("if (x[0]) x[0] = 1; else ", deep), "nested more than"},
		{"labels", inside("case 1: ", deep), "nested more than"},
		{"pragmas", inside("\n#pragma unroll\n", deep), "nested more than"},
		{"pointers", "__kernel void k(__global int *x) { int " + strings.Repeat("*", deep) + "p; x[0] = 1; }", ""},
		{"calls", nested("max(1, ", ")", 200), ""},
		{"conditions", "#if " + strings.Repeat("(", deep) + "1" + strings.Repeat(")", deep) + "\n#endif\n", "too deep"},
		{"a declarator", inside("int "+strings.Repeat("(", deep)+"y"+strings.Repeat(")", deep), 1), "nested more than"},
		{"a megabyte of brackets", strings.Repeat("(", 1<<20), "TOO-LARGE"},
		{"a long table", "__constant int t[] = {" + strings.Repeat("-1,", 50_000) +
			"};\n__kernel void k(__global int *x) { x[0] = t[3]; }", ""},
		{"a long block", "__kernel void k(__global int *x) {" + strings.Repeat("if (x[0]) x[0] = -1; else x[0] = 1;\n",
			5_000) + "}", ""},
		{"a long switch", "__kernel void k(__global int *x) { switch (x[0]) {" +
			strings.Repeat("default: x[0] = 2; break;\n", 1) + many("case %d: x[0] = 2; break;\n", 4_000) + "}}", ""},
	} {
		for _, d := range []ast.Dialect{ast.OpenCL, ast.CUDA} {
			text := c.text
			if d == ast.CUDA {
				text = strings.NewReplacer("__kernel", "__global__", "__global int", "int", "__constant",
					"__constant__").Replace(text)
			}
			start := time.Now()
			_, err := Parse(Config{File: "k", Text: text, Dialect: d})
			if took := time.Since(start); took > soon {
				t.Errorf("%v: %s: %v", d, c.name, took)
			}
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%v: %s: %.300v", d, c.name, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v: %s: %.300v, want %q", d, c.name, err, c.want)
			}
			checkShown(t, err)
		}
	}
}

// TestTemplatesOfThemselves has templates that need themselves: each ends in a class without what they ask for, or in an
// error with a position.
func TestTemplatesOfThemselves(t *testing.T) {
	for _, c := range []struct{ name, decl, expr, want string }{
		{"a specialisation that asks for itself", `
template<int N, class = void> struct F { static constexpr int v = 1; };
template<int N> struct F<N, typename F<(N > 5), int>::x> { static constexpr int v = 2; };`, "F<2>::v", ""},
		{"a specialisation that asks for the next one", `
template<int N, class = void> struct F { static constexpr int v = 1; };
template<int N> struct F<N, typename F<N + 1, int>::x> { static constexpr int v = 2; };`, "F<2>::v", "TEMPLATE"},
		{"constants", "template<int N> struct F { static constexpr int v = F<N + 1>::v; };", "F<2>::v", "TEMPLATE"},
		{"variables", "template<int N> constexpr int v = v<N + 1> + 1;", "v<2>", "TEMPLATE"},
		{"bases", "template<int N> struct F : F<N + 1> {};", "F<2>::v", "TEMPLATE"},
		{"members", "template<class T> struct G { G<G<T>> y; };", "sizeof(G<int>)", "TEMPLATE"},
	} {
		_, err := Parse(Config{File: "k.cu", Dialect: ast.CUDA,
			Text: c.decl + "\n__global__ void k(int *o) { o[0] = " + c.expr + "; }"})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %.300v, want %q", c.name, err, c.want)
		}
		checkShown(t, err)
	}
}

func many(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// checkShown fails the test where an error is not what users may see.
func checkShown(t *testing.T, err error) {
	t.Helper()
	var list diag.List
	if err == nil {
		return
	}
	if !errors.As(err, &list) {
		t.Fatalf("no list of diagnostics: %v", err)
	}
	for _, e := range list {
		if e.Pos.File == "" || e.Code == "" || e.Message == "" || e.Code == diag.CodeInternal ||
			e.Code != "NOKERNEL" && !e.Pos.IsValid() || strings.Contains(e.Error(), "__kl_") {
			t.Errorf("bad diagnostic %.300v", e)
		}
	}
}

// failingFS fails as a defect would.
type failingFS struct{}

func (failingFS) Open(string) (fs.File, error) { panic("index out of range") }

// TestDefectIsReported: what fails inside is an error of the source's file that makes exit status 70.
func TestDefectIsReported(t *testing.T) {
	_, err := Parse(Config{File: "k.cu", Text: "#include \"a.h\"\n__global__ void k() {}", Dialect: ast.CUDA,
		FS: failingFS{}})
	var list diag.List
	if !errors.As(err, &list) || len(list) != 1 || list[0].Code != diag.CodeInternal || list[0].Pos.File != "k.cu" ||
		!strings.Contains(list[0].Message, "index out of range") {
		t.Errorf("a defect gives %v", err)
	}
}
