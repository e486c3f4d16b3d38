package lower

import (
	"bytes"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/resolve"
	"gpupipe/internal/golden"

	"golang.org/x/tools/txtar"
)

// resolved lowers the first kernel of what package resolve makes of a source.
func resolved(t *testing.T, text string) *Kernel {
	t.Helper()
	u, err := resolve.Parse(resolve.Config{File: "k.cu", Text: text, Dialect: frontend.CUDA})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range u.Broken {
		t.Fatal(b.Err)
	}
	k, err := Lower(u, u.Kernels[0])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestResolvedExecuteAsC is TestExecuteAsC with the tree of package resolve.
func TestResolvedExecuteAsC(t *testing.T) {
	golden.Pairs(t, "../testdata/cxx/*.txtar", func(t *testing.T, x, y txtar.File) {
		if a, b := execute(t, resolved(t, string(x.Data))), execute(t, resolved(t, string(y.Data))); !bytes.Equal(a, b) {
			t.Errorf("C++ writes %v, C %v", a, b)
		}
	})
}

// TestExecuteAsC: a kernel in C++ writes what the one writes that says the same in C.
func TestExecuteAsC(t *testing.T) {
	golden.Pairs(t, "../testdata/cxx/*.txtar", func(t *testing.T, x, y txtar.File) {
		var written [2][]byte
		for i, f := range []txtar.File{x, y} {
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
