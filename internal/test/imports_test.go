package test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// TestImports: no command contains what is here.
func TestImports(t *testing.T) {
	root := os.DirFS("../..")
	files := 0
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git" || name == "internal/test" ||
			name == "cmd/internal/test" || name == "internal/evidence"):
			return fs.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files++
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, s := range f.Imports {
			if strings.Contains(s.Path.Value, "/internal/test/") {
				t.Errorf("%s imports %s", name, s.Path.Value)
			}
		}
		return nil
	})
	if err != nil || files < 500 {
		t.Fatal(files, err)
	}
}
