package capability

import "testing"

func TestCompute(t *testing.T) {
	for name, want := range map[string][2]int{"8.6": {8, 6}, "1.0": {1, 0}, "12.0": {12, 0}, "": {}, "8": {8, 0},
		"9.0a": {9, 0}, "gfx90a": {}, "8.10": {}, "-8.6": {}, "0.5": {}} {
		major, minor, ok := Compute(name)
		if got := [2]int{major, minor}; got != want || ok != (want[0] > 0) {
			t.Errorf("%q: %v, %v; want %v", name, got, ok, want)
		}
	}
}

func TestGFX(t *testing.T) {
	for name, want := range map[string]int{"gfx90a": 9, "gfx802": 8, "gfx1032": 10, "gfx1100": 11, "gfx942": 9, "": 0,
		"gfx": 0, "gfx9": 0, "gfx90": 0, "gfx90x": 0, "gfx-90a": 0, "8.6": 0} {
		if got := GFX(name); got != want {
			t.Errorf("%q: %d, want %d", name, got, want)
		}
	}
}
