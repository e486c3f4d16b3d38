package isel

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gpupipe/lower"
	"gpupipe/lower/machine"
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

// TestLibraries: functions are those of the compiler's library. In machine code by nvcc 11.8 powf takes MUFU.RCP and
// MUFU.EX2, and asinf, acosf and atanf have a path of their own for some numbers; by nvcc 12.4 powf takes MUFU.RCP
// alone, and the others have one path.
func TestLibraries(t *testing.T) {
	table, err := loadTable("sass")
	if err != nil {
		t.Fatal(err)
	}
	old, err := machine.LookupTarget("sm_80")
	if err != nil {
		t.Fatal(err)
	}
	next := old.With("libdevice 12")
	if old.Has("libdevice 12") || !next.Has("libdevice 12") {
		t.Fatal("the feature is not that of the copy alone")
	}
	count := func(key string, g *machine.Target, is func(step) bool) (n int) {
		for _, s := range table.find(key, g, lower.Rounded).steps {
			if is(s) {
				n++
			}
		}
		return n
	}
	special := func(s step) bool { return strings.HasPrefix(s.op, "MUFU") }
	rare := func(s step) bool { return s.rare }
	if a, b := count("pow.f32", old, special), count("pow.f32", next, special); a != 2 || b != 1 {
		t.Errorf("powf: %d and %d MUFU", a, b)
	}
	for _, key := range []string{"asin.f32", "acos.f32", "atan.f32"} {
		if a, b := count(key, old, rare), count(key, next, rare); a == 0 || b != 0 {
			t.Errorf("%s: %d and %d paths beside the usual one", key, a, b)
		}
	}
}
