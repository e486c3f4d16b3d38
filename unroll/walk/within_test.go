package walk

import (
	"fmt"
	"testing"

	"gpupipe/unroll"
)

// What is read of a table where its subscript is loaded from memory: as much of it as the subscript can reach.
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		subscript string
		want      int64
	}{
		{"x[i]", 0},
		{"x[i] & 255", 1024},
		{"x[i] >> 12", 4 << 20},
		{"(x[i] & 7) * 16 + (x[i] >> 30)", 4 * (7*16 + 3 + 1)},
		{"x[i] & mask", 4 << 10},
		{"c[i]", 1024},
		{"c[i] + 1000", 1024},
		{"min(x[i], 9u)", 40},
	} {
		g, _ := graph(t, fmt.Sprintf(`kernel void k(global const uint *x, global const uchar *c, global const float *t,
			global float *o, uint mask) { int i = get_global_id(0); o[i] = t[%s]; }`, c.subscript), func(o *unroll.Options) {
			o.Args = map[string]unroll.ArgValue{"mask": {Int: 1023}}
		})
		got := int64(-1)
		for i := range g.Accesses() {
			if a := &g.Accesses()[i]; a.Buffer == "t" {
				got = a.Within
			}
		}
		if got != c.want {
			t.Errorf("t[%s]: within %d bytes, want %d", c.subscript, got, c.want)
		}
	}
}

// What is read beside what was read before at an unknown place of a table: the next element, and in a loop that of the
// next iteration.
func TestNear(t *testing.T) {
	for _, c := range []struct {
		body string
		want []int64
	}{
		{"uint at = x[i] & mask; o[i] = t[at] + t[(at + 1) & mask] + t[(at + 5) & mask];", []int64{0, 20, 4}},
		{"float s = 0; for (uint k = x[i]; k < x[i + 1]; k++) s += t[2 * i + k]; o[i] = s;", []int64{64, 12, 4, 8}},
		{"float s = 0; for (uint k = x[i]; k < x[i + 1]; k++) s += t[k]; o[i] = s;", []int64{64, 16, 4}},
		{"o[i] = t[x[i]] + t[x[i + 1]];", []int64{0}},
		{"uint at = x[i] & mask; int n = 0; while (n < 16 && t[at] > 2) { at = (at + 1) & mask; n++; } o[i] = n;",
			[]int64{0, 4, 4}}, // of 16 copies; 32 places, and where that is not known
	} {
		g, _ := graph(t, fmt.Sprintf(`kernel void k(global const uint *x, global const float *t, global float *o,
			uint mask) { int i = get_global_id(0); %s }`, c.body), func(o *unroll.Options) {
			o.Args = map[string]unroll.ArgValue{"mask": {Int: 1023}}
		})
		var got []int64
		for i := range g.Accesses() {
			if a := &g.Accesses()[i]; a.Buffer == "t" {
				got = append(got, a.Near)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v bytes from what was read before, want %v", c.body, got, c.want)
		}
	}
}
