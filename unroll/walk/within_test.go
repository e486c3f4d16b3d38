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
