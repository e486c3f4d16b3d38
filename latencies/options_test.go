package latencies

import (
	"math"
	"testing"

	"gpupipe/idg"
)

// TestResidentGroups: what a device file does not limit limits nothing, and the scarcest resource decides.
func TestResidentGroups(t *testing.T) {
	g := &idg.Graph{Header: idg.Header{Launch: idg.Launch{Local: [3]int64{128, 1, 1}, Groups: [3]int64{9, 1, 1},
		WarpSize: 32}}}
	for _, c := range []struct {
		limits    Limits
		registers int64
		want      int64
	}{
		{Limits{}, 64, math.MaxInt64},
		{Limits{Warps: 48}, 64, 12},
		{Limits{Warps: 48, WorkItems: 1024}, 64, 8},
		{Limits{Warps: 48, Groups: 5}, 64, 5},
		{Limits{Warps: 48, Registers: 65536, RegisterUnit: 256}, 255, 2},
		{Limits{Warps: 2}, 64, 1}, // where none fits, the launch is refused elsewhere
	} {
		d := &Device{Limits: c.limits, WarpSize: 32}
		if got := d.residentGroups(g, c.registers); got != c.want {
			t.Errorf("%+v: %d groups, want %d", c.limits, got, c.want)
		}
	}
}
