package isel

import "testing"

// TestClasses: each instruction that a template writes has a class.
func TestClasses(t *testing.T) {
	for set := range tableOnce {
		table, err := loadTable(set)
		if err != nil {
			t.Fatal(err)
		}
		for key, rows := range table.ops {
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
