package fidelity

import (
	"flag"
	"strings"
	"testing"

	"gpupipe/internal/test/golden"
)

var update = flag.Bool("update", false, "rewrite docs/evidence/tables and testdata/*.txt")

// writeSection compares the section of the tables in docs/evidence/tables with text, and rewrites it
// under -update. The page is named by the first word of the section's name.
func writeSection(t *testing.T, name, text string) {
	t.Helper()
	page, _, _ := strings.Cut(name, "_")
	golden.Section(t, "../../../docs/evidence/tables/"+page+".md", name, text, *update)
}
