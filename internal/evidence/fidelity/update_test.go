package fidelity

import (
	"flag"
	"math"
	"strings"
	"testing"

	"gpupipe/internal/golden"
)

var update = flag.Bool("update", false, "rewrite docs/evidence/tables and testdata/*.txt")

// writeSection compares the section of the tables in docs/evidence/tables with text, and rewrites it
// under -update. The page is named by the first word of the section's name.
func writeSection(t *testing.T, name, text string) {
	t.Helper()
	page, _, _ := strings.Cut(name, "_")
	golden.Section(t, "../../../docs/evidence/tables/"+page+".md", name, text, *update)
}

// difference is by how much a count is off, as a fraction of the compiled code's.
func difference(ours, theirs int64) float64 {
	if ours == theirs {
		return 0
	}
	if theirs == 0 {
		return math.Inf(1)
	}
	return float64(ours-theirs) / float64(theirs)
}
