package irtest

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/internal/test/irverify"
	_ "gpupipe/internal/test/tools" // garbage is collected less often
	"gpupipe/kernels"
	"gpupipe/lower/build"
	"gpupipe/lower/ir"
	"gpupipe/lower/translate"
)

// Build makes the IR of the kernels of a source, verified.
func Build(t testing.TB, c frontend.Config) []*ir.Func {
	t.Helper()
	u, err := frontend.Parse(c)
	if err != nil {
		t.Fatal(err)
	}
	var list []*ir.Func
	for _, fn := range u.Kernels {
		k, err := translate.Kernel(u, fn)
		if err != nil {
			t.Fatal(err)
		}
		f := build.Build(k)
		if err := irverify.Verify(f); err != nil {
			t.Fatalf("%v\n%v", err, f)
		}
		list = append(list, f)
	}
	return list
}

// Config is what the front end needs for a source of which the name says the language.
func Config(name, text string) frontend.Config {
	c := frontend.Config{File: name, Text: text, Dialect: ast.OpenCL}
	if strings.HasSuffix(name, ".cu") {
		c.Dialect = ast.CUDA
	}
	return c
}

// Builtin is what the front end needs for a built-in kernel.
func Builtin(t testing.TB, e kernels.Kernel) frontend.Config {
	t.Helper()
	text, err := fs.ReadFile(kernels.FS(), e.File)
	if err != nil {
		t.Fatal(err)
	}
	c := frontend.Config{File: e.File, Text: string(text), Dialect: ast.OpenCL, Defines: e.Defines, FS: kernels.FS()}
	if e.Dialect == kernels.CUDA {
		c.Dialect = ast.CUDA
	}
	return c
}

// Sources are those of the built-in kernels and of the golden files of package lower, with their names.
func Sources(t testing.TB) iter.Seq2[string, frontend.Config] {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root(t), "lower/translate/testdata/*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatal("no kernels", err)
	}
	return func(yield func(string, frontend.Config) bool) {
		for _, e := range kernels.List() {
			if !yield(e.Name, Builtin(t, e)) {
				return
			}
		}
		for _, name := range names {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			c := Config(a.Files[0].Name, string(a.Files[0].Data))
			if !yield(strings.TrimSuffix(filepath.Base(name), ".txtar"), c) {
				return
			}
		}
	}
}

// Corpus visits each of the Sources in a subtest.
func Corpus(t *testing.T, visit func(t *testing.T, c frontend.Config)) {
	t.Helper()
	for name, c := range Sources(t) {
		t.Run(name, func(t *testing.T) { visit(t, c) })
	}
}

// root is the folder of go.mod above the package that is tested, in which its test runs.
func root(t testing.TB) string {
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			err = os.ErrNotExist
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal("no go.mod above the test: ", err)
	return ""
}
