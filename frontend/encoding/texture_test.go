package encoding

import "testing"

// TestSurfaceFunction: functions of surfaces are told by their names, with how many coordinates they have.
func TestSurfaceFunction(t *testing.T) {
	for _, c := range []struct {
		name  string
		dims  int
		write bool
		ok    bool
	}{
		{"surf2Dread", 2, false, true},
		{"surf3Dwrite", 3, true, true},
		{"surf2DLayeredwrite", 3, true, true},
		{"read", 0, false, false},
		{"fwrite", 0, true, false},
		{"tex2D", 0, true, false},
	} {
		if dims, write, ok := SurfaceFunction(c.name); dims != c.dims || write != c.write || ok != c.ok {
			t.Errorf("%s: %d coordinates, write %v, %v", c.name, dims, write, ok)
		}
	}
}
