package unroll_test

import (
	"fmt"
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll"
)

const guarded = `kernel void k(global float *a, int n) {
  int x = get_global_id(0);
  if (x < n) a[x] += 1;
}`

const fivePoints = `kernel void k(global const float *a, global float *b, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    b[y * w + x] = a[y * w + x] + a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x];
}`

// The groups at the edges of a launch are kinds of their own where they differ, and
// what all kinds execute together is what all groups execute.
func TestGroupKinds(t *testing.T) {
	for _, c := range []struct {
		name, text, options string
		want                []string // group number x groups
	}{
		{"no guard", "kernel void k(global float *a) { a[get_global_id(0)] += 1; }", "--groups 10", nil},
		{"the last is cut off", guarded, "--groups 10 --arg n=300", []string{"9x1"}},
		{"two groups", guarded, "--groups 2 --arg n=30", []string{"0x1"}}, // the middle is the second
		{"the first of two", "kernel void k(global float *a) { if (get_group_id(0) == 0) a[get_global_id(0)] += 1; }",
			"--groups 2", []string{"0x1"}},
		{"three groups", "kernel void k(global float *a) { if (get_group_id(0) != 1) a[get_global_id(0)] += 1; }",
			"--groups 3", []string{"0x2"}},
		// Upper corners, upper edge, left and right edge, lower corners, lower edge.
		{"frame", fivePoints, "--local 32x4 --groups 6x5 --arg w=192 --arg h=20",
			[]string{"0x2", "3x4", "12x6", "24x2", "27x4"}},
		// A guard in one dimension.
		{"columns", "kernel void k(global float *a, int w) { int x = get_global_id(0), y = get_global_id(1); if (x < " +
			"w) a[y * 256 + x] += 1; }",
			"--local 16x4 --groups 4x3x2 --arg w=50", []string{"3x6"}},
		{"one warp of several", fivePoints, "--local 32x4 --groups 6x5 --warps first --arg w=192 --arg h=20", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := lowerKernel(t, c.text)
			opt := parseOptions(t, c.options+" --group-kinds edges")
			g := resolve(t, k, opt).Graph
			var kinds []string
			for _, k := range g.Kinds() {
				kinds = append(kinds, fmt.Sprintf("%dx%d", k.Group, k.Groups))
			}
			if c.want != nil && !slices.Equal(kinds, c.want) {
				t.Errorf("kinds %q, want %q", kinds, c.want)
			}
			got, want := executedByLaunch(t, k, opt, g)
			if got != want {
				t.Errorf("the kinds execute %d instructions together, the groups %d", got, want)
			}
		})
	}
}

// executedByLaunch is how many instructions the kinds of groups of a graph execute together, and
// how many each group does that is resolved on its own.
func executedByLaunch(t *testing.T, k *lower.Kernel, opt unroll.Options, g *idg.Graph) (kinds, groups int64) {
	t.Helper()
	for _, k := range g.GroupKinds() {
		kinds += k.Groups * instructions(k.Graph)
	}
	n := g.Launch.Groups
	for i := range g.Launch.TotalGroups() {
		other, err := unroll.ResolveOther(k, opt, [3]int64{i % n[0], i / n[0] % n[1], i / n[0] / n[1]})
		if err != nil {
			t.Fatal(err)
		}
		groups += instructions(other)
	}
	return kinds, groups
}

// instructions is how many instructions the warps of a group execute.
func instructions(g *idg.Graph) int64 {
	var sum int64
	for i, n := range g.Executions() {
		sum += n * g.Programs()[i].Len()
	}
	return sum
}

// The group in the middle alone gives the same document as it ever did.
func TestGroupKindsOff(t *testing.T) {
	g := resolveText(t, fivePoints, "--local 32x4 --groups 6x5 --arg w=192 --arg h=20").Graph
	if len(g.Kinds()) != 0 {
		t.Errorf("%d kinds", len(g.Kinds()))
	}
	edges := resolveText(t, guarded, "--local 64 --groups 10 --arg n=640 --group-kinds edges").Graph
	middle := resolveText(t, guarded, "--local 64 --groups 10 --arg n=640").Graph
	if string(encoded(t, edges)) != string(encoded(t, middle)) {
		t.Error("groups that are all alike change the document")
	}
}
