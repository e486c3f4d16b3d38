package unroll_test

import (
	"math"
	"testing"

	"gpupipe/internal/tools"
)

const triangle = `kernel void k(global const float *a, global float *b) {
  int x = get_global_id(0);
  float s = 0;
  for (int j = 0; j < x; j++) s += a[j];
  b[x] = s;
}`

// escape leaves the loop early far from the middle of the launch.
const escape = `kernel void k(global int *o, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1), i = 0;
  float cx = 3.0f * x / w - 1.5f, cy = 3.0f * y / h - 1.5f, zx = 0, zy = 0;
  while (i < 64 && zx * zx + zy * zy < 4) { float t = zx * zx - zy * zy + cx; zy = 2 * zx * zy + cy; zx = t; i++; }
  o[y * w + x] = i;
}`

// Groups of uneven work are sampled: what the samples execute is what all groups execute, exactly
// where all are samples, else nearly. The group in the middle alone is far from it.
func TestSampledGroups(t *testing.T) {
	tools.Heavy(t)
	for _, c := range []struct {
		name, text, options string
		kinds               int     // besides the graph's own; -1 = some
		within, middle      float64 // relative errors of the launch's instructions, at most and at least
	}{
		{"a triangle, each group", triangle, "--local 32 --groups 20", 19, 0, 0.01},
		{"a triangle", triangle, "--local 32 --groups 300", 31, 0.01, 0},
		{"a set", escape, "--local 8x8 --groups 16x16 --arg w=128 --arg h=128", -1, 0.2, 0.5},
		{"a guard", guarded, "--local 64 --groups 100 --arg n=6390", 0, 0.01, 0},
		{"a frame", fivePoints, "--local 32x4 --groups 6x50 --arg w=192 --arg h=200", 0, 1, 0},
		{"one group", triangle, "--local 32 --groups 1", 0, 0, 0},
	} {
		k := lowerKernel(t, c.text)
		opt := parseOptions(t, c.options+" --group-kinds auto")
		g := resolve(t, k, opt).Graph
		if n := len(g.Kinds()); c.kinds >= 0 && n != c.kinds || c.kinds < 0 && n == 0 {
			t.Errorf("%s: %d kinds, want %d", c.name, n, c.kinds)
		}
		sampled, all := executedByLaunch(t, k, opt, g)
		middle := g.Launch.TotalGroups() * instructions(g)
		if e := math.Abs(float64(sampled)/float64(all) - 1); e > c.within {
			t.Errorf("%s: the kinds execute %d instructions, all groups %d", c.name, sampled, all)
		}
		if e := math.Abs(float64(middle)/float64(all) - 1); e < c.middle {
			t.Errorf("%s: the group in the middle is like the others: %d instructions of %d", c.name, middle, all)
		}
	}
}

// Samples are asked for, or found to be needless.
func TestSampledGroupsOff(t *testing.T) {
	for _, text := range []string{guarded, fivePoints} {
		options := "--local 32x4 --groups 6x50 --arg w=192 --arg h=200"
		if text == guarded {
			options = "--local 64 --groups 100 --arg n=6390"
		}
		auto := resolveText(t, text, options+" --group-kinds auto").Graph
		middle := resolveText(t, text, options).Graph
		if string(encoded(t, auto)) != string(encoded(t, middle)) {
			t.Errorf("groups that are alike but at the edges change the document of %s", text)
		}
	}
	if g := resolveText(t, fivePoints, "--local 32x4 --groups 6x50 --arg w=192 --arg h=200 --group-kinds sampled").
		Graph; len(g.Kinds()) == 0 {
		t.Error("no sample is at an edge")
	}
}

// TestOneGroup: a launch of one group has no others to resolve.
func TestOneGroup(t *testing.T) {
	k := lowerKernel(t, escape)
	cost := func(options string) float64 {
		opt := parseOptions(t, "--local 32 --groups 1 --arg w=32 --arg h=1 "+options)
		return testing.AllocsPerRun(1, func() { resolve(t, k, opt) })
	}
	if auto, middle := cost("--group-kinds auto"), cost(""); auto > 1.1*middle {
		t.Errorf("%.0f allocations, of which the group takes %.0f", auto, middle)
	}
}
