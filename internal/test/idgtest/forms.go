package idgtest

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/idg"
	"gpupipe/internal/test/golden"
)

// Form is a way of writing graphs, by the name of its section in golden files.
type Form struct {
	Name  string
	Write func(io.Writer, *idg.Graph) error
}

// Golden compares what forms make of the documents in testdata, the first files of archives,
// with what they are known to make; with update it writes them instead. They make the same
// bytes each time.
func Golden(t *testing.T, update bool, forms []Form) {
	golden.Each(t, "testdata/*.txtar", update, func(t *testing.T, a *txtar.Archive) []txtar.File {
		g, err := idg.Decode(bytes.NewReader(a.Files[0].Data), a.Files[0].Name)
		if err != nil {
			t.Fatal(err)
		}
		files := []txtar.File{a.Files[0]}
		for _, f := range forms {
			got := f.written(t, g)
			if again := f.written(t, g); !bytes.Equal(got, again) {
				t.Errorf("%s: other bytes the second time", f.Name)
			}
			files = append(files, txtar.File{Name: f.Name, Data: got})
		}
		return files
	})
}

// ReportsErrors checks that forms tell of a writer that is full, from its first byte on or later.
func ReportsErrors(t *testing.T, g *idg.Graph, forms []Form) {
	t.Helper()
	for _, f := range forms {
		size := len(f.written(t, g))
		for _, n := range []int{0, size / 2, size - 1} {
			if err := f.Write(&failAfter{n}, g); !errors.Is(err, errFull) {
				t.Errorf("%s: error %v after %d bytes of %d", f.Name, err, n, size)
			}
		}
	}
}

func (f Form) written(t *testing.T, g *idg.Graph) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// failAfter fails once n bytes have been written.
type failAfter struct{ n int }

var errFull = errors.New("disk full")

func (f *failAfter) Write(b []byte) (int, error) {
	if f.n -= len(b); f.n < 0 {
		return 0, errFull
	}
	return len(b), nil
}
