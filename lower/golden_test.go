package lower

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/txtar"

	"gpupipe/frontend"
)

var update = flag.Bool("update", false, "rewrite the expected IR of the golden tests")

// TestGolden compares the IR of every testdata/*.txtar: a kernel.cl or
// kernel.cu, and ir, what Format prints for its first kernel, with the warnings
// before it.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			src := a.Files[0]
			dialect := frontend.OpenCL
			if strings.HasSuffix(src.Name, ".cu") {
				dialect = frontend.CUDA
			}
			k := mustLower(t, dialect, string(src.Data), "")
			var b strings.Builder
			for _, w := range k.Warnings {
				b.WriteString(w.Error() + "\n")
			}
			if err := Format(&b, k); err != nil {
				t.Fatal(err)
			}
			got := b.String()
			if again := mustLower(t, dialect, string(src.Data), ""); again.String() != k.String() {
				t.Error("lowering the same source again gives other text")
			}
			if *update {
				a.Files = []txtar.File{src, {Name: "ir", Data: []byte(got)}}
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if len(a.Files) != 2 {
				t.Fatal("no expected IR: run with -update and read it")
			}
			if d := diff.Diff("want", a.Files[1].Data, "got", []byte(got)); d != nil {
				t.Errorf("IR differs:\n%s", d)
			}
		})
	}
}
