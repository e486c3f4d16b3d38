package unroll_test

import "testing"

// TestEndlessCondition checks that a loop whose condition always holds and that
// is left by a break nobody can foresee runs the assumed number of times, however
// its condition is written; and that one whose condition ends it is not cut short.
func TestEndlessCondition(t *testing.T) {
	for _, c := range []struct {
		loop string
		want int
	}{
		{"while (1)", 5},
		{"for (;;)", 5},
		{"while (go)", 5},
		{"while (go && i >= 0)", 5},
		{"for (; id + 1 > 0; )", 5},
		{"for (int j = 0; j < 9; j++)", 9},
		{"while (++i < 9)", 8},
	} {
		res := resolveText(t, `__kernel void k(__global volatile int *a) {
	uint id = get_global_id(0);
	int i = 0;
	bool go = id >= 0;
	`+c.loop+` {
		if (a[0] == 3) break;
		a[1] = 7;
	}
}`, "--local 32 --assume-trip 5")
		if got := opsOf(res.Graph)["st.global"]; got != c.want {
			t.Errorf("%s: %d iterations, want %d", c.loop, got, c.want)
		}
	}
}
