package walk_test

import (
	"fmt"
	"testing"
)

// Groups at an edge are executed where they change the launch by a percent.
func TestUnevenEdges(t *testing.T) {
	const text = `__kernel void k(__global float *a, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h && y >= FIRST)
        for (int i = 0; i < 30; i++)
            a[y * 100000 + x * 31 + i] += 1;
}`
	for _, c := range []struct {
		launch string // of groups of 32x4 work items
		first  int
		kinds  map[int64]int64 // groups, by the number of their kind's first; 0: none
	}{
		{"3x8 --arg w=96 --arg h=32", 0, nil},
		{"3x2 --arg w=96 --arg h=5", 0, map[int64]int64{1: 3}}, // the second is the one in the middle
		{"3x8 --arg w=96 --arg h=29", 0, map[int64]int64{22: 3}},
		{"3x8 --arg w=96 --arg h=32", 1, map[int64]int64{1: 3}},
		{"3x8 --arg w=90 --arg h=32", 0, nil}, // lanes alone are missing
		{"3x8 --arg w=64 --arg h=32", 0, map[int64]int64{14: 8}},
		{"3x60 --arg w=96 --arg h=237", 0, map[int64]int64{178: 3}},
		{"3x200 --arg w=96 --arg h=797", 0, nil},
	} {
		g, _ := graphOf(t, "k.cl", fmt.Sprintf("#define FIRST %d\n%s", c.first, text),
			"--local 32x4 --group-kinds auto --groups "+c.launch)
		got := map[int64]int64{}
		for _, k := range g.Kinds() {
			got[k.Group] = k.Groups
		}
		if fmt.Sprint(got) != fmt.Sprint(c.kinds) {
			t.Errorf("%s from %d: kinds %v, want %v", c.launch, c.first, got, c.kinds)
		}
	}
}
