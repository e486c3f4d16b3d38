package resolve

import (
	"slices"
	"testing"
)

func TestSwizzleLanes(t *testing.T) {
	for _, c := range []struct {
		n    int64
		name string
		want []int
	}{
		{4, "x", []int{0}}, {4, "w", []int{3}}, {2, "z", nil}, {4, "xyzw", []int{0, 1, 2, 3}},
		{4, "wwxx", []int{3, 3, 0, 0}},
		{4, "rgba", []int{0, 1, 2, 3}}, {3, "a", nil}, {4, "xg", nil},
		{4, "s0", []int{0}}, {4, "s3", []int{3}}, {4, "s4", nil}, {16, "sF", []int{15}}, {16, "sf", []int{15}},
		{16, "S0aB", []int{0, 10, 11}}, {8, "s7654", []int{7, 6, 5, 4}},
		{4, "lo", []int{0, 1}}, {4, "hi", []int{2, 3}}, {4, "even", []int{0, 2}}, {4, "odd", []int{1, 3}},
		{2, "lo", []int{0}}, {2, "hi", []int{1}}, {8, "odd", []int{1, 3, 5, 7}},
		{16, "hi", []int{8, 9, 10, 11, 12, 13, 14, 15}},
		{3, "lo", []int{0, 1}}, {3, "hi", []int{2, 2}}, {3, "even", []int{0, 2}}, {3, "odd", []int{1, 2}},
		{4, "q", nil}, {4, "s", nil}, {4, "", nil},
	} {
		if got := swizzleLanes(c.n, c.name); !slices.Equal(got, c.want) {
			t.Errorf("%d lanes, .%s = %v, want %v", c.n, c.name, got, c.want)
		}
	}
}
