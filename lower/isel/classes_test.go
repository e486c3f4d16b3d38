package isel

import (
	"maps"
	"slices"
	"testing"
)

// TestClasses: each instruction that a template writes has a class. Rows that are read later have no accuracy where
// others come before them.
func TestClasses(t *testing.T) {
	for set := range tableOnce {
		table, err := loadTable(set)
		if err != nil {
			t.Fatal(err)
		}
		ops := maps.Clone(table.ops)
		if table.later != nil {
			for key, rows := range table.later().ops {
				if len(ops[key]) > 0 && rows[0].accuracy != 0 {
					t.Errorf("%s: %s has an accuracy behind rows of any", set, key)
				}
				ops[key] = append(slices.Clone(ops[key]), rows...)
			}
		}
		for key, rows := range ops {
			for _, r := range rows {
				for _, s := range r.template.steps {
					if s.op != "" && table.describe(s.op).class == "" {
						t.Errorf("%s: %s: %s has no class", set, key, s.op)
					}
				}
			}
		}
		for from, a := range table.aliases {
			if table.describe(a.to).class == "" && table.describe(from).class == "" {
				t.Errorf("%s: %s has no class", set, a.to)
			}
		}
	}
}
