package page

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"gpupipe/internal/test/browser"
	"gpupipe/internal/test/tools"
)

// TestWidth holds that scripts and styles have lines of at most 120 characters.
func TestWidth(t *testing.T) {
	for _, pattern := range []string{"assets/*", "../../cmd/pipeview/assets/*"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(text), "\n") {
				if n := utf8.RuneCountInString(line); n > 120 {
					t.Errorf("%s:%d has %d characters", file, i+1, n)
				}
			}
		}
	}
}

// TestScripts checks the types of the scripts: those of Data are made from it.
func TestScripts(t *testing.T) {
	tools.Heavy(t)
	files, err := filepath.Glob("assets/*.js")
	if err != nil {
		t.Fatal(err)
	}
	browser.CheckTypes(t, "dom,dom.iterable",
		append(files, browser.DeclareTypes(t, "Page", reflect.TypeFor[Data]()))...)
}
