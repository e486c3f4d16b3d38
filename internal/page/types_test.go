package page

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gpupipe/internal/test/tools"
)

var update = flag.Bool("update", false, "rewrite the files of this package that are made from others")

const typesFile = "assets/data.d.ts"

// TestTypes holds that the types of the scripts are those of Data.
func TestTypes(t *testing.T) {
	w := &typeWriter{names: map[reflect.Type]string{}}
	w.name(reflect.TypeFor[Data]())
	want := "// Made from the types of Data by go test ./internal/page -run TestTypes -update.\ndeclare namespace " +
		"Page {\n" + w.out.String() + "}\n"
	if *update {
		if err := os.WriteFile(typesFile, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(typesFile); err != nil || string(got) != want {
		t.Errorf("%s is not current (%v): go test ./internal/page -run TestTypes -update", typesFile, err)
	}
}

// typeWriter writes Go types as those of their JSON.
type typeWriter struct {
	names map[reflect.Type]string
	out   strings.Builder
}

// name is the type of a script for a Go type. Structs are written as interfaces.
func (w *typeWriter) name(t reflect.Type) string {
	if t.Implements(reflect.TypeFor[json.Marshaler]()) {
		return "number" // exact numbers of cycles
	}
	switch t.Kind() {
	case reflect.Pointer:
		return w.name(t.Elem()) + " | null"
	case reflect.Slice, reflect.Array:
		return w.name(t.Elem()) + "[]"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Interface:
		return "any"
	case reflect.Struct:
		return w.structure(t)
	}
	return "number"
}

func (w *typeWriter) structure(t reflect.Type) string {
	if name, ok := w.names[t]; ok {
		return name
	}
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	for slices.Contains(w.taken(), name) {
		name = "Report" + name
	}
	w.names[t] = name
	var b strings.Builder
	fmt.Fprintf(&b, "  interface %s {\n", name)
	for f := range t.Fields() {
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		kind := w.name(f.Type)
		if options == "omitempty" {
			key, kind = key+"?", strings.TrimSuffix(kind, " | null")
		}
		fmt.Fprintf(&b, "    %s: %s;\n", key, kind)
	}
	b.WriteString("  }\n")
	w.out.WriteString(b.String())
	return name
}

func (w *typeWriter) taken() (list []string) {
	for _, name := range w.names {
		list = append(list, name)
	}
	return list
}

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

// TestScripts has the TypeScript compiler check the scripts, whose types are in comments.
func TestScripts(t *testing.T) {
	tools.Heavy(t)
	tsc := tools.Path(t, "tsc", "node-typescript")
	files, err := filepath.Glob("assets/*.js")
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--noEmit", "--allowJs", "--checkJs", "--strict", "--noUnusedLocals", "--target", "es2021",
		"--lib", "es2021,dom,dom.iterable", typesFile}, files...)
	if out, err := exec.Command(tsc, args...).CombinedOutput(); err != nil {
		t.Errorf("tsc: %v\n%s", err, out)
	}
}
