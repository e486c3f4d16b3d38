package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
)

// CheckTypes has the TypeScript compiler check scripts, whose types are in comments, with the names of some of its
// libraries: "dom,dom.iterable".
func CheckTypes(t *testing.T, libraries string, files ...string) {
	t.Helper()
	tsc := tools.Path(t, "tsc", "node-typescript")
	args := append([]string{"--noEmit", "--allowJs", "--checkJs", "--strict", "--noUnusedLocals", "--target", "es2021",
		"--lib", "es2021," + libraries}, files...)
	if out, err := exec.Command(tsc, args...).CombinedOutput(); err != nil {
		t.Errorf("tsc: %v\n%s", err, out)
	}
}

// DeclareTypes makes a file for CheckTypes of a struct and the types that it is made of, as their JSON is.
func DeclareTypes(t *testing.T, namespace string, top reflect.Type) (file string) {
	t.Helper()
	w := &typeWriter{names: map[reflect.Type]string{}}
	w.name(top)
	file = filepath.Join(t.TempDir(), "types.d.ts")
	text := "declare namespace " + namespace + " {\n" + w.out.String() + "}\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
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
