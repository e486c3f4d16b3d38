package resolve

import (
	"gpupipe/frontend/ast"
	"strings"
	"testing"
)

// TestRangesRefused: what is not an array is no range, and what has no parts is not taken apart.
func TestRangesRefused(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"for (int x : a) a[0] = x;", "a range-based for over int * is not supported"},
		{"auto [x, y] = n; a[0] = x;", "a structured binding of int is not supported"},
		{"auto [x, y, z] = make_int2(1, 2); a[0] = z;", "k:1:42: error[TYPE]: int2 has 2 parts for 3 names\n" +
			"\ta structured binding has a name for each member"},
		{"for (auto [x, y] : a) a[0] = x;", "a range-based for over int * is not supported"},
		{"{ auto [x] = make_int2(1, 2); }", "int2 has 2 parts for 1 name"},
	} {
		_, err := Parse(Config{File: "k", Text: "__global__ void k(int *a, int n) { " + c.body + " }",
			Dialect: ast.CUDA})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), "error") > 1 {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
}
