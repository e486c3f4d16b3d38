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

// compiled builds the kernels of a source.
func compiled(t *testing.T, c frontend.Config) []*ir.Func {
	t.Helper()
	u, err := frontend.Parse(c)
	if err != nil {
		t.Fatal(err)
	}
	var list []*ir.Func
	for _, fn := range u.Kernels {
		k, err := lower.Lower(u, fn)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, build.Build(k))
	}
	return list
}

// verified runs all passes with a profile and verifies after each.
func verified(t *testing.T, list []*ir.Func, c *pass.Context) {
	t.Helper()
	for _, f := range list {
		err := pass.Run(f, c, "", func(name string, f *ir.Func) error { return f.Verify() })
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// everyKernel visits the built-in kernels and those of package lower's golden files.
func everyKernel(t *testing.T, visit func(t *testing.T, c frontend.Config)) {
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
			visit(t, frontend.Config{File: e.File, Text: string(text), Dialect: dialect, Defines: e.Defines,
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
			visit(t, frontend.Config{File: src.Name, Text: string(src.Data), Dialect: dialect})
		})
	}
}

// TestLoopPasses verifies what the passes make of every kernel, as its source asks and with all loops by three.
func TestLoopPasses(t *testing.T) {
	everyKernel(t, func(t *testing.T, c frontend.Config) {
		verified(t, compiled(t, c), &pass.Context{Profile: &pass.Profile{}})
		three := map[int]int{}
		for i := range 100 {
			three[i] = 3
		}
		verified(t, compiled(t, c), &pass.Context{Profile: &pass.Profile{}, Unroll: three})
	})
}
