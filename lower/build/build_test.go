package build_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/test/irverify"
	"gpupipe/kernels"
	"gpupipe/lower"
	"gpupipe/lower/build"
	"gpupipe/lower/ir"
	"gpupipe/lower/translate"
)

// parse reads a source.
func parse(t *testing.T, c frontend.Config) *ast.Unit {
	t.Helper()
	u, err := frontend.Parse(c)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// check builds every kernel of a unit and counts operands where values meet.
func check(t *testing.T, u *ast.Unit) {
	t.Helper()
	for _, fn := range u.Kernels {
		k, err := translate.Kernel(u, fn)
		if err != nil {
			t.Fatal(err)
		}
		f := build.Build(k)
		if err := irverify.Verify(f); err != nil {
			t.Fatalf("%s: %v\n%v", fn.Name, err, f)
		}
		f.Body.Walk(func(in *ir.Instr) {
			want, got := len(in.Args), len(in.Args)
			switch in.Op {
			case lower.OpLoop:
				want = len(in.Blocks[0].Params)
			case lower.OpContinue:
				want = len(in.Target.Blocks[0].Params)
			case lower.OpLeave:
				want = len(in.Target.Results)
			case lower.OpYield:
				if in.Parent.Owner != nil {
					want = len(in.Parent.Owner.Results)
				}
			}
			if got != want {
				t.Errorf("%s: %v: %v has %d operands, want %d", fn.Name, in.Pos, in.Op, got, want)
			}
			for _, b := range in.Blocks {
				if b.Last() == nil || !b.Last().IsTerminator() {
					t.Errorf("%s: %v: a block of %v has no end", fn.Name, in.Pos, in.Op)
				}
			}
		})
	}
}

// TestBuiltinKernels builds every built-in kernel.
func TestBuiltinKernels(t *testing.T) {
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
			check(t, parse(t, frontend.Config{File: e.File, Text: string(text), Dialect: dialect, Defines: e.Defines,
				FS: kernels.FS()}))
		})
	}
}

// TestLowerKernels builds the kernels that package lower's golden files have.
func TestLowerKernels(t *testing.T) {
	names, err := filepath.Glob("../translate/testdata/*.txtar")
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
			check(t, parse(t, frontend.Config{File: src.Name, Text: string(src.Data), Dialect: dialect}))
		})
	}
}
