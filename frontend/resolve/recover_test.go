package resolve

import (
	"fmt"
	"gpupipe/frontend/ast"
	"strings"
	"testing"
	"testing/fstest"
)

// TestSyntaxErrorCostsOneFunction checks that an OpenCL file with syntax errors
// loses the kernels that they are in, and those that need a function that they
// are in, and no other.
func TestSyntaxErrorCostsOneFunction(t *testing.T) {
	fs := fstest.MapFS{"broken.h": {Data: []byte("float helper(float x) {\n  return x x;\n}\n" +
		"float fine(float x) { return x; }\n")}}
	for _, c := range []struct {
		name, text string
		usable     string // kernels, in order
		broken     string // "kernel: beginning of the error", one a line
	}{
		{
			"in a body", "__kernel void a(__global int *p) { p[0] = 1; }\n__kernel void b(__global int *p) {\n" +
				"  p[0] = ;\n}\nkernel void c(global int *p) { p[0] = 3; }\n",
			"a c", "b: k.cl:3:10: error[SYNTAX]: an expression is expected, not ;",
		},
		{
			"in the parameters", "__kernel void a(__global int p *) { }\n" +
				"__kernel void b(__global int *p) { p[0] = 1; }\n",
			"b", "a: k.cl:1:32: error[SYNTAX]",
		},
		{
			"in two, with attributes, directives and a struct", "struct s { int x; };\n#define N 4\n" +
				"__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void a(__global int *p) {\n#if N > 3\n" +
				"  int x = 1\n#endif\n  p[0] = N;\n}\n" +
				"__constant int table[] = { 1, 2 };\n__kernel void b(__global struct s *p) { p[0].x = table[1]; }\n" +
				"__kernel void c(__global int *p) { for (;; { } }\n__kernel void d(__global int *p) { p[0] = N; }\n",
			"b d", "a: k.cl:7:3: error[SYNTAX]: ; is expected behind the declaration, not p\n" +
				"c: k.cl:11:44: error[SYNTAX]",
		},
		{
			"behind a macro", "#define ENTRY __kernel void\nENTRY a(__global int *p) { p[0] = (1; }\n" +
				"ENTRY b(__global int *p) { p[0] = 1; }\n",
			"b", "a: k.cl:2:37: error[SYNTAX]",
		},
		{
			"in a function of a header", "#include \"broken.h\"\n__kernel void a(__global float *p) { p[0] = " +
				"helper(p[1]); }\n__kernel void b(__global float *p) { p[0] = fine(p[1]); }\n",
			"b", "a: broken.h:2:12: error[SYNTAX]: ; is expected behind return, not x",
		},
		{
			"in front of a function", "__kernel void a(__global int *p) { p[0] = 1; }\ntypedef float real\n" +
				"__kernel void b(__global int *p) { p[0] = 1; }\n__kernel void c(__global int *p) { p[0] = 1; }\n",
			"a c", "b: k.cl:3:1: error[SYNTAX]: ; is expected behind the declaration, not __kernel",
		},
		{
			"a brace not closed", "__kernel void a(__global int *p) { if (p[0]) { p[1] = 1; }\n" +
				"__kernel void b(__global int *p) { p[0] = 1; }\n",
			"b", "a: k.cl:1:34: error[SYNTAX]: { is not closed",
		},
		{
			"the last brace not closed", "__kernel void a(__global int *p) { p[1] = 1; }\n__kernel void b(__global " +
				"int *p) { do { p[0] = 1; }\n",
			"a", "b: k.cl:2:34: error[SYNTAX]: { is not closed",
		},
		{
			"an undefined label", "__kernel void a(__global int *p) { goto x; }\n" +
				"__kernel void b(__global int *p) { p[0] = 1; }\n",
			"b", "a: k.cl:1:41: error[STATEMENT]: goto x: there is no such label in this function",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, err := Parse(Config{File: "k.cl", Text: c.text, Dialect: ast.OpenCL, FS: fs})
			if err != nil {
				t.Fatal(err)
			}
			if err := u.Verify(); err != nil {
				t.Error(err)
			}
			var usable []string
			for _, k := range u.Kernels {
				usable = append(usable, k.Name)
			}
			if got := strings.Join(usable, " "); got != c.usable {
				t.Errorf("usable %q, want %q", got, c.usable)
			}
			want := strings.Split(c.broken, "\n")
			if len(u.Broken) != len(want) {
				t.Fatalf("broken %v, want %q", u.Broken, want)
			}
			for i, b := range u.Broken {
				if got := fmt.Sprintf("%s: %v", b.Name, b.Err); !strings.HasPrefix(got, want[i]) {
					t.Errorf("broken\n%s, want\n%s", got, want[i])
				}
			}
		})
	}
}
