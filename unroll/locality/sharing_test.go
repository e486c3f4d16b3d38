package locality

import (
	"testing"

	"gpupipe/idg"
)

// TestSharing: where four groups of a row read parts of one line, the one that stands for them finds in each earlier
// group the mean of what the four find.
func TestSharing(t *testing.T) {
	const lines = 16
	k := &kernel{sector: 128, launch: idg.Launch{WarpSize: 8, Local: [3]int64{8, 1, 1}, Groups: [3]int64{8, 4, 1}},
		run: func(l *lanes) {
			for row := range int64(lines) {
				l.load(1, 0, func(x item) int64 { return 4096 + 4096*row + 32*x.group[0] + 4*x.local[0] })
			}
		}}
	want := map[int64]int64{}
	for x := range int64(4) {
		in := k.input()
		in.Group = [3]int64{4 + x, 2, 0}
		in.Warps = k.group(in.Shapes, in.Group)
		records, _ := slow(k, in)
		for _, r := range records[0].Groups {
			want[r.Groups] += r.Sectors
		}
	}
	for x := range int64(4) {
		in := k.input()
		in.Stands, in.Group = true, [3]int64{4 + x, 2, 0}
		in.Warps = k.group(in.Shapes, in.Group)
		got := map[int64]int64{}
		for _, r := range anyDistance(verifiedRecords(t, in)[0].Groups) {
			got[r.Groups] += 4 * r.Sectors
		}
		if got[1] != want[1] || got[1] != 3*lines {
			t.Errorf("group %d: %v from earlier groups, the four have %v", x, got, want)
		}
	}
}

// TestInStep: groups of one row of a product read its left factor at the same time, and those of a stencil the rows
// that they share at different ones.
func TestInStep(t *testing.T) {
	for _, c := range []struct {
		name   string
		inStep bool
		at     func(x item, k int64) int64
	}{
		{"a row for all groups of it", true, func(x item, k int64) int64 { return 4096*x.group[1] + 32*k }},
		{"rows below the group's own", false, func(x item, k int64) int64 { return 32 * (16*x.group[0] + k) }},
	} {
		k := &kernel{sector: 32, launch: idg.Launch{WarpSize: 8, Local: [3]int64{8, 1, 1}, Groups: [3]int64{8, 4, 1}},
			run: func(l *lanes) {
				for i := range int64(32) {
					l.load(1, 0, func(x item) int64 { return 1<<20 + c.at(x, i) + 4*x.local[0] })
				}
			}}
		in := k.input()
		in.Group = [3]int64{4, 2, 0}
		in.Warps = k.group(in.Shapes, in.Group)
		groups := verifiedRecords(t, in)[0].Groups
		if len(groups) == 0 {
			t.Fatalf("%s: nothing is shared", c.name)
		}
		for _, r := range groups {
			if r.InStep != c.inStep {
				t.Errorf("%s: %+v", c.name, r)
			}
		}
	}
}

func verifiedRecords(t *testing.T, in *Input) []idg.Locality {
	t.Helper()
	got, err := Analyse(in)
	if err != nil {
		t.Fatal(err)
	}
	return got.Locality
}
