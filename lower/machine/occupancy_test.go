package machine

import "testing"

func lookup(t *testing.T, name string) *Target {
	t.Helper()
	target, err := LookupTarget(name)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// TestOccupancy compares with what the runtimes say of an H100, an A10, a T4 and an MI250X.
func TestOccupancy(t *testing.T) {
	for _, c := range []struct {
		target             string
		registers, threads int
		local              int64
		warps              int
	}{
		{"sm_90", 32, 256, 0, 64},
		{"sm_90", 33, 256, 0, 48},
		{"sm_90", 64, 1024, 0, 32},
		{"sm_90", 255, 256, 0, 8},
		{"sm_90", 32, 32, 0, 32},
		{"sm_90", 16, 128, 100 << 10, 8},
		{"sm_86", 40, 256, 0, 48},
		{"sm_75", 64, 256, 0, 32},
		{"gfx90a", 128, 256, 0, 16},
		{"gfx90a", 64, 256, 0, 32},
		{"gfx906", 24, 256, 0, 40},
		{"gfx906", 64, 256, 32 << 10, 8},
	} {
		if got := lookup(t, c.target).Occupancy(c.registers, c.threads, c.local).Warps; got != c.warps {
			t.Errorf("%+v: %d warps", c, got)
		}
	}
}
