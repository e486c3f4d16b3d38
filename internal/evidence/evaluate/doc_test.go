package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestGuide: the example of docs/guide/evaluation.md is a specification that is read, and it
// shows every field.
func TestGuide(t *testing.T) {
	page, err := os.ReadFile("../../../docs/guide/evaluation.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(examples) != 2 {
		t.Fatalf("the page has %d examples, want one of a table and one of a series", len(examples))
	}
	file := filepath.Join(t.TempDir(), "example.yaml")
	var s *Spec
	example := ""
	for i := range examples {
		text := examples[len(examples)-1-i][1] // that of a table last
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if s, err = readSpec(file); err != nil {
			t.Fatal(err)
		}
		example += text
	}
	for _, list := range [][]string{s.Local, s.Groups, {s.DynamicLocal}, {s.Contents[0].Value, s.Apart[0].When}} {
		for _, text := range list {
			if _, err := parseExpr(text); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := parseArguments(s.Args); err != nil {
		t.Error(err)
	}
	var shown func(x reflect.Type)
	shown = func(x reflect.Type) {
		switch x.Kind() {
		case reflect.Slice:
			shown(x.Elem())
		case reflect.Struct:
			for i := range x.NumField() {
				f := x.Field(i)
				if name := f.Tag.Get("yaml"); !regexp.MustCompile(`(?m)(^|[{ ])` + name + `: `).
					MatchString(strings.ReplaceAll(example, ":\n", ": \n") + " ") {
					t.Errorf("the example does not show %s", name)
				}
				shown(f.Type)
			}
		}
	}
	shown(reflect.TypeFor[Spec]())
}
