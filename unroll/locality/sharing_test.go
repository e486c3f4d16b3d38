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

// TestEdgesOfAllGroups: in a row of two groups guards cut lanes from either. How they move shows in the warps between,
// so that planes are found which are many groups back, and that the group comes early for what the one before reads
// late.
func TestEdgesOfAllGroups(t *testing.T) {
	const width, rows, planes, plane = 64, 64, 16, 64 * 64 * 4
	k := &kernel{sector: 32,
		launch: idg.Launch{WarpSize: 8, Local: [3]int64{32, 1, 1}, Groups: [3]int64{2, rows, planes}},
		run: func(l *lanes) {
			for instr := range int64(3) { // the plane below, the group's own and the one above
				l.access(idg.InstrID(instr+1), 1, 4, true, false, func(x item) (int64, bool) {
					i := x.global[0]
					return 4*(width*x.group[1]+i) + plane*(x.group[2]+instr), i > 0 && i < width-1
				})
				for i := range int64(4) { // of another array, so that time passes
					l.load(4, 2, func(x item) int64 {
						return 4 * (x.global[0] + width*(x.group[1]+rows*(x.group[2]+planes*(4*instr+i))))
					})
				}
			}
		}}
	in := k.input()
	got, err := Analyse(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, note := range got.Notes {
		t.Errorf("note: %s", note)
	}
	back := map[idg.GroupReuse]bool{}
	for _, l := range got.Locality {
		for _, r := range l.Groups {
			back[idg.GroupReuse{Groups: r.Groups, Ahead: r.Ahead}] = true
		}
	}
	if want := (idg.GroupReuse{Groups: 2 * rows, Ahead: true}); !back[want] || len(back) != 1 {
		t.Errorf("earlier groups %v, want %v", back, want)
	}
}
