package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

func TestDifferences(t *testing.T) {
	file := func(name, text string) txtar.File { return txtar.File{Name: name, Data: []byte(text)} }
	want := []txtar.File{file("in", "x\n"), file("a", "1\n"), file("b", "2\n")}
	for _, c := range []struct {
		name string
		got  []txtar.File
		says []string
	}{
		{"the same", want, nil},
		{"in another order, without the last newline", []txtar.File{want[2], want[0], file("a", "1")}, nil},
		{"a difference", []txtar.File{want[0], file("a", "3\n"), want[2]}, []string{"a (-want +got)"}},
		{"a new and a missing file", []txtar.File{want[0], want[1], file("c", "2\n")},
			[]string{`no file "c"`, `nothing makes the file "b"`}},
	} {
		got := differences(want, c.got)
		if len(got) != len(c.says) {
			t.Errorf("%s: %q", c.name, got)
			continue
		}
		for i := range got {
			if !strings.Contains(got[i], c.says[i]) {
				t.Errorf("%s: %q, want %q in it", c.name, got[i], c.says[i])
			}
		}
	}
}

// TestUpdate writes an archive and finds it as it should be.
func TestUpdate(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.txtar"), []byte("a comment\n-- in --\n7\n-- out --\nold\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	twice := func(t *testing.T, a *txtar.Archive) []txtar.File {
		if string(a.Comment) != "a comment\n" {
			t.Errorf("comment %q", a.Comment)
		}
		return []txtar.File{a.Files[0], {Name: "out", Data: append(a.Files[0].Data, a.Files[0].Data...)}}
	}
	for _, update := range []bool{true, false} {
		Each(t, filepath.Join(dir, "*.txtar"), update, twice)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "x.txtar")); err != nil || string(data) != "a comment\n-- in --\n"+
		"7\n-- out --\n7\n7\n" {
		t.Errorf("%q, %v", data, err)
	}
}
