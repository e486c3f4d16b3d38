package translate

import (
	"flag"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/frontend/ast"
	"gpupipe/internal/test/golden"
	"gpupipe/lower/build"
	"gpupipe/lower/ir"
)

var update = flag.Bool("update", false, "rewrite the expected IR of the golden tests")

// TestGolden compares the IR of every testdata/*.txtar: a kernel.cl or
// kernel.cu, and ir, what [ir.Format] prints of what package build makes of its first
// kernel, with the warnings before it.
func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", *update, func(t *testing.T, a *txtar.Archive) []txtar.File {
		src := a.Files[0]
		dialect := ast.OpenCL
		if strings.HasSuffix(src.Name, ".cu") {
			dialect = ast.CUDA
		}
		k := mustLower(t, dialect, string(src.Data), "")
		f := build.Build(k)
		var b strings.Builder
		for _, w := range k.Warnings {
			b.WriteString(w.Error() + "\n")
		}
		if err := ir.Format(&b, f); err != nil {
			t.Fatal(err)
		}
		if again := mustLower(t, dialect, string(src.Data), ""); build.Build(again).String() != f.String() {
			t.Error("lowering the same source again gives other text")
		}
		return []txtar.File{src, {Name: "ir", Data: []byte(b.String())}}
	})
}
