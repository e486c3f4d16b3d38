package resolve

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/frontend/ast"
	"gpupipe/internal/test/golden"
)

var update = flag.Bool("update", false, "rewrite the golden files under testdata")

// dialectOf goes by the file name, as the commands do.
func dialectOf(name string) ast.Dialect {
	if filepath.Ext(name) == ".cu" {
		return ast.CUDA
	}
	return ast.OpenCL
}

// mustParse parses a source that has no error, and verifies the result.
func mustParse(t testing.TB, d ast.Dialect, text string) *ast.Unit {
	t.Helper()
	u, err := Parse(Config{File: "k", Text: text, Dialect: d})
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	for _, b := range u.Broken {
		t.Fatalf("%v\nin\n%s", b.Err, text)
	}
	if err := u.Verify(); err != nil {
		t.Fatal(err)
	}
	return u
}

// readsAs checks that a CUDA program, of which body is told in errors, is read, and that its tree has
// some text.
func readsAs(t *testing.T, body, program, want string) {
	t.Helper()
	u, err := Parse(Config{File: "k.cu", Text: program, Dialect: ast.CUDA})
	if err != nil {
		t.Errorf("%s: %v", body, err)
		return
	}
	if err := u.Verify(); err != nil {
		t.Errorf("%s: %v", body, err)
	}
	if got := u.String(); !strings.Contains(got, want) {
		t.Errorf("%s: no %q in\n%s", body, want, got)
	}
}

// TestTypedTrees compares the typed tree of each testdata/typed/*.txtar, whose
// first file is the source, with the one printed in its file "want".
func TestTypedTrees(t *testing.T) {
	golden.Each(t, "testdata/typed/*.txtar", *update, func(t *testing.T, a *txtar.Archive) []txtar.File {
		src := a.Files[0]
		return []txtar.File{src, {Name: "want", Data: []byte(describe(t, src.Name, string(src.Data)))}}
	})
}

// describe prints what parsing gives: the tree, then what was said.
func describe(t *testing.T, name, text string) string {
	u, err := Parse(Config{File: name, Text: text, Dialect: dialectOf(name)})
	if err != nil {
		return err.Error() + "\n"
	}
	if err := u.Verify(); err != nil {
		t.Error(err)
	}
	var b strings.Builder
	b.WriteString(u.String())
	for _, k := range u.Broken {
		b.WriteString("broken " + k.Name + ": " + k.Err.Error() + "\n")
	}
	for _, w := range u.Warnings {
		b.WriteString(w.Error() + "\n")
	}
	return b.String()
}

// TestEmbeddedKernels checks that every kernel of the project can be used, and
// that parsing twice gives the same bytes.
func TestEmbeddedKernels(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"../../kernels/*.cl", "../../kernels/*.cu"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	if len(paths) < 20 {
		t.Fatalf("only %d kernel files found", len(paths))
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		u := mustParse(t, dialectOf(path), string(text))
		for _, k := range u.Kernels {
			if k.Launch == nil {
				t.Errorf("%s: kernel %s has no launch directive", path, k.Name)
			}
		}
		if again := mustParse(t, dialectOf(path), string(text)); again.String() != u.String() {
			t.Errorf("%s: the second time the tree differs", path)
		}
	}
}

// TestSinglePrecision checks that only Config.SinglePrecision makes unsuffixed
// literals float.
func TestSinglePrecision(t *testing.T) {
	const text = "__kernel void k(__global float *a) { a[0] *= 0.1; }"
	for single, want := range map[bool]string{false: "a[0] *=<double> 0.1;", true: "a[0] *= 0.1f;"} {
		u, err := Parse(Config{File: "k", Text: text, Dialect: ast.OpenCL, SinglePrecision: single})
		if err != nil {
			t.Fatal(err)
		}
		if got := u.String(); !strings.Contains(got, want) {
			t.Errorf("single %v: %s, want %s", single, got, want)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for _, name := range []string{"mmul.cl", "mmul.cu", "black_scholes.cl"} {
		b.Run("kernel="+name, func(b *testing.B) {
			text, err := os.ReadFile("../../kernels/" + name)
			if err != nil {
				b.Fatal(err)
			}
			lines := float64(strings.Count(string(text), "\n"))
			b.ReportAllocs()
			for b.Loop() {
				mustParse(b, dialectOf(name), string(text))
			}
			b.ReportMetric(lines*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}
