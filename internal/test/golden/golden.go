// Package golden compares what tests make with what they are known to make, which
// txtar archives under testdata hold: an input, and a file for each output. For tests.
package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// Remake says which files an archive should have, inputs included.
type Remake func(t *testing.T, a *txtar.Archive) []txtar.File

// Each checks every archive whose name matches pattern, in a subtest; there must be one.
func Each(t *testing.T, pattern string, update bool, remake Remake) {
	t.Helper()
	each(t, pattern, func(t *testing.T, name string) { Check(t, name, update, remake) })
}

// Pairs compares the two files of every archive whose name matches pattern, which mean the same,
// in a subtest; there must be one.
func Pairs(t *testing.T, pattern string, compare func(t *testing.T, x, y txtar.File)) {
	t.Helper()
	each(t, pattern, func(t *testing.T, name string) {
		a, err := txtar.ParseFile(name)
		if err != nil || len(a.Files) != 2 {
			t.Fatalf("%s: want two files: %v", name, err)
		}
		compare(t, a.Files[0], a.Files[1])
	})
}

func each(t *testing.T, pattern string, test func(t *testing.T, name string)) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no golden files %s: %v", pattern, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { test(t, name) })
	}
}

// Check compares the files of an archive with those that it should have, or with
// update writes them instead.
func Check(t *testing.T, name string, update bool, remake Remake) {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got := remake(t, &txtar.Archive{Comment: a.Comment, Files: a.Files})
	if update {
		a.Files = got
		if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, d := range differences(a.Files, got) {
		t.Errorf("%s: %s", name, d)
	}
}

// differences says what a reader of the archive has to know: files that differ, that
// are missing, and that nothing makes.
func differences(want, got []txtar.File) []string {
	old := map[string]string{}
	for _, f := range want {
		old[f.Name] = string(f.Data)
	}
	var out []string
	for _, f := range got {
		// In an archive every file ends with a newline.
		text := string(f.Data)
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if was, ok := old[f.Name]; !ok {
			out = append(out, fmt.Sprintf("there is no file %q: run with -update and read it", f.Name))
		} else if d := cmp.Diff(was, text); d != "" {
			out = append(out, fmt.Sprintf("%s (-want +got):\n%s", f.Name, d))
		}
		delete(old, f.Name)
	}
	for _, f := range want {
		if _, left := old[f.Name]; left {
			out = append(out, fmt.Sprintf("nothing makes the file %q", f.Name))
		}
	}
	return out
}
