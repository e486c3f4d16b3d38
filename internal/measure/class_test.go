package measure

import (
	"testing"

	"gpupipe/idg/isa"
)

// TestClasses: names are unique, and ops are those of graphs.
func TestClasses(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Classes() {
		if seen[c.Name] || c.Name == "" || c.Kind == 0 || c.Doc == "" || len(c.Chains) == 0 {
			t.Errorf("%q is named twice or incomplete: %+v", c.Name, c)
		}
		seen[c.Name] = true
		if c.Op != "" && isa.Parse(c.Op).Verb == 0 && !isa.IsFamily(c.Op) {
			t.Errorf("%s: %q is not an op", c.Name, c.Op)
		}
		if got, ok := Lookup(c.Name); !ok || got.Name != c.Name {
			t.Errorf("Lookup(%q) = %v, %v", c.Name, got, ok)
		}
	}
	if _, ok := Lookup("nop"); ok {
		t.Error("Lookup finds nop")
	}
}
