package unroll_test

import (
	"testing"

	"gpupipe/idg"
)

// How lanes go at branches, over all warps of a group.
func TestDivergence(t *testing.T) {
	for _, c := range []struct {
		name, text, options string
		want                []*idg.Divergence
	}{
		// Half of the lanes of every warp.
		{"lanes", "kernel void k(global int *a) { int i = get_local_id(0); if (i % 2) a[i] = a[i + 1]; else a[i + 7] " +
			"= a[i + 9]; }", "--local 96",
			[]*idg.Divergence{{Warps: 3, DivergedWarps: 3, Executions: 3, Diverged: 3, Lanes: 96}}},
		// The second of three warps, and the last has 8 lanes only.
		{"warps", "kernel void k(global int *a) { int i = get_local_id(0); if (i < 40) a[i] = a[i + 1]; }",
			"--local 72",
			[]*idg.Divergence{{Warps: 3, DivergedWarps: 1, Executions: 3, Diverged: 1, Lanes: 72}}},
		// Once in each of four iterations; inside, with the lanes that are left.
		{"nested", "kernel void k(global int *a) { int i = get_local_id(0);\n#pragma nounroll\nfor (int j = 0; j < " +
			"4; j++) { if (i < 8) { a[i] = j; if (i < 8 - j) a[i + j] = a[i]; } } }", "--local 64",
			[]*idg.Divergence{{Warps: 2, DivergedWarps: 1, Executions: 8, Diverged: 4, Lanes: 256},
				{Warps: 1, DivergedWarps: 1, Executions: 4, Diverged: 3, Lanes: 32}}},
		{"not known", "kernel void k(global int *a) { int i = get_local_id(0); if (a[i]) a[i] = a[i + 1]; }",
			"--local 64", []*idg.Divergence{nil}},
		{"selected", "kernel void k(global int *a) { int i = get_local_id(0), b = 1; if (i < 7) b = 2; a[i] = b; }",
			"--local 64", []*idg.Divergence{nil}},
		{"folded", "kernel void k(global int *a) {\n#pragma unroll\nfor (int j = 0; j < 2; j++) { if (j == 1) " +
			"a[get_local_id(0)] = a[5]; } }", "--local 64", []*idg.Divergence{nil}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := resolveText(t, c.text, c.options).Graph
			if len(g.Branches) != len(c.want) {
				t.Fatalf("%d branches, want %d", len(g.Branches), len(c.want))
			}
			for i, b := range g.Branches {
				if (b.Divergence == nil) != (c.want[i] == nil) || b.Divergence != nil && *b.Divergence != *c.want[i] {
					t.Errorf("branch %d: %+v, want %+v", i, b.Divergence, c.want[i])
				}
			}
		})
	}
}
