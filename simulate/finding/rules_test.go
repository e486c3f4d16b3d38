package finding

import (
	"slices"
	"testing"
)

// TestRules: codes are unique and in order, and there are 20 or more.
func TestRules(t *testing.T) {
	var codes []string
	for _, r := range Rules() {
		codes = append(codes, r[0])
	}
	if !slices.IsSorted(codes) || len(slices.Compact(slices.Clone(codes))) != len(codes) || len(codes) < 20 {
		t.Errorf("rules %q", codes)
	}
}
