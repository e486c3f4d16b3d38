package walk

import (
	"fmt"
	"testing"

	"gpupipe/unroll"
)

// At how many places the lanes of a warp of eight are that have loaded where they go.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		body string
		want int64
	}{
		{"o[i] = t[x[i]];", 8},
		{"o[i] = t[x[i / 2] * 2 + i % 2];", 4},            // pairs
		{"o[i] = t[x[i / 8] + i % 8];", 0},                // one row for a warp
		{"o[i] = t[x[x[i]] >> 3];", 8},                    // looked up twice
		{"o[i] = t[i < 100 ? x[i] : 0];", 8},              //
		{"o[i] = t[x[i] > 7 ? i : 2 * i];", 0},            // what is loaded chooses between known ones
		{"uint at = atomic_add(c, 1u); o[i] = t[at];", 0}, // an atomic hands out neighbours
		{"o[i] = t[i * n];", 0},                           // an argument without a value
		{"uint p = i; for (int k = 0; k < 9; k++) p = x[p]; o[i] = t[p];", 8},
		{"float s = 0; for (uint k = x[i]; k < x[i + 1]; k++) s += t[k]; o[i] = s;", 8},
	} {
		g, _ := graph(t, fmt.Sprintf(`kernel void k(global const uint *restrict x, global const float *restrict t,
			global float *restrict o, global uint *restrict c, uint n) { uint i = get_global_id(0); %s }`, c.body),
			func(*unroll.Options) {})
		got := int64(-1)
		for i := range g.Accesses() {
			if a := &g.Accesses()[i]; a.Buffer == "t" && !a.Known() {
				got = a.Places
			}
		}
		if got != c.want {
			t.Errorf("%s: %d places, want %d", c.body, got, c.want)
		}
	}
}
