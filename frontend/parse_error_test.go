package frontend

import (
	"strings"
	"testing"
)

// TestSyntaxErrors pins the text and the place of what users read first.
func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		d    Dialect
		text string
		want string
	}{
		{"missing semicolon", OpenCL, "__kernel void k(int n) {\n  int a = 1\n  a = 2;\n}\n", "k.cl:3:3: error[SYNTAX]: unexpected \"a\", expected ';'"},
		{"missing brace", OpenCL, "__kernel void k(int n) {\n  if (n) {\n    n = 1;\n}\n", "k.cl:4:2: error[SYNTAX]: the file ends too early\n\t\"{\" at k.cl:1:24 is not closed"},
		{"missing parenthesis", OpenCL, "void f(int n) {\n  n = (1 + 2;\n}\n", "k.cl:2:13: error[SYNTAX]: unexpected \";\", expected ')'"},
		{"extra brace", OpenCL, "void f(void) {\n}\n}\nint x;", "k.cl:3:1: error[SYNTAX]: unexpected \"}\""},
		{"qualifier in the wrong place", OpenCL, "void f(void) {\n  int x = __global 3;\n}\n", "k.cl:2:11: error[SYNTAX]: unexpected \"__global\", expected an expression"},
		{"operand missing", OpenCL, "void f(int n) {\n  n = n * ;\n}\n", "k.cl:2:11: error[SYNTAX]: unexpected \";\", expected an expression"},
		{"keyword as a name", OpenCL, "void f(int while) {}\n", "k.cl:1:12: error[SYNTAX]: unexpected \"while\""},
		{"stray character", OpenCL, "void f(int n) {\n  n = 1 @ 2;\n}\n", "k.cl:2:9: error[SYNTAX]: unexpected \"@\", expected ';'"},
		{"else without if", OpenCL, "void f(int n) {\n  else n = 1;\n}\n", "k.cl:2:3: error[SYNTAX]: unexpected \"else\", expected a statement or a declaration"},
		{"inside a macro", OpenCL, "#define BAD (1 +\nvoid f(int n) {\n  n = BAD;\n}\n", "k.cl:3:10: error[SYNTAX]: unexpected \";\", expected an expression"},
		{"#error", OpenCL, "#ifndef N\n#  error define N, it's needed\n#endif\n", "k.cl:2:4: error[SYNTAX]: #error define N, it's needed"},
		{"string not closed", OpenCL, "__constant char s[] = \"abc;\n", "k.cl:1:23: error[SYNTAX]: string is not closed on its line"},
		{"character not closed", OpenCL, "__constant char s = 'a;\n", "k.cl:1:21: error[SYNTAX]: character constant is not closed on its line"},
		{"comment not closed", OpenCL, "int x; /* a\nb\n", "k.cl:1:8: error[SYNTAX]: comment is not closed"},
		{"macro call not closed", OpenCL, "#define M(x) x\nvoid f(int n) {\n  n = M(n;\n}\n", "k.cl:3:8: error[SYNTAX]: the call of a macro is not closed with )"},
		{"half #if", OpenCL, "int x;\n#if 1 +\n#endif\n", "k.cl:2:7: error[SYNTAX]: malformed expression in #if"},
		{"#else without #if", OpenCL, "#else\n", "k.cl:1:1: error[SYNTAX]: unexpected #else"},
		{"pragma factor", OpenCL, "void f(void) {\n#pragma unroll (1 + )\nfor(;;); int int x y; }\n", "k.cl:2:"},
		{"template kernel", CUDA, "\n  template <typename... T>\n__global__ void k(T *x) {}\n", "k.cl:2:3: error[UNSUPPORTED]: a template kernel is not supported"},
		{"lambda", CUDA, "__global__ void k(int *x) {\n  h([&](int i) { return i; });\n}\n", "k.cl:2:5: error[UNSUPPORTED]: a lambda is not supported"},
		{"syntax in CUDA", CUDA, "__global__ void k(int *x) {\n  x[0] = ;\n}\n", "k.cl:2:10: error[SYNTAX]: unexpected \";\", expected an expression"},
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
				t.Fatalf("no error; warnings %v", p.warnings)
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

// TestUndeclaredShared: variables of local memory of a type that nothing declares make cc
// fail in a way of its own; they cost one kernel as other unknown types do.
func TestUndeclaredShared(t *testing.T) {
	const text = `typedef struct { int n; } pair;
__global__ void bad(word *p, word *q) {
  __shared__ word count;
  if (p[0] == 0) {
    count = 0;
  }
  __shared__ word a, b, c;
}
__global__ void good(pair *p) {
  if (p[0].n == 0) {
    __shared__ pair a, b;
    a = p[1]; b = a; p[2] = b;
  }
}
`
	u, err := Parse(Config{File: "k.cu", Text: text, Dialect: CUDA})
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Kernels) != 1 || len(u.Broken) != 1 || !strings.Contains(u.Broken[0].Err.Error(), `unknown type "word"`) {
		t.Errorf("kernels %v, broken %v", u.Kernels, u.Broken)
	}
	opencl := strings.NewReplacer("__global__", "__kernel", "__shared__", "__local", "word *p, word *q", "__global word *p, __global word *q", "pair *p", "__global pair *p").Replace(text)
	if u, err = Parse(Config{File: "k.cl", Text: opencl, Dialect: OpenCL}); err != nil || u.Kernel("good") == nil {
		t.Errorf("OpenCL: %v", err)
	}
}
