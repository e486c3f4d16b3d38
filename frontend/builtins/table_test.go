package builtins

import (
	"slices"
	"strings"
	"testing"
)

// TestGroups checks the tables: names in each group are sorted, no name
// has one signature twice, codes and classes are known, and a canonical name
// has one class.
func TestGroups(t *testing.T) {
	known := []string{"f", "g", "i", "s", "t", "n", "u", "e", "r", "m", "dim", "void", "int", "uint", "long", "ulong",
		"float", "double", "uchar", "..."}
	for _, c := range []struct {
		dialect string
		groups  []group
		table   *Table
	}{{"OpenCL", openCL, OpenCL()}, {"CUDA", append(cudaFloatVariants(), cuda...), CUDA()}} {
		dialect, groups, table := c.dialect, c.groups, c.table
		seen := map[string]bool{}
		classes := map[string]Class{}
		for _, g := range groups {
			names := strings.Fields(g.names)
			// float variants are made from sorted names
			if !slices.IsSorted(names) && !strings.Contains(g.names, "f=") {
				t.Errorf("%s: not sorted: %s", dialect, g.names)
			}
			if g.class == 0 || strings.HasPrefix(g.class.String(), "invalid") {
				t.Errorf("%s: %s has no class", dialect, g.names)
			}
			result, params := SplitSignature(g.signature)
			for _, code := range append(params, result) {
				if !slices.Contains(known, strings.TrimPrefix(code, "*")) {
					t.Errorf("%s: unknown code %q in %s", dialect, code, g.signature)
				}
			}
			for _, name := range names {
				name, canonical, renamed := strings.Cut(name, "=")
				if !renamed {
					canonical = name
				}
				if key := name + " " + g.signature; seen[key] {
					t.Errorf("%s: %s twice", dialect, key)
				} else {
					seen[key] = true
				}
				if old := classes[canonical]; old != 0 && old != g.class {
					t.Errorf("%s: %s is %v and %v", dialect, canonical, old, g.class)
				}
				classes[canonical] = g.class
			}
		}
		if !slices.IsSorted(table.Names) || len(slices.Compact(slices.Clone(table.Names))) != len(table.Names) {
			t.Errorf("%s: names are not sorted and unique", dialect)
		}
		for _, name := range table.Names {
			if len(table.Find(name)) == 0 {
				t.Errorf("%s: %s cannot be found", dialect, name)
			}
		}
	}
}

// TestUnsupportedCallsAreSorted: sorted prefixes are seen to be without doubles.
func TestUnsupportedCallsAreSorted(t *testing.T) {
	for i := 1; i < len(unsupported); i++ {
		if unsupported[i-1].prefix >= unsupported[i].prefix {
			t.Errorf("unsupported calls: %s after %s", unsupported[i].prefix, unsupported[i-1].prefix)
		}
	}
}
