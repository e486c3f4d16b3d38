package pass_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/kernels"
	"gpupipe/lower"
	"gpupipe/lower/build"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass"
)

// TestCorpus runs all passes over the built-in kernels and those that package lower's golden files have, and
// verifies the code after each.
func TestCorpus(t *testing.T) {
	for _, e := range kernels.List() {
		text, err := fs.ReadFile(kernels.FS(), e.File)
		if err != nil {
			t.Fatal(err)
		}
		dialect := ast.OpenCL
		if e.Dialect == kernels.CUDA {
			dialect = ast.CUDA
		}
		t.Run(e.Name, func(t *testing.T) {
			runAll(t, frontend.Config{File: e.File, Text: string(text), Dialect: dialect, Defines: e.Defines,
				FS: kernels.FS()})
		})
	}
	names, err := filepath.Glob("../testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no kernels", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			src, dialect := a.Files[0], ast.OpenCL
			if strings.HasSuffix(src.Name, ".cu") {
				dialect = ast.CUDA
			}
			runAll(t, frontend.Config{File: src.Name, Text: string(src.Data), Dialect: dialect})
		})
	}
}

// runAll runs the passes over every kernel of a source.
func runAll(t *testing.T, c frontend.Config) {
	t.Helper()
	u, err := frontend.Parse(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, fn := range u.Kernels {
		k, err := lower.Lower(u, fn)
		if err != nil {
			t.Fatal(err)
		}
		f := build.Build(k)
		if err := f.Verify(); err != nil {
			t.Fatalf("built: %v", err)
		}
		err = pass.Run(f, &pass.Context{Profile: &pass.Profile{Contract: pass.ContractFast}}, "",
			func(_ string, f *ir.Func) error { return f.Verify() })
		if err != nil {
			t.Errorf("%s: %v\n%s", fn.Name, err, f)
		}
	}
}

// controlFlow has what the kernels above lack.
var controlFlow = []string{
	`kernel void k(global const float *a, global float *o, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; j++) { if (a[j] < 0) continue; s += a[i*n+j]; if (s > 100.f) break; }
  switch (i & 3) { case 0: s += 1; case 1: s *= 2; break; case 2: s = 7; break; default: return; }
  o[i] = s;
}`,
}

// TestControlFlow runs all passes over kernels with unusual jumps.
func TestControlFlow(t *testing.T) {
	for _, text := range controlFlow {
		runAll(t, frontend.Config{File: "k.cl", Text: text, Dialect: ast.OpenCL})
	}
}
