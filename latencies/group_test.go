package latencies

import "testing"

// TestHolds: the scarcest resource decides, the first of equals.
func TestHolds(t *testing.T) {
	d := &Device{WarpSize: 32, Limits: Limits{Warps: 64, Groups: 32, WorkItems: 2048, GroupWorkItems: 1024,
		Registers: 65536, RegisterUnit: 256, RegistersPerItem: 255, LocalBytes: 65536}}
	for _, c := range []struct {
		g    Group
		want GroupLimit
	}{
		{Group{Items: 256, Warps: 8}, GroupLimit{"warps", 8}},
		{Group{Items: 32, Warps: 1}, GroupLimit{"groups", 32}},
		{Group{Items: 256, Warps: 8, Registers: 64}, GroupLimit{"registers", 4}},
		{Group{Items: 256, Warps: 8, Registers: 32}, GroupLimit{"warps", 8}},
		{Group{Items: 256, Warps: 8, Registers: 64, LocalBytes: 30000}, GroupLimit{"local memory", 2}},
		{Group{Items: 256, Warps: 8, LocalBytes: 70000}, GroupLimit{"local memory", 0}},
		{Group{Items: 2048, Warps: 64}, GroupLimit{"work items of a group", 0}},
		{Group{Items: 32, Warps: 1, Registers: 256}, GroupLimit{"registers of a work item", 0}},
	} {
		if got := d.Holds(c.g); got != c.want {
			t.Errorf("%+v: %v, want %v", c.g, got, c.want)
		}
	}
	if got := (&Device{}).Holds(Group{Items: 32, Warps: 1}); got != (GroupLimit{}) {
		t.Errorf("nothing is known: %v", got)
	}
}
