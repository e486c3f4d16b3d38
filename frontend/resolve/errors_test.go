package resolve

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
)

type expected struct {
	severity diag.Severity
	line     int
	re       *regexp.Regexp
	met      bool
}

var severities = map[string]diag.Severity{"ERROR": diag.SeverityError, "WARN": diag.SeverityWarning,
	"NOTE": diag.SeverityNote}

// expectations reads comments such as // ERROR "regexp" WARN "regexp" beside
// the lines that they concern. What is matched includes the code and the notes.
func expectations(t *testing.T, text string) (all []*expected) {
	one := regexp.MustCompile(`(ERROR|WARN|NOTE) ("(?:[^"\\]|\\.)*")`)
	for i, line := range strings.Split(text, "\n") {
		_, comment, ok := strings.Cut(line, "// ")
		if !ok {
			continue
		}
		for _, m := range one.FindAllStringSubmatch(comment, -1) {
			re, err := regexp.Compile(strings.Trim(m[2], `"`))
			if err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			all = append(all, &expected{severity: severities[m[1]], line: i + 1, re: re})
		}
	}
	return all
}

// said collects everything that parsing says about a file, each thing once.
func said(u *ast.Unit, err error) (all diag.List) {
	seen := map[string]bool{}
	add := func(err error) {
		var l diag.List
		if !errors.As(err, &l) {
			return
		}
		for _, e := range l {
			if !seen[e.Error()] {
				seen[e.Error()] = true
				all.Add(e)
			}
		}
	}
	add(err)
	if u != nil {
		for _, b := range u.Broken {
			add(b.Err)
		}
		add(u.Warnings)
	}
	return all
}

// TestDiagnostics compares what is said about each testdata/errors/* with the
// expectations beside its lines: all of them, and nothing else.
func TestDiagnostics(t *testing.T) {
	paths, err := filepath.Glob("testdata/errors/*.c[lu]")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no test files (%v)", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := expectations(t, string(text))
			if len(want) == 0 {
				t.Fatal("the file expects nothing")
			}
			u, err := Parse(Config{File: path, Text: string(text), Dialect: dialectOf(path)})
			for _, e := range said(u, err) {
				if !meets(e, want) {
					t.Errorf("unexpected: %v", e)
				}
			}
			for _, w := range want {
				if !w.met {
					t.Errorf("line %d: no %v matches %q", w.line, w.severity, w.re)
				}
			}
		})
	}
}

func meets(e *diag.Error, want []*expected) bool {
	for _, w := range want {
		if !w.met && w.line == e.Pos.Line && w.severity == e.Severity && w.re.MatchString(e.Error()) {
			w.met = true
			return true
		}
	}
	return false
}

// TestOtherKernelsStayUsable checks that an error concerns the kernels that it
// touches, directly, through a helper or through a declaration.
func TestOtherKernelsStayUsable(t *testing.T) {
	u, err := Parse(Config{File: "k.cl", Dialect: ast.OpenCL, Text: `
struct wide { int bits : 3; };
__constant float table[MISSING] = { 1 };
float helper(float x) { return unknown(x); }
__kernel void direct(__global float *a) { a[0] = unknown(1.0f); }
__kernel void called(__global float *a) { a[0] = helper(1.0f); }
__kernel void declared(__global float *a) { a[0] = table[0]; }
__kernel void tagged(__global struct wide *a) { a[0].bits = 1; }
__kernel void good(__global float *a) { a[0] = 1.0f; }
`})
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Kernels) != 1 || u.Kernels[0].Name != "good" || u.Kernel("good") == nil {
		t.Errorf("usable kernels: %v", u.Kernels)
	}
	for name, want := range map[string]string{
		"direct": "k.cl:5:50: error[UNDECLARED]: function unknown",
		"called": "k.cl:4:32: error[UNDECLARED]: function unknown", "declared": "k.cl:3:24: error[UNDECLARED]: MISSING",
		"tagged": "k.cl:2:19: error[UNSUPPORTED]: bit-fields",
	} {
		b := u.BrokenKernel(name)
		if b == nil || !strings.Contains(b.Err.Error(), want) {
			t.Errorf("kernel %s: got %v, want %q", name, b, want)
		}
	}
	if u.BrokenKernel("good") != nil || u.Kernel("direct") != nil {
		t.Error("good is broken, or direct is not")
	}
}

// TestNoUsableKernel checks that errors are returned when nothing is left.
func TestNoUsableKernel(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"__kernel void k(__global float *a) { a[0] = f(); }",
			"k.cl:1:45: error[UNDECLARED]: function f is not declared"},
		{"float f(float x) { return x; }", "error[NOKERNEL]"},
		{"", "error[NOKERNEL]"},
		{"#ifdef A\n#if N == 4\n__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\nvoid f(int a) {}\n#endif\n" +
			"#endif\n", "f in line 4 needs #ifdef A of line 1 and #if N == 4 of line 2: see -D"},
		{"#if B\n#elif C\n#else\n#endif\n#ifndef __OPENCL_VERSION__\n#else\n#if 0\n#elif N > 2\nkernel void g(int a) " +
			"{}\n#endif\n#endif\n", "g in line 9 needs the #else of #ifndef __OPENCL_VERSION__ of line 5 and #elif N " +
			"> 2 of line 8: see -D"},
	} {
		u, err := Parse(Config{File: "k.cl", Text: c.text, Dialect: ast.OpenCL})
		var list diag.List
		if u != nil || !errors.As(err, &list) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want a list with %q", c.text, err, c.want)
		}
	}
}

func TestInvalidConfig(t *testing.T) {
	for _, cfg := range []Config{{}, {File: "k.cl"}, {File: "k.cl", Dialect: ast.OpenCL, Defines: []string{"=1"}},
		{Dialect: ast.CUDA}} {
		if _, err := Parse(cfg); err == nil {
			t.Errorf("%+v is accepted", cfg)
		}
	}
}

// TestUndeclaredShared: variables of local memory of a type that nothing declares cost one kernel as other unknown
// types do.
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
	u, err := Parse(Config{File: "k.cu", Text: text, Dialect: ast.CUDA})
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Kernels) != 1 || len(u.Broken) != 1 ||
		!strings.Contains(u.Broken[0].Err.Error(), "type word is not declared") {
		t.Errorf("kernels %v, broken %v", u.Kernels, u.Broken)
	}
	opencl := strings.NewReplacer("__global__", "__kernel", "__shared__", "__local", "word *p, word *q",
		"__global word *p, __global word *q", "pair *p", "__global pair *p").Replace(text)
	if u, err = Parse(Config{File: "k.cl", Text: opencl, Dialect: ast.OpenCL}); err != nil || u.Kernel("good") == nil {
		t.Errorf("OpenCL: %v", err)
	}
}
