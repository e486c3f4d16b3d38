package golden

import (
	"os"
	"strings"
	"testing"
)

// Section compares the section of a document between "<!-- name -->" and "<!-- end name -->" with
// what it should be, or with update writes it.
func Section(t *testing.T, document, name, text string, update bool) {
	t.Helper()
	doc, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- end "+name+" -->"
	before, rest, ok := strings.Cut(string(doc), begin)
	old, after, closed := strings.Cut(rest, end)
	switch {
	case !ok || !closed:
		t.Fatalf("%s has no section %q", document, name)
	case old == text:
	case !update:
		t.Errorf("the section %q of %s is not current: run this test with -update", name, document)
	default:
		if err := os.WriteFile(document, []byte(before+begin+text+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
