package translate

import (
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/test/irverify"
	"gpupipe/kernels"
	"gpupipe/lower"
	"gpupipe/lower/build"
)

// builtinUnit parses the file of a built-in kernel.
func builtinUnit(t testing.TB, e kernels.Kernel) *ast.Unit {
	t.Helper()
	text, err := fs.ReadFile(kernels.FS(), e.File)
	if err != nil {
		t.Fatal(err)
	}
	dialect := ast.OpenCL
	if e.Dialect == kernels.CUDA {
		dialect = ast.CUDA
	}
	u, err := frontend.Parse(frontend.Config{File: e.File, Text: string(text), Dialect: dialect, Defines: e.Defines,
		FS: kernels.FS()})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestBuiltinKernels: every kernel of every built-in file lowers without a
// warning, verifies and prints the same twice.
func TestBuiltinKernels(t *testing.T) {
	list := kernels.List()
	if len(list) == 0 {
		t.Fatal("no kernels")
	}
	for _, e := range list {
		t.Run(e.Name, func(t *testing.T) {
			u := builtinUnit(t, e)
			if u.Kernel(e.Function) == nil {
				t.Fatalf("no kernel %s", e.Function)
			}
			for _, fn := range u.Kernels {
				k, err := Kernel(u, fn)
				if err != nil {
					t.Fatal(err)
				}
				if err := irverify.Verify(build.Build(k)); err != nil {
					t.Fatalf("%v\n%s", err, build.Build(k))
				}
				if len(k.Warnings) > 0 {
					t.Errorf("warnings:\n%v", k.Warnings)
				}
				again, err := Kernel(u, fn)
				if err != nil || build.Build(again).String() != build.Build(k).String() {
					t.Errorf("lowering %s again differs: %v", fn.Name, err)
				}
			}
		})
	}
}

// countStatements counts the statements of a kernel.
func countStatements(k *lower.Kernel) int {
	n := 0
	lower.Walk(k.Body, func(lower.Stmt) { n++ })
	return n
}

func BenchmarkLower(b *testing.B) {
	for _, name := range []string{"mmul", "nbody", "black-scholes"} {
		e, err := kernels.Lookup(name)
		if err != nil {
			b.Fatal(err)
		}
		u := builtinUnit(b, e)
		benchmarkUnit(b, "kernel="+name, u, u.Kernel(e.Function))
	}
	// A kernel of 10,000 lines.
	src := "kernel void k(global float *o, int n) {\n  int i = get_global_id(0);\n"
	for i := range 10_000 {
		src += fmt.Sprintf("  if (i < n - %d) o[i + %d] = o[i * 2] * 3.0f + n;\n", i, i)
	}
	u, err := frontend.Parse(frontend.Config{File: "k.cl", Text: src + "}\n", Dialect: ast.OpenCL})
	if err != nil {
		b.Fatal(err)
	}
	benchmarkUnit(b, "lines=10k", u, u.Kernels[0])
}

func benchmarkUnit(b *testing.B, name string, u *ast.Unit, fn *ast.Function) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			k, err := Kernel(u, fn)
			if err != nil {
				b.Fatal(err)
			}
			if n == 0 {
				n = countStatements(k)
			}
		}
		b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "statements/s")
	})
}

// FuzzLower: whatever the frontend accepts is lowered to IR that verifies, or
// refused with an error; never a panic.
func FuzzLower(f *testing.F) {
	for _, e := range kernels.List() {
		text, err := fs.ReadFile(kernels.FS(), e.File)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), e.Dialect == kernels.CUDA)
	}
	for _, c := range slices.Concat(execCases, dataCases) {
		f.Add(c.source(ast.OpenCL), false)
	}
	for _, c := range cudaCases {
		f.Add(c.source(ast.CUDA), true)
	}
	f.Fuzz(func(t *testing.T, src string, cuda bool) {
		dialect := ast.OpenCL
		if cuda {
			dialect = ast.CUDA
		}
		u, err := frontend.Parse(frontend.Config{File: "k.cl", Text: src, Dialect: dialect})
		if err != nil {
			return
		}
		for _, fn := range u.Kernels {
			k, err := Kernel(u, fn)
			if err != nil {
				continue
			}
			if err := irverify.Verify(build.Build(k)); err != nil {
				t.Errorf("%v\n%s\n%s", err, src, build.Build(k))
			}
		}
	})
}
