package isel

import "testing"

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
