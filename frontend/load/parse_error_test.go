package load

import (
	"strings"
	"testing"

	"gpupipe/frontend/source"
)

// TestSyntaxErrors pins the text and the place of what users read first.
func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		d    source.Dialect
		text string
		want string
	}{
		{"missing semicolon", source.OpenCL, "__kernel void k(int n) {\n  int a = 1\n  a = 2;\n}\n", "k.cl:3:3: error[SYNTAX]: unexpected \"a\", expected ';'"},
		{"missing brace", source.OpenCL, "__kernel void k(int n) {\n  if (n) {\n    n = 1;\n}\n", "k.cl:4:2: error[SYNTAX]: the file ends too early\n\t\"{\" at k.cl:1:24 is not closed"},
		{"missing parenthesis", source.OpenCL, "void f(int n) {\n  n = (1 + 2;\n}\n", "k.cl:2:13: error[SYNTAX]: unexpected \";\", expected ')'"},
		{"extra brace", source.OpenCL, "void f(void) {\n}\n}\nint x;", "k.cl:3:1: error[SYNTAX]: unexpected \"}\""},
		{"qualifier in the wrong place", source.OpenCL, "void f(void) {\n  int x = __global 3;\n}\n", "k.cl:2:11: error[SYNTAX]: unexpected \"__global\", expected an expression"},
		{"operand missing", source.OpenCL, "void f(int n) {\n  n = n * ;\n}\n", "k.cl:2:11: error[SYNTAX]: unexpected \";\", expected an expression"},
		{"keyword as a name", source.OpenCL, "void f(int while) {}\n", "k.cl:1:12: error[SYNTAX]: unexpected \"while\""},
		{"stray character", source.OpenCL, "void f(int n) {\n  n = 1 @ 2;\n}\n", "k.cl:2:9: error[SYNTAX]: unexpected \"@\", expected ';'"},
		{"else without if", source.OpenCL, "void f(int n) {\n  else n = 1;\n}\n", "k.cl:2:3: error[SYNTAX]: unexpected \"else\", expected a statement or a declaration"},
		{"inside a macro", source.OpenCL, "#define BAD (1 +\nvoid f(int n) {\n  n = BAD;\n}\n", "k.cl:3:10: error[SYNTAX]: unexpected \";\", expected an expression"},
		{"#error", source.OpenCL, "#ifndef N\n#  error define N, it's needed\n#endif\n", "k.cl:2:4: error[SYNTAX]: #error define N, it's needed"},
		{"string not closed", source.OpenCL, "__constant char s[] = \"abc;\n", "k.cl:1:23: error[SYNTAX]: string is not closed on its line"},
		{"character not closed", source.OpenCL, "__constant char s = 'a;\n", "k.cl:1:21: error[SYNTAX]: character constant is not closed on its line"},
		{"comment not closed", source.OpenCL, "int x; /* a\nb\n", "k.cl:1:8: error[SYNTAX]: comment is not closed"},
		{"macro call not closed", source.OpenCL, "#define M(x) x\nvoid f(int n) {\n  n = M(n;\n}\n", "k.cl:3:8: error[SYNTAX]: the call of a macro is not closed with )"},
		{"half #if", source.OpenCL, "int x;\n#if 1 +\n#endif\n", "k.cl:2:7: error[SYNTAX]: malformed expression in #if"},
		{"inheritance", source.CUDA, "struct B { float x; };\nstruct D : virtual B { float y; };\n__global__ void k(float *a) { D d; a[0] = d.x; }\n", "k.cl:3:31: error[SYNTAX]: unknown type \"D\"\n\tD at k.cl:2:1 is left out: inheritance is not supported"},
		{"#if of C++ in C", source.OpenCL, "int x;\n#if not defined(A)\n#endif\n", "k.cl:2:5: error[SYNTAX]: malformed expression in #if"},
		{"#else without #if", source.OpenCL, "#else\n", "k.cl:1:1: error[SYNTAX]: unexpected #else"},
		{"pragma factor", source.OpenCL, "void f(void) {\n#pragma unroll (1 + )\nfor(;;); int int x y; }\n", "k.cl:2:"},
		{"template kernel", source.CUDA, "\n  template <typename... T>\n__global__ void k(T *x) {}\n", "k.cl:2:3: error[UNSUPPORTED]: a template kernel is not supported"},
		{"lambda", source.CUDA, "__global__ void k(int *x) {\n  h([&](int i) { return i; } + 1);\n}\n", "k.cl:2:5: error[UNSUPPORTED]: a lambda is not supported"},
		{"syntax in CUDA", source.CUDA, "__global__ void k(int *x) {\n  x[0] = ;\n}\n", "k.cl:2:10: error[SYNTAX]: unexpected \";\", expected an expression"},
		{"no language", 0, "int x;", "k.cl: error[CONFIG]: no language given"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := parseWithin(t, Config{File: "k.cl", Text: c.text, Dialect: c.d})
			if c.name == "pragma factor" {
				if err == nil {
					t.Error("no error")
				}
				return
			}
			if err == nil {
				t.Fatalf("no error; warnings %v", p.Warnings)
			}
			if got := err.Error(); !strings.HasPrefix(got, c.want) {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestSplitCCError(t *testing.T) {
	for _, c := range []struct {
		text         string
		file         string
		line, column int
		message      string
		ok           bool
	}{
		{"kl-src-1:2:3: unexpected 'x': y", "kl-src-1", 2, 3, "unexpected 'x': y", true},
		{"a:b:2:3: m", "a:b", 2, 3, "m", true},
		{"-: internal error", "", 0, 0, "", false},
		{"no position", "", 0, 0, "", false},
		{"a:x:y: m", "", 0, 0, "", false},
	} {
		file, line, column, message, ok := splitCCError(c.text)
		if ok != c.ok || ok && (file != c.file || line != c.line || column != c.column || message != c.message) {
			t.Errorf("%q: %q %d %d %q %v", c.text, file, line, column, message, ok)
		}
	}
}
