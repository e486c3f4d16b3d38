package resolve

import (
	"strings"
	"testing"
)

// TestRangesRefused: what is no array is no range, and what has no parts is not taken apart.
func TestRangesRefused(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"for (int x : a) a[0] = x;", "a range-based for over __global int * is not supported"},
		{"auto [x, y] = n; a[0] = x;", "a structured binding of int is not supported"},
		{"auto [x, y, z] = make_int2(1, 2); a[0] = z;", "int2 has no part 3"},
		{"for (auto [x, y] : a) a[0] = x;", "a range-based for is not supported"},
		{"if (auto [x, y] = make_int2(1, 2); x) a[0] = x;", "is not supported"},
	} {
		_, err := Parse(Config{File: "k", Text: "__global__ void k(int *a, int n) { " + c.body + " }", Dialect: CUDA})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.body, err, c.want)
		}
	}
}
