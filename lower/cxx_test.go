package lower

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"gpupipe/frontend"

	"golang.org/x/tools/txtar"
)

// TestExecuteAsC: a kernel in C++ writes what the one writes that says the same in C.
func TestExecuteAsC(t *testing.T) {
	names, err := filepath.Glob("../testdata/cxx/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no pairs of kernels: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil || len(a.Files) != 2 {
				t.Fatalf("want a kernel in C++ and one in C: %v", err)
			}
			var written [2][]byte
			for i, f := range a.Files {
				written[i] = execute(t, mustLower(t, frontend.CUDA, string(f.Data), ""))
			}
			if !bytes.Equal(written[0], written[1]) {
				t.Errorf("C++ writes %v, C %v", written[0], written[1])
			}
			if bytes.Equal(written[0], make([]byte, len(written[0]))) {
				t.Error("nothing is written")
			}
		})
	}
}
