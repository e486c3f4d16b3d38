package arrange

import (
	"slices"
	"testing"

	"gpupipe/lower/machine"
)

// TestBudgets states how many registers compilers aim at.
func TestBudgets(t *testing.T) {
	for _, c := range []struct {
		target string
		o      machine.Options
		local  int64
		want   []int
	}{
		{"sm_90", machine.Options{}, 0, []int{32, 40, 48, 56, 64, 72, 80, 96, 128, 168, 255}},
		{"sm_90", machine.Options{MaxThreads: 1024}, 0, []int{32, 64}},
		{"sm_90", machine.Options{MaxThreads: 256, MinGroups: 3}, 0, []int{32, 40, 48, 64, 80}},
		{"sm_90", machine.Options{MaxThreads: 384, Grown: 240}, 0, []int{32, 40, 56, 80, 240}},
		{"sm_90", machine.Options{MaxThreads: 32}, 0, []int{64, 72, 80, 96, 128, 168, 255}},
		{"sm_90", machine.Options{MaxThreads: 256}, 27 << 10, []int{32, 40, 48, 64, 80, 128, 255}},
		{"sm_90", machine.Options{MaxThreads: 256, LocalBytes: 164 << 10}, 23 << 10, []int{32, 40, 48, 64, 80, 128, 255}},
		{"sm_90", machine.Options{MaxThreads: 256, LocalBytes: 164 << 10}, 27 << 10, []int{40, 48, 64, 80, 128, 255}},
		{"sm_90", machine.Options{MaxThreads: 256, LocalBytes: 164 << 10}, 28 << 10, []int{48, 64, 80, 128, 255}},
		{"sm_86", machine.Options{MaxRegisters: 64}, 0, []int{40, 48, 56, 64}},
		{"sm_75", machine.Options{}, 0, []int{64, 72, 80, 96, 128, 168, 255}},
		{"gfx906", machine.Options{MaxThreads: 256}, 0, []int{24, 28, 32, 36, 40, 48, 64, 84, 128, 256}},
	} {
		code := &machine.Code{Target: lookup(t, c.target), Resources: machine.Resources{LocalBytes: c.local}}
		if got := budgets(code, &c.o); !slices.Equal(got, c.want) {
			t.Errorf("%s %+v: %v, want %v", c.target, c.o, got, c.want)
		}
	}
}
