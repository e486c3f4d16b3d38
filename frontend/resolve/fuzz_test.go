package resolve

import (
	"gpupipe/frontend/ast"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzParse checks that whatever the source, Parse returns in both dialects,
// and that what it returns is well formed and printable, the same each time.
func FuzzParse(f *testing.F) {
	for _, text := range readFiles(f, "testdata/errors/*.c[lu]") { // which have a mistake on most lines
		for line := range strings.Lines(text) {
			f.Add(line)
		}
	}
	for _, text := range readFiles(f, "../../kernels/reduction.c[lu]") {
		f.Add(text)
	}
	f.Add("__kernel void k(__global float4 *a) { a[0].xy = (float2)(1, 2).yx; }")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1500 { // dozens of mistakes take dozens of milliseconds
			return
		}
		for _, d := range []ast.Dialect{ast.OpenCL, ast.CUDA} {
			u, err := Parse(Config{File: "k", Text: text, Dialect: d})
			if (u == nil) == (err == nil) {
				t.Fatalf("unit %v and error %v", u, err)
			}
			if u == nil {
				continue
			}
			if err := u.Verify(); err != nil {
				t.Fatal(err)
			}
			again, err := Parse(Config{File: "k", Text: text, Dialect: d})
			if err != nil || again.String() != u.String() {
				t.Fatalf("the second time it is %v, %v", again, err)
			}
		}
	})
}

// readFiles returns the texts of the files that match a pattern.
func readFiles(f *testing.F, pattern string) (texts []string) {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}
