package isel

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestTables: every instruction that an alias or a template of a table names has a class, which a graph asks for.
func TestTables(t *testing.T) {
	for isa, read := range tableOnce {
		table, err := read()
		if err != nil {
			t.Fatal(err)
		}
		for from, a := range table.aliases {
			if table.describe(a.to).class == "" {
				t.Errorf("%s: %s, which %s is called on some targets, has no class", isa, a.to, from)
			}
		}
	}
}

// TestNames: so has every one that the code names as a whole.
func TestNames(t *testing.T) {
	named := regexp.MustCompile(`\b(?:emit|control)\("([A-Za-z][A-Za-z0-9_.]*)"[,)]`)
	for isa, read := range tableOnce {
		table, err := read()
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(isa + "*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v %v", isa, files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range named.FindAllStringSubmatch(string(text), -1) {
				if op := m[1]; table.describe(op).class == "" {
					t.Errorf("%s: %s has no class", file, op)
				}
			}
		}
	}
}
