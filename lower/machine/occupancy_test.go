package machine

import (
	"slices"
	"testing"
)

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

// TestBudgets states how many registers compilers aim at.
func TestBudgets(t *testing.T) {
	for _, c := range []struct {
		target string
		o      Options
		local  int64
		want   []int
	}{
		{"sm_90", Options{}, 0, []int{32, 40, 48, 56, 64, 72, 80, 96, 128, 168, 255}},
		{"sm_90", Options{MaxThreads: 1024}, 0, []int{32, 64}},
		{"sm_90", Options{MaxThreads: 256, MinGroups: 3}, 0, []int{32, 40, 48, 64, 80}},
		{"sm_90", Options{MaxThreads: 384, Grown: 240}, 0, []int{32, 40, 56, 80, 240}},
		{"sm_90", Options{MaxThreads: 32}, 0, []int{64, 72, 80, 96, 128, 168, 255}},
		{"sm_90", Options{MaxThreads: 256}, 27 << 10, []int{32, 40, 48, 64, 80, 128, 255}},
		{"sm_90", Options{MaxThreads: 256, LocalBytes: 164 << 10}, 23 << 10, []int{32, 40, 48, 64, 80, 128, 255}},
		{"sm_90", Options{MaxThreads: 256, LocalBytes: 164 << 10}, 27 << 10, []int{40, 48, 64, 80, 128, 255}},
		{"sm_90", Options{MaxThreads: 256, LocalBytes: 164 << 10}, 28 << 10, []int{48, 64, 80, 128, 255}},
		{"sm_86", Options{MaxRegisters: 64}, 0, []int{40, 48, 56, 64}},
		{"sm_75", Options{}, 0, []int{64, 72, 80, 96, 128, 168, 255}},
		{"gfx906", Options{MaxThreads: 256}, 0, []int{24, 28, 32, 36, 40, 48, 64, 84, 128, 256}},
	} {
		if got := lookup(t, c.target).budgets(&c.o, c.local); !slices.Equal(got, c.want) {
			t.Errorf("%s %+v: %v, want %v", c.target, c.o, got, c.want)
		}
	}
}
