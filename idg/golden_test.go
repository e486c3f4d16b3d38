package idg

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"testing"

	"golang.org/x/tools/txtar"

	"gpupipe/internal/golden"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// writers are the forms of a document, by their sections in golden files.
var writers = []struct {
	name  string
	write func(w io.Writer, g *Graph) error
}{
	{"json", Encode},
	{"folded", EncodeOptions{Fold: true}.Encode},
}

// Each golden file holds a document and what the writers make of it.
func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", *update, func(t *testing.T, a *txtar.Archive) []txtar.File {
		g, err := Decode(bytes.NewReader(a.Files[0].Data), a.Files[0].Name)
		if err != nil {
			t.Fatal(err)
		}
		files := []txtar.File{a.Files[0]}
		for _, w := range writers {
			got := written(t, w.write, g)
			if again := written(t, w.write, g); !bytes.Equal(got, again) {
				t.Errorf("%s: other bytes the second time", w.name)
			}
			files = append(files, txtar.File{Name: w.name, Data: got})
		}
		return files
	})
}

func written(t *testing.T, write func(io.Writer, *Graph) error, g *Graph) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, g); err != nil {
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

func TestWritersReportErrors(t *testing.T) {
	g := synthetic(t, 5000)
	for _, w := range writers {
		size := len(written(t, w.write, g))
		for _, n := range []int{0, size / 2, size - 1} {
			if err := w.write(&failAfter{n}, g); !errors.Is(err, errFull) {
				t.Errorf("%s: error %v after %d bytes of %d", w.name, err, n, size)
			}
		}
	}
}
