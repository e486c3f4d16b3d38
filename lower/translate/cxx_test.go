package translate

import (
	"bytes"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/internal/test/golden"

	"golang.org/x/tools/txtar"
)

// TestExecuteAsC: a kernel in C++ writes what the one writes that says the same in C.
func TestExecuteAsC(t *testing.T) {
	golden.Pairs(t, "../../testdata/cxx/*.txtar", func(t *testing.T, x, y txtar.File) {
		var written [2][]byte
		for i, f := range []txtar.File{x, y} {
			written[i] = execute(t, mustLower(t, ast.CUDA, string(f.Data), ""))
		}
		if !bytes.Equal(written[0], written[1]) {
			t.Errorf("C++ writes %v, C %v", written[0], written[1])
		}
		if bytes.Equal(written[0], make([]byte, len(written[0]))) {
			t.Error("nothing is written")
		}
	})
}
